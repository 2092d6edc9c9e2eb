"""A person plays whole games in a terminal or through a pipe, types what is wrong, leaves and goes on."""

import json
import os
import pty
import subprocess
import sys
import time
from io import BytesIO
from pathlib import Path
from signal import SIGINT

import pytest
from tests.kits.bots_kit import CHANCY, GOOD
from tests.kits.command_kit import Ran, gangland, parsed

from gangland.replay import from_dict, verify
from gangland_ladder.common.runtime import FINDINGS, INTERRUPTED, USAGE

BIDDER = """
from gangland import gangster_dice

class Bidder(gangster_dice.Bot):
    def choose_bids(self, view):
        return view.legal()[self.rng.randrange(len(view.legal()))]
"""
FAILING = """
from gangland import gang_of_dice

class Failing(gang_of_dice.Bot):
    def choose_dice(self, view):
        raise ValueError("\\x1b[2Jyou have \\u202ewon")
"""
WRONG = ["no such thing", "", "#0", "#99999999999", "4 4 4 l", "\x1b[2J", "-1", "999x1"]
ANY_ANSWER = ["#2", "#1", "none"]
"""Of these one is an answer to every question."""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    for name, source in {"steady": GOOD, "chancy": CHANCY, "bidder": BIDDER, "failing": FAILING}.items():
        (tmp_path / f"{name}.py").write_text(source)
    return tmp_path


def person(bots: Path, typed: list[str], *arguments: object) -> Ran:
    text = "".join(f"{line}\n" for line in typed).encode()
    return gangland("play", "--me", *arguments, folder=bots, stdin=BytesIO(text))


@pytest.mark.parametrize(
    ("seats", "bot"),
    [
        (2, "chancy.py"), (4, "bidder.py"), pytest.param(4, "chancy.py", marks=pytest.mark.long("all sizes")),
        pytest.param(2, "bidder.py", marks=pytest.mark.long("all sizes")),
    ],
)  # fmt: skip
def test_a_whole_game_with_wrong_lines_among_the_answers(bots: Path, bot: str, seats: int) -> None:
    typed = [*WRONG, "?", "H", *ANY_ANSWER * 700]
    run = person(bots, typed, *[bot] * (seats - 1), "--seed", 3, "--seat", 2, "--trusted", "--out", "game.json")
    assert run.code == 0, run.err
    game = parsed((bots / "game.json").read_text())
    assert verify(from_dict(game["replay"])).places == tuple(seat["place"] for seat in game["seats"])
    assert [seat.get("person") for seat in game["seats"]] == [each == 1 or None for each in range(seats)]
    assert game["seats"][1]["bot"] == "Person"
    assert len(game["seats"][1]["hints"]) == 1
    assert run.out.count("does not fit here") >= 3
    assert "expected a number from #1 to #" in run.out
    assert "the game now counts as practice" in " ".join(run.out.split())
    assert "\x1b" not in run.out + run.err
    assert max(map(len, run.out.splitlines())) <= 80
    assert "gangland analyze game.json" in run.err
    assert gangland("replay", bots / "game.json").code == 0


def test_the_same_seed_seats_the_person_by_the_same_lot_and_the_game_has_a_file_of_its_own(bots: Path) -> None:
    typed = ["#2", "none"] * 100
    one, two = (person(bots, typed, "steady.py", "chancy.py", "--seed", 5, "--trusted") for _ in range(2))
    assert one.out == two.out
    first, second = (json.loads((bots / f"game-5{more}.json").read_text()) for more in ("", "-2"))
    assert first == second
    seats = {
        next(number for number, line in enumerate(out.split(": ")[1].split(", ")) if "Person" in line)
        for out in (person(bots, [], "steady.py", "--seed", seed, "--trusted").out for seed in (4, 5))
    }
    assert seats == {0, 1}


def test_a_game_is_saved_and_gone_on_with_to_the_same_end(bots: Path) -> None:
    answers = ["#2", "none"] * 100
    whole = person(bots, answers, "chancy.py", "--seed", 6, "--seat", 1, "--trusted", "--out", "whole.json")
    assert whole.code == 0
    call = ("chancy.py", "--seed", 6, "--seat", 1, "--trusted")
    left = person(bots, [*answers[:4], "q", "", "h", "q", "saved.json"], *call)
    assert left.code == 0
    assert "--resume saved.json" in left.err
    (bots / "gangland.toml").write_text("seed = 99\n")  # for games that begin
    again = person(bots, ["q", "saved.json", "q", "y"], "--resume", "saved.json", "--trusted")
    assert "File exists" in again.out
    rest = person(bots, answers[len(answers) % 2 :], "--resume", "saved.json", "--trusted", "--out", "rest.json")
    assert rest.code == 0, rest.err
    one, other = (parsed((bots / f"{name}.json").read_text()) for name in ("whole", "rest"))
    assert other["replay"] == one["replay"]
    assert one["seats"][0]["hints"] == []
    assert len(other["seats"][0]["hints"]) == 1
    (bots / "chancy.py").write_text(GOOD)
    changed = person(bots, answers, "--resume", "saved.json", "--trusted")
    assert changed.code == USAGE
    assert "has changed since the game was saved" in changed.err
    (bots / "saved.json").write_text("{}")
    assert "not an unfinished game" in person(bots, [], "--resume", "saved.json").err


def test_in_the_jail_a_bot_at_fault_is_named_and_its_words_do_no_harm(bots: Path) -> None:
    run = person(bots, ["#2", "none"] * 100, "failing.py", "steady.py", "--seed", 1, "--seat", 1)
    assert run.code == FINDINGS, run.err
    assert "failing is at fault and plays default decisions from now on." in run.out
    assert "\x1b" not in run.out + run.err
    assert "\u202e" not in run.out + run.err
    before, after = run.out.split("place  bot")
    assert "you have" not in before
    assert "you have" in after


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "expected 1 to 3 bots with --me, got 0"), (("steady.py",) * 4, "got 4"),
        (("steady.py", "--seat", 3), "from 1 to 2, not 3"), (("steady.py", "--json"), "be combined with --json"),
        (("steady.py", "--resume", "x.json"), "give no bots"), (("--resume", "x.json"), "cannot read x.json"),
        (("--resume", "x.json", "--seed", 3), "give no bots, seat, seed"),
    ],
)  # fmt: skip
def test_a_call_that_makes_no_table_is_refused(bots: Path, arguments: tuple[object, ...], said: str) -> None:
    run = person(bots, [], *arguments)
    assert run.code == USAGE
    assert said in run.err


def test_the_end_of_the_input_leaves_and_says_so_after_a_sensible_example(bots: Path) -> None:
    run = person(bots, ["#2"], "steady.py", "--seed", 1, "--seat", 1, "--trusted")
    assert run.code == 0
    assert "For example: 3 (" in run.out
    assert "end of input: game not saved" in run.err
    assert list(bots.glob("*.json")) == []


def test_in_a_terminal_ctrl_c_leaves_it_as_it_was(bots: Path) -> None:
    terminal, theirs = pty.openpty()
    command = [sys.executable, "-m", "gangland_ladder.cli", "play", "--me", "steady.py", "--seed", "2", "--trusted"]
    with subprocess.Popen(command, cwd=bots, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE) as running:
        os.close(theirs)
        seen = b""
        for typed in (b"what\n", b"1\n", b"?\n", b""):
            while not seen.endswith(b"> "):
                seen += os.read(terminal, 4096)
            os.write(terminal, typed)
            seen += b"|"
        while Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()[0] in "RD":
            time.sleep(0.01)  # a signal just before the read would only be noticed after the next line
        running.send_signal(SIGINT)
        assert running.stderr is not None
        assert b"game not saved" in running.stderr.read()
        assert running.wait() == INTERRUPTED
    os.close(terminal)
    assert b"does not fit here" in seen
    assert b"You roll 1 die" in seen
