"""The error catalog: every code that anybody can meet is explained, in one place and in the same words."""

import re
import shlex
import subprocess
from pathlib import Path
from textwrap import indent
from types import ModuleType

import pytest
from tests.kits.command_kit import gangland

from gangland import gang_of_dice, practice
from gangland.faults import BotFault, FaultKind
from gangland_ladder.cli import app, explain
from gangland_ladder.errors import FAULT_CODES, INTAKE_CODES, NARROWER_CODES, code_of, code_with_title, entries

ANCHOR = re.compile(r"^#{2,3} (.+)$", re.MULTILINE)


def sources(root: Path) -> str:
    files = [*(root / "platform").rglob("*.py"), *(root / "sandbox").rglob("*.py")]
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(files))


def test_every_code_that_the_program_names_is_explained_and_none_else(root: Path) -> None:
    named = set(re.findall(r'"([EW][1-3]\d\d)"', sources(root)))
    assert named | set(INTAKE_CODES.values()) == set(entries())


def test_every_refusal_of_an_upload_has_a_code_of_its_own(root: Path) -> None:
    assert set(re.findall(r'UploadRejected\(\s*"(\w+)"', sources(root))) == set(INTAKE_CODES)
    assert len(set(INTAKE_CODES.values())) == len(INTAKE_CODES)


def test_every_kind_of_fault_has_a_code() -> None:
    assert set(FAULT_CODES) == set(FaultKind)


@pytest.mark.parametrize(
    ("kind", "message", "code"),
    [
        (FaultKind.IMPORT_ERROR, 'a.py:   File "a.py", line 1\n    x x\nSyntaxError: invalid syntax', "E220"),
        (FaultKind.IMPORT_ERROR, "a.py: Traceback\nModuleNotFoundError: No module named 'torch'\n(a hint)", "E221"),
        (FaultKind.IMPORT_ERROR, "a.py: ImportError: no bot class: the file needs one", "E222"),
        (FaultKind.IMPORT_ERROR, "a.py: RuntimeError: no", "E201"),
        (FaultKind.CRASHED, "a.py: NotImplementedError: A has to define choose_bids(self, view)", "E228"),
        (FaultKind.CRASHED, "a.py: Traceback\nAttributeError: can't set attribute", "E225"),
        (FaultKind.CRASHED, "a.py: Traceback\nModuleNotFoundError: No module named 'torch'", "E204"),
        (FaultKind.CRASHED, "a.py: Traceback\nAttributeError: 'tuple' object has no attribute 'sort'", "E225"),
        (FaultKind.CRASHED, "a.py: Traceback\nAttributeError: 'tuple' object has no attribute 'dice'", "E204"),
    ],
)
def test_a_fault_gets_the_code_that_tells_most(kind: FaultKind, message: str, code: str) -> None:
    assert code_of(BotFault(kind, message)) == code


def test_narrower_codes_stay_within_the_kind_that_the_referee_found() -> None:
    for kind in FaultKind:
        for _, _, code in NARROWER_CODES:
            found = code_of(BotFault(kind, "a.py: ImportError: no bot class\nSyntaxError: printed more than"))
            assert found == FAULT_CODES[kind] or (kind, found) in {(of, own) for of, _, own in NARROWER_CODES}, code


def test_every_entry_says_what_why_and_how_to_fix_it() -> None:
    for entry in entries().values():
        for text in (entry.what, entry.why, entry.fix):
            assert len(text) > 20, entry.code
            assert text.endswith((".", ")", "`")), entry.code
        assert not entry.title.endswith("."), entry.code


def test_what_to_do_about_a_bots_fault_in_the_browser_needs_no_shell() -> None:
    of_bots = [entry for code, entry in entries().items() if code.startswith(("E10", "E2"))]  # no zip is written there
    texts = {entry.code: entry.in_editor or entry.fix for entry in of_bots}
    assert [code for code, text in texts.items() if re.search("`gangland |`-|Ctrl", text)] == []
    assert all(entry.in_editor != entry.fix for entry in of_bots)


PRELUDE = """
import json
from functools import lru_cache
import numpy as np
from gangland import gang_of_dice

tries = stake = 1
"""
PYTHON = re.compile(r"^(class|def|for|from|import|@|self\.|\w+ = )", re.MULTILINE)
EXAMPLES = [entry for entry in entries().values() if entry.example]


@pytest.mark.parametrize("code", [entry.code for entry in EXAMPLES if PYTHON.search(entry.example)])
def test_python_examples_of_the_catalog_play(code: str) -> None:
    example = entries()[code].example.strip("\n")
    if re.match(r"(def choose_|def on_)", example):
        example = f"class Example(gang_of_dice.Bot):\n{indent(example, '    ')}"
    elif not re.match(r"(class|def|from|import|@)", example):
        example = f"class Example(gang_of_dice.Bot):\n    def choose_reroll(self, view):\n{indent(example, ' ' * 8)}"
        example += "\n        return []"
    module = ModuleType("examples")
    exec(compile(PRELUDE + example, code, "exec"), vars(module))
    bots = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, gang_of_dice.Bot)]
    for bot in bots:
        own = {} if "choose_dice" in vars(bot) else {"choose_dice": lambda _, view: min(3, view.pool)}
        playing = type(bot.__name__, (bot,), own | {"_gangland_data": staticmethod(lambda _: b"{}")})
        assert all(practice.practise(playing, seed=seed).decisions for seed in range(3))
    assert bots or "lru_cache" in example


def test_shell_examples_of_the_catalog_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bookie").mkdir()
    for name in ("bookie/bot.py", "my-bot.py", "my_bot.py", "random.py", "forecaster.py"):
        (tmp_path / name).write_text("x = 1\n")
    lines = [line for entry in EXAMPLES if not PYTHON.search(entry.example) for line in entry.example.split("\n")]
    shell = [line for line in lines if line and not re.match(r" |bookie/", line)]
    assert len(shell) > 8
    for line in sorted(shell, key=lambda line: "unzip" in line):
        words = shlex.split(line, comments=True)
        if words[0] == "gangland":
            app.COMMANDS[words[1]].build(words[1]).make_context(words[1], words[2:])
        else:
            done = subprocess.run(["sh", "-c", line], capture_output=True, check=False)
            assert done.returncode == 0 or b"not found" in done.stderr, (line, done)  # not every machine has `zip`


def test_every_entry_leads_to_a_place_in_the_documentation(root: Path) -> None:
    for entry in entries().values():
        file, _, anchor = entry.page.partition("#")
        text = (root / "docs" / file).read_text(encoding="utf-8")
        titles = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in ANCHOR.findall(text)}
        assert not anchor or anchor in titles, entry.code


def test_explain_prints_an_entry_whatever_the_case_of_its_code() -> None:
    done = gangland("explain", "e203")
    assert done.code == 0
    assert done.out == explain.text_of(entries()["E203"])
    assert "illegal decision" in done.out


def test_explain_alone_lists_every_code() -> None:
    lines = gangland("explain").out.splitlines()
    assert [" ".join(line.split()) for line in lines[1:]] == [code_with_title(code) for code in entries()]


def test_explain_as_json_holds_the_same() -> None:
    found = gangland("explain", "W301", "--json").document
    assert found["schema"] == "gangland/explain/1"
    assert [entry["code"] for entry in found["codes"]] == ["W301"]
    assert found["codes"][0]["fix"] == entries()["W301"].fix


@pytest.mark.parametrize(("given", "meant"), [("E23", "E231"), ("syntax", "E220"), ("E999", "explain` lists all")])
def test_explain_suggests_what_was_meant_by_an_unknown_code(given: str, meant: str) -> None:
    done = gangland("explain", given)
    assert (done.code, done.out) == (2, "")
    assert meant in done.err
