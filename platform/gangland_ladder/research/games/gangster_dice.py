"""The encoding of Gangster Dice for learning agents: an action is a whole decision from a fixed list."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import Any

from gangland.game import Decision
from gangland.gangster_dice import cards
from gangland.gangster_dice import wire as at
from gangland.gangster_dice.bot import Bot
from gangland.gangster_dice.characters import HOUSE_SET
from gangland.gangster_dice.options import ROUND_LIMITS, Options
from gangland.gangster_dice.rounds import Faces
from gangland_ladder.research import encoding

FAVORS = range(cards.SPECIAL + 1)
HAND = max(character.hand_limit for character in HOUSE_SET) + cards.SPECIALS  # Maximum number of cards in a hand.
_OPTIONS = {
    "investigator_colour": ("any", "held"),
    "spent_favor": ("stack", "out", "discards"),
    "win_check": ("die_first", "win_first"),
}
_CAST = ("none", *(character.key for character in HOUSE_SET))
_TOKENS = [name.lower() for name in cards.TOKEN_NAMES]


def _all_decisions() -> Iterator[tuple[str, Decision]]:
    colors: tuple[Decision, ...] = cards.COLORS
    for bids in range(1, 3):
        for tokens, favors in product(combinations(cards.TOKENS, bids), product(FAVORS, repeat=bids)):
            yield "bids", tuple(zip(tokens, favors, strict=True))
    for dice in range(cards.EXCHANGE_LIMIT + 1):
        yield from (("exchange", exchange) for exchange in product(_multisets(dice), repeat=2))
    yield from (("stake", color) for color in (None, *colors))
    yield from (("dump", color) for color in colors)
    for dice in sorted({character.places for character in HOUSE_SET} - {0}):
        yield from (("dump", placed) for placed in _multisets(dice))
    yield from (("take", color) for color in (None, *colors))
    yield from (("reroll", die) for die in (None, *product(cards.COLORS, cards.TOKENS)))
    yield from (("swap", swap) for swap in (None, *product(cards.COLORS, cards.COLORS)))
    yield from (("keep", favor) for favor in FAVORS)
    yield from (("discard", favor) for favor in (None, *FAVORS))


def _multisets(dice: int) -> list[cards.Dice]:
    return [(w, r, b) for w, r, b in product(range(dice + 1), repeat=3) if w + r + b == dice]


# The kind and the canonical decision of each action; the list is the same at every table and begins with passing.
DECISIONS: tuple[tuple[str, Decision], ...] = (("", None), *_all_decisions())
_ACTIONS: dict[str, dict[Decision, int]] = {
    kind: {decision: action for action, (other, decision) in enumerate(DECISIONS) if other == kind}
    for kind in Bot.kinds
}


class GangsterDice(encoding.Encoding):
    """Gangster Dice at one table size."""

    def __init__(self, seats: int) -> None:
        self.actions = len(DECISIONS)
        self.layout = encoding.Layout(_fields(seats))

    def legal_actions(self, agent: encoding.AgentState) -> list[int]:
        return list(map(_ACTIONS[agent.kind].__getitem__, agent.choices))

    def is_complete(self, agent: encoding.AgentState) -> bool:
        return bool(agent.parts)

    def decision(self, agent: encoding.AgentState) -> Decision:
        return DECISIONS[agent.parts[0]][1]

    def actions_for(self, agent: encoding.AgentState, decision: Decision) -> tuple[int, ...]:
        return (_ACTIONS[agent.kind][decision],)


def _fields(seats: int) -> tuple[encoding.Field, ...]:
    dice = seats * sum(cards.FIRST_STASH) + sum(cards.FIRST_SPEAKEASY)
    score = 3 * dice  # an upper limit for the sum of symbols, the Streets' bonus, a favor and a character's bonus
    return (*_own_fields(dice), *_token_fields(seats, dice), *_seat_fields(seats, dice), *_bid_fields(seats, score))


def _own_fields(dice: int) -> tuple[encoding.Field, ...]:
    return (
        encoding.kind_field(Bot.kinds),
        *encoding.flags(_OPTIONS, _options),
        encoding.single("round_limit", ROUND_LIMITS.stop - 1, lambda agent: _options(agent).round_limit),
        encoding.single("round", ROUND_LIMITS.stop - 1, lambda agent: agent.wire[at.TABLE][at.ROUND]),
        encoding.Field(encoding.columns("hand", FAVORS), 0, HAND, lambda agent: _cards(agent.wire[at.HAND])),
        encoding.Field(encoding.columns("pair", FAVORS), 0, 2, lambda agent: _cards(agent.wire[at.PAIR])),
        encoding.Field(encoding.columns("locked", cards.COLOUR_NAMES), 0, dice, lambda agent: agent.wire[at.LOCKED]),
        encoding.Field(encoding.columns("spare", cards.COLOUR_NAMES), 0, dice, lambda agent: agent.view.spare),
        encoding.Field(
            encoding.columns("gave", cards.COLOUR_NAMES),
            0,
            cards.EXCHANGE_LIMIT,
            lambda agent: (agent.view.exchanged or _NOTHING)[0],
        ),
        encoding.Field(
            encoding.columns("took", cards.COLOUR_NAMES),
            0,
            cards.EXCHANGE_LIMIT,
            lambda agent: (agent.view.exchanged or _NOTHING)[1],
        ),
        encoding.Field(encoding.columns("staked", cards.COLOUR_NAMES), 0, 1, lambda agent: _STAKED[agent.view.staked]),
        encoding.single("bids_required", 2, lambda agent: agent.view.bids_required, low=1),
        encoding.single("streets_bonus", dice, lambda agent: agent.view.streets_bonus),
        encoding.single("deck", len(cards.DECK), lambda agent: agent.wire[at.TABLE][at.DECK]),
        encoding.Field(
            encoding.columns("discards", FAVORS),
            0,
            len(cards.DECK),
            lambda agent: (*agent.view.discards, 0)[: len(FAVORS)],
        ),
        encoding.single("specials", cards.SPECIALS, lambda agent: agent.wire[at.TABLE][at.SPECIALS]),
    )


_NOTHING: tuple[cards.Dice, cards.Dice] = ((0, 0, 0), (0, 0, 0))
_STAKED = encoding.one_hot(cards.COLORS)


@lru_cache(maxsize=100)
def _options_of(wire: tuple[Any, ...]) -> Options:
    return Options(*wire)


def _options(agent: encoding.AgentState) -> Options:
    return _options_of(agent.wire[at.TABLE][at.OPTIONS])


@lru_cache(maxsize=5_000)
def _cards(favors: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([favors.count(favor) for favor in FAVORS])


def _token_fields(seats: int, dice: int) -> tuple[encoding.Field, ...]:
    return tuple(field for token in cards.TOKENS for field in _of_token(token, seats, dice))


def _of_token(token: int, seats: int, dice: int) -> tuple[encoding.Field, ...]:
    name = _TOKENS[token]
    return (
        encoding.Field(
            encoding.columns(f"{name}_dice", cards.COLOUR_NAMES),
            0,
            dice,
            lambda agent: agent.wire[at.TABLE][at.DICE][token],
        ),
        encoding.seat_flag(f"{name}_holder", seats, lambda agent: agent.wire[at.TABLE][at.CONTROL][token]),
        encoding.seat_flag(f"{name}_before", seats, lambda agent: agent.wire[at.TABLE][at.OPENING][token]),
        encoding.seat_flag(f"{name}_winner", seats, lambda agent: agent.wire[at.TABLE][at.WINNERS][token]),
    )


def _seat_fields(seats: int, dice: int) -> tuple[encoding.Field, ...]:
    faces = [f"{color} {symbol}" for color in cards.COLOUR_NAMES for symbol in cards.SYMBOL_NAMES]
    return (
        encoding.per_seat_and("dice", seats, cards.COLOUR_NAMES, dice, lambda agent: agent.wire[at.TABLE][at.STASHES]),
        encoding.per_seat_and("rolled", seats, faces, dice, lambda agent: _face_counts(agent.wire[at.TABLE][at.FACES])),
        encoding.per_seat("hand_size", seats, HAND, lambda agent: agent.wire[at.TABLE][at.HAND_SIZES]),
        encoding.per_seat("hand_limit", seats, HAND, lambda agent: agent.wire[at.TABLE][at.HAND_LIMITS]),
        encoding.per_seat("specials_held", seats, cards.SPECIALS, lambda agent: agent.wire[at.TABLE][at.SPECIALS_HELD]),
        encoding.per_seat_and(
            "character", seats, _CAST, 1, lambda agent: _characters(agent.wire[at.TABLE][at.CHARACTERS])
        ),
        encoding.per_seat(
            "at_fault", seats, 1, lambda agent: [int(s in agent.wire[at.DEFAULTING]) for s in range(seats)]
        ),
    )


@lru_cache(maxsize=1_000)
def _face_counts(rolls: tuple[Faces, ...]) -> list[list[int]]:
    return [[faces.count(token) for faces in roll for token in cards.TOKENS] for roll in rolls]


@lru_cache(maxsize=1_000)
def _characters(keys: tuple[str | None, ...]) -> list[tuple[int, ...]]:
    rows = encoding.one_hot(_CAST)
    return [rows[key or "none"] for key in keys]


def _bid_fields(seats: int, score: int) -> tuple[encoding.Field, ...]:
    return (
        encoding.per_seat_and("bid_favor", seats, _TOKENS, cards.SPECIAL + 1, lambda agent: agent.memo(_bids)[0]),
        encoding.per_seat_and("bid_score", seats, _TOKENS, score, lambda agent: agent.memo(_bids)[1]),
        encoding.single("bids_now", 1, lambda agent: int(bool(agent.wire[at.TABLE][at.BIDS]))),
    )


# The favor plus 1, and the score, of every bid in the last reveal, which was in this round or the previous one.
def _bids(agent: encoding.AgentState) -> tuple[list[list[int]], list[list[int]]]:
    revealed = agent.wire[at.TABLE][at.BIDS]
    if not revealed and (rounds := agent.wire[at.HISTORY]):
        revealed = [event[2] for event in rounds[0] if event[0] == "revealed"]
    favors = [[0] * len(cards.TOKENS) for _ in agent.seat_order]
    scores = [[0] * len(cards.TOKENS) for _ in agent.seat_order]
    for seat, bids in enumerate(revealed):
        for token, favor, score in bids:
            favors[seat][token], scores[seat][token] = favor + 1, score
    return favors, scores


ENCODING = GangsterDice
