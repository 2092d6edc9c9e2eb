"""The keys of a replay viewer: one map for the terminal, the page and their help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from gangland_ladder.viewer.film import Film


@dataclass(frozen=True, slots=True)
class Key:
    """What a key does.

    Attributes:
        terminal: as `cli.terminal` names them; browser: as `KeyboardEvent.key` does, with "Shift+" before.  None where
            it does nothing there.
        shown: what to call them in front of people; words: what they do.
    """

    action: str
    terminal: tuple[str, ...]
    browser: tuple[str, ...]
    shown: str
    words: str


KEYS: Final = (
    Key("next", ("right",), ("ArrowRight",), "→", "next decision"),
    Key("back", ("left",), ("ArrowLeft",), "←", "previous decision"),
    Key("next_round", ("shift-right", "pagedown"), ("Shift+ArrowRight",), "Shift →", "next round"),
    Key("back_round", ("shift-left", "pageup"), ("Shift+ArrowLeft",), "Shift ←", "previous round"),
    Key("first", ("home",), ("Home",), "Home", "first decision"),
    Key("last", ("end",), ("End",), "End", "the end"),
    Key("jump", ("g",), (), "g", "jump to a round: its number, then Enter"),
    Key("next_mark", ("]",), ("]",), "]", "next fault or lead change"),
    Key("back_mark", ("[",), ("[",), "[", "previous fault or lead change"),
    Key("next_mistake", ("m",), ("m",), "m", "next mistake"),
    Key("back_mistake", ("M",), ("Shift+M",), "Shift m", "previous mistake"),
    Key("all", ("0",), ("0",), "0", "the whole table with all hands"),
    Key("seat1", ("1",), ("1",), "1", "what seat 1 saw"),
    Key("seat2", ("2",), ("2",), "2", "what seat 2 saw"),
    Key("seat3", ("3",), ("3",), "3", "what seat 3 saw"),
    Key("seat4", ("4",), ("4",), "4", "what seat 4 saw"),
    Key("play", (), (" ",), "Space", "play, and stop"),
    Key("slower", (), (",",), ",", "play slower"),
    Key("faster", (), (".",), ".", "play faster"),
    Key("log", ("l", "L"), ("l", "L"), "L", "the log of the round until here, in words"),
    Key("debug", ("d", "D"), ("d", "D"), "D", "what the bot logged at this decision"),
    Key("copy", (), ("c", "C"), "C", "copy a link to this decision"),
    Key("down", ("down",), (), "↓", "scroll down"),
    Key("up", ("up",), (), "↑", "scroll up"),
    Key("help", ("?",), ("?",), "?", "this help"),
    Key("quit", ("q", "Q"), (), "q", "quit"),
)
"""Every key, in the order of the help."""

TERMINAL: Final[dict[str, str]] = {name: key.action for key in KEYS for name in key.terminal}
"""By a key's name in a terminal, what it does."""


def keys_for(where: Literal["terminal", "browser"], film: Film) -> list[Key]:
    """Return the keys that do something there with a film, in the order of the help."""
    left_out = {f"seat{number}" for number in range(len(film.names) + 1, 5)}
    if film.analysis is None:
        left_out |= {"next_mistake", "back_mistake"}
    return [key for key in KEYS if getattr(key, where) and key.action not in left_out]
