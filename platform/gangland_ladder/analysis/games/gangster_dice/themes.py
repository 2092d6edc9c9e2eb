"""What kind of mistake a decision is, as words that follow "by" (`account.Judged.theme`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gangland.game import Decision
from gangland.gangster_dice.cards import TOKEN_NAMES, TOKENS

FAULT: Final = "being at fault"
_OTHERS: Final = {
    "stake": "staking the wrong colour",
    "dump": "dumping the wrong colour",
    "take": "taking the wrong colour",
    "swap": "swapping the wrong dice",
    "reroll": "rolling the wrong die again",
    "keep": "keeping the wrong favor",
    "discard": "discarding the wrong favor",
}
_TURNED_DOWN: Final = {
    "stake": "not staking a die",
    "take": "declining a die",
    "swap": "not swapping a die",
    "reroll": "rolling no die again",
    "discard": "taking a die where a favor could go",
}
_DONE: Final = {
    "stake": "staking a die",
    "take": "taking a die where it could be declined",
    "swap": "swapping a die",
    "reroll": "rolling a die again",
    "discard": "discarding a favor",
}


def theme_of(kind: str, chosen: Decision, best: Decision, wins: Sequence[float] | None = None) -> str:
    """Return what kind of mistake it is to choose so where another decision was best.

    Args:
        wins: for bids, by token, the chance that the best decision wins it.
    """
    if kind == "bids":
        return _of_bids(chosen, best, wins)
    if kind == "exchange":
        return _of_exchange(chosen, best)
    if chosen is None and kind in _TURNED_DOWN:
        return _TURNED_DOWN[kind]
    if best is None and kind in _DONE:
        return _DONE[kind]
    return _OTHERS[kind]


def _of_bids(chosen: Any, best: Any, wins: Sequence[float] | None) -> str:
    on, better = [token for token, _ in chosen], [token for token, _ in best]
    missed = [token for token in better if token not in on]
    wrong = [token for token in on if token not in better]
    if missed and wrong:
        most = max(missed, key=lambda token: wins[token]) if wins else missed[0]
        return f"bidding on the {TOKEN_NAMES[wrong[0]]} where the {TOKEN_NAMES[most]} was better"
    spent, enough = sum(favor for _, favor in chosen), sum(favor for _, favor in best)
    if spent > enough:
        return "playing a higher favor than was needed"
    if spent < enough:
        return "playing a lower favor than was needed"
    return "playing favors on the wrong bids"


def _of_exchange(chosen: Any, best: Any) -> str:
    nothing = ((0,) * 3, (0,) * 3)
    if chosen == nothing:
        return "not exchanging dice"
    return "exchanging dice" if best == nothing else "exchanging the wrong dice"


THEMES: Final = (
    *(
        f"bidding on the {TOKEN_NAMES[wrong]} where the {TOKEN_NAMES[better]} was better"
        for wrong in TOKENS
        for better in TOKENS
        if wrong != better
    ),
    "playing a higher favor than was needed",
    "playing a lower favor than was needed",
    "playing favors on the wrong bids",
    "not exchanging dice",
    "exchanging dice",
    "exchanging the wrong dice",
    *_OTHERS.values(),
    *_TURNED_DOWN.values(),
    *_DONE.values(),
    FAULT,
)
"""All of them."""
