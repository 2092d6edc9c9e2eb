"""What the reference player would do in a person's place, from what the person may know.

A hint that another process works out travels as an order and an answer, both JSON.  The order has the view of the seat
and nothing else of the table.  The answer is input from a stranger: it is decoded strictly, and only decisions that the
rules allow pass.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from gangland.faults import IllegalDecision
from gangland.games import game_named
from gangland.view import View
from gangland_ladder.analysis.account import DIGITS, Option
from gangland_ladder.analysis.games import reference_of
from gangland_ladder.common.documents import Part, Probability, decoded
from gangland_ladder.matches.match_orders import Message
from gangland_ladder.playing.table_state import LiveTable, NotOpen
from gangland_ladder.viewer.presentation import decision_in_words

SHOWN: Final = 3
LISTED: Final = 24
"""The most decisions of an answer, the best ones: all of them where a person picks from a list."""
MOST_CHARS: Final = 64 * 1024
_ODDS: Final = 12
_SLACK: Final = 0.5
"""How far a reference's estimate may lie outside of 0 to 1."""


class Hint(Part):
    """A decision as the reference judges it.

    Attributes:
        value: the share of the table that the seat can expect after it; with two seats, the chance to win.
        odds: chances by name, such as "bust".
    """

    words: str
    value: float
    odds: Mapping[str, Probability]


class HintRefused(ValueError):
    """What was sent is no hint for the question; the message says why."""


class HintOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's question for the reference.

    Attributes:
        options: those of the game that differ from its defaults.
        view: what the seat's bot would be sent, as plain values; at_fault: the seats that it shows to be at fault.
    """

    game: str
    seats: int
    options: dict[str, Any]
    seat: int
    kind: str
    view: Any
    at_fault: list[int]


class HintOption(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision with what the reference expects of it; see `Hint`."""

    decision: Any
    value: Annotated[float, Meta(ge=-_SLACK, le=1 + _SLACK)]
    odds: Annotated[
        dict[Annotated[str, Meta(max_length=60)], Annotated[float, Meta(ge=0, le=1)]], Meta(max_length=_ODDS)
    ] = {}


class HintAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The best decisions, best first, for an order; none where the reference has no word, or `failed` says why."""

    options: Annotated[list[HintOption], Meta(max_length=LISTED)] = []
    failed: Message = ""


def hints(live_table: LiveTable, seat: int, *, seed: int = 0) -> list[Hint]:
    """Return the best decisions of a seat that is asked, best first; none where the reference has no word to say.

    Args:
        seed: for what is hidden from the seat, which is drawn at random before the reference looks, and for what the
            reference samples.

    Raises NotOpen: the seat is asked nothing.
    """
    game, options, kind = live_table.game.name, live_table.table.options, live_table.open_question(seat).kind
    best = _options(
        game, len(live_table.setup.seats), options, live_table.view(seat), seat, live_table.table.shown, seed
    )
    return [hint_in_words(live_table, kind, each) for each in best[:SHOWN]]


def hint_in_words(live_table: LiveTable, kind: str, option: Option | HintOption) -> Hint:
    """Return what the reference says of a decision, with its words."""
    return Hint(decision_in_words(live_table.game.name, kind, option.decision), option.value, dict(option.odds or {}))


def hint_order(live_table: LiveTable, seat: int) -> HintOrder:
    """Return the question that is open to a seat as an order; NotOpen if none is."""
    question = live_table.open_question(seat)
    return HintOrder(
        game=live_table.game.name,
        seats=len(live_table.setup.seats),
        options=live_table.setup.options,
        seat=seat,
        kind=question.kind,
        view=live_table.view(seat).wire,
        at_fault=sorted(live_table.table.shown),
    )


def answer_order(order: HintOrder, *, seed: int = 0) -> HintAnswer:
    """Return what the reference says of an order."""
    game = game_named(order.game)
    view = game.view_class(_tuples(order.view), question=order.kind)
    at_fault = frozenset(order.at_fault)
    best = _options(order.game, order.seats, game.options(order.options), view, order.seat, at_fault, seed)
    options = [HintOption(each.decision, round(each.value, DIGITS), _odds(each)) for each in best[:LISTED]]
    return HintAnswer(options)


def decode_answer(text: bytes) -> HintAnswer:
    """Read what a worker sent.  Raises HintRefused: it has not that form."""
    return decoded(text, HintAnswer, most_chars=MOST_CHARS, refused=HintRefused)


def checked_options(live_table: LiveTable, seat: int, number: int, answer: HintAnswer) -> list[HintOption]:
    """Return a hint's options, their decisions canonical.  Raises HintRefused: not open, not legal, or not in order."""
    options: list[HintOption] = []
    for each in answer.options:
        try:
            decision = live_table.check(seat, number, each.decision)
        except (NotOpen, IllegalDecision) as refused:
            raise HintRefused(str(refused)) from refused
        if options and (each.value > options[-1].value or decision in [earlier.decision for earlier in options]):
            raise HintRefused(f"{decision!r:.80} comes twice, or after a worse one")
        if not all(name.isprintable() for name in each.odds):
            raise HintRefused(f"odds with the names {list(each.odds)!r:.200}")
        options.append(HintOption(decision, each.value, each.odds))
    return options


def _options(
    game: str, seats: int, options: Any, view: View, seat: int, at_fault: frozenset[int], seed: int
) -> Sequence[Option]:
    reference = reference_of(game, seats, options, seed)
    return [] if reference is None else reference.options(view.sample(Random(seed)), seat, at_fault)


def _odds(option: Option) -> dict[str, float]:
    return {name: round(chance, DIGITS) for name, chance in (option.odds or {}).items()}


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
