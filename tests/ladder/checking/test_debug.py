"""A view of a check, seen again: in the jail, or under the debugger outside of it."""

import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest
from tests.kits.command_kit import Ran, gangland
from tests.kits.mistakes import DICE, RETURN_STAKE, TWO_MISTAKES

from gangland.games import game_named
from gangland_ladder.checking.debug import debug


@pytest.fixture(scope="module")
def illegal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bots") / "mine.py"
    file.write_text(TWO_MISTAKES)
    return file


@pytest.fixture(scope="module")
def report(illegal: Path) -> Ran:
    return gangland("check", illegal, "--json")


def test_a_finding_is_shown_again_in_the_jail_by_its_number(illegal: Path, report: Ran) -> None:
    (first, second) = report.document["problems"]
    shown = gangland("check", illegal, "--view", first["view"], "--json")
    text = gangland("check", illegal, "--view", second["view"])
    assert (report.code, shown.code, text.code) == (1, 1, 1)
    assert shown.document["problem"] == {**first, "times": 1}
    assert (shown.document["shown"]["returned"], shown.document["shown"]["method"]) == ("[9]", "choose_reroll")
    assert set(shown.document["shown"]["fields"]) == set(game_named("gang-of-dice").view_class.fields())
    assert "returned  99" in text.out
    assert "\n  pool  " in text.out
    assert f"Debug: gangland check {illegal} --view {second['view']} --pdb" in text.out


def test_a_legal_view_is_shown_too_and_one_that_is_not_there_or_not_named_is_a_wrong_call(illegal: Path) -> None:
    legal = gangland("check", illegal, "--view", 1)
    beyond = gangland("check", illegal, "--view", 999999)
    unnamed = gangland("check", illegal, "--pdb")
    assert (legal.code, legal.out.splitlines()[-1]) == (0, "legal")
    assert (beyond.code, beyond.out, unnamed.code, unnamed.out) == (2, "", 2, "")
    assert re.search(r"no view 999999: this check has \d+ views", beyond.err)
    assert "--view N" in unnamed.err


def test_the_debugger_stops_in_the_view_and_says_there_is_no_jail(illegal: Path, report: Ran, tmp_path: Path) -> None:
    number = report.document["problems"][1]["view"]
    for name in ("random.py", "gangland.py"):
        (tmp_path / name).write_text("raise SystemExit('a file of this folder was imported')\n")
    command = [str(Path(sys.executable).with_name("gangland")), "check", str(illegal), "--view", str(number), "--pdb"]
    typed = "p view.round, view.pool\nc\n"
    ran = subprocess.run(command, cwd=tmp_path, input=typed, capture_output=True, text=True, check=False)
    shown = gangland("check", illegal, "--view", number, "--json").document["shown"]["fields"]
    assert f"({shown['round']}, {shown['pool']})" in ran.stdout
    assert "choose_dice() returned 99: illegal. " in ran.stdout
    assert "without the jail" in ran.stderr


LOOPS = DICE.replace(
    RETURN_STAKE,
    "        number = 41\n        print('looping', flush=True)\n        while number:\n            pass\n"
    "        return 'two'",
)


def test_ctrl_c_stops_a_loop_under_the_debugger_and_the_type_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LOOPS)
    program, words = Path(sys.executable).with_name("gangland"), ["check", str(tmp_path / "mine.py"), "--view", "1"]
    child, terminal = pty.fork()
    if not child:
        try:
            os.execv(program, ["gangland", *words, "--pdb"])
        finally:
            os._exit(99)
    shown, before = b"", b""
    typed = [(b"(Pdb) ", b"c\n"), (b"looping\r\n", b"\x03"), (b"(Pdb) ", b"p number + 1\n")]
    typed += [(b"42\r\n(Pdb) ", b"number = 0\n"), (b"(Pdb) ", b"c\n"), (b" dice from 1 to 48.\r\n", b"")]
    for awaited, keys in typed:
        while awaited not in shown:
            ready, _, _ = select.select([terminal], [], [], 60)
            assert ready, shown
            shown += os.read(terminal, 4096)
        before, _, shown = shown.partition(awaited)
        os.write(terminal, keys)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1
    assert b"choose_dice() returned 'two': a fault. Expected a whole number of dice" in before
    os.close(terminal)


LOOPS_FIRST = DICE.replace(
    RETURN_STAKE, f"        while view.seats == 2 and view.round == 1:\n            pass\n{RETURN_STAKE}"
)


def test_the_debugger_passes_a_loop_before_its_view_as_the_check_does(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LOOPS_FIRST)
    game = ("gang-of-dice", "{}", "[2, 3, 4]", "2", "plain", "00" * 32)
    call = [sys.executable, "-m", "gangland_ladder.checking.debug", "mine.py", *game]
    ran = subprocess.run(call, cwd=tmp_path, input="p view.seats\nc\n", capture_output=True, text=True, check=False)
    shown = gangland("check", tmp_path / "mine.py", "--view", 2, "--json").document["shown"]
    assert shown["seats"] == 3
    assert "(Pdb) 3" in ran.stdout
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_bot_that_cannot_be_loaded_gets_a_message_and_no_traceback_of_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wrong_mine.py").write_text("class\n")
    monkeypatch.setitem(sys.modules, "wrong_mine", sys)  # so that what the bot leaves behind is taken away again
    assert debug(tmp_path / "wrong_mine.py", "gang-of-dice", {}, [2], 1, "plain", b"") == 1
    result = capsys.readouterr().err
    assert "SyntaxError: invalid syntax" in result
    assert "Traceback" not in result


def test_a_view_of_a_bot_that_cannot_be_loaded_is_its_finding(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from gangland import gang_of_dice\n")
    ran = gangland("check", tmp_path / "mine.py", "--view", 1, "--json")
    assert (ran.code, ran.document["shown"], ran.document["problem"]["code"]) == (1, None, "E222")


def test_a_command_that_reproduces_a_finding_is_one_that_a_shell_understands(tmp_path: Path) -> None:
    folder = tmp_path / "my bots"
    folder.mkdir()
    (folder / "mine.py").write_text(TWO_MISTAKES)
    ran = gangland("check", folder / "mine.py", "--option", "deck=box18")
    assert f"Reproduce: gangland check '{folder}/mine.py' --option deck=box18 --view " in ran.out
