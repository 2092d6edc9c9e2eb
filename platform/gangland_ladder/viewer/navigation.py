"""Keyboard navigation: the keys of all viewers, and the cursor of the terminal viewer."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from gangland_ladder.viewer.timeline import NoSuchFrame, Timeline

# Keys: one list for the terminal, the page and the help texts.


@dataclass(frozen=True, slots=True)
class Key:
    """A key; `terminal` or `browser` is empty if the key is not used there."""

    action: str
    terminal: tuple[str, ...]  # the key's names in `cli.terminal`
    browser: tuple[str, ...]  # its `KeyboardEvent.key`, with "Shift+"
    label: str
    effect: str


KEYS: Final = (
    Key("next", ("right",), ("ArrowRight",), "→", "next decision"),
    Key("back", ("left",), ("ArrowLeft",), "←", "previous decision"),
    Key("next_round", ("shift-right", "pagedown"), ("Shift+ArrowRight",), "Shift →", "next round"),
    Key("previous_round", ("shift-left", "pageup"), ("Shift+ArrowLeft",), "Shift ←", "previous round"),
    Key("first", ("home",), ("Home",), "Home", "first decision"),
    Key("last", ("end",), ("End",), "End", "the end"),
    Key("jump", ("g",), (), "g", "jump to a round: its number, then Enter"),
    Key("next_mark", ("]",), ("]",), "]", "next fault or lead change"),
    Key("previous_mark", ("[",), ("[",), "[", "previous fault or lead change"),
    Key("next_mistake", ("m",), ("m",), "m", "next mistake"),
    Key("previous_mistake", ("M",), ("Shift+M",), "Shift m", "previous mistake"),
    Key("all", ("0",), ("0",), "0", "all hands"),
    Key("seat1", ("1",), ("1",), "1", "what seat 1 saw"),
    Key("seat2", ("2",), ("2",), "2", "what seat 2 saw"),
    Key("seat3", ("3",), ("3",), "3", "what seat 3 saw"),
    Key("seat4", ("4",), ("4",), "4", "what seat 4 saw"),
    Key("play", (), (" ",), "Space", "play or stop"),
    Key("slower", (), (",",), ",", "play slower"),
    Key("faster", (), (".",), ".", "play faster"),
    Key("log", ("l", "L"), ("l", "L"), "L", "log of the round so far"),
    Key("debug", ("d", "D"), ("d", "D"), "D", "what the bot logged at this decision"),
    Key("copy", (), ("c", "C"), "C", "copy a link to this decision"),
    Key("down", ("down",), (), "↓", "scroll down"),
    Key("up", ("up",), (), "↑", "scroll up"),
    Key("help", ("?",), ("?",), "?", "this help"),
    Key("quit", ("q", "Q"), (), "q", "quit"),
)

TERMINAL_ACTIONS: Final[dict[str, str]] = {name: key.action for key in KEYS for name in key.terminal}


def keys_for(device: Literal["terminal", "browser"], timeline: Timeline) -> list[Key]:
    """Return the keys for a timeline, in the order of the help."""
    excluded = {f"seat{number}" for number in range(len(timeline.names) + 1, 5)}
    if timeline.analysis is None:
        excluded |= {"next_mistake", "previous_mistake"}
    return [key for key in KEYS if getattr(key, device) and key.action not in excluded]


# The cursor of a terminal.

_NO_MARK: Final = "no fault or lead change"
_NO_MISTAKE: Final = "no mistake"
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Cursor:
    """The position in a timeline and the options of the screen."""

    index: int = 0
    seat: int | None = None
    shows_log: bool = False  # whether to show the round so far
    shows_debug: bool = False  # whether to show the bot's log
    shows_help: bool = False
    typed: str | None = None  # the digits typed so far when jumping to a round, or None
    message: str = ""
    scroll: int = 0
    is_done: bool = False


def after_key(timeline: Timeline, cursor: Cursor, key: str) -> Cursor:
    """Return the cursor after a key; unknown keys do nothing."""
    cursor = replace(cursor, message="")
    if cursor.typed is not None:
        typed = cursor.typed or ""
        if key.isdecimal() and key.isascii():
            return replace(cursor, typed=(typed + key)[:_DIGITS])
        if key == "backspace":
            return replace(cursor, typed=typed[:-1])
        if key == "enter" and typed:
            try:
                return _move_to(timeline, replace(cursor, typed=None), timeline.round_index(int(typed)))
            except NoSuchFrame as error:
                return replace(cursor, typed=None, message=str(error))
        return replace(cursor, typed=None)
    action = TERMINAL_ACTIONS.get(key)
    if cursor.shows_help and action not in ("quit", "up", "down"):
        return replace(cursor, shows_help=False, scroll=0)
    return cursor if action is None else _MOVES[action](timeline, cursor)


def _steps(timeline: Timeline, seat: int | None) -> list[int]:
    return [
        *(index for index, frame in enumerate(timeline.frames) if seat is None or frame.seat == seat),
        timeline.last,
    ]


def _move_to(timeline: Timeline, cursor: Cursor, index: int) -> Cursor:
    """Move to an index; in a seat's view, to the seat's decision in that ply, or its previous one, or its first."""
    index = max(0, min(timeline.last, index))
    if cursor.seat is not None and index < timeline.last:
        frame = timeline.latest_view_frame(index, cursor.seat)
        index = _steps(timeline, cursor.seat)[0] if frame is None else frame.number
    return replace(cursor, index=index, scroll=0)


def _next_index(frames: Sequence[int], index: int, direction: int) -> int | None:
    """Return the next (`direction` 1) or previous (-1) of these frames after or before an index, or None."""
    return next((at for at in (frames if direction > 0 else reversed(frames)) if (at - index) * direction > 0), None)


def _move_by_step(timeline: Timeline, cursor: Cursor, direction: int) -> Cursor:
    at = _next_index(_steps(timeline, cursor.seat), cursor.index, direction)
    return _move_to(timeline, cursor, cursor.index if at is None else at)


def _move_by_round(timeline: Timeline, cursor: Cursor, direction: int) -> Cursor:
    """Move to the start of the next round (1) or of this round (-1); -1 at the start moves to the previous round."""
    *steps, end = _steps(timeline, cursor.seat)
    rounds = [timeline.frames[at].round for at in steps]
    begins = [at for at, before, now in zip(steps, [0, *rounds], rounds, strict=False) if before != now]
    at = _next_index([*begins, end], cursor.index, direction)
    return _move_to(timeline, cursor, cursor.index if at is None else at)


def _move_by_mark(timeline: Timeline, cursor: Cursor, direction: int, marks: Container[int], no_mark: str) -> Cursor:
    at = _next_index([at for at in _steps(timeline, cursor.seat) if at in marks], cursor.index, direction)
    if at is None:
        return replace(cursor, message=f"{no_mark} {'after' if direction > 0 else 'before'} this")
    return _move_to(timeline, cursor, at)


def _show_seat(seat: int) -> Callable[[Timeline, Cursor], Cursor]:
    def move(timeline: Timeline, cursor: Cursor) -> Cursor:
        if seat >= len(timeline.names):
            return replace(cursor, message=f"the table has {len(timeline.names)} seats")
        return _move_to(timeline, replace(cursor, seat=seat), cursor.index)

    return move


_MOVES: Final[dict[str, Callable[[Timeline, Cursor], Cursor]]] = {
    "next": lambda timeline, cursor: _move_by_step(timeline, cursor, 1),
    "back": lambda timeline, cursor: _move_by_step(timeline, cursor, -1),
    "next_round": lambda timeline, cursor: _move_by_round(timeline, cursor, 1),
    "previous_round": lambda timeline, cursor: _move_by_round(timeline, cursor, -1),
    "first": lambda timeline, cursor: _move_to(timeline, cursor, 0),
    "last": lambda timeline, cursor: _move_to(timeline, cursor, timeline.last),
    "jump": lambda _, cursor: replace(cursor, typed=""),
    "next_mark": lambda timeline, cursor: _move_by_mark(timeline, cursor, 1, timeline.marks, _NO_MARK),
    "previous_mark": lambda timeline, cursor: _move_by_mark(timeline, cursor, -1, timeline.marks, _NO_MARK),
    "next_mistake": lambda timeline, cursor: _move_by_mark(timeline, cursor, 1, timeline.mistakes, _NO_MISTAKE),
    "previous_mistake": lambda timeline, cursor: _move_by_mark(timeline, cursor, -1, timeline.mistakes, _NO_MISTAKE),
    "all": lambda _, cursor: replace(cursor, seat=None, scroll=0),
    **{f"seat{seat + 1}": _show_seat(seat) for seat in range(4)},
    "log": lambda _, cursor: replace(cursor, shows_log=not cursor.shows_log, scroll=0),
    "debug": lambda _, cursor: replace(cursor, shows_debug=not cursor.shows_debug, scroll=0),
    "down": lambda _, cursor: replace(cursor, scroll=cursor.scroll + 1),
    "up": lambda _, cursor: replace(cursor, scroll=max(0, cursor.scroll - 1)),
    "help": lambda _, cursor: replace(cursor, shows_help=True, scroll=0),
    "quit": lambda _, cursor: replace(cursor, is_done=True),
}
