"""One game of local bots, also as a document of the schema gangland/game/1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gangland.games import game_named
from gangland_ladder.errors.catalogue import fault_code
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.matches.contender import Contender
from gangland_ladder.matches.judging import judge
from gangland_ladder.matches.logs import log_parts
from gangland_ladder.matches.orders import FaultRecord, GameRecord, Order, Result, sendable
from gangland_ladder.matches.referee import MatchTable
from gangland_ladder.matches.seeds import rng_seed
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.limits import Limits
from gangland_sandbox.pool import Pool


def play_game(pool: Pool, order: Order, codes: Mapping[str, bytes]) -> Result:
    """Play the first game of a match; a result that is void has no game, and says why; a job for a table.

    Args:
        codes: the source of every bot, by SHA-256.
    """
    game, limits = game_named(order.game), Limits.from_dict(order.limits)
    contenders = [Contender(seat.name, codes[seat.code], game, limits, pool, None) for seat in order.seats]
    table = MatchTable(order, contenders)
    try:
        with pool.match():
            pool.fill(len(contenders), limits.profile)
            table.begin_rotation()
            record = table.play(0, 0)
    except SandboxError as failure:
        return Result(order.id, order.token, [], void=sendable(str(failure)))
    finally:
        table.end_rotation()
    return Result(order.id, order.token, [record])


def game_document(order: Order, bots: Sequence[LocalBot], result: Result, seed: int, salt: bytes) -> dict[str, Any]:
    """Return a game as a document of the schema gangland/game/1, logs included.

    Args:
        bots: in seat order.
        seed, salt: what its dice come from.

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
        "salt": salt.hex(),
        "options": order.options,
        "seats": [
            {
                "bot": bot.name,
                "code": bot.code,
                "place": judged.outcome.places[seat],
                "fault": _fault(faults.get(seat)),
                "log": judged.record.logs[seat],
                "logged": _logged(judged.record, seat),
            }
            for seat, bot in enumerate(bots)
        ],
        "rounds": judged.replay.rounds,
        "decisions": len(judged.replay.decisions),
        "views": judged.record.views,
        "rng_seeds": [rng_seed(key, 0, 0, seat).hex() for seat in range(len(bots))],
        "replay": judged.replay.to_dict(),
    }


def _logged(record: GameRecord, seat: int) -> list[dict[str, object]]:
    """Return what a seat logged and printed while it decided, by decision."""
    parts = log_parts(record.logs[seat], record.log_marks[seat])
    return [{"decision": number, "text": text} for number, text in parts if number is not None]


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
