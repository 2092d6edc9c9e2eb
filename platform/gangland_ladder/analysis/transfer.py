"""Store and send analyses, and check results from workers as untrusted input.

A worker sends only the results of the reference, the game's model player: its part of the analysis, and continuations
from costly decisions. The rest comes from the replay. A result is accepted if it is well-formed, judges only decisions
that were made, lists only legal options, and adds up to the recorded scores. Its figures are not computed a second
time.
"""

from collections.abc import Sequence
from math import fsum
from typing import Annotated, Any, Final, TypeVar

import msgspec
import zstandard
from msgspec import Meta, Struct

from gangland.faults import IllegalDecision
from gangland.games import game_named
from gangland.replay import Replay, Step, StepAnswer, expand
from gangland_ladder.analysis.account import DIGITS, MAX_OPTIONS, Analysis, GameFigures, Judged, Moment
from gangland_ladder.analysis.analyzer import (
    PER_SEAT,
    NoContinuation,
    ReferencePart,
    StoredContinuation,
    assemble_analysis,
    continued_replay,
)
from gangland_ladder.common.documents import decode_json

# Packing: JSON with numbers rounded to five digits, compressed with zstd.

ROUNDED_TOLERANCE: Final = 1e-3  # Maximum rounding error of a sum: a step of a game has at most a few dozen changes.
# Maximum size of an analysis as JSON: several times the size of an analysis of the longest game, 100 rounds.
MAX_BYTES: Final = 4 * 1024 * 1024
_LEVEL: Final = 6

Storable = Analysis | GameFigures | list[StoredContinuation]
StorableT = TypeVar("StorableT", Analysis, GameFigures, list[StoredContinuation])


class UnreadableAnalysis(ValueError):
    """Stored bytes cannot be read as an analysis; the message includes the place."""


def pack(value: Storable) -> bytes:
    """Return a value in its stored form: JSON compressed with zstd."""
    return zstandard.compress(msgspec.json.encode(rounded(value)), _LEVEL)


def unpack(stored: bytes, kind: type[StorableT]) -> StorableT:
    """Unpack a stored value. Raises UnreadableAnalysis: the bytes are not a packed value of this type."""
    try:
        text = zstandard.ZstdDecompressor().decompress(stored, max_output_size=MAX_BYTES)
        return msgspec.json.decode(text, type=kind)
    except (zstandard.ZstdError, msgspec.MsgspecError, RecursionError) as error:
        raise UnreadableAnalysis(f"stored bytes are not a valid {kind}: {error}") from error


def rounded(value: Any) -> Any:
    """Return an analysis, or a part of it, as plain JSON values with rounded numbers."""
    return _rounded(msgspec.to_builtins(value))


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(each) for each in value]
    return value


# Jobs and results, which the site and its workers exchange.

MAX_CONTINUATIONS: Final = 4 * PER_SEAT
MAX_CHANGES: Final = 500
MAX_ODDS: Final = 12
THEME_CHARS: Final = 200
NAME_CHARS: Final = 60
_SLACK: Final = 0.5  # Maximum distance of a reference's estimate from the range 0 to 1.


class AnalysisRefused(ValueError):
    """The message is not a valid analysis of the game."""


class OtherReference(AnalysisRefused):
    """The game was judged by another version of the reference."""


class AnalysisJob(Struct, forbid_unknown_fields=True):
    """A job to analyze a game."""

    replay: str  # the replay as JSON
    gives_way: bool = False  # whether the worker returns this job unfinished if another one is waiting


class AnalysisResult(Struct, forbid_unknown_fields=True):
    """The result of a job, or a part of it."""

    cpu_s: Annotated[float, Meta(ge=0, le=1e6)]  # CPU seconds used
    # the reference's part, with rounded numbers; None after a failure, whose reason is in `failed`
    known: ReferencePart | None = None
    failed: Annotated[str, Meta(max_length=400)] = ""
    # set at the end: the game continued from its costliest decisions
    continued: Annotated[list[StoredContinuation], Meta(max_length=MAX_CONTINUATIONS)] = []


def decode_result(text: bytes) -> AnalysisResult:
    """Read a result. Raises AnalysisRefused: the result is invalid."""
    return decode_json(text, AnalysisResult, max_chars=MAX_BYTES, error_type=AnalysisRefused)


def received_analysis(replay: Replay, known: ReferencePart, version: str | None) -> Analysis:
    """Return a worker's analysis.

    Raises OtherReference: it is from another version of the reference; AnalysisRefused: it is not an analysis of this
    game.
    """
    if known.version != version:
        raise OtherReference(f"analyzed with reference version {known.version[:40]!r}, not {version!r}")
    steps = list(expand(replay))
    if len(known.moments) > len(steps) or (known.complete and len(known.moments) < len(steps)):
        raise AnalysisRefused(f"the game has {len(steps)} steps, not {len(known.moments)}")
    _check_shares(known.start, replay.seats)
    for step, moment in zip(steps, known.moments, strict=False):
        _check_moment(step, moment, replay)
    analysis = assemble_analysis(replay, steps, known)
    try:
        analysis.check(ROUNDED_TOLERANCE)
    except ArithmeticError as error:
        raise AnalysisRefused(f"the values do not add up: {error}") from error
    return analysis


def received_continuations(
    replay: Replay, analysis: Analysis, sent: Sequence[StoredContinuation]
) -> list[StoredContinuation]:
    """Return a worker's continuations of an analyzed game. Raises AnalysisRefused: a continuation is invalid."""
    best = {each.number: each.best for moment in analysis.moments for each in moment.judged}
    if len({each.number for each in sent}) < len(sent):
        raise AnalysisRefused("two continuations start from the same decision")
    for each in sent:
        if each.number not in best or not each.decisions:
            raise AnalysisRefused(f"the continuation starts at decision {each.number}, which is not judged")
        if _plain(best[each.number].decision) != _plain(each.decisions[0]):
            raise AnalysisRefused(f"the continuation at decision {each.number} does not start with the best decision")
        try:
            continued_replay(replay, each)
        except NoContinuation as error:
            raise AnalysisRefused(f"the continuation at decision {each.number}: {error}") from error
    return list(sent)


def _check_shares(values: Sequence[float], seats: int) -> None:
    if len(values) != seats or not all(-_SLACK <= value <= 1 + _SLACK for value in values):
        raise AnalysisRefused(f"{list(values)[:8]} are not the values of {seats} seats")
    if abs(fsum(values) - seats / 2) > ROUNDED_TOLERANCE:
        raise AnalysisRefused(f"the values {list(values)} do not add up to half the seats")


def _check_moment(step: Step, moment: Moment, replay: Replay) -> None:
    _check_shares(moment.values, replay.seats)
    if len(moment.changes) > MAX_CHANGES:
        raise AnalysisRefused(f"{len(moment.changes)} changes in one step, over {MAX_CHANGES}")
    for change in moment.changes:
        if len(change.amounts) != replay.seats or not all(-1 - _SLACK <= each <= 1 + _SLACK for each in change.amounts):
            raise AnalysisRefused(f"invalid amounts in a change: {list(change.amounts)[:8]}")
        if abs(fsum(change.amounts)) > replay.seats * 10**-DIGITS:
            raise AnalysisRefused(f"a change does not add up to 0: {list(change.amounts)}")
        if change.seat is not None and not 0 <= change.seat < replay.seats:
            raise AnalysisRefused(f"invalid seat in a change: {change.seat}")
    answers = {(answer.seat, answer.kind, answer.number): answer for answer in step.answers}
    for judged in moment.judged:
        answer = answers.pop((judged.seat, judged.kind, judged.number), None)
        if answer is None or judged.round != step.round:
            raise AnalysisRefused(
                f"decision {judged.number} of seat {judged.seat} was not made there, or is listed twice"
            )
        _check_judged(step, answer, judged, replay.game)


def _check_judged(step: Step, answer: StepAnswer, judged: Judged, game: str) -> None:
    if _plain(judged.chosen.decision) != _plain(answer.decision):
        raise AnalysisRefused(f"decision {judged.number} differs from the recorded one")
    if not 1 <= len(judged.options) <= MAX_OPTIONS or judged.legal < 1 or not _is_valid_text(judged.theme, THEME_CHARS):
        raise AnalysisRefused(
            f"invalid options or theme: {len(judged.options)} of {judged.legal} options, theme {judged.theme[:80]!r}"
        )
    for option in (judged.chosen, judged.best, *judged.options):
        odds = option.odds or {}
        odds_valid = len(odds) <= MAX_ODDS and all(_is_valid_text(name, NAME_CHARS) for name in odds)
        if not odds_valid or not all(-_SLACK <= each <= 1 + _SLACK for each in (option.value, *odds.values())):
            raise AnalysisRefused(f"invalid option: value {option.value}, odds {str(odds)[:200]}")
        if not 0 <= option.error <= 1:
            raise AnalysisRefused(f"standard error out of range: {option.error}")
        if _plain(option.decision) != _plain(answer.decision):
            try:
                game_named(game).check(step.before, answer.seat, _plain(option.decision))
            except IllegalDecision as error:
                raise AnalysisRefused(f"an option is not legal: {error}") from error


def _is_valid_text(text: str, max_chars: int) -> bool:
    return 1 <= len(text) <= max_chars and text.isprintable()


def _plain(decision: Any) -> Any:
    return [_plain(part) for part in decision] if isinstance(decision, tuple | list) else decision
