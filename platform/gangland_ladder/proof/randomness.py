"""Public randomness: a value that the dice depend on, and that is unknown until a tournament's entries are fixed."""

import re
from datetime import UTC, datetime
from typing import Annotated, Final

from msgspec import Meta, Struct

SOURCE_CHARS: Final = 200
ADDRESS_CHARS: Final = 300
VALUE_CHARS: Final = 400
# Minimum and maximum number of hexadecimal digits, or of whole numbers as in a lottery. If values were shorter, all of
# them could be tried before the entries are fixed.
HEX_DIGITS: Final = (16, 128)
NUMBER_COUNTS: Final = (5, 20)
FORMS: Final = {"hex": HEX_DIGITS, "numbers": NUMBER_COUNTS}
NUMBER_DIGITS: Final = 6

_FORM: Final = re.compile(r"(hex|numbers) ([1-9][0-9]{0,2})")
_TIME: Final = "%Y-%m-%dT%H:%M:%SZ"
Line = Annotated[str, Meta(min_length=1, max_length=SOURCE_CHARS, pattern=r"\A[^\x00-\x1f\x7f]*\Z")]
Address = Annotated[str, Meta(max_length=ADDRESS_CHARS, pattern=r"\Ahttps?://[!#-;=?-~]{3,}\Z")]


class Randomness(Struct, frozen=True, forbid_unknown_fields=True):
    """The announcement of a public value, made before the value can be known.

    Attributes:
        source: the exact round, block or draw, in words.
        address: web address where it will be published.
        published_at: time of publication (UTC), such as 2027-03-01T18:00:00Z; entries close before then.
        form: "hex 64" or "numbers 6": the number of hexadecimal digits or whole numbers.
    """

    source: Line
    address: Address
    published_at: str
    form: str

    def __post_init__(self) -> None:
        self.published_s  # noqa: B018 (it raises for an invalid time)
        form_of(self.form)

    @property
    def published_s(self) -> float:
        """The time of publication, in Unix seconds."""
        try:
            time = datetime.strptime(self.published_at, _TIME).replace(tzinfo=UTC)
        except ValueError:
            time = None
        if time is None or time.strftime(_TIME) != self.published_at:
            raise ValueError(f"expected a publication time such as 2027-03-01T18:00:00Z, not {self.published_at!r}")
        return time.timestamp()

    @property
    def form_text(self) -> str:
        """The form of a value, as text."""
        kind, count = form_of(self.form)
        return f"{count} hexadecimal digits" if kind == "hex" else f"{count} whole numbers"

    def read(self, text: str) -> str:
        """Return a value in its normalized form. Raises ValueError: it does not have the announced form."""
        kind, count = form_of(self.form)  # normalized, so that writing it differently cannot change the dice
        if len(text) > VALUE_CHARS:
            raise ValueError(f"expected {self.form_text}, not {len(text)} characters")
        value = _hex(text, count) if kind == "hex" else _numbers(text, count)
        if value is None:
            raise ValueError(f"expected {self.form_text}, not {text.strip()[:80]!r}")
        return value


class PlayedRandomness(Struct, frozen=True, forbid_unknown_fields=True):
    """A public value, null until it is entered, with its announcement."""

    announced: Randomness
    value: Annotated[str, Meta(min_length=1, max_length=VALUE_CHARS)] | None


def published_at(at_s: float) -> str:
    """Return a time in Unix seconds in the format of announcements, rounded down to the second."""
    return datetime.fromtimestamp(int(at_s), UTC).strftime(_TIME)


def form_of(form: str) -> tuple[str, int]:
    """Return the kind and the length of a value of this form. Raises ValueError: invalid form."""
    parsed = _FORM.fullmatch(form)
    if parsed is not None:
        kind, count = parsed[1], int(parsed[2])
        if FORMS[kind][0] <= count <= FORMS[kind][1]:
            return kind, count
    kinds = " or ".join(f'"{kind} N" with N from {lowest} to {highest}' for kind, (lowest, highest) in FORMS.items())
    raise ValueError(f"expected a form such as {kinds}, not {form[:40]!r}")


def _hex(text: str, count: int) -> str | None:
    value = "".join(text.split()).lower().removeprefix("0x")
    return value if re.fullmatch(f"[0-9a-f]{{{count}}}", value) else None


def _numbers(text: str, count: int) -> str | None:
    if not re.fullmatch(r"[0-9\s,;]+", text, re.ASCII):
        return None
    parts = re.findall("[0-9]+", text)
    if len(parts) != count or any(len(part) > NUMBER_DIGITS for part in parts):
        return None
    return " ".join(map(str, sorted(map(int, parts))))
