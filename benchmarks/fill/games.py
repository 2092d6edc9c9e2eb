"""Games for the newest matches: real ones, of random bots, the same for every match."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache

from benchmarks.fill.writing import Row
from benchmarks.matches import BotInProcess
from benchmarks.playing import seed
from gangland.blocks import seating
from gangland.faults import BotFault, FaultKind
from gangland.games import game_named
from gangland.luck import luck_of
from gangland.match import play
from gangland_ladder.matches.views import views_digest

COLUMNS = ("match_id", "block", "rotation", "replay", "views", "seating", "places", "luck", "faults")


def games_of_match(game: str, seats: int, blocks: int, match_id: int, faults: Sequence[int]) -> Iterator[Row]:
    """Yield a match's games; whoever has a fault in the match fails in the first game."""
    faulty = next((position for position, count in enumerate(faults) if count), None)
    for block in range(blocks):
        for rotation in range(seats):
            fails = faulty if block == rotation == 0 else None
            yield (match_id, block, rotation, *_game(game, seats, block, rotation, fails))


@cache
def _game(name: str, seats: int, block: int, rotation: int, fails: int | None) -> Row:
    game, sitting = game_named(name), seating(block, rotation, seats)
    players = [BotInProcess(game, position) for position in sitting]
    failed = {sitting.index(fails): BotFault(FaultKind.CRASHED, "line 7: KeyError(3)")} if fails is not None else {}
    played = play(game, players, seed(block), failed=failed)
    return (
        played.replay.to_json(),
        views_digest(played.replay),
        json.dumps(list(sitting)),
        json.dumps(list(played.outcome.places)),
        json.dumps(list(luck_of(played.replay))),
        json.dumps([{**asdict(fault), "kind": fault.kind.value} for fault in played.faults]),
    )
