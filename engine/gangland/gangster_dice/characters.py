"""The nine characters as data: the names are those on the cards; the rest is this project's own (G34).

The rules read only the traits below, never a name, so another set of characters needs only another table.
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
    name: str  # the display name
    hand_limit: int  # favors in its hand, at least 2: two players bid with two of them (G9)
    ability: str  # a sentence about the ability
    swaps_on: tuple[int, ...] = ()  # after gaining control of one of these tokens, it may swap a die with the Speakeasy
    bonus_on: tuple[int, ...] = ()  # bids on these score one more, unless it controlled them at the start of the round
    bonus_held: int = 0  # the bonus of its bids on a token that it controlled at the start of the round
    always_special: bool = False  # winning the Lawyer gives it the +4, whether or not it controlled it before (G27)
    rerolls: bool = False  # it may reroll one of its dice
    # While its hand limit is above this number, which is at least 2, it may discard a favor instead of taking a die;
    # if None, never.
    discards_above: int | None = None
    wins_ties: bool = False  # it wins ties that do not include the Streets' controller
    draws_pairs: bool = False  # each normal draw is two favors, and it keeps one of them
    places: int = 0  # it may put exactly this number of dice on the Investigator, instead of a color; 0 for never

    def bonus(self, token: int, *, held: bool) -> int:
        """Return the bonus of a bid on the token; `held`: it controlled the token at the start of the round."""
        return self.bonus_held if held else int(token in self.bonus_on)


PLAIN: Final = Character("", "", HAND_LIMIT, "")

HOUSE_SET: Final = (
    Character(
        "nancy",
        "Nancy Hughs",
        2,
        "When she gains control of the Lawyer, the Speakeasy or the Streets, she may swap one unlocked die "
        "for one on the Speakeasy.",
        swaps_on=(LAWYER, SPEAKEASY, STREETS),
    ),
    Character(
        "bobby",
        "Bobby Washington",
        3,
        "His bids on the Streets score 1 more, unless he controlled them at the start of the round.",
        bonus_on=(STREETS,),
    ),
    Character(
        "eddie",
        "Eddie Vandenburg",
        3,
        "He takes a +4 favor whenever he wins the Lawyer, even if he did not control it before.",
        always_special=True,
    ),
    Character("franky", "Franky", 3, "After all rolls he may roll one of his dice again.", rerolls=True),
    Character(
        "roberts",
        "Roberts",
        5,
        "Instead of taking a die from the Investigator, he may discard a favor, but his hand size falls by 1, "
        "down to 2.",
        discards_above=2,
    ),
    Character("silvio", "Silvio", 2, "He wins his ties, unless the Streets' controller ties too.", wins_ties=True),
    Character(
        "timmy",
        "Timmy Green",
        2,
        "For each normal draw he draws two favors, keeps one and discards the other.",
        draws_pairs=True,
    ),
    Character(
        "don",
        "Don Ciaperinelli",
        3,
        "His bid on a token that he controlled at the start of the round scores 1 more.",
        bonus_held=1,
    ),
    Character(
        "liza",
        "Liza Bruno",
        4,
        "When she wins the Investigator from another player, she may instead place exactly two unlocked dice "
        "of any colors.",
        places=2,
    ),
)
"""The characters in dealing order; no game has the same character twice (G34)."""

BY_KEY: Final = {character.key: character for character in HOUSE_SET}
