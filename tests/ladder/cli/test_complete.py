"""Shell completion: scripts for three shells, and what they complete."""

import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
import typer

from gangland_ladder.cli.app import COMMANDS, COMPLETIONS, app
from gangland_ladder.errors import entries

SHELLS = ("bash", "zsh", "fish")


def asked(monkeypatch: pytest.MonkeyPatch, instruction: str, **variables: str) -> str:
    for name, value in {"_GANGLAND_COMPLETE": instruction, **variables}.items():
        monkeypatch.setenv(name, value)
    with redirect_stdout(StringIO()) as out, pytest.raises(SystemExit):
        typer.main.get_command(app).main([], prog_name="gangland")
    return out.getvalue()


def completed(monkeypatch: pytest.MonkeyPatch, shell: str, line: str) -> list[str]:
    words = line.split(" ")
    result = asked(
        monkeypatch,
        f"complete_{shell}",
        COMP_WORDS=line,
        COMP_CWORD=str(len(words) - 1),
        _TYPER_COMPLETE_ARGS=line,
        _TYPER_COMPLETE_FISH_ACTION="get-args",
    )
    return result.replace("_arguments '*: :((", "").replace("))'", "").replace('"', "").split()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_gets_a_script_that_asks_the_program(monkeypatch: pytest.MonkeyPatch, shell: str) -> None:
    script = asked(monkeypatch, f"source_{shell}")
    assert "_GANGLAND_COMPLETE" in script
    assert f"complete_{shell}" in script


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("gangland lad", ["ladder"]), ("gangland ladder --se", ["--seats", "--seed"]),
        ("gangland ladder --game gang-", ["gang-of-dice"]), ("gangland play --profile n", ["numeric"]),
        ("gangland explain E2", [code for code in entries() if code.startswith("E2")]),
        ("gangland config --schema gangland/ladder-", ["gangland/ladder-stream/1"]),
    ],
)  # fmt: skip
def test_known_names_are_completed(monkeypatch: pytest.MonkeyPatch, shell: str, line: str, offered: list[str]) -> None:
    assert completed(monkeypatch, shell, line) == offered


def test_bots_archives_and_replays_are_completed_by_their_kind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("reader.py", "reader.zip", "reader.txt", ".hidden.py", "cup.tar", "games.ndjson"):
        (tmp_path / name).touch()
    (tmp_path / "bots").mkdir()
    monkeypatch.chdir(tmp_path)
    assert completed(monkeypatch, "bash", "gangland play ") == ["bots/", "reader.py", "reader.zip"]
    assert completed(monkeypatch, "bash", "gangland duel reader.py read") == ["reader.py", "reader.zip"]
    assert completed(monkeypatch, "bash", "gangland reproduce 7 reader.py --archive ") == ["bots/", "cup.tar"]
    assert completed(monkeypatch, "bash", "gangland verify ") == ["bots/", "cup.tar", "games.ndjson"]
    assert completed(monkeypatch, "bash", f"gangland check {tmp_path}/rea") == [
        f"{tmp_path}/reader.py",
        f"{tmp_path}/reader.zip",
    ]
    assert completed(monkeypatch, "bash", "gangland check no_such_folder/") == []


def test_completion_hangs_on_no_settings_and_loads_the_one_command(tmp_path: Path) -> None:
    (tmp_path / "gangland.toml").write_text("seets = 3\n")
    code = "import sys, atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    code += "sys.argv = ['gangland']\nfrom gangland_ladder.cli import main\nmain()"
    line = {"_GANGLAND_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": "gangland play --game gang-"}
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, **line},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = ran.stderr.split()
    assert "gang-of-dice" in ran.stdout
    assert {"numpy", "rich"} & set(loaded) == set()
    assert set(COMMANDS) & {name.removeprefix("gangland_ladder.cli.") for name in loaded} == {"play"}


def test_each_name_that_is_completed_is_one_of_a_command() -> None:
    assert set(COMPLETIONS) <= {each.name for name, command in COMMANDS.items() for each in command.build(name).params}
