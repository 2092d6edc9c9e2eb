"""Set up a game: characters, stashes, the first dice on the Speakeasy, and hands (G34, G39)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from gangland.chance import Chance
from gangland.game import Event
from gangland.gangster_dice import cards
from gangland.gangster_dice.characters import BY_KEY, HOUSE_SET, PLAIN, Character
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.rounds import NO_OPENING, Cache
from gangland.gangster_dice.state import Public, Rare, Setting, State, Table

FAVORS: Final = "favors"
"""The `purpose` argument for shuffling the favors."""
CHARACTERS: Final = "characters"
"""The `purpose` argument for shuffling the characters."""


def cast_of(options: Options, seats: int, chance: Chance) -> tuple[Character, ...]:
    """Return each seat's character (G34).  Raises ValueError: the chosen cast has a different number of seats."""
    if options.characters == "dealt":
        dealt = chance.shuffle(CHARACTERS, 0, range(len(HOUSE_SET)))
        return tuple([HOUSE_SET[number] for number in dealt[:seats]])
    if options.characters == "chosen":
        if len(options.cast) != seats:
            raise ValueError(f"the cast {list(options.cast)!r} is for {len(options.cast)} seats, not for {seats}")
        return tuple([BY_KEY[key] for key in options.cast])
    return (PLAIN,) * seats


def lay_table(setting: Setting, chance: Chance) -> tuple[Table, tuple[Event, ...]]:
    """Give every seat two dice of each color, put one of each on the Speakeasy, and deal hands seat by seat (G39).

    Return the table, and the deals as events, which only the seat itself and spectators see.
    """
    table = Table(empty_state(setting), {}, chance)
    deck, dealt, hands = chance.shuffle(FAVORS, 0, cards.DECK), 0, []
    for limit in table.hand_limits:
        hands.append(tuple(sorted(deck[dealt : dealt + limit])))
        dealt += limit
    table.hands, table.deck = tuple(hands), deck[dealt:]
    return table, tuple([("dealt", seat, hand) for seat, hand in enumerate(hands)])


def no_discards(options: Options) -> tuple[int, ...]:
    """Return empty discards: a count of 0 for each value that can be discarded (G28)."""
    return (0,) * (cards.SPECIAL + (options.spent_favor == "discards"))


@lru_cache(maxsize=1000)
def empty_state(setting: Setting) -> State:
    """Return the state before the first round, without a deck."""
    nobody = (None,) * len(cards.TOKENS)
    public = Public(
        header=setting.header,
        opening=NO_OPENING,
        questions=(),
        stashes=(cards.FIRST_STASH,) * len(setting.cast),
        hand_limits=tuple([character.hand_limit for character in setting.cast]),
        hand_sizes=setting.none,
        specials_held=setting.none,
        control=nobody,
        dice=tuple([cards.FIRST_SPEAKEASY if token == cards.SPEAKEASY else cards.NO_DICE for token in cards.TOKENS]),
        deck=0,
        discards=no_discards(setting.options),
        specials=cards.SPECIALS,
        bids=(),
        winners=nobody,
        log=(),
        history=(),
        cache=Cache(),
    )
    return State(
        setting=setting,
        step=0,
        public=public,
        locked=setting.no_dice,
        hands=((),) * len(setting.cast),
        deck=(),
        answers=setting.no_answers,
        last_asked=setting.none,
        rare=Rare(
            half_answered=False,
            end=None,
            shuffles=1,
            unseen_specials=setting.none,
            drawing=(0, ()),
            pair=(),
            passed=(),
            spared=False,
        ),
    )
