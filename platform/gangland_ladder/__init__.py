"""Tournaments without a site: pairing, referee, ratings, standings and the command line.

To use it from Python: `from gangland_ladder import play_game, play_blocks, play_duel, round_robin`; see
`gangland_ladder.local.batch`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gangland_ladder.local.batch import BotScore as BotScore
    from gangland_ladder.local.batch import DuelResult as DuelResult
    from gangland_ladder.local.batch import GameResult as GameResult
    from gangland_ladder.local.batch import MatchResult as MatchResult
    from gangland_ladder.local.batch import RoundRobin as RoundRobin
    from gangland_ladder.local.batch import Standing as Standing
    from gangland_ladder.local.batch import VoidMatch as VoidMatch
    from gangland_ladder.local.batch import play_blocks as play_blocks
    from gangland_ladder.local.batch import play_duel as play_duel
    from gangland_ladder.local.batch import play_game as play_game
    from gangland_ladder.local.batch import round_robin as round_robin
    from gangland_ladder.local.bots import LocalBot as LocalBot
    from gangland_ladder.local.bots import read_bot as read_bot
    from gangland_ladder.local.ladder import Meeting as Meeting
    from gangland_ladder.rating.duels import Hypotheses as Hypotheses

_NAMES = {
    "local.batch": "BotScore DuelResult GameResult MatchResult RoundRobin Standing VoidMatch play_blocks play_duel "
    "play_game round_robin",
    "local.bots": "LocalBot read_bot",
    "local.ladder": "Meeting",
    "rating.duels": "Hypotheses",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = [*_MODULES]  # noqa: PLE0604 (every entry is a string)


def __getattr__(name: str) -> Any:
    """Import a name on first use, so that the command line starts in a fraction of the time."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"gangland_ladder.{_MODULES[name]}"), name)
