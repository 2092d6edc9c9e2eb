"""A recorded game as a timeline: a frame for each decision, with the seat's view before it and the table after it.

A frame's table shows everything that the frame's sentences report, and nothing later.  The decisions of a ply are
simultaneous: each frame shows the decisions made so far, and the ply's last frame shows the results.  The start of a
round belongs to the first frame of that round, not to the last frame of the previous round.

Each frame has an address: `r7.s2.d1` is the first decision of seat 2 in round 7, all counted from 1.  The address after
the last frame is `end`.  All viewers use the same frames.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, Final, Literal

from gangland.game import ROUND_BEGAN, Event
from gangland.games import game_named
from gangland.luck import luck_course
from gangland.replay import Replay, Step, StepAnswer, expand
from gangland.story import tell
from gangland_ladder.analysis import account
from gangland_ladder.common.texts import address
from gangland_ladder.matches.judging import check_views, views_digest
from gangland_ladder.viewer import presentation
from gangland_ladder.viewer.scenes import Aside, Scene

END: Final = "end"
_ADDRESS: Final = re.compile(r"r([0-9]{1,9})(?:\.s([0-9]{1,9})\.d([0-9]{1,9}))?")

Mark = Literal["fault", "lead"]


class NoSuchFrame(ValueError):
    """The game has no such frame, or the address is malformed; the message says what was expected."""


@dataclass(slots=True)
class Frame:
    """One decision."""

    at: str  # the frame's address
    round: int
    seat: int
    kind: str
    number: int  # the decision's number in the replay, from 0
    ply: int  # equal for simultaneous decisions
    decision: Any
    question: str
    did: str  # the decision as words that follow the seat's name
    fault: bool  # whether the seat failed here
    before: Scene  # the table with all hands open, when asked
    table: Scene  # the same after the decision
    aside: Aside  # pending decisions and prizes; see `scenes.Aside`
    observation: Scene
    # The results in the frame's round; only at the last decision of a ply.
    sentences: list[str] = field(default_factory=list)
    # The results from the start of the next round on, each with its round.
    next_round_sentences: list[tuple[int, str]] = field(default_factory=list)
    log: str = ""
    note: str = ""  # the message about the seat's failure, if recorded
    luck: tuple[float, ...] = ()  # by seat, after the decision, in `Game.luck_unit`
    luck_before: tuple[float, ...] = ()  # the same when asked
    values: tuple[float, ...] = ()  # the value of the game to each seat after the decision; empty if not analyzed
    values_before: tuple[float, ...] = ()  # the same when asked
    judged: account.Judged | None = None
    what_if: str = ""  # the URL of a page that plays the best decision instead, or ""
    leader: int | None = None  # the new sole leader, or None if the leader has not changed


@dataclass(frozen=True, slots=True)
class Timeline:
    """A recorded game, frame by frame."""

    game: str
    title: str
    names: tuple[str, ...]  # in seat order
    sentence_names: tuple[str, ...]  # the names in sentences; if `you` is set, pass sentences through `addressed`
    places: tuple[int, ...]
    rounds: int
    reason: str
    opening: list[tuple[int, str]]
    frames: list[Frame]
    ending: str
    table: Scene  # at the end of the game, as is `aside`
    aside: Aside
    luck: tuple[float, ...]  # by seat, for the whole game
    # Each seat's count of the game's unit at each round's start and at the end, with its round (from 1).
    counts: list[tuple[int, tuple[int, ...]]]
    events: dict[int, list[Event]]
    marks: dict[int, Mark]  # the marked frames by index: a fault, or a new sole leader
    analysis: account.Analysis | None

    @property
    def last(self) -> int:
        """The index of the end, after all frames."""
        return len(self.frames)

    @property
    def mistakes(self) -> dict[int, account.Mark]:
        """The inaccuracies, mistakes and blunders, by frame index."""
        marks = {index: frame.judged.mark for index, frame in enumerate(self.frames) if frame.judged is not None}
        return {index: mark for index, mark in marks.items() if mark in account.MISTAKES}

    def addressed(self, sentence: str) -> str:
        """Return a sentence that uses `sentence_names`, in the form that readers see."""
        return presentation.in_second_person(sentence) if self.sentence_names != self.names else sentence

    def at(self, index: int) -> str:
        """Return the address at an index."""
        return self.frames[index].at if index < self.last else END

    def index_of(self, address: str) -> int:
        """Return the index of a decision, of a round's first decision, or of the end.  Raises NoSuchFrame."""
        if address == END:
            return self.last
        match = _ADDRESS.fullmatch(address)
        if match is None:
            raise NoSuchFrame(
                "expected an address such as r7.s2.d1 (round, seat, its decision in that round; all from 1), r7 "
                f"or end, not {address[:40]!r}"
            )
        if match[2] is None:
            return self.round_index(int(match[1]))
        for index, frame in enumerate(self.frames):
            if frame.at == address:
                return index
        addresses = [frame.at for frame in self.frames if frame.round == int(match[1])]
        hint = f"round {match[1]} has {', '.join(addresses)}" if addresses else f"the game has {self.rounds} rounds"
        raise NoSuchFrame(f"there is no decision {address}: {hint}")

    def round_index(self, number: int) -> int:
        """Return the index of the first frame in or after a round, or of the end.  Raises NoSuchFrame."""
        if not 1 <= number <= self.rounds:
            raise NoSuchFrame(f"the game has rounds 1 to {self.rounds}, not {number}")
        return next((index for index, frame in enumerate(self.frames) if frame.round >= number), self.last)

    def sentences_before(self, index: int) -> list[tuple[int, str]]:
        """Return the sentences between the previous frame and this index, each with its round."""
        return self.frames[index - 1].next_round_sentences if index else self.opening

    def sentence_of(self, frame: Frame) -> int | None:
        """Return the index of the result sentence that includes the decision, or None."""
        name = f"{self.names[frame.seat]} "
        same_verb = f"{name}{frame.did.split()[0]} "
        longer = tuple(f"{other_name} " for other_name in self.names if other_name.startswith(name))
        for number, line in enumerate(frame.sentences):
            if line.startswith(longer):  # the sentence may be about another bot
                continue
            if line.startswith(same_verb) or (line.startswith(name) and frame.did in line):
                return number
        return None

    def latest_view_frame(self, index: int, seat: int) -> Frame | None:
        """Return the frame with the seat's latest view in this or an earlier ply, or None if it has no view yet."""
        if index < self.last:
            ply = self.frames[index].ply
            for frame in self.frames:
                if frame.ply == ply and frame.seat == seat:
                    return frame
        return next((frame for frame in reversed(self.frames[:index]) if frame.seat == seat), None)


# Building a timeline from a replay, step by step.


def timeline_of(
    replay: Replay,
    names: Sequence[str] | None = None,
    *,
    views: str | None = None,
    logs: Mapping[int, str] | None = None,
    notes: Mapping[int, str] | None = None,
    analysis: account.Analysis | None = None,
    you: int | None = None,
) -> Timeline:
    """Return a recorded game as a timeline.

    Args:
        views: the digest of the views that the bots received, if recorded.
        logs, notes: the bot's log and the message about its failure, by decision number.
        you: the seat that sentences address as "You".

    Raises ReplayError: the game does not end as recorded, or (`ViewsMismatch`) its views differ from the recorded ones.
    """
    check_views(views_digest(replay), views)
    seat_names = tuple(names) if names is not None else tuple(f"Seat {seat + 1}" for seat in range(replay.seats))
    sentence_names = seat_names
    if you is not None:
        seat_names = tuple(presentation.YOU if seat == you else name for seat, name in enumerate(seat_names))
        sentence_names = tuple(presentation.names_for(seat_names, you))
    builder = _Builder(replay, sentence_names, logs or {}, notes or {})
    moments = () if analysis is None else analysis.moments
    for step, moment in zip_longest(expand(replay), moments):
        builder.add(step, moment)
    builder.finish()
    *_, ending = tell(replay, sentence_names)
    game = game_named(replay.game)
    timeline = Timeline(
        game=replay.game,
        title=game.title,
        names=seat_names,
        sentence_names=sentence_names,
        places=replay.places,
        rounds=replay.rounds,
        reason=replay.reason,
        opening=builder.opening,
        frames=builder.frames,
        ending=ending.text,
        table=builder.running.snapshot(),
        aside=builder.running.aside(),
        luck=builder.luck,
        counts=builder.counts,
        events=builder.events_by_round,
        marks=builder.marks,
        analysis=analysis,
    )
    return timeline if you is None else _addressed_to(timeline, you)


def _addressed_to(timeline: Timeline, you: int) -> Timeline:
    for frame in timeline.frames:
        frame.sentences = [timeline.addressed(text) for text in frame.sentences]
        frame.next_round_sentences = [(number, timeline.addressed(text)) for number, text in frame.next_round_sentences]
        frame.did = presentation.as_second_person(frame.did) if frame.seat == you else frame.did
    opening = [(number, timeline.addressed(text)) for number, text in timeline.opening]
    return replace(timeline, opening=opening, ending=timeline.addressed(timeline.ending))


class _Builder:
    def __init__(
        self, replay: Replay, names: tuple[str, ...], logs: Mapping[int, str], notes: Mapping[int, str]
    ) -> None:
        self.replay = replay
        self.game = game_named(replay.game)
        self.names = names
        self.logs = logs
        self.notes = notes
        self.luck = (0.0,) * replay.seats
        self.events: list[Event] = []
        self.events_by_round: dict[int, list[Event]] = {}
        self.event_counts: list[tuple[int, int]] = []  # Events before and after each frame.
        self.opening = [
            (0, f"{names[seat]} is at fault from the start and plays default decisions.")
            for seat, decision in replay.faults
            if decision is None
        ]
        self.frames: list[Frame] = []
        self.counts: list[tuple[int, tuple[int, ...]]] = []
        self.marks: dict[int, Mark] = {}
        self.presentation = presentation.presentation_of(replay.game)
        self.running = self.presentation.table(replay)
        self.ply = 0
        self.leader: int | None = None
        self.decided: Counter[tuple[int, int]] = Counter()
        self.values: tuple[float, ...] = ()

    def add(self, step: Step, moment: account.Moment | None) -> None:
        by_number = {answer.number: answer for answer in step.answers if answer.number is not None}
        answers = [*by_number.values()]
        self.ply += 1
        before = self.running.snapshot()
        for number, answer in by_number.items():
            if answer.by_default:
                self.marks[len(self.frames)] = "fault"
            self.event_counts.append((len(self.events), len(self.events)))
            frame = self._frame(step, number, answer, before)
            self.running.decide(answer, frame.did)
            frame.table, frame.aside = self.running.snapshot(), self.running.aside()
            frame.values_before = frame.values = self.values
            self.frames.append(frame)
        self._set_values(answers, moment)
        if not step.answers:
            self.running.begin(step)
        self.running.clear_plans(incomplete=self.game.half_answered(step.after))
        self.running.apply_state(step)
        self._add_events(step, answers)

    def _set_values(self, answers: Sequence[StepAnswer], moment: account.Moment | None) -> None:
        self.values = () if moment is None else moment.values
        judged = {} if moment is None else {decision.number: decision for decision in moment.judged}
        for frame in self.frames[len(self.frames) - len(answers) :]:
            frame.judged = judged.get(frame.number)
        if answers:  # Only the ply's last frame shows everything that changed the values.
            self.frames[-1].values = self.values

    def _add_events(self, step: Step, answers: Sequence[StepAnswer]) -> None:
        """Add the results to the last frame or, before the first one, to the opening."""
        in_next_round = bool(self.frames and self.frames[-1].next_round_sentences)
        sentences = [
            (step.round, f"{self.names[answer.seat]} is at fault and plays default decisions from now on.")
            for answer in answers
            if answer.by_default
        ]
        later_sentences: list[tuple[int, str]] = []
        number = step.round
        for event in step.events:
            if event[0] == ROUND_BEGAN:
                if self.frames and not in_next_round:
                    self._end_frame()
                number, in_next_round = event[1], True
                self._record_counts(number)
            self.events.append(event)
            self.events_by_round.setdefault(number, []).append(event)
            self.running.apply(event)
            text = self.game.sentence(event, self.names)
            if text is not None:
                (later_sentences if in_next_round else sentences).append((number, text))
        if not self.frames:
            self.opening += sentences + later_sentences
            return
        self.frames[-1].sentences += [text for _, text in sentences]
        self.frames[-1].next_round_sentences += later_sentences
        if not in_next_round:
            self._end_frame()

    def _end_frame(self) -> None:
        self.frames[-1].table, self.frames[-1].aside = self.running.snapshot(), self.running.aside()
        self.event_counts[-1] = (self.event_counts[-1][0], len(self.events))

    def finish(self) -> None:
        self._record_counts(self.replay.rounds + 1)
        course = [self.luck, *luck_course(self.replay.game, self.replay.seats, self.events)]
        for frame, (before, after) in zip(self.frames, self.event_counts, strict=True):
            frame.luck_before, frame.luck = course[before], course[after]
        self.luck = course[-1]

    def _frame(self, step: Step, number: int, answer: StepAnswer, before: Scene) -> Frame:
        self.decided[step.round, answer.seat] += 1
        recorded = self.replay.decisions[number]
        view = self.game.observe(step.before, answer.seat, step.defaulting)
        return Frame(
            at=address(step.round, answer.seat, self.decided[step.round, answer.seat]),
            round=step.round,
            seat=answer.seat,
            kind=answer.kind,
            number=number,
            ply=self.ply,
            decision=recorded,
            question=self.presentation.question(view, answer.kind, step.before),
            did=presentation.decision_text(self.game.name, answer.kind, recorded),
            fault=answer.by_default,
            before=before,
            table=before,
            aside={},
            observation=self.presentation.view_scene(view, self.game.held(step.before), step.defaulting),
            log=self.logs.get(number, ""),
            note=self.notes.get(number, ""),
        )

    def _record_counts(self, round_number: int) -> None:
        """Record the counts at the start of a round, and a new sole leader at the last frame."""
        held = self.presentation.held(self.running.scene)
        self.counts.append((round_number, held))
        best_count = (max if self.game.unit.more_is_better else min)(held)
        leader = held.index(best_count) if held.count(best_count) == 1 else None
        if leader is not None and self.leader is not None and leader != self.leader and self.frames:
            self.marks.setdefault(len(self.frames) - 1, "lead")
            self.frames[-1].leader = leader
        self.leader = leader if leader is not None else self.leader
