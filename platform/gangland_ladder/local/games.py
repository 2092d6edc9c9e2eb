"""One game of local bots, with what each logged at which decision, and as a document of the schema gangland/game/1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gangland.game import Game
from gangland.games import game_named
from gangland.view import View
from gangland_ladder.catalogue import fault_code
from gangland_ladder.contender import Contender
from gangland_ladder.judging import judge
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.orders import FaultRecord, Order, Result
from gangland_ladder.referee import MESSAGE_CHARS, MatchTable
from gangland_ladder.seeds import rng_seed
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool

Logged = list[tuple[int, str]]
"""What a bot logged and printed while it decided: the decision's number in the game, and the text."""


class _Noting(Contender):
    """A contender that notes at which decision something was logged."""

    def __init__(self, name: str, source: bytes, game: Game[Any], limits: Limits, pool: Pool) -> None:
        super().__init__(name, source, game, limits, pool, None)
        self.noted: Logged = []
        self.whole: list[str] = []

    def decide(self, kind: str, view: View, number: int) -> object:
        """Answer a question, and note what was logged meanwhile."""
        self._note(None)
        try:
            return super().decide(kind, view, number)
        finally:
            self._note(number)

    def take_log(self) -> str:
        """Return what was logged in the whole game."""
        self._note(None)
        return "\n".join(self.whole)

    def _note(self, number: int | None) -> None:
        if text := super().take_log():
            self.whole.append(text)
            if number is not None:
                self.noted.append((number, text))


def play_game(pool: Pool, order: Order, codes: Mapping[str, bytes]) -> tuple[Result, list[Logged]]:
    """Play the first game of a match; return its record and what was logged at each decision, by seat.

    A result that is void has no game, and says why; a job for a table.

    Args:
        codes: the source of every bot, by SHA-256.
    """
    game, limits = game_named(order.game), Limits.from_dict(order.limits)
    contenders = [_Noting(seat.name, codes[seat.code], game, limits, pool) for seat in order.seats]
    table = MatchTable(order, contenders)
    try:
        with pool.match():
            pool.fill(len(contenders), limits.profile)
            table.begin_rotation()
            record = table.play(0, 0)
    except SandboxError as failure:
        return Result(order.id, order.token, [], void=str(failure)[:MESSAGE_CHARS]), []
    finally:
        table.end_rotation()
    return Result(order.id, order.token, [record]), [contenders[index].noted for index in record.seating]


def game_document(
    order: Order, bots: Sequence[LocalBot], result: Result, logged: Sequence[Logged], seed: int
) -> dict[str, Any]:
    """Return a game as a document of the schema gangland/game/1, logs included.

    Args:
        bots: in seat order.
        seed: the `--seed` that its dice come from.

    Raises:
        SandboxError: it could not be played, and no bot is to blame.
    """
    if result.void is not None:
        raise SandboxError(result.void)
    (judged,) = judge(order, result, rotations=1).games
    faults = {fault.seat: fault for fault in reversed(judged.record.faults)}
    key = bytes.fromhex(order.rng_key)
    return {
        "schema": "gangland/game/1",
        "game": order.game,
        "seed": seed,
        "options": order.options,
        "seats": [
            {
                "bot": bot.name,
                "code": bot.code,
                "place": judged.outcome.places[seat],
                "fault": _fault(faults.get(seat)),
                "log": judged.record.logs[seat],
                "logged": [{"decision": number, "text": text} for number, text in logged[seat]],
            }
            for seat, bot in enumerate(bots)
        ],
        "rounds": judged.replay.rounds,
        "decisions": len(judged.replay.decisions),
        "views": judged.record.views,
        "rng_seeds": [rng_seed(key, 0, 0, seat).hex() for seat in range(len(bots))],
        "replay": judged.replay.to_dict(),
    }


def without_logs(document: dict[str, Any]) -> dict[str, Any]:
    """Return a game's document without what its bots logged."""
    seats = [
        {name: value for name, value in seat.items() if name not in ("log", "logged")} for seat in document["seats"]
    ]
    return {**document, "seats": seats}


def _fault(fault: FaultRecord | None) -> dict[str, object] | None:
    if fault is None:
        return None
    code = fault_code(fault.kind, fault.message)
    return {
        "kind": fault.kind,
        "code": code,
        "message": fault.message,
        "round": fault.round,
        "decision": fault.decision,
    }
