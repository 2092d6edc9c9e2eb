"""`gangland admin` on a platform's database, in the tests' own process."""

from __future__ import annotations

import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import pytest
from tests.kits.command_kit import Ran
from tests.kits.core_kit import Platform

from gangland_ladder.cli import report
from gangland_web.ops.admin.__main__ import main


def admin(platform: Platform, *words: object, group: str = "tournament") -> Ran:
    """Run `gangland admin` on the platform's database, in this process."""
    out, err, code = StringIO(), StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["gangland admin", group, *map(str, words)])
        patch.setattr(report, "PROGRAM", list(report.PROGRAM))
        patch.setenv("DATABASE_URL", platform.database.url)
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())
