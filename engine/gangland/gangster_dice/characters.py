"""The nine characters as data: names are printed, hand sizes and abilities are this project's own (G34).

The rules read only the traits below, never a name, so another set of characters only needs another table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gangland.gangster_dice.cards import HAND_LIMIT, LAWYER, SPEAKEASY, STREETS
from gangland.view import unchangeable


@unchangeable
@dataclass(frozen=True, slots=True)
class Character:
    """A seat's character and its abilities.  Without characters every seat has `PLAIN`."""

    key: str  # the name in options, views and replays
    name: str  # the name for people
    hand_limit: int  # favors in its hand, at least 2: two players bid with two of them (G9)
    ability: str  # the ability in words, for people
    swaps_on: tuple[int, ...] = ()  # after newly taking one of these tokens, it may swap a die with the Speakeasy
    bonus_on: tuple[int, ...] = ()  # bids on these score one more, unless it controlled them at the start of the round
    bonus_held: int = 0  # the bonus of its bids on a token that it controlled at the start of the round
    always_special: bool = False  # winning the Lawyer gives it the +4, controlled before or not (G27)
    rerolls: bool = False  # it may reroll one of its dice
    # While its hand limit is larger than this, 2 or more, it may discard a favor instead of taking a die; None for
    # never.
    discards_above: int | None = None
    wins_ties: bool = False  # it wins ties that do not include the Streets' controller
    draws_pairs: bool = False  # each normal draw is two favors, and it keeps one of them
    places: int = 0  # it may put exactly this number of dice on the Investigator, instead of a color; 0 for never

    def bonus(self, token: int, *, held: bool) -> int:
        """Return the bonus of a bid on the token; `held` is control at the start of the round."""
        return self.bonus_held if held else int(token in self.bonus_on)


PLAIN: Final = Character("", "", HAND_LIMIT, "")

HOUSE_SET: Final = (
    Character(
        "nancy",
        "Nancy Hughs",
        2,
        "When she newly takes the Lawyer, the Speakeasy or the Streets, she may once swap an unlocked die "
        "with one on the Speakeasy.",
        swaps_on=(LAWYER, SPEAKEASY, STREETS),
    ),
    Character(
        "bobby",
        "Bobby Washington",
        3,
        "A bid of his on the Streets scores 1 more unless he controlled them at the start of the round.",
        bonus_on=(STREETS,),
    ),
    Character(
        "eddie",
        "Eddie Vandenburg",
        3,
        "He takes the +4 favor whenever he wins the Lawyer, controlled before or not.",
        always_special=True,
    ),
    Character("franky", "Franky", 3, "After all rolls he may roll one of his dice again.", rerolls=True),
    Character(
        "roberts",
        "Roberts",
        5,
        "Instead of taking a die from the Investigator he may discard a favor, down to a hand of 2: "
        "his hand size falls by 1.",
        discards_above=2,
    ),
    Character("silvio", "Silvio", 2, "He wins ties in which he is and the Streets' controller is not.", wins_ties=True),
    Character(
        "timmy",
        "Timmy Green",
        2,
        "Each normal draw of his is a pair: he keeps one, the other is discarded.",
        draws_pairs=True,
    ),
    Character(
        "don",
        "Don Ciaperinelli",
        3,
        "A bid of his scores 1 more on a token that he controlled at the start of the round.",
        bonus_held=1,
    ),
    Character(
        "liza",
        "Liza Bruno",
        4,
        "When she wins the Investigator held by another, she may instead place exactly two unlocked dice, "
        "of any colours.",
        places=2,
    ),
)
"""The characters in the order of the deal; no game has the same character twice (G34)."""

BY_KEY: Final = {character.key: character for character in HOUSE_SET}
