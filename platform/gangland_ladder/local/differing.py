"""Find the decisions of recorded games that two versions of a bot would make differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from gangland.faults import BotFault, FaultKind, IllegalDecision
from gangland.game import Decision, Game
from gangland.games import game_named
from gangland.replay import RecordedDecision, Replay, ReplayError, Step, load
from gangland.view import View
from gangland_ladder.common.texts import address
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.matches.judging import check_views, verify_views
from gangland_ladder.viewer.presentation import presentation_of
from gangland_sandbox import asking, errors, intake
from gangland_sandbox.limits import Limits, Profile
from gangland_sandbox.pool import Pool

# Each version runs in its own process and gets the recorded views of a seat, from the start of the game to its first
# fault. Their answers are compared, and the game continues as recorded. If the versions differ, both are run again on
# the same views, to find versions that are not deterministic.

START: Final = "start"  # Kind of a `Place`, used instead of a method: the bot failed before its first decision.


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded game."""

    replay: str
    views: str | None = None  # the digest of the views that were sent to the bots; None if it was not recorded
    seats: tuple[int, ...] = ()
    # the seeds of the bots' own generators, by seat; missing seeds are derived from the game's seed
    rng_seeds: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A version's answer to a question: a decision in canonical form, or a fault."""

    decision: Decision = None
    fault: str = ""
    message: str = ""  # the message of the fault


@dataclass(frozen=True, slots=True)
class Place:
    """A question's position in its game, with its kind of situation and a summary of its view."""

    at: str  # such as r3.s2.d1
    round: int
    seat: int
    kind: str
    decision: int | None
    recorded: RecordedDecision | None
    situation: str  # such as "at the start of the game"
    summary: str


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """Both versions' answers to a question, which differ, or are the same fault."""

    place: Place
    old: Answer
    new: Answer
    unstable: tuple[str, ...] = ()  # the versions whose second answer was different: "old", "new" or both


@dataclass(frozen=True, slots=True)
class GameDiff:
    """The comparison of two versions of a bot on one game."""

    questions: dict[str, dict[str, int]]
    differences: tuple[AnswerPair, ...]
    # questions at which both versions failed in the same way; the comparison ends there for that seat
    faults: tuple[AnswerPair, ...] = ()
    error: str = ""  # the error of the recording, or empty
    void: str = ""  # the error of the sandbox, or empty
    is_other_game: bool = False  # whether the recording is of another game, and was not compared


@dataclass(frozen=True, slots=True)
class _Question:
    place: Place
    number: int  # of the decision
    state: Any
    view: View


def compare(pool: Pool, recording: Recording, old: LocalBot, new: LocalBot, profile: Profile) -> GameDiff:
    """Compare both versions on one game.  Runs in a worker process of `Tables`."""
    try:
        replay = load(recording.replay)
        histories = _histories(replay, recording.views)
    except ReplayError as error:
        return GameDiff({}, (), error=str(error))
    comparison = GameDiff({}, ())
    try:
        for seat in recording.seats or range(replay.seats):
            comparison = _with_seat(
                comparison, _SeatReplay(pool, replay, recording, seat, profile), histories[seat], old, new
            )
    except errors.SandboxError as error:
        return replace(comparison, void=str(error))
    order = sorted(comparison.differences, key=lambda pair: -1 if pair.place.decision is None else pair.place.decision)
    return replace(comparison, differences=tuple(order))


def _with_seat(
    comparison: GameDiff, seat_replay: _SeatReplay, history: Sequence[_Question], old: LocalBot, new: LocalBot
) -> GameDiff:
    answers = seat_replay.answers(old, history), seat_replay.answers(new, history)
    questions = {kind: dict(counts) for kind, counts in comparison.questions.items()}
    differences, faults = [], []
    for place in (_start(seat_replay.seat), *(question.place for question in history)):
        old_answer, new_answer = (by_decision.get(place.decision) for by_decision in answers)
        if old_answer is None and new_answer is None:
            continue
        if old_answer is None or new_answer is None:  # one version failed to start
            old_answer, new_answer = old_answer or Answer(), new_answer or Answer()
        if place.kind != START:
            counts = questions.setdefault(place.kind, {})
            counts[place.situation] = counts.get(place.situation, 0) + 1
        if not _is_same(old_answer, new_answer):
            differences.append(AnswerPair(place, old_answer, new_answer))
        elif old_answer.fault:
            faults.append(AnswerPair(place, old_answer, new_answer))
        if old_answer.fault or new_answer.fault:
            break
    if differences:
        repeated = {"old": seat_replay.answers(old, history), "new": seat_replay.answers(new, history)}
        differences = [_with_unstable(pair, repeated) for pair in differences]
    return replace(
        comparison,
        questions=questions,
        differences=(*comparison.differences, *differences),
        faults=(*comparison.faults, *faults),
    )


def _start(seat: int) -> Place:
    return Place("", 0, seat, START, None, None, "at the start of the game", "nothing yet")


class _SeatReplay:
    def __init__(self, pool: Pool, replay: Replay, recording: Recording, seat: int, profile: Profile) -> None:
        self.pool = pool
        self.replay = replay
        self.game: Game[Any] = game_named(replay.game)
        self.options = self.game.options_dict(self.game.options(replay.options))
        self.seat = seat
        self.limits = Limits.of(profile, 1)
        seeds = recording.rng_seeds
        self.rng_seed = seeds[seat] if seeds else sha256(f"diff|{replay.seed}|{seat}".encode()).digest()

    def answers(self, bot: LocalBot, history: Sequence[_Question]) -> dict[int | None, Answer]:
        """Return a version's answers by decision number, up to its first fault.

        If the version cannot start, the only key is None.
        """
        answers: dict[int | None, Answer] = {}
        filename = intake.filename_of(bot.name, bot.source)
        seats = self.replay.seats
        try:
            with asking.BotProcess.open(
                bot.source, filename=filename, game=self.game.name, limits=self.limits, pool=self.pool
            ) as process:
                process.start_game(seat=self.seat, seats=seats, options=self.options, rng_seed=self.rng_seed)
                for question in history:
                    answer = answers[question.number] = self._answer(process, question)
                    if answer.fault:
                        break
        except errors.UploadRejected as error:
            return {None: Answer(fault=FaultKind.IMPORT_ERROR, message=f"{filename}: {error.message}")}
        except BotFault as fault:
            return {None: Answer(fault=fault.kind.value, message=fault.message)}
        return answers

    def _answer(self, process: asking.BotProcess, question: _Question) -> Answer:
        kind = question.place.kind
        try:
            answer = process.ask(kind, question.view.wire, question.number)
            return Answer(self.game.check(question.state, self.seat, answer))
        except IllegalDecision as error:
            return Answer(fault=FaultKind.ILLEGAL.value, message=f"choose_{kind}(): {error}")
        except BotFault as fault:
            return Answer(fault=fault.kind.value, message=fault.message)


def _histories(replay: Replay, views: str | None) -> list[list[_Question]]:
    game, presentation = game_named(replay.game), presentation_of(replay.game)
    histories: list[list[_Question]] = [[] for _ in range(replay.seats)]
    decisions_in_round: dict[tuple[int, int], int] = {}

    def add_questions(step: Step) -> None:
        for answer in step.answers:
            if answer.number is None:
                continue
            seat, key = answer.seat, (step.round, answer.seat)
            decisions_in_round[key] = decisions_in_round.get(key, 0) + 1
            view = game.observe(step.before, seat, step.defaulting)
            place = Place(
                at=address(step.round, seat, decisions_in_round[key]),
                round=step.round,
                seat=seat,
                kind=answer.kind,
                decision=answer.number,
                recorded=replay.decisions[answer.number],
                situation=presentation.situation(view, answer.kind),
                summary=presentation.view_summary(view),
            )
            histories[seat].append(_Question(place, answer.number, step.before, view))

    check_views(verify_views(replay, add_questions).views, views)
    return histories


def _is_same(one: Answer, other: Answer) -> bool:
    return one.fault == other.fault and (bool(one.fault) or one.decision == other.decision)


def _with_unstable(pair: AnswerPair, repeated: Mapping[str, Mapping[int | None, Answer]]) -> AnswerPair:
    unstable = []
    for name, answer in (("old", pair.old), ("new", pair.new)):
        second = repeated[name].get(pair.place.decision, Answer() if pair.place.kind == START else None)
        if second is None or not _is_same(second, answer):
            unstable.append(name)
    return replace(pair, unstable=tuple(unstable))
