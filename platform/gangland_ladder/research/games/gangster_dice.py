"""The encoding of Gangster Dice: an action is one whole decision, out of a list of all possible ones.

The list is the same at every table: to pass, then for each kind of decision everything that can be legal.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import Any

from gangland.game import Decision
from gangland.gangster_dice import wire as at
from gangland.gangster_dice.bot import Bot
from gangland.gangster_dice.cards import (
    COLOUR_NAMES,
    COLOURS,
    DECK,
    EXCHANGE_LIMIT,
    FIRST_SPEAKEASY,
    FIRST_STASH,
    SPECIAL,
    SPECIALS,
    SYMBOL_NAMES,
    TOKEN_NAMES,
    TOKENS,
    Dice,
)
from gangland.gangster_dice.characters import HOUSE_SET
from gangland.gangster_dice.options import ROUND_LIMITS, Options
from gangland.gangster_dice.rounds import Faces
from gangland_ladder.research.encoding import (
    AgentState,
    Encoding,
    Field,
    Layout,
    columns,
    flags,
    kind_field,
    of_seat,
    one,
    one_hot,
    per_seat,
    per_seat_and,
)

FAVORS = range(SPECIAL + 1)
HAND = max(character.hand_limit for character in HOUSE_SET) + SPECIALS  # Maximum number of cards in a hand.
_OPTIONS = {
    "investigator_colour": ("any", "held"),
    "spent_favor": ("stack", "out", "discards"),
    "win_check": ("die_first", "win_first"),
}
_CAST = ("none", *(character.key for character in HOUSE_SET))
_TOKENS = [name.lower() for name in TOKEN_NAMES]


def _all_decisions() -> Iterator[tuple[str, Decision]]:
    colours: tuple[Decision, ...] = COLOURS
    for bids in range(1, 3):
        for tokens, favors in product(combinations(TOKENS, bids), product(FAVORS, repeat=bids)):
            yield "bids", tuple(zip(tokens, favors, strict=True))
    for dice in range(EXCHANGE_LIMIT + 1):
        yield from (("exchange", exchange) for exchange in product(_multisets(dice), repeat=2))
    yield from (("stake", colour) for colour in (None, *colours))
    yield from (("dump", colour) for colour in colours)
    for dice in sorted({character.places for character in HOUSE_SET} - {0}):
        yield from (("dump", placed) for placed in _multisets(dice))
    yield from (("take", colour) for colour in (None, *colours))
    yield from (("reroll", die) for die in (None, *product(COLOURS, TOKENS)))
    yield from (("swap", swap) for swap in (None, *product(COLOURS, COLOURS)))
    yield from (("keep", favor) for favor in FAVORS)
    yield from (("discard", favor) for favor in (None, *FAVORS))


def _multisets(dice: int) -> list[Dice]:
    return [(w, r, b) for w, r, b in product(range(dice + 1), repeat=3) if w + r + b == dice]


# The kind and the decision, in canonical form, of each action.
DECISIONS: tuple[tuple[str, Decision], ...] = (("", None), *_all_decisions())
_ACTIONS: dict[str, dict[Decision, int]] = {
    kind: {decision: action for action, (other, decision) in enumerate(DECISIONS) if other == kind}
    for kind in Bot.kinds
}


class GangsterDice(Encoding):
    """Gangster Dice at one table size."""

    def __init__(self, seats: int) -> None:
        self.actions = len(DECISIONS)
        self.layout = Layout(_fields(seats))

    def legal(self, agent: AgentState) -> list[int]:
        """Return the actions of all legal decisions."""
        return list(map(_ACTIONS[agent.kind].__getitem__, agent.choices))

    def is_whole(self, agent: AgentState) -> bool:
        """Return whether there is an action."""
        return bool(agent.parts)

    def decision(self, agent: AgentState) -> Decision:
        """Return the decision of the action."""
        return DECISIONS[agent.parts[0]][1]

    def actions_for(self, agent: AgentState, decision: Decision) -> tuple[int, ...]:
        """Return the one action of the decision."""
        return (_ACTIONS[agent.kind][decision],)


def _fields(seats: int) -> tuple[Field, ...]:
    dice = seats * sum(FIRST_STASH) + sum(FIRST_SPEAKEASY)
    score = 3 * dice  # symbols, the bonus of the Streets, a favor and a character's one: far below
    return (*_own_fields(dice), *_token_fields(seats, dice), *_seat_fields(seats, dice), *_bid_fields(seats, score))


def _own_fields(dice: int) -> tuple[Field, ...]:
    return (
        kind_field(Bot.kinds),
        *flags(_OPTIONS, _options),
        one("round_limit", ROUND_LIMITS.stop - 1, lambda agent: _options(agent).round_limit),
        one("round", ROUND_LIMITS.stop - 1, lambda agent: agent.wire[at.SHOWN][at.ROUND]),
        Field(columns("hand", FAVORS), 0, HAND, lambda agent: _cards(agent.wire[at.HAND])),
        Field(columns("pair", FAVORS), 0, 2, lambda agent: _cards(agent.wire[at.PAIR])),
        Field(columns("locked", COLOUR_NAMES), 0, dice, lambda agent: agent.wire[at.LOCKED]),
        Field(columns("spare", COLOUR_NAMES), 0, dice, lambda agent: agent.view.spare),
        Field(columns("gave", COLOUR_NAMES), 0, EXCHANGE_LIMIT, lambda agent: (agent.view.exchanged or _NOTHING)[0]),
        Field(columns("took", COLOUR_NAMES), 0, EXCHANGE_LIMIT, lambda agent: (agent.view.exchanged or _NOTHING)[1]),
        Field(columns("staked", COLOUR_NAMES), 0, 1, lambda agent: _STAKED[agent.view.staked]),
        one("bids_required", 2, lambda agent: agent.view.bids_required, low=1),
        one("streets_bonus", dice, lambda agent: agent.view.streets_bonus),
        one("deck", len(DECK), lambda agent: agent.wire[at.SHOWN][at.DECK]),
        Field(columns("discards", FAVORS), 0, len(DECK), lambda agent: (*agent.view.discards, 0)[: len(FAVORS)]),
        one("specials", SPECIALS, lambda agent: agent.wire[at.SHOWN][at.SPECIALS]),
    )


_NOTHING: tuple[Dice, Dice] = ((0, 0, 0), (0, 0, 0))
_STAKED = one_hot(COLOURS)


@lru_cache(maxsize=100)
def _options_of(wire: tuple[Any, ...]) -> Options:
    return Options(*wire)


def _options(agent: AgentState) -> Options:
    return _options_of(agent.wire[at.SHOWN][at.OPTIONS])


@lru_cache(maxsize=5_000)
def _cards(favors: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([favors.count(favor) for favor in FAVORS])


def _token_fields(seats: int, dice: int) -> tuple[Field, ...]:
    return tuple(field for token in TOKENS for field in _of_token(token, seats, dice))


def _of_token(token: int, seats: int, dice: int) -> tuple[Field, ...]:
    name = _TOKENS[token]
    return (
        Field(columns(f"{name}_dice", COLOUR_NAMES), 0, dice, lambda agent: agent.wire[at.SHOWN][at.DICE][token]),
        of_seat(f"{name}_holder", seats, lambda agent: agent.wire[at.SHOWN][at.CONTROL][token]),
        of_seat(f"{name}_before", seats, lambda agent: agent.wire[at.SHOWN][at.OPENING][token]),
        of_seat(f"{name}_winner", seats, lambda agent: agent.wire[at.SHOWN][at.WINNERS][token]),
    )


def _seat_fields(seats: int, dice: int) -> tuple[Field, ...]:
    faces = [f"{colour} {symbol}" for colour in COLOUR_NAMES for symbol in SYMBOL_NAMES]
    return (
        per_seat_and("dice", seats, COLOUR_NAMES, dice, lambda agent: agent.wire[at.SHOWN][at.STASHES]),
        per_seat_and("rolled", seats, faces, dice, lambda agent: _rolled(agent.wire[at.SHOWN][at.FACES])),
        per_seat("hand_size", seats, HAND, lambda agent: agent.wire[at.SHOWN][at.HAND_SIZES]),
        per_seat("hand_limit", seats, HAND, lambda agent: agent.wire[at.SHOWN][at.HAND_LIMITS]),
        per_seat("specials_held", seats, SPECIALS, lambda agent: agent.wire[at.SHOWN][at.SPECIALS_HELD]),
        per_seat_and("character", seats, _CAST, 1, lambda agent: _characters(agent.wire[at.SHOWN][at.CHARACTERS])),
        per_seat("at_fault", seats, 1, lambda agent: [int(s in agent.wire[at.DEFAULTING]) for s in range(seats)]),
    )


@lru_cache(maxsize=1_000)
def _rolled(rolls: tuple[Faces, ...]) -> list[list[int]]:
    return [[faces.count(token) for faces in roll for token in TOKENS] for roll in rolls]


@lru_cache(maxsize=1_000)
def _characters(keys: tuple[str | None, ...]) -> list[tuple[int, ...]]:
    rows = one_hot(_CAST)
    return [rows[key or "none"] for key in keys]


def _bid_fields(seats: int, score: int) -> tuple[Field, ...]:
    """Return the favor plus one and the score of every bid in the last reveal, of this round or the one before."""
    return (
        per_seat_and("bid_favor", seats, _TOKENS, SPECIAL + 1, lambda agent: agent.once(_bids)[0]),
        per_seat_and("bid_score", seats, _TOKENS, score, lambda agent: agent.once(_bids)[1]),
        one("bids_now", 1, lambda agent: int(bool(agent.wire[at.SHOWN][at.BIDS]))),
    )


def _bids(agent: AgentState) -> tuple[list[list[int]], list[list[int]]]:
    revealed = agent.wire[at.SHOWN][at.BIDS]
    if not revealed and (rounds := agent.wire[at.HISTORY]):
        revealed = [event[2] for event in rounds[0] if event[0] == "revealed"]
    favors = [[0] * len(TOKENS) for _ in agent.around]
    scores = [[0] * len(TOKENS) for _ in agent.around]
    for seat, bids in enumerate(revealed):
        for token, favor, score in bids:
            favors[seat][token], scores[seat][token] = favor + 1, score
    return favors, scores


ENCODING = GangsterDice
