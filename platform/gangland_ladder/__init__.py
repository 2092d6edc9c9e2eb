"""Tournaments without a site: pairing, referee, ratings, standings and the command line.

From Python: `from gangland_ladder import play_game, play_blocks, play_duel, round_robin`;
see `gangland_ladder.local.batch`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gangland_ladder.local.batch import (
        BotScore,
        DuelResult,
        GameResult,
        MatchResult,
        RoundRobin,
        Standing,
        VoidMatch,
        play_blocks,
        play_duel,
        play_game,
        round_robin,
    )
    from gangland_ladder.local.bots import LocalBot, read_bot
    from gangland_ladder.local.ladder import Meeting
    from gangland_ladder.rating.duels import Hypotheses

_BATCH = "gangland_ladder.local.batch"
_ELSEWHERE = {
    "Hypotheses": "gangland_ladder.rating.duels",
    "LocalBot": "gangland_ladder.local.bots",
    "Meeting": "gangland_ladder.local.ladder",
    "read_bot": "gangland_ladder.local.bots",
}

__all__ = [
    "BotScore",
    "DuelResult",
    "GameResult",
    "Hypotheses",
    "LocalBot",
    "MatchResult",
    "Meeting",
    "RoundRobin",
    "Standing",
    "VoidMatch",
    "play_blocks",
    "play_duel",
    "play_game",
    "read_bot",
    "round_robin",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the command line starts in a fraction of that time."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_ELSEWHERE.get(name, _BATCH)), name)
