"""How the table is laid: who sits where, stashes, the first dice on the Speakeasy, hands (G34, G39)."""

from __future__ import annotations

from typing import Final

from gangland.chance import Chance
from gangland.gangster_dice.cards import (
    DECK,
    FIRST_SPEAKEASY,
    FIRST_STASH,
    NO_DICE,
    SPEAKEASY,
    SPECIAL,
    SPECIALS,
    TOKENS,
)
from gangland.gangster_dice.characters import BY_KEY, HOUSE_SET, PLAIN, Character
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.state import Setting, State, Table

FAVORS: Final = "favors"
"""What the favors' shuffles are called."""
CHARACTERS: Final = "characters"
"""What the shuffle of the characters is called."""


def cast_of(options: Options, seats: int, chance: Chance) -> tuple[Character, ...]:
    """Return each seat's character: none, dealt by the seed, or chosen by the organiser (G34).

    Raises:
        ValueError: a chosen cast for another number of seats.
    """
    if options.characters == "dealt":
        dealt = chance.shuffle(CHARACTERS, 0, range(len(HOUSE_SET)))
        return tuple([HOUSE_SET[number] for number in dealt[:seats]])
    if options.characters == "chosen":
        if len(options.cast) != seats:
            raise ValueError(f"the cast {list(options.cast)!r} is for {len(options.cast)} seats, not for {seats}")
        return tuple([BY_KEY[key] for key in options.cast])
    return (PLAIN,) * seats


def lay_table(setting: Setting, chance: Chance) -> Table:
    """Give every seat two dice a colour, put one of each on the Speakeasy, and deal hands seat by seat (G39)."""
    deck = chance.shuffle(FAVORS, 0, DECK)
    hands: list[tuple[int, ...]] = []
    for character in setting.cast:
        hands.append(tuple(sorted(deck[: character.hand_limit])))
        deck = deck[character.hand_limit :]
    table = Table(_bare(setting, tuple(hands), deck), chance)
    for seat, character in enumerate(setting.cast):
        if character is not PLAIN:
            table.tell(("seated", seat, character.key))
    for seat, hand in enumerate(hands):
        table.whisper(("dealt", seat, hand))
    return table


def no_discards(options: Options) -> tuple[int, ...]:
    """Return empty discards: a count for each value that may come to lie there (G28)."""
    return (0,) * (SPECIAL + (options.spent_favor == "discards"))


def _bare(setting: Setting, hands: tuple[tuple[int, ...], ...], deck: tuple[int, ...]) -> State:
    """Return the state before the first round."""
    seats = len(hands)
    return State(
        setting=setting,
        round=0,
        step=0,
        questions=(),
        half_answered=False,
        end=None,
        hand_limits=tuple([character.hand_limit for character in setting.cast]),
        stashes=(FIRST_STASH,) * seats,
        faces=(((), (), ()),) * seats,
        symbols=((0,) * len(TOKENS),) * seats,
        locked=(NO_DICE,) * seats,
        hands=hands,
        deck=deck,
        shuffles=1,
        discards=no_discards(setting.options),
        specials=SPECIALS,
        unseen_specials=(0,) * seats,
        opening=(None,) * len(TOKENS),
        bonus=0,
        control=(None,) * len(TOKENS),
        dice=tuple([FIRST_SPEAKEASY if token == SPEAKEASY else NO_DICE for token in TOKENS]),
        bids=(),
        winners=(None,) * len(TOKENS),
        answers=((),) * seats,
        drawing=(0, ()),
        pair=(),
        passed=(),
        spared=False,
        told=(),
        history=(),
        last_asked=(0,) * seats,
        shown=(),
    )
