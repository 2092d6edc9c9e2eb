"""The error catalog: the codes, meanings and fixes that the command line, the site and the API share."""

import re
import shlex
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from gangland.faults import BotFault, FaultKind
from gangland_ladder.matches.match_jobs import Problem
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import main_of, scan_name

FAULT_CODES = {
    FaultKind.IMPORT_ERROR: "E201",
    FaultKind.IMPORT_TIME: "E202",
    FaultKind.ILLEGAL: "E203",
    FaultKind.CRASHED: "E204",
    FaultKind.DECISION_TIME: "E205",
    FaultKind.BANK_TIME: "E206",
    FaultKind.WALL_TIME: "E207",
    FaultKind.MEMORY: "E208",
    FaultKind.OUTPUT: "E209",
    FaultKind.PROTOCOL: "E210",
    FaultKind.FORBIDDEN_SYSCALL: "E211",
}


_INTAKE = """
    E101 too_large  E102 empty  E103 not_utf8  E104 nul_byte  E105 not_py  E106 bad_name  E107 taken_name
    E108 no_game  E120 not_zip  E121 zip_broken  E122 zip_too_large  E123 zip_unpacked  E124 zip_entries
    E125 zip_ratio  E126 zip_depth  E127 zip_name  E128 zip_link  E129 zip_duplicate  E130 zip_encrypted
    E131 zip_method  E132 zip_disagrees  E133 zip_overlap  E134 zip_around  E135 zip64  E136 zip_compiled
    E137 zip_no_bot  E138 zip_module_twice  E140 at_once  E141 unchanged  E142 bot_name  E143 name_taken
    E144 not_your_team  E145 team_has_one  E146 browser_only  E147 stopped
""".split()
# Codes for rejections by the intake or the site.
INTAKE_CODES = dict(zip(_INTAKE[1::2], _INTAKE[::2], strict=True))
ANY_REJECTION = "E100"
OVERRUN = "E229"  # The worker could not finish the check.
TWO_CLASSES = "E223"
_CLASS_LINE = re.compile(r"\(line (\d{1,6})\)")

_TUPLE_CHANGED = (
    r"'tuple' object (does not support item|doesn't support item|has no attribute "
    r"'(append|clear|extend|insert|pop|remove|reverse|sort)')"
)
_FROZEN = r"dataclasses\.FrozenInstanceError"
_OWN_NAME = r"(AttributeError: |\()`\w+` is a name that every bot has \("
# More specific codes, matched against a fault's message. Use them only for display: a bot may have written the message.
NARROWER_CODES = (
    (FaultKind.IMPORT_ERROR, _OWN_NAME, "E232"),
    (FaultKind.CRASHED, _OWN_NAME, "E232"),
    (FaultKind.ILLEGAL, _OWN_NAME, "E232"),
    (FaultKind.IMPORT_ERROR, r"(Syntax|Indentation|Tab)Error: ", "E220"),
    (FaultKind.IMPORT_ERROR, r"ModuleNotFoundError: ", "E221"),
    (FaultKind.IMPORT_ERROR, r"ImportError: no bot class", "E222"),
    (FaultKind.IMPORT_ERROR, r"ImportError: \d+ bot classes", "E223"),
    (FaultKind.IMPORT_ERROR, r"TypeError: Can't instantiate abstract class", "E228"),
    (FaultKind.CRASHED, r"NotImplementedError: \w+ has to define choose_", "E228"),
    (
        FaultKind.CRASHED,
        rf"(AttributeError: (a view cannot be changed|can't set attribute)|{_FROZEN}|\w+: {_TUPLE_CHANGED})",
        "E225",
    ),
    (FaultKind.ILLEGAL, r".*choose_\w+\(\) returned .*: expected ", "E224"),
    (FaultKind.OUTPUT, r".*printed more than ", "E226"),
    (FaultKind.OUTPUT, r".*logged more than ", "E227"),
    (FaultKind.FORBIDDEN_SYSCALL, r"waited for time to pass", "E230"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """The meaning of an error code.

    Attributes:
        fix: how to fix it.
        page: the documentation page, below docs/.
        in_editor: the fix on a page of the site, where there is no shell; empty if it is the same.
    """

    code: str
    title: str
    what: str
    why: str
    fix: str
    page: str
    example: str = ""
    in_editor: str = ""


@cache
def entries() -> dict[str, Entry]:
    """Return all entries of `errors.toml` by code, in the order of the codes."""
    text = files(__package__).joinpath("errors.toml").read_text(encoding="utf-8")
    return {code: Entry(code=code, **fields) for code, fields in sorted(tomllib.loads(text).items())}


def code_with_title(code: str) -> str:
    """Return a code and its title."""
    entry = entries().get(code)
    return f"{code} {entry.title}" if entry else code


def nearest_codes(text: str) -> list[str]:
    """Return the codes that are most similar to a mistyped code, then those whose titles contain the text."""
    codes, lowercase = list(entries()), text.lower()
    by_word = [entry.code for entry in entries().values() if len(lowercase) > 2 and lowercase in entry.title.lower()]
    return [*get_close_matches(text.upper(), codes, n=3, cutoff=0.5), *by_word][:5]


def rejection(error: UploadRejected, filename: str = "") -> Problem:
    """Convert a rejection by the intake to a finding; for an invalid file name, add a command that renames the file."""
    command = _rename_command(filename) if error.code in ("bad_name", "taken_name") else ""
    return Problem(INTAKE_CODES.get(error.code, ANY_REJECTION), error.message[:2500] + command, error.line)


def _rename_command(filename: str) -> str:
    stem, _, ending = filename.rpartition(".")
    valid_stem = re.sub(r"\W", "_", stem, flags=re.ASCII).strip("_")[:50] or "bot"
    if ending not in ("py", "zip"):
        return ""
    for name in (valid_stem, f"my_{valid_stem}"):
        with suppress(UploadRejected):
            scan_name(f"{name}.py")
            return "" if name == stem else f"\nmv {shlex.quote(filename)} {name}.{ending}"
    return ""


def problem_of(fault: BotFault, filename: str) -> Problem:
    """Convert a fault to a finding, with the last line number in its message for the bot's file (`bot.py` in a zip)."""
    code, line = code_of(fault), last_line(fault.message, main_of(filename))
    if code == TWO_CLASSES and (classes := _CLASS_LINE.findall(fault.message)):
        line = int(classes[-1])
    return Problem(code, fault.message, line)


def code_of(fault: BotFault) -> str:
    """Return the code of a fault: the code of its kind, or a more specific one based on its message."""
    for kind, pattern, code in NARROWER_CODES:
        if kind is fault.kind and re.search(rf"(?:^|^[\w.-]+: ){pattern}", fault.message, re.MULTILINE):
            return code
    return FAULT_CODES[fault.kind]


def fault_title(kind: str, message: str) -> str:
    """Return the code and title of a recorded fault; an unknown kind is returned unchanged."""
    code = fault_code(kind, message)
    return kind if code is None else code_with_title(code)


def fault_code(kind: str, message: str) -> str | None:
    """Return the code of a recorded fault; None for an unknown kind."""
    return code_of(BotFault(FaultKind(kind), message)) if kind in set(FaultKind) else None


def last_line(message: str, filename: str) -> int | None:
    """Return the last line number in a message for this file, which is written `name.py:17` or as in a traceback."""
    name = rf"(?<![\w/.-]){re.escape(filename)}"
    numbers = re.findall(rf'{name}:(\d{{1,6}})\b|{name}(?:"|:).? ?line (\d{{1,6}})\b', message)
    return int(next(filter(None, numbers[-1]))) if numbers else None
