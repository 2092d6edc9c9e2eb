"""`gangland new`: what it makes is legal, tested and explained, and nothing of anybody's is lost for it."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.kits.command_kit import Ran, gangland

from gangland.games import GAME_NAMES
from gangland_ladder.local.bots import CreateError, class_name, create_bot


def new(*arguments: object) -> Ran:
    return gangland("new", *arguments)


def refusal(*arguments: object) -> str:
    done = new(*arguments)
    assert (done.code, done.out) == (2, "")
    return done.err


def unittested(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "unittest"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_new_bot_is_accepted_without_a_warning_and_its_test_passes(tmp_path: Path, game: str) -> None:
    assert new("my_bot", "--game", game, "--dir", tmp_path / "mine").code == 0
    tested = unittested(tmp_path / "mine")
    done = gangland("check", tmp_path / "mine" / "my_bot.py", "--json")
    assert tested.returncode == 0, tested.stderr
    assert "Ran 3 tests" in tested.stderr
    found = done.document
    assert (done.code, found["game"], found["problems"], found["warnings"]) == (0, game, [], [])


def test_the_test_of_a_new_bot_fails_when_the_bot_becomes_illegal(tmp_path: Path) -> None:
    create_bot("my_bot", "gang-of-dice", tmp_path / "mine")
    bot = tmp_path / "mine" / "my_bot.py"
    bot.write_text(bot.read_text().replace("min(want, view.pool)", "view.pool + 1"))
    tested = unittested(tmp_path / "mine")
    assert tested.returncode == 1
    assert "is not legal. Allowed: a number of dice from 1 to 48" in tested.stderr


def test_the_documentation_shows_what_a_mistake_in_the_new_bot_brings(tmp_path: Path, root: Path) -> None:
    create_bot("my_bot", "gang-of-dice", tmp_path)
    bot = tmp_path / "my_bot.py"
    bot.write_text(re.sub(r"low = \[face .*", "low = [3]", bot.read_text()))
    done = gangland("check", "my_bot.py", "--salt", "07", folder=tmp_path)
    found = done.out[done.out.index("E203") :].removesuffix("\n1 problem\n")
    assert f"```\n{found}```" in (root / "docs" / "write-a-bot.md").read_text(encoding="utf-8")


def test_the_command_says_what_it_made_and_what_to_do_next(tmp_path: Path) -> None:
    done = gangland("new", "my_bot.py", folder=tmp_path)
    result = new("my_bot", "--dir", tmp_path / "other", "--json").document
    assert done.code == 0
    assert "gangland check my_bot.py" in done.out
    assert "python -m unittest" in done.out
    assert {file.name for file in (tmp_path / "my_bot").iterdir()} == {"my_bot.py", "test_my_bot.py", "README.md"}
    assert (result["schema"], result["name"], result["game"]) == ("gangland/new/1", "my_bot", "gang-of-dice")
    assert sorted(result["files"]) == sorted(str(path) for path in (tmp_path / "other").iterdir())
    assert f"'{tmp_path}/other.py' is a path: expected a name such as my_bot" in refusal(tmp_path / "other.py")


def test_the_folder_has_the_usual_rights_and_other_files_in_it_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "usual").mkdir()
    (tmp_path / "notes.txt").write_text("mine")
    create_bot("my_bot", "gang-of-dice", tmp_path / "mine")
    create_bot("my_bot", "gang-of-dice", tmp_path)
    assert stat.S_IMODE((tmp_path / "mine").stat().st_mode) == stat.S_IMODE((tmp_path / "usual").stat().st_mode)
    found = sorted(path.name for path in tmp_path.iterdir())
    assert found == ["README.md", "mine", "my_bot.py", "notes.txt", "test_my_bot.py", "usual"]
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("there", ["my_bot.py", "test_my_bot.py", "README.md"])
def test_a_file_in_the_way_is_kept_and_nothing_else_is_made(tmp_path: Path, there: str) -> None:
    (tmp_path / there).symlink_to("nowhere")
    assert f"{there} already exists; nothing was created" in refusal("my_bot", "--dir", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).readlink() == Path("nowhere")


def test_a_file_that_comes_in_between_is_kept_and_nothing_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link

    def late(source: Path, target: Path) -> None:
        if target.name == "README.md":
            target.write_text("somebody else's")
        link(source, target)

    monkeypatch.setattr(os, "link", late)

    with pytest.raises(CreateError, match="nothing was created"):
        create_bot("my_bot", "gang-of-dice", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert (tmp_path / "README.md").read_text() == "somebody else's"


def test_a_file_or_no_folder_in_place_of_the_folder_and_an_unknown_game_are_told(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("a file")
    assert "is not a folder; nothing was created" in refusal("my_bot", "--dir", tmp_path / "mine")
    assert "no folder" in refusal("my_bot", "--dir", tmp_path / "no" / "mine")
    assert "gangster-dice or gang-of-dice" in refusal("my_bot", "--game", "chess", "--dir", tmp_path / "other")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("my-bot", "letters, digits and _"), ("2nd", "no leading digit"), ("class", "no Python keyword"),
        ("random", "choose another"), ("gangland", "choose another"), ("a/b", "is a path"),
        ("", "letters, digits and _"), ("x" * 65, "at most 64 characters"),
        ("bot\x1b[31m", "letters, digits and _"),
    ],
)  # fmt: skip
def test_a_name_that_no_bot_can_have_is_refused_with_why(tmp_path: Path, name: str, expected: str) -> None:
    assert expected in refusal(name, "--dir", tmp_path / "mine")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["my_bot", "_", "bid", "bot", "none", "true", "a1", "A", "_2"])
def test_every_name_gives_a_class_that_python_and_the_starter_allow(tmp_path: Path, name: str) -> None:
    create_bot(name, "gangster-dice", tmp_path / "mine")
    source = (tmp_path / "mine" / f"{name}.py").read_text()
    compile(source, name, "exec")
    assert f"class {class_name(name)}(gangster_dice.Bot):" in source
