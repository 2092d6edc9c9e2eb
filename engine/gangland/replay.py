"""Replays: a header and the decisions, expanded and verified by playing again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Literal

from gangland.chance import SEED_BYTES, SeededChance
from gangland.faults import IllegalDecision
from gangland.game import AT_ONCE, ROUND_BEGAN, Decision, Event, Game, Outcome
from gangland.games import game_named

SCHEMA = "gangland/replay/1"
FAULT: Final = "fault"
"""Stands in a replay's decisions where the seat failed and its default was played."""

Recorded = Decision | Literal["fault"]
_FIELDS = ("schema", "game", "rules", "seats", "options", "seed", "decisions", "faults", "rounds", "places", "reason")


class ReplayError(ValueError):
    """A replay that cannot be read, or that does not come out as it says."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Everything that it takes to play a game again.

    Attributes:
        seed: 64 hexadecimal digits.
        decisions: what was asked and answered, in the order of asking; "fault" where a seat failed.
        faults: (seat, index into `decisions`) of each failure, None for a failure before the
            seat's first decision.
        digest: SHA-256 of all that happened, so that no byte can change unseen.
    """

    game: str
    rules: int
    seats: int
    options: dict[str, object]
    seed: str
    decisions: tuple[Recorded, ...]
    faults: tuple[tuple[int, int | None], ...]
    rounds: int
    places: tuple[int, ...]
    reason: str
    digest: str

    def to_dict(self) -> dict[str, Any]:
        """Return the replay as plain JSON values, always in the same order."""
        return {"schema": SCHEMA} | {name: _thawed(getattr(self, name)) for name in (*_FIELDS[1:], "digest")}

    def to_json(self) -> str:
        """Return the replay as one line of JSON."""
        return json.dumps(self.to_dict(), separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Answered:
    """One seat's part in a step.  `number` is None and `by_default` true for a seat already at fault."""

    seat: int
    kind: str
    number: int | None
    decision: Decision
    by_default: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One ply of a replay: what was asked from `before`, and what it led to.  The first asks nothing.

    `defaulting` are the seats at fault as the views of this ply showed them.
    """

    round: int
    before: Any
    after: Any
    answers: tuple[Answered, ...]
    events: tuple[Event, ...]
    defaulting: frozenset[int]


def digest(events: Iterable[Event]) -> str:
    """Return the SHA-256 of the events in their canonical JSON form, in hexadecimal."""
    return sha256(json.dumps(list(events), separators=(",", ":")).encode()).hexdigest()


def played_events(events: tuple[Event, ...], outcome: Outcome | None) -> tuple[Event, ...]:
    """Return what happened in a ply, without the round that the rules went on to though a fault had ended the game."""
    if outcome is None or outcome.reason not in AT_ONCE:
        return events
    begun = next((index for index, event in enumerate(events) if event[0] == ROUND_BEGAN), len(events))
    return events[:begun]


def load(text: str | bytes) -> Replay:
    """Read a replay from JSON.  It is checked in form; `verify` checks what it says.

    Raises:
        ReplayError: not a replay, or of rules that this version does not know.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReplayError(f"not a replay: {error}") from error
    return from_dict(data)


def from_dict(data: object) -> Replay:
    """Make a replay of plain JSON values; see `load`."""
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        found = data.get("schema") if isinstance(data, dict) else type(data).__name__
        raise ReplayError(f"a replay has the schema {SCHEMA!r}, not {str(found)[:80]!r}")
    missing = [name for name in (*_FIELDS, "digest") if name not in data]
    unknown = sorted(set(data) - set(_FIELDS) - {"digest"})
    if missing or unknown:
        raise ReplayError(
            f"a replay has exactly the fields {[*_FIELDS, 'digest']}; missing {missing}, unknown {str(unknown)[:200]}"
        )
    _check_form(data)
    game = _game_of(data)
    try:
        game.options(data["options"])
    except ValueError as error:
        raise ReplayError(str(error)) from error
    return Replay(
        game=game.name,
        rules=data["rules"],
        seats=data["seats"],
        options=data["options"],
        seed=data["seed"],
        decisions=tuple(_frozen(decision) for decision in data["decisions"]),
        faults=tuple((seat, decision) for seat, decision in data["faults"]),
        rounds=data["rounds"],
        places=tuple(data["places"]),
        reason=data["reason"],
        digest=data["digest"],
    )


def expand(replay: Replay) -> Iterator[Step]:
    """Play the replay again and yield every ply, the setup first.

    Raises:
        ReplayError: a decision that was not legal there, too few decisions, or too many.
    """
    player = _Replayer(replay)
    yield player.first
    while player.outcome is None:
        yield player.step()
    player.finish()


def verify(replay: Replay) -> Outcome:
    """Play the replay again and return its outcome, if all comes out as the replay says.

    Raises:
        ReplayError: the first thing that differs.
    """
    player = _Replayer(replay)
    events = list(player.first.events)
    while player.outcome is None:
        events += player.step().events
    player.finish()
    outcome = player.outcome
    said = (replay.places, replay.reason, replay.rounds, replay.digest)
    came = (outcome.places, outcome.reason.value, player.rounds, digest(events))
    for name, wrong, right in zip(("places", "reason", "rounds", "digest"), said, came, strict=True):
        if wrong != right:
            raise ReplayError(f"the replay says {name} {wrong!r}, but played again it gives {right!r}")
    return outcome


class _Replayer:
    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.game: Game[Any] = game_named(replay.game)
        self.chance = SeededChance(bytes.fromhex(replay.seed))
        self.failures = {decision: seat for seat, decision in replay.faults if decision is not None}
        self.defaulting = frozenset(seat for seat, decision in replay.faults if decision is None)
        self.shown = self.defaulting
        self.asked = 0
        try:
            self.state, events = self.game.start(replay.seats, self.game.options(replay.options), self.chance)
        except ValueError as error:
            raise ReplayError(str(error)) from error
        self.outcome = self.game.outcome(self.state, self.defaulting)
        self.rounds = self.round
        self.first = Step(self.round, None, self.state, (), events, self.defaulting)

    @property
    def round(self) -> int:
        return self.game.round(self.state)

    def step(self) -> Step:
        before, number, defaulting = self.state, self.round, self.defaulting
        if not self.game.half_answered(before):
            self.shown = defaulting
        answers = tuple(
            self._answer(question.seat, question.kind, defaulting) for question in self.game.pending(before)
        )
        decisions = {answer.seat: answer.decision for answer in answers}
        self.state, resolved = self.game.resolve(before, decisions, self.chance)
        self.outcome = self.game.outcome(self.state, self.defaulting)
        events = played_events(resolved, self.outcome)
        self.rounds = self.round if events == resolved else number
        return Step(number, before, self.state, answers, events, self.shown)

    def _answer(self, seat: int, kind: str, defaulting: frozenset[int]) -> Answered:
        if seat in defaulting:
            return Answered(seat, kind, None, self.game.default(self.state, seat), True)
        number = self.asked
        if number >= len(self.replay.decisions):
            raise ReplayError(f"the replay ends after {number} decisions, in the middle of the game")
        recorded = self.replay.decisions[number]
        self.asked += 1
        if recorded == FAULT:
            if self.failures.get(number) != seat:
                raise ReplayError(f"decision {number} is a fault of seat {seat} that the list of faults does not name")
            self.defaulting |= {seat}
            return Answered(seat, kind, number, self.game.default(self.state, seat), True)
        try:
            decision = self.game.check(self.state, seat, recorded)
        except IllegalDecision as refused:
            raise ReplayError(f"decision {number} of seat {seat}, choose_{kind}: {refused}") from refused
        if decision != recorded:
            raise ReplayError(f"decision {number} of seat {seat} is {recorded!r}, in canonical form {decision!r}")
        return Answered(seat, kind, number, decision, False)

    def finish(self) -> None:
        if self.asked != len(self.replay.decisions):
            raise ReplayError(f"the game was over after {self.asked} of {len(self.replay.decisions)} decisions")
        if len(self.failures) + len({s for s, d in self.replay.faults if d is None}) != len(self.replay.faults):
            raise ReplayError("the list of faults names a decision or a seat twice")
        for number in self.failures:
            if not 0 <= number < self.asked or self.replay.decisions[number] != FAULT:
                raise ReplayError(f"the list of faults names decision {number}, which was none")


def _game_of(data: dict[str, Any]) -> Game[Any]:
    try:
        game = game_named(data["game"])
    except ValueError as error:
        raise ReplayError(str(error)) from error
    if data["rules"] != game.rules_version:
        raise ReplayError(
            f"{game.title} replay of rules version {data['rules']!r}; this version knows {game.rules_version}"
        )
    if data["seats"] not in game.table_sizes:
        raise ReplayError(f"{game.title} has tables of {game.table_sizes}, not {data['seats']!r}")
    return game


def _check_form(data: dict[str, Any]) -> None:
    """Refuse wrong types before anything reads them; bool is not a number here."""
    seed = data["seed"]
    sound = {
        "rules": _is_int(data["rules"]),
        "seats": _is_int(data["seats"]),
        "game": isinstance(data["game"], str),
        "options": isinstance(data["options"], dict),
        "seed": isinstance(seed, str) and len(seed) == 2 * SEED_BYTES and set(seed) <= set("0123456789abcdef"),
        "decisions": isinstance(data["decisions"], list) and all(_is_recorded(item) for item in data["decisions"]),
        "faults": isinstance(data["faults"], list) and all(_is_fault(item, data["seats"]) for item in data["faults"]),
        "rounds": _is_int(data["rounds"]),
        "places": isinstance(data["places"], list) and all(_is_int(item) for item in data["places"]),
        "reason": isinstance(data["reason"], str),
        "digest": isinstance(data["digest"], str),
    }
    for name, good in sound.items():
        if not good:
            raise ReplayError(f"the field {name!r} of the replay is malformed: {str(data[name])[:80]!r}")


def _is_int(value: object) -> bool:
    return type(value) is int


def _is_recorded(value: object, depth: int = 3) -> bool:
    if isinstance(value, list):
        return depth > 0 and all(_is_recorded(item, depth - 1) for item in value)
    return value is None or _is_int(value) or (value == FAULT and depth == 3)


def _is_fault(value: object, seats: object) -> bool:
    if not (isinstance(value, list) and len(value) == 2 and isinstance(seats, int)):
        return False
    seat, decision = value
    return _is_int(seat) and 0 <= seat < seats and (decision is None or _is_int(decision))


def _thawed(value: Any) -> Any:
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
