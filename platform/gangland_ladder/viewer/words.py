"""Decisions in words, for people who look at a game or at how two bots differ."""

from __future__ import annotations

from typing import Any

from gangland.replay import FAULT
from gangland_ladder.viewer.games import presentation_of


def decision_in_words(game: str, kind: str, decision: Any) -> str:
    """Return a decision as what a seat does: "rolls 4 dice".

    Args:
        decision: in canonical form, or "fault".
    """
    return "is at fault" if decision == FAULT else presentation_of(game).decision(kind, decision)
