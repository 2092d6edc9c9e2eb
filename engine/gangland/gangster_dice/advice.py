"""What an author is told of an illegal answer in Gangster Dice, besides what is legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from gangland.gangster_dice.views import View
from gangland.words import times


def wrong_bids(view: View, answer: Sequence[Any]) -> list[str]:
    """Return which bids of a list cannot be made, or that they are too many or too few."""
    if not all(isinstance(bid, list) and len(bid) == 2 and all(type(each) is int for each in bid) for bid in answer):
        return []
    count, wanted = len(answer), view.bids_required
    told = [f"the list has {count} {'bid' if count == 1 else 'bids'}, not {wanted}"] if count != wanted else []
    tokens, favors = Counter(token for token, _ in answer), Counter(favor for _, favor in answer)
    told += [f"none of your dice shows token {token}" for token in tokens if token not in view.legal_tokens]
    told += [f"token {token} is there {times(number)}" for token, number in tokens.items() if number > 1]
    held = Counter(view.hand)
    return told + [_held(favor, held[favor]) for favor, number in favors.items() if number > held[favor]]


def _held(favor: int, number: int) -> str:
    return f"you hold favor {favor} {times(number)} only" if number else f"you hold no favor {favor}"
