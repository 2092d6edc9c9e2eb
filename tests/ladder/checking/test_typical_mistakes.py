"""Every typical mistake is told by what `gangland check` runs, with its code and first words.

The command itself and the other ways in are in `tests/flow/test_up.py`.
"""

from collections import defaultdict
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from tests.flow.mistakes_kit import Mistake, mistakes, told, written
from tests.kits.command_kit import parsed

from gangland_ladder.cli import check, options
from gangland_ladder.common.documents import json_text
from gangland_ladder.local.bots import read_bot
from gangland_ladder.local.processes import Tables
from gangland_sandbox.limits import Profile

BURNING = ("a table that takes too long to build", "a loop without end at the top", "a loop without end")
"""`test_check` has the same with limits that are used up sooner."""


def by_code() -> list[ParameterSet]:
    """Return all mistakes; those that burn CPU, and more than two of a code, are long."""
    params, codes = [], defaultdict[str, int](int)
    for one in mistakes():
        burning = one.what in BURNING
        codes[one.code] += not burning
        long = "uses up the server's limit of CPU" if burning else "two others of its code are told"
        marks = [pytest.mark.long(long)] if burning or codes[one.code] > 2 else []
        params.append(pytest.param(one, id=one.what, marks=marks))
    return params


@pytest.mark.parametrize("mistake", by_code())
def test_a_typical_mistake_is_told_by_its_code_and_words(tables: Tables, mistake: Mistake, tmp_path: Path) -> None:
    bot = read_bot(written(mistake, tmp_path / "here"))
    chosen, sizes = options.tables_of(mistake.game, None)
    (report,) = tables.run(check._check, [(bot, mistake.game, chosen, sizes, Profile.PLAIN, None, b"")])
    call = check.CheckedBot(bot, "gangland check", mistake.game, chosen, sizes, b"")
    found = told(parsed(json_text(check.document(call, report)))["problems"][0])
    assert found.code == mistake.code
    assert found.head.startswith(mistake.says), found
