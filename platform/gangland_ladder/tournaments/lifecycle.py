"""The states of a tournament, the moves between them, the actions that each state allows, and deadlines."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import isfinite
from typing import Final

# States and moves. docs/tournaments.md describes the same table; a test compares them.


class State(StrEnum):
    """The state of a tournament."""

    DRAFT = "draft"
    ANNOUNCED = "announced"
    OPEN = "open"
    FROZEN = "frozen"
    PLAYING = "playing"
    PAUSED = "paused"
    FINISHED = "finished"
    REVEALED = "revealed"
    CANCELED = "cancelled"  # spelled as in recorded archives


# Every allowed move; all others are refused.
MOVES: Final[dict[State, tuple[State, ...]]] = {
    State.DRAFT: (State.ANNOUNCED, State.CANCELED),
    State.ANNOUNCED: (State.OPEN, State.CANCELED),
    State.OPEN: (State.FROZEN, State.CANCELED),
    State.FROZEN: (State.PLAYING, State.CANCELED),
    State.PLAYING: (State.PAUSED, State.FINISHED, State.CANCELED),
    State.PAUSED: (State.PLAYING, State.CANCELED),
    State.FINISHED: (State.REVEALED,),
    State.REVEALED: (),
    State.CANCELED: (),
}

_COURSE: Final = (State.DRAFT, State.ANNOUNCED, State.OPEN, State.FROZEN, State.PLAYING, State.FINISHED, State.REVEALED)


class MoveRefused(ValueError):
    """A tournament cannot move from one state to another; the message gives the reason and the allowed moves."""


def may_move(before: State, after: State) -> bool:
    """Return whether a tournament may go from one state to another."""
    return State(after) in MOVES[State(before)]


def move(before: State, after: State) -> State:
    """Return the new state. Raises MoveRefused: the move is not allowed."""
    if may_move(before, after):
        return State(after)
    allowed = " or ".join(MOVES[State(before)])
    hint = f"from here it can become {allowed}" if allowed else "nothing comes after that"
    raise MoveRefused(f"a tournament that is {before} cannot become {after}: {why_not(before, after)}; {hint}")


def why_not(before: State, after: State) -> str:
    """Return a short reason why a move is refused. Raises ValueError: the move is allowed, or a state is invalid."""
    before, after = State(before), State(after)
    if may_move(before, after):
        raise ValueError(f"the move from {before} to {after} is allowed")
    if before == after:
        return "it is already in that state"
    if before in _FINAL_REASONS:
        return _FINAL_REASONS[before]
    if (before, after) in _REASONS:
        return _REASONS[before, after]
    if after == State.PAUSED:
        return "nothing is being played"
    if after == State.CANCELED:
        return "its results are final"
    if _COURSE.index(after) > _COURSE.index(before):
        return f"it has to be {_COURSE[_COURSE.index(before) + 1]} first"
    return _PAST_REASONS[before]


_FINAL_REASONS: Final = {
    State.REVEALED: "its secret is public, so nothing can be played or changed",
    State.CANCELED: "its cancellation is public",
}
_PAST_REASONS: Final = {
    State.ANNOUNCED: "its rules and the digest of its secret have been published",
    State.OPEN: "authors have entered under these rules",
    State.FROZEN: "the versions are fixed, and the dice follow from them",
    State.PLAYING: "matches already use these entries and dice",
    State.FINISHED: "its results are final",
}
_REASONS: Final = {
    (State.PAUSED, State.FINISHED): "matches are still to be played or recorded",
    (State.PAUSED, State.REVEALED): "matches are still to be played, and their dice would be known",
    (State.PLAYING, State.REVEALED): "matches are still to be played, and their dice would be known",
    (State.PAUSED, State.FROZEN): _PAST_REASONS[State.PLAYING],
    (State.PAUSED, State.OPEN): _PAST_REASONS[State.PLAYING],
    (State.PAUSED, State.ANNOUNCED): _PAST_REASONS[State.PLAYING],
    (State.PAUSED, State.DRAFT): _PAST_REASONS[State.PLAYING],
}


# The actions that each state allows.


def may_edit_rules(state: State) -> bool:
    """Return whether the rules may change: game, seats, options, blocks, limits, entry rule, house bots and embargo."""
    return state == State.DRAFT


def may_delete(state: State) -> bool:
    """Return whether the tournament may be deleted: only before it is announced."""
    return state == State.DRAFT


def is_listed(state: State) -> bool:
    """Return whether the tournament is visible to users who do not organize it."""
    return state != State.DRAFT


def may_enter(state: State) -> bool:
    """Return whether a bot may be entered, withdrawn, or its version changed."""
    return state == State.OPEN


def versions_are_pinned(state: State) -> bool:
    """Return whether the list of entries and their versions is final."""
    return state in {State.FROZEN, State.PLAYING, State.PAUSED, State.FINISHED, State.REVEALED}


def may_play(state: State) -> bool:
    """Return whether a match may be dispatched."""
    return state == State.PLAYING


def may_record(state: State) -> bool:
    """Return whether the result of a dispatched match counts; a pause only stops dispatching."""
    return state in {State.PLAYING, State.PAUSED}


def may_rerun(state: State) -> bool:
    """Return whether an organizer may have a match rerun."""
    return state in {State.PLAYING, State.PAUSED}


def may_settle(state: State) -> bool:
    """Return whether more matches may settle the first places; the tournament then returns to playing."""
    return state == State.FINISHED


def may_void(state: State) -> bool:
    """Return whether a match may be declared void permanently."""
    return state in {State.PLAYING, State.PAUSED, State.FINISHED}


def may_disqualify(state: State) -> bool:
    """Return whether an entry may be disqualified; before the freeze it is withdrawn instead."""
    return state in {State.FROZEN, State.PLAYING, State.PAUSED, State.FINISHED}


def secret_is_public(state: State, embargo_until: float | None = None, now: float = 0.0) -> bool:
    """Return whether the secret is public: no further match uses it, and no embargo is active."""
    return state in {State.REVEALED, State.CANCELED} and (embargo_until is None or now >= embargo_until)


def is_over(state: State) -> bool:
    """Return whether the state is final."""
    return not MOVES[State(state)]


class Viewer(StrEnum):
    """The role of a visitor in a tournament."""

    PUBLIC = "public"
    ORGANIZER = "organizer"


def results_are_shown(state: State, viewer: Viewer, embargo_until: float | None, now: float) -> bool:
    """Return whether this viewer may see results and exports; in an embargo, only organizers may."""
    if state in {State.DRAFT, State.ANNOUNCED, State.OPEN, State.FROZEN}:
        return False
    # Authors do not even see their own bots' matches: together they could derive the standings.
    return viewer == Viewer.ORGANIZER or embargo_until is None or now >= embargo_until


STEPS = 10
MIN_STEP = 20


def published_count(finished: int, planned: int) -> int:
    """Return how many finished matches are published during an embargo, rounded down unless all are finished.

    It is a multiple of a tenth of the planned number, or of 20 if that is more.
    """
    # A match ends early if a bot fails, so the exact number would reveal those matches.
    return finished if finished == planned else finished - finished % max(MIN_STEP, -(-planned // STEPS))


# Deadlines, the moves that they cause, and how they may change. Times are in Unix seconds.


NO_END: Final = 253_402_300_799.0  # The end of the year 9999, used for an embargo without an end.
# The deadlines that cause a move, in the order of their moves.
MOVE_DEADLINES: Final = ("opens_at", "freezes_at", "starts_at", "reveals_at")


@dataclass(frozen=True, slots=True)
class Deadlines:
    """The times of a tournament's automatic moves, in Unix seconds; if a time is None, an organizer makes the move."""

    opens_at: float | None = None
    freezes_at: float | None = None
    starts_at: float | None = None
    # until then, only organizers can see results, and the secret is not revealed
    embargo_until: float | None = None
    reveals_at: float | None = None  # the time of the move from finished to revealed; not before the embargo ends

    def __post_init__(self) -> None:
        for name in (*MOVE_DEADLINES, "embargo_until"):
            value = getattr(self, name)
            if value is not None and not isfinite(value):
                raise ValueError(f"{name} must be a time in Unix seconds, not {value!r}")
        line = [(name, getattr(self, name)) for name in MOVE_DEADLINES if getattr(self, name) is not None]
        for (earlier, first), (later, second) in pairwise(line):
            if second < first:
                raise ValueError(f"{later} ({second!r}) comes before {earlier} ({first!r})")
        if self.opens_at is not None and self.opens_at == self.freezes_at:
            raise ValueError(f"opens_at and freezes_at are both {self.opens_at!r}: no one could enter")
        if self.reveals_at is not None and self.embargo_until is not None and self.reveals_at < self.embargo_until:
            raise ValueError(f"reveals_at ({self.reveals_at!r}) is within the embargo until {self.embargo_until!r}")


@dataclass(frozen=True, slots=True)
class DueMove:
    """An automatic move and its time."""

    after: State
    due_at: float


_DEADLINE_MOVES: Final = {
    State.ANNOUNCED: (State.OPEN, "opens_at"),
    State.OPEN: (State.FROZEN, "freezes_at"),
    State.FROZEN: (State.PLAYING, "starts_at"),
    State.FINISHED: (State.REVEALED, "reveals_at"),
}


def due_moves(state: State, deadlines: Deadlines, now: float) -> list[DueMove]:
    """Return the automatic moves that are due, in order, up to the first move without a deadline."""
    moves: list[DueMove] = []
    while (due := next_deadline(state, deadlines)) is not None and now >= due.due_at:
        moves.append(due)
        state = due.after
    return moves


def next_deadline(state: State, deadlines: Deadlines) -> DueMove | None:
    """Return the automatic move from this state, due or not; None if no deadline causes a move."""
    if state not in _DEADLINE_MOVES:
        return None
    after, name = _DEADLINE_MOVES[state]
    due_at = getattr(deadlines, name)
    return None if due_at is None else DueMove(move(state, after), due_at)


def may_reveal(state: State, deadlines: Deadlines, now: float) -> bool:
    """Return whether an organizer may reveal the secret now: the tournament is finished, and no embargo is active."""
    embargo = deadlines.embargo_until
    return may_move(state, State.REVEALED) and (embargo is None or now >= embargo)


def check_change(state: State, old: Deadlines, new: Deadlines, now: float) -> None:
    """Raise ValueError unless new deadlines respect the announced ones; the message explains which change is allowed.

    Once announced, a deadline may only be added or postponed, to a future time, and only before its move is made.
    """
    if may_edit_rules(state):
        return
    if new.embargo_until != old.embargo_until:
        raise ValueError(f"the embargo is one of the rules, which cannot change once a tournament is {state}")
    ahead = remaining_deadlines(state)
    for name in MOVE_DEADLINES:
        before, after = getattr(old, name), getattr(new, name)
        if before == after:
            continue
        if name not in ahead:
            raise ValueError(f"{name} cannot change once a tournament is {state}")
        if after is None:
            raise ValueError(f"{name} has been announced as {before!r} and can only be postponed, not removed")
        earliest = now if before is None else max(before, now)
        if after < earliest:
            raise ValueError(f"{name} can only be postponed: {after!r} comes before {earliest!r}")


def remaining_deadlines(state: State) -> tuple[str, ...]:
    """Return the deadlines of an announced tournament whose moves have not been made, in order."""
    return MOVE_DEADLINES[_MOVES_MADE.get(state, len(MOVE_DEADLINES)) :]


# Number of deadlines, in their order, whose moves have been made.
_MOVES_MADE: Final = {
    State.ANNOUNCED: 0,
    State.OPEN: 1,
    State.FROZEN: 2,
    State.PLAYING: 3,
    State.PAUSED: 3,
    State.FINISHED: 3,
}
