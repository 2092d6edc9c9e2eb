"""Explain to a bot's author which parts of an illegal answer are wrong, in Gangster Dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from gangland.gangster_dice.views import View
from gangland.words import times


def wrong_bids(view: View, answer: Sequence[Any]) -> list[str]:
    """Return a message for each illegal bid of a list, and for a wrong number of bids."""
    if not all(isinstance(bid, list) and len(bid) == 2 and all(type(item) is int for item in bid) for bid in answer):
        return []
    count, required = len(answer), view.bids_required
    messages = [f"the list has {count} {'bid' if count == 1 else 'bids'}, not {required}"] if count != required else []
    tokens, favors = Counter(token for token, _ in answer), Counter(favor for _, favor in answer)
    messages += [f"none of your dice shows token {token}" for token in tokens if token not in view.legal_tokens]
    messages += [f"token {token} is bid on {times(number)}" for token, number in tokens.items() if number > 1]
    held = Counter(view.hand)
    return messages + [_excess_message(favor, held[favor]) for favor, number in favors.items() if number > held[favor]]


def _excess_message(favor: int, number: int) -> str:
    return f"you hold favor {favor} only {times(number)}" if number else f"you hold no favor {favor}"
