"""Hints: the best decisions for a human's view, according to the reference player.

Another process computes a hint from a JSON job, which contains only what the seat can see.  The answer is
untrusted: it is decoded strictly, and only legal decisions are accepted.
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
from gangland_ladder.common.documents import Part, Probability, decode_json
from gangland_ladder.matches.match_jobs import Message
from gangland_ladder.playing.table_state import LiveTable, NotOpen
from gangland_ladder.viewer.presentation import decision_text

MAX_SHOWN: Final = 3
MAX_LISTED: Final = 24  # The maximum number of decisions in an answer: all of them if a human picks from a list.
MAX_CHARS: Final = 64 * 1024
_MAX_ODDS: Final = 12
_SLACK: Final = 0.5  # The distance by which an estimate may exceed the range 0 to 1.


class Hint(Part):
    """A decision in words, with the reference's estimate."""

    words: str
    value: float  # the seat's expected share of the table after the decision; with two seats, the chance to win
    odds: Mapping[str, Probability]  # by name, such as "bust"


class HintRefused(ValueError):
    """The message is not a hint for the question; the error has the reason."""


class HintJob(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's open question, for the reference."""

    game: str
    seats: int
    options: dict[str, Any]  # those that differ from the game's defaults
    seat: int
    kind: str
    view: Any  # as JSON values
    at_fault: list[int]  # the seats whose faults the view shows


class HintOption(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision with the reference's estimate; see `Hint`."""

    decision: Any
    value: Annotated[float, Meta(ge=-_SLACK, le=1 + _SLACK)]
    odds: Annotated[
        dict[Annotated[str, Meta(max_length=60)], Annotated[float, Meta(ge=0, le=1)]], Meta(max_length=_MAX_ODDS)
    ] = {}


class HintAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The best decisions, best first; empty if the reference has no estimate, or for the reason in `failed`."""

    options: Annotated[list[HintOption], Meta(max_length=MAX_LISTED)] = []
    failed: Message = ""


def hints(live_table: LiveTable, seat: int, *, seed: int = 0) -> list[Hint]:
    """Return the best decisions for a seat's open question, best first; empty if the reference has no estimate.

    The seed determines the random draws of hidden information and the reference's samples.

    Raises NotOpen: no question is open to the seat.
    """
    game, options, kind = live_table.game.name, live_table.table.options, live_table.open_question(seat).kind
    best = _options(
        game, len(live_table.setup.seats), options, live_table.view(seat), seat, live_table.table.shown, seed
    )
    return [hint_of(live_table, kind, option) for option in best[:MAX_SHOWN]]


def hint_of(live_table: LiveTable, kind: str, option: Option | HintOption) -> Hint:
    """Return an option as a hint."""
    return Hint(decision_text(live_table.game.name, kind, option.decision), option.value, dict(option.odds or {}))


def hint_job(live_table: LiveTable, seat: int) -> HintJob:
    """Return a seat's open question as a job.  Raises NotOpen: no question is open to the seat."""
    question = live_table.open_question(seat)
    return HintJob(
        game=live_table.game.name,
        seats=len(live_table.setup.seats),
        options=live_table.setup.options,
        seat=seat,
        kind=question.kind,
        view=live_table.view(seat).wire,
        at_fault=sorted(live_table.table.shown),
    )


def answer_job(job: HintJob, *, seed: int = 0) -> HintAnswer:
    """Return the reference's answer to a job."""
    game = game_named(job.game)
    view = game.view_class(_tuples(job.view), question=job.kind)
    at_fault = frozenset(job.at_fault)
    best = _options(job.game, job.seats, game.options(job.options), view, job.seat, at_fault, seed)
    options = [HintOption(option.decision, round(option.value, DIGITS), _odds(option)) for option in best[:MAX_LISTED]]
    return HintAnswer(options)


def decode_answer(text: bytes) -> HintAnswer:
    """Decode a worker's message.  Raises HintRefused: the message is malformed."""
    return decode_json(text, HintAnswer, max_chars=MAX_CHARS, error_type=HintRefused)


def checked_options(live_table: LiveTable, seat: int, number: int, answer: HintAnswer) -> list[HintOption]:
    """Return a hint's options with decisions in canonical form.

    Raises HintRefused: the question is not open, or an option is invalid, repeated or out of order.
    """
    options: list[HintOption] = []
    for option in answer.options:
        try:
            decision = live_table.check(seat, number, option.decision)
        except (NotOpen, IllegalDecision) as error:
            raise HintRefused(str(error)) from error
        if options and (option.value > options[-1].value or decision in [earlier.decision for earlier in options]):
            raise HintRefused(f"{decision!r:.80} is repeated, or follows a worse decision")
        if not all(name.isprintable() for name in option.odds):
            raise HintRefused(f"odds have unprintable names: {list(option.odds)!r:.200}")
        options.append(HintOption(decision, option.value, option.odds))
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
