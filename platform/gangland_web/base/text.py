"""Handle untrusted text: make it safe to show, check names, and parse numbers, lines and email addresses.

Bots' names, logs and messages come from untrusted users.  Escaping keeps markup out of a page; this module replaces
what escaping does not cover: control characters, characters that change the writing direction, and other
invisible characters.
"""

import json
import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

# Text that is safe to show: invisible characters are replaced.

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"  # replaces a hidden character

_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Variation selectors, which change the shape of the character before them and have no shape themselves.
_SELECTORS = frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
_INVISIBLE_CHARS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | _SELECTORS
_ZWJ = "\u200d"
_JOINERS = "\u200c" + _ZWJ
_PICTURE, _KEYCAP = "\ufe0f", "\u20e3"
_ALSO_PICTURES = "\u203c\u2049\u3030\u303d\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_TAGS = frozenset(map(chr, range(0xE0020, 0xE0080)))
# The flag of a part of a country, such as Scotland.
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f")
_FLAG_CHARS = 8
_JOINING_SCRIPTS = frozenset(
    "ARABIC SYRIAC MANDAIC NKO MONGOLIAN ADLAM DEVANAGARI BENGALI GURMUKHI GUJARATI ORIYA TAMIL TELUGU KANNADA"
    " MALAYALAM SINHALA MYANMAR KHMER TIBETAN BALINESE JAVANESE".split()
)


def shown(text: str, *, limit: int | None = None) -> str:
    """Return `text` with every hidden character replaced with a visible mark; line breaks and tabs stay.

    A text longer than `limit` characters is truncated and ends in an ellipsis.
    """
    if limit is not None and len(text) > limit:
        text = text[: limit - 1] + "…"
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return "".join(REPLACEMENT if char not in "\n\t" and is_hidden(text, at) else char for at, char in enumerate(text))


def finalize(value: object) -> object:
    """Return a template's output for `value`: `shown` makes plain strings safe, and our own markup stays."""
    return shown(value) if type(value) is str else value


def is_invisible(char: str) -> bool:
    """Return whether a character is a control, direction, zero-width, private-use, unassigned or blank character."""
    return unicodedata.category(char) in _INVISIBLE_CATEGORIES or char in _INVISIBLE_CHARS


def is_hidden(text: str, at: int) -> bool:
    """Return whether the character at `at` is invisible and has no visible effect.

    A joiner has an effect between letters of a script with joined and unjoined forms, and between pictures that it
    joins into one.  A variation selector has an effect after the character whose shape it selects, and a tag has one in
    a flag.
    """
    char = text[at]
    if not is_invisible(char):
        return False
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if char in _JOINERS and before and after:
        script = _script(before)
        if script in _JOINING_SCRIPTS and _script(after) == script:
            return False
        return not (char == _ZWJ and (_is_picture(before) or before == _PICTURE) and _is_picture(after))
    if char in "\ufe0e\ufe0f":
        return not (_is_picture(before) or (before and before in "0123456789#*" and after == _KEYCAP))
    if char in _SELECTORS:
        return not (before and not is_invisible(before) and _script(before) in ("CJK", "MONGOLIAN"))
    start = max(0, at - _FLAG_CHARS)
    flags = _FLAG.finditer(text[start : at + _FLAG_CHARS]) if char in _TAGS else ()
    return not any(flag.start() < at - start < flag.end() for flag in flags)


def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0] if unicodedata.category(char)[0] in "LM" else ""


def _is_picture(char: str) -> bool:
    """Return whether a character may be a picture (an emoji) or a skin tone."""
    return char > "\x7f" and (unicodedata.category(char) in ("So", "Sm") or char in _ALSO_PICTURES)


# Names: rules for names, and the keys for comparing them.

NAME_CHARS = 1_000  # longer names are truncated, since normalizing accents takes quadratic time

_IGNORED = frozenset(_JOINERS) | _SELECTORS | _TAGS  # characters that do not distinguish names

_MARKS_IN_A_ROW = 2

# Letters with a stroke, and ligatures, which Unicode does not decompose into a letter and an accent.
_WITHOUT_STROKES = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})


def problem_with_name(name: str) -> str | None:
    """Return the reason why a user or a bot cannot have `name` (in normal form), or None if the name is allowed."""
    if (hidden := next((char for at, char in enumerate(name) if is_hidden(name, at)), None)) is not None:
        char_name = unicodedata.name(hidden, f"U+{ord(hidden):04X}").lower()
        return f"must not contain control, direction or invisible characters ({char_name})"
    if any(unicodedata.category(char).startswith("Z") and char != " " for char in name):
        return "may contain only plain spaces"
    marks = 0
    for char in name:
        marks = marks + 1 if unicodedata.category(char) == "Mn" else 0
        if marks > _MARKS_IN_A_ROW:
            return "stacks too many accents on one letter"
    return None


def normal_name(raw: str) -> str:
    """Return a name as it is stored: in NFKC, trimmed, with single spaces, and truncated if it is far too long."""
    return " ".join(part for part in unicodedata.normalize("NFKC", raw[:NAME_CHARS]).split(" ") if part)


def name_key(name: str) -> str:
    """Return the key that all spellings of a name share: in NFKC, casefolded, without joiners and selectors."""
    folded = unicodedata.normalize("NFKC", normal_name(name)).casefold()
    return unicodedata.normalize("NFKC", "".join(char for char in folded if char not in _IGNORED))


def search_key(name: str) -> str:
    """Return the key for searching a name: `name_key` without accents."""
    plain = "".join(char for char in unicodedata.normalize("NFD", name_key(name)) if unicodedata.category(char) != "Mn")
    return unicodedata.normalize("NFC", plain.translate(_WITHOUT_STROKES))


# Names that look alike, according to Unicode's list of confusable characters (UTS #39, "skeletons").

# A capital I after a lowercase letter, where it looks like a lowercase L.
_CAPITAL_I: Final = re.compile(r"(?<=[^\W\d_A-Z])I(?![A-Z])")


@cache
def _prototypes(min_code_point: int = 0) -> dict[int, str]:
    """Return the replacement of each confusable character from `min_code_point` on; one of a pair has none."""
    pairs: dict[str, set[str]] = {}
    for char, others in json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()).items():
        pairs.setdefault(_bare(char), set()).update(_bare(other["c"]) for other in others)
    look_alikes = {}
    for char, alike in pairs.items():
        sequences = [text for text in alike if len(text) > 1]
        if len(char) == 1 and ord(char) >= min_code_point and (sequences or len(alike) == 1):
            (look_alike,) = sequences[:1] or alike
            if sequences or (len(pairs[look_alike]), char) > (1, look_alike):
                look_alikes[ord(char)] = look_alike
    return look_alikes


def _bare(text: str) -> str:
    return text.replace("\u200e", "")


def look_key(name: str) -> str:
    """Return a key that is the same for names that look alike, ignoring case."""
    foreign = unicodedata.normalize("NFD", normal_name(name)).translate(_prototypes(0x80))
    plain = name_key(_CAPITAL_I.sub("l", foreign))
    return unicodedata.normalize("NFD", plain).translate(_prototypes()).casefold()


# Email addresses: reading, checking and comparing them.

ADDRESS_CHARS: Final = 254
_LOCAL: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_LOCAL_CHARS: Final = 64


def normal_address(typed: str) -> str:
    """Return an address with its domain in ASCII, as in the DNS; a text that is not an address is only stripped."""
    if len(typed) > ADDRESS_CHARS:  # normalizing accents takes quadratic time
        return typed.strip()
    local, at, domain = typed.strip().rpartition("@")
    try:
        return f"{local}{at}{domain.encode('idna').decode().lower()}"
    except UnicodeError:
        return typed.strip()


def address_key(address: str) -> str:
    """Return the key for comparing an address, ignoring case."""
    return normal_address(address).lower()


def address_problem(typed: str) -> str | None:
    """Return the reason why an address is not valid, or None; this does not test whether the mailbox exists."""
    # Quoted names and address literals are refused, since hardly anyone but attackers uses them.
    address = normal_address(typed)
    local, _, domain = address.rpartition("@")
    labels = domain.split(".")
    if len(address) > ADDRESS_CHARS or len(local) > _LOCAL_CHARS:
        return "This address is too long."
    if not local or not domain:
        return "An email address has a name, an @ and a domain, such as ann@school.example."
    if not _LOCAL.fullmatch(local):
        return "Before the @ only letters without accents, digits and signs such as . - _ + are allowed."
    if len(labels) < 2 and domain != "localhost":
        return "After the @ there must be a domain, such as school.example."
    if not all(_LABEL.fullmatch(label) for label in labels) or labels[-1].isdigit():
        return "After the @ there must be a domain, such as school.example."
    return None


# Numbers, sentences, anchors, and lines of sources.

_LINE = re.compile(r"\b(?:line |\.py:)(\d{1,6})\b")


def whole_number(text: str | None, *, digits: int = 9) -> int | None:
    """Return a number from a request, or None unless the text is 1 to `digits` plain digits."""
    if text is None or not (text.isascii() and text.isdigit() and len(text) <= digits):
        return None
    return int(text)


def sentence(text: str) -> str:
    """Return a message as a sentence, with a capital letter, and with a period unless it ends with punctuation."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?', '…')) else '.'}"


def anchor_of(title: str) -> str:
    """Return the anchor of a heading on a documentation page, as GitHub and editors generate it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def with_line(message: str, line: int | None) -> str:
    """Return a message about a source, prefixed with the line number unless the message mentions that line first."""
    return message if line in (None, named_line(message)) else f"line {line}: {message}"


def named_line(message: str) -> int | None:
    """Return the first line number that a message about a source mentions, or None."""
    match = _LINE.search(message)
    return int(match.group(1)) if match else None
