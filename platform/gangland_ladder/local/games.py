"""One game of local bots, also as a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from gangland_ladder.common.release import this_python
from gangland_ladder.documents.games import Fault, Game, GameSeat, Logged, Replay
from gangland_ladder.errors import fault_code
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.matches.judging import judge
from gangland_ladder.matches.match_orders import FaultRecord, GameRecord, Order, Result, log_parts
from gangland_ladder.matches.referee import play_match
from gangland_ladder.matches.seeds import rng_seed
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.pool import Pool


def play_game(pool: Pool, order: Order, codes: Mapping[str, bytes]) -> Result:
    """Play the one game of a match of one block, in its first rotation; a job for a table.

    Args:
        codes: the source of every bot, by SHA-256.
    """
    return play_match(order, codes, pool=pool, rotations=1)


def game_document(order: Order, bots: Sequence[LocalBot], result: Result, seed: int, salt: bytes) -> Game:
    """Return a game as a document, logs included.

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
    return Game(
        game=order.game,
        seed=seed,
        salt=salt.hex(),
        options=order.options,
        seats=[
            GameSeat(
                bot=bot.name,
                code=bot.code,
                place=judged.outcome.places[seat],
                fault=_fault(faults.get(seat)),
                log=judged.record.logs[seat],
                logged=_logged(judged.record, seat),
            )
            for seat, bot in enumerate(bots)
        ],
        rounds=judged.replay.rounds,
        decisions=len(judged.replay.decisions),
        views=judged.record.views,
        rng_seeds=[rng_seed(key, 0, 0, seat).hex() for seat in range(len(bots))],
        python=this_python(),
        replay=Replay.of(judged.replay),
    )


def _logged(record: GameRecord, seat: int) -> list[Logged]:
    """Return what a seat logged and printed while it decided, by decision."""
    parts = log_parts(record.logs[seat], record.log_marks[seat])
    return [Logged(number, text) for number, text in parts if number is not None]


def without_logs(document: Game) -> Game:
    """Return a game's document without what its bots logged."""
    return replace(document, seats=[replace(seat, log=UNSET, logged=UNSET) for seat in document.seats])


def _fault(fault: FaultRecord | None) -> Fault | None:
    if fault is None:
        return None
    return Fault(fault.kind, fault_code(fault.kind, fault.message), fault.message, fault.round, fault.decision)
