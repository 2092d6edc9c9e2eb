"""Format numbers, names, places and views as text, and strip byte order marks from files."""

from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from typing import IO

from gangland.view import View

# Numbers, with nouns in the singular or plural.


def counted(number: float, noun: str, form: str = "") -> str:
    """Return "1 match" or "2 matches"; `form` is a format for the number, such as "," or ".1f"."""
    written = format(number, form)
    return f"{written} {noun if written == '1' else plural(noun)}"


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    if noun.endswith("ch"):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"


def format_number(value: float, form: str) -> str:
    """Return a number in a format such as ".2f" or "+.2f", with a true minus sign; zero after rounding has no sign."""
    text = format(value, form)
    if text[0] not in "+-":
        return text
    return text.replace("-", "\N{MINUS SIGN}") if float(text) else text[1:]


# Names of seats.


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return the names, with a number after each name that occurs more than once."""
    return [
        name if names.count(name) == 1 else f"{name} ({names[: index + 1].count(name)})"
        for index, name in enumerate(names)
    ]


# Positions: text counts blocks, rotations and seats from 1, and data counts them from 0.


def game_at(block: int, rotation: int) -> str:
    """Return a game's position in its match as text; `block` and `rotation` are counted from 0."""
    return f"block {block + 1}, rotation {rotation + 1}"


def match_game_at(match: int, block: int, rotation: int) -> str:
    """Return a game's position as text with the number of its match, which is counted from 1."""
    return f"match {match}, {game_at(block, rotation)}"


def address(round: int, seat: int, decision: int) -> str:
    """Return the address of a decision, such as `r3.s2.d1`; all its numbers start at 1.

    The arguments `round` and `decision` (of this seat in this round) start at 1, and `seat` at 0.
    """
    return f"r{round}.s{seat + 1}.d{decision}"


# Views: a bot's observation as names and readable text.


def view_fields(view: View) -> list[tuple[str, str]]:
    """Return all fields of a view as (name, text) pairs, in documented order."""
    return [(name, value_text(getattr(view, name))) for name in view.fields()]


def option_arguments(options: Mapping[str, object]) -> str:
    """Return a game's options as command-line arguments, each with a leading space."""
    texts = {name: ",".join(map(str, value)) if isinstance(value, list) else value for name, value in options.items()}
    return "".join(f" --option {name}={text}" for name, text in texts.items())


def value_text(value: object) -> str:
    """Return a value in a view as readable text."""
    if isinstance(value, Enum):
        return f"{value.value} ({value.name.lower()})"
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return "(" + ", ".join(map(value_text, value)) + ("," if len(value) == 1 else "") + ")"
    if is_dataclass(value) and "__str__" in vars(type(value)):
        return str(value)
    if names := getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None):
        return f"{type(value).__name__}({', '.join(f'{name}={value_text(getattr(value, name))}' for name in names)})"
    return repr(value)


# Files: some editors write a byte order mark at the beginning of a file; it is not part of the text.


def strip_bom(text: bytes) -> bytes:
    """Return UTF-8 text without a byte order mark."""
    return text.removeprefix(BOM_UTF8)


def skip_bom(file: IO[bytes]) -> None:
    """Seek to the first byte of a file after its byte order mark, if it has one."""
    file.seek(0)
    if file.read(len(BOM_UTF8)) != BOM_UTF8:
        file.seek(0)
