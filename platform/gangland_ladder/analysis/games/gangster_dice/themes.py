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
    "stake": "staking no die where one was worth it",
    "take": "declining a die that was worth taking",
    "swap": "swapping no die where it was worth it",
    "reroll": "rolling no die again where it was worth it",
    "discard": "taking a die where a favor could go",
}
_DONE: Final = {
    "stake": "staking a die where none was better",
    "take": "taking a die where it could be declined",
    "swap": "swapping a die where none was better",
    "reroll": "rolling a die again where none was better",
    "discard": "discarding a favor where a die could be taken",
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
        return f"bidding on the {TOKEN_NAMES[wrong[0]]} instead of the {TOKEN_NAMES[most]}"
    spent, enough = sum(favor for _, favor in chosen), sum(favor for _, favor in best)
    if spent > enough:
        return "playing a higher favor than was needed"
    if spent < enough:
        return "playing a lower favor than was needed"
    return "playing favors on the wrong bids"


def _of_exchange(chosen: Any, best: Any) -> str:
    nothing = ((0,) * 3, (0,) * 3)
    if chosen == nothing:
        return "exchanging no dice where it was worth it"
    return "exchanging dice where none was better" if best == nothing else "exchanging the wrong dice"


THEMES: Final = (
    *(
        f"bidding on the {TOKEN_NAMES[wrong]} instead of the {TOKEN_NAMES[better]}"
        for wrong in TOKENS
        for better in TOKENS
        if wrong != better
    ),
    "playing a higher favor than was needed",
    "playing a lower favor than was needed",
    "playing favors on the wrong bids",
    "exchanging no dice where it was worth it",
    "exchanging dice where none was better",
    "exchanging the wrong dice",
    *_OTHERS.values(),
    *_TURNED_DOWN.values(),
    *_DONE.values(),
    FAULT,
)
"""All of them."""
