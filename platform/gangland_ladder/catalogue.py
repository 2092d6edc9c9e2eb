"""The error catalogue: one code for one finding, the same on command line, site and API."""

from __future__ import annotations

import re

from gangland.faults import BotFault, FaultKind
from gangland_ladder.orders import Problem
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import main_of

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


INTAKE_CODES = {
    "too_large": "E101",
    "empty": "E102",
    "not_utf8": "E103",
    "nul_byte": "E104",
    "not_py": "E105",
    "bad_name": "E106",
    "taken_name": "E107",
    "no_game": "E108",
    "not_zip": "E120",
    "zip_broken": "E121",
    "zip_too_large": "E122",
    "zip_unpacked": "E123",
    "zip_entries": "E124",
    "zip_ratio": "E125",
    "zip_depth": "E126",
    "zip_name": "E127",
    "zip_link": "E128",
    "zip_duplicate": "E129",
    "zip_encrypted": "E130",
    "zip_method": "E131",
    "zip_disagrees": "E132",
    "zip_overlap": "E133",
    "zip_around": "E134",
    "zip64": "E135",
    "zip_compiled": "E136",
    "zip_no_bot": "E137",
    "zip_module_twice": "E138",
}
ANY_REJECTION = "E100"


def rejection(refused: UploadRejected) -> Problem:
    """Return the intake's refusal as a finding."""
    return Problem(INTAKE_CODES.get(refused.code, ANY_REJECTION), refused.message[:3000], refused.line)


def problem_of(fault: BotFault, filename: str) -> Problem:
    """Return a fault as a finding, with the line of the bot's file (`bot.py` in a zip) that it names last."""
    return Problem(FAULT_CODES[fault.kind], fault.message[:3000], last_line(fault.message, main_of(filename)))


def last_line(message: str, filename: str) -> int | None:
    """Return the last line number of the file that a message names, as `name.py:17` or as a traceback does."""
    name = rf"(?<![\w/.-]){re.escape(filename)}"
    found = re.findall(rf'{name}:(\d{{1,6}})\b|{name}(?:"|:).? ?line (\d{{1,6}})\b', message)
    return int(next(filter(None, found[-1]))) if found else None
