"""Gangster Dice in numbers: an action is one whole decision, out of a list of all that there can be.

The list is the same at every table: to pass, then for each kind of decision everything that can be legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any, cast

from gangland.game import Decision
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
from gangland.gangster_dice.events import Revealed
from gangland.gangster_dice.options import ROUND_LIMITS
from gangland.gangster_dice.views import View
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
    per_seat,
    per_seat_and,
)

FAVORS = range(SPECIAL + 1)
HAND = max(character.hand_limit for character in HOUSE_SET) + SPECIALS
"""No hand has more cards."""
_OPTIONS = {
    "investigator_colour": ("any", "held"),
    "spent_favor": ("stack", "out", "discards"),
    "win_check": ("die_first", "win_first"),
}
_CAST = ("none", *(character.key for character in HOUSE_SET))
_TOKENS = [name.lower() for name in TOKEN_NAMES]


def _all_decisions() -> Iterator[tuple[str, Decision]]:
    """Yield every decision that can be legal, with its kind."""
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


DECISIONS: tuple[tuple[str, Decision], ...] = (("", None), *_all_decisions())
"""What each action stands for: its kind and the decision in canonical form."""
_ACTION = {decision: action for action, decision in enumerate(DECISIONS)}


class GangsterDice(Encoding):
    """Gangster Dice at one table size."""

    def __init__(self, seats: int) -> None:
        self.actions = len(DECISIONS)
        self.layout = Layout(_fields(seats))

    def legal(self, agent: AgentState) -> list[int]:
        """Return the actions of all legal decisions."""
        return [_ACTION[agent.kind, decision] for decision in agent.choices]

    def is_whole(self, agent: AgentState) -> bool:
        """Return whether an action is chosen."""
        return bool(agent.parts)

    def decision(self, agent: AgentState) -> Decision:
        """Return what the action stands for."""
        return DECISIONS[agent.parts[0]][1]

    def actions_for(self, agent: AgentState, decision: Decision) -> tuple[int, ...]:
        """Return the one action that stands for the decision."""
        return (_ACTION[agent.kind, decision],)


def _fields(seats: int) -> tuple[Field, ...]:
    dice = seats * sum(FIRST_STASH) + sum(FIRST_SPEAKEASY)
    score = 3 * dice  # symbols, the bonus of the Streets, a favor and a character's one: far below
    return (*_own_fields(dice), *_token_fields(seats, dice), *_seat_fields(seats, dice), *_bid_fields(seats, score))


def _own_fields(dice: int) -> tuple[Field, ...]:
    return (
        kind_field(Bot.kinds),
        *flags(_OPTIONS, lambda view: cast(View, view).options),
        one("round_limit", ROUND_LIMITS.stop - 1, lambda agent: agent.view.round_limit),
        one("round", ROUND_LIMITS.stop - 1, lambda agent: agent.view.round),
        Field(columns("hand", FAVORS), 0, HAND, lambda agent: _cards(agent.view.hand)),
        Field(columns("pair", FAVORS), 0, 2, lambda agent: _cards(agent.view.pair)),
        Field(columns("locked", COLOUR_NAMES), 0, dice, lambda agent: agent.view.locked),
        Field(columns("spare", COLOUR_NAMES), 0, dice, lambda agent: agent.view.spare),
        Field(columns("gave", COLOUR_NAMES), 0, EXCHANGE_LIMIT, lambda agent: (agent.view.exchanged or _NOTHING)[0]),
        Field(columns("took", COLOUR_NAMES), 0, EXCHANGE_LIMIT, lambda agent: (agent.view.exchanged or _NOTHING)[1]),
        Field(columns("staked", COLOUR_NAMES), 0, 1, lambda agent: [int(c == agent.view.staked) for c in COLOURS]),
        one("bids_required", 2, lambda agent: agent.view.bids_required, low=1),
        one("streets_bonus", dice, lambda agent: agent.view.streets_bonus),
        one("deck", len(DECK), lambda agent: agent.view.deck),
        Field(columns("discards", FAVORS), 0, len(DECK), lambda agent: (*agent.view.discards, 0)[: len(FAVORS)]),
        one("specials", SPECIALS, lambda agent: agent.view.specials),
    )


_NOTHING: tuple[Dice, Dice] = ((0, 0, 0), (0, 0, 0))


def _cards(favors: Sequence[int]) -> list[int]:
    return [favors.count(favor) for favor in FAVORS]


def _token_fields(seats: int, dice: int) -> tuple[Field, ...]:
    return tuple(each for token in TOKENS for each in _of_token(token, seats, dice))


def _of_token(token: int, seats: int, dice: int) -> tuple[Field, ...]:
    name = _TOKENS[token]
    return (
        Field(columns(f"{name}_dice", COLOUR_NAMES), 0, dice, lambda agent: agent.view.token(token).dice),
        of_seat(f"{name}_holder", seats, lambda agent: cast(int | None, agent.view.token(token).holder)),
        of_seat(f"{name}_before", seats, lambda agent: cast(int | None, agent.view.token(token).holder_before)),
        of_seat(f"{name}_winner", seats, lambda agent: cast(int | None, agent.view.token(token).winner)),
    )


def _seat_fields(seats: int, dice: int) -> tuple[Field, ...]:
    faces = [f"{colour} {symbol}" for colour in COLOUR_NAMES for symbol in SYMBOL_NAMES]
    return (
        per_seat_and("dice", seats, COLOUR_NAMES, dice, lambda agent, seat: _player(agent, seat).dice),
        per_seat_and("rolled", seats, faces, dice, _rolled),
        per_seat("hand_size", seats, HAND, lambda agent, seat: _player(agent, seat).hand_size),
        per_seat("hand_limit", seats, HAND, lambda agent, seat: _player(agent, seat).hand_limit),
        per_seat("specials_held", seats, SPECIALS, lambda agent, seat: _player(agent, seat).specials),
        per_seat_and("character", seats, _CAST, 1, _character),
        per_seat("at_fault", seats, 1, lambda agent, seat: int(_player(agent, seat).defaulting)),
    )


def _player(agent: AgentState, seat: int) -> Any:
    return agent.once("players")[seat]


def _rolled(agent: AgentState, seat: int) -> list[int]:
    return [faces.count(token) for faces in _player(agent, seat).faces for token in TOKENS]


def _character(agent: AgentState, seat: int) -> list[int]:
    character = _player(agent, seat).character
    key = character.key if character else "none"
    return [int(key == each) for each in _CAST]


def _bid_fields(seats: int, score: int) -> tuple[Field, ...]:
    """Return the favor plus one and the score of every bid that was last revealed, this round's or the one before."""
    return (
        per_seat_and("bid_favor", seats, _TOKENS, SPECIAL + 1, lambda agent, seat: _favors(_bids(agent, seat))),
        per_seat_and("bid_score", seats, _TOKENS, score, lambda agent, seat: _scores(_bids(agent, seat))),
        one("bids_now", 1, lambda agent: int(any(agent.view.bids))),
    )


def _bids(agent: AgentState, seat: int) -> dict[int, tuple[int, int]]:
    """Return a seat's last revealed bids: favor and score by token."""
    revealed = [event for event in agent.once("events") if isinstance(event, Revealed) and event.seat == seat]
    return {token: (favor, score) for token, favor, score in revealed[-1].bids} if revealed else {}


def _favors(bids: dict[int, tuple[int, int]]) -> list[int]:
    return [bids[token][0] + 1 if token in bids else 0 for token in TOKENS]


def _scores(bids: dict[int, tuple[int, int]]) -> list[int]:
    return [bids[token][1] if token in bids else 0 for token in TOKENS]


ENCODING = GangsterDice
