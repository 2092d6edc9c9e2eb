"""Dice of local runs cannot be known beforehand: a bot that carries a table of seeds gains nothing."""

import json
import os
import re
import stat
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest
from tests.kits.bots_kit import GOOD
from tests.kits.command_kit import Ran, gangland

from gangland_ladder.checking.examination import plan_of
from gangland_ladder.local.salt import NoSalt, machine_salt, parsed_salt, salt_file
from gangland_ladder.matches.seeds import block_seed, local_secret, rng_key, rng_seed
from gangland_ladder.proof.archive_files import read_archive

KNOWN = "5a" * 32  # a salt that a bot's author knows, unlike that of the tests
SEEDS = range(6, 9)
BLOCKS = 2

# It tells its game, and so all dice, by the first number of its own generator; then it fails on purpose.
TABLE = """
from gangland import gang_of_dice

KNOWN = {known!r}

class Carries(gang_of_dice.Bot):
    def on_game_start(self, start):
        self.knows = self.rng.getrandbits(64) in KNOWN

    def choose_dice(self, view):
        if self.knows:
            raise RuntimeError("all dice are known")
        return min(2, view.pool)
"""
CALLS = {
    "play": ("play", "carries.py", "plain.py", "--seed", 7),
    "ladder": ("ladder", "carries.py", "plain.py", "--seed", 7, "--blocks", BLOCKS),
    "duel": ("duel", "carries.py", "plain.py", "--seed", 7, "--max-blocks", BLOCKS), "check": ("check", "carries.py"),
}  # fmt: skip
PLAYED = ("play", "plain.py", "plain.py", "--seed", 7, "--trusted")


@cache
def table() -> frozenset[int]:
    """Return what an author can compute: the first number of the bot's generator in each game."""
    salt = bytes.fromhex(KNOWN)
    keys = [rng_key(local_secret(seed, salt), 1) for seed in SEEDS]
    places = [(block, rotation, seat) for block in range(BLOCKS) for rotation in range(2) for seat in range(2)]
    seeds = [rng_seed(key, *place) for key in keys for place in places]
    check = local_secret(0, salt)
    for seats, number in plan_of((2, 3, 4)):
        seeds.append(rng_seed(block_seed(check, b"check", seats, number), 0, 0, number % seats))
    return frozenset(Random(seed).getrandbits(64) for seed in seeds)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "carries.py").write_text(TABLE.format(known=set(table())))
    (tmp_path / "plain.py").write_text(GOOD)
    return tmp_path


def faults(command: str, ran: Ran) -> int:
    found = ran.document
    if command == "play":
        return sum(seat["fault"] is not None for seat in found["seats"])
    if command == "ladder":
        return sum(row["faults"] for row in found["standings"])
    return int(found["new"]["faults"]) if command == "duel" else len(found["problems"])


@pytest.mark.parametrize("command", CALLS)
def test_a_bot_that_carries_a_table_of_seeds_gains_nothing(folder: Path, command: str) -> None:
    called: Sequence[object] = CALLS[command]
    here = gangland(*called, "--trusted", "--json", folder=folder)
    home = gangland(*called, "--trusted", "--salt", KNOWN, "--json", folder=folder)
    assert faults(command, here) == 0, here.err
    assert faults(command, home) > 0, "the table is right for its author's own salt"
    assert (here.document["salt"], home.document["salt"]) == ("00" * 32, KNOWN)


def test_a_run_is_repeated_on_another_machine_by_the_salt_whose_beginning_is_printed(
    folder: Path, tmp_path: Path
) -> None:
    elsewhere = {"GANGLAND_DATA": str(tmp_path / "elsewhere")}
    there = gangland(*PLAYED, folder=folder, env=elsewhere)
    salt = machine_salt(elsewhere).hex()
    assert re.findall(r"seed 7, salt ([0-9a-f]+)\.\.\.$", there.err, re.MULTILINE) == [salt[:8]]
    assert gangland(*PLAYED, "--salt", salt, folder=folder).out == there.out
    assert gangland(*PLAYED, folder=folder).out != there.out
    assert gangland(*PLAYED, folder=folder, env=elsewhere).err == there.err


def test_the_salt_is_made_once_and_is_for_nobody_else_to_read(tmp_path: Path) -> None:
    env = {"GANGLAND_DATA": str(tmp_path / "data")}
    made = machine_salt(env)
    assert len(made) == 32
    assert made != machine_salt({"GANGLAND_DATA": str(tmp_path / "other")})
    assert machine_salt(env) == made
    assert stat.S_IMODE(salt_file(env).stat().st_mode) == 0o600
    assert stat.S_IMODE(salt_file(env).parent.stat().st_mode) == 0o700
    assert os.listdir(salt_file(env).parent) == ["salt"]


def test_without_a_salt_that_can_be_kept_a_run_draws_one_and_says_so(folder: Path, tmp_path: Path) -> None:
    env = {"GANGLAND_DATA": str(tmp_path / ("x" * 300))}  # refused also to root
    assert gangland("check", "plain.py", "--trusted", folder=folder, env=env).code == 0
    one, two = (gangland(*PLAYED, "--json", folder=folder, env=env) for _ in "12")
    assert (one.code, two.code) == (0, 0)
    assert one.document["salt"] != two.document["salt"]
    assert "cannot store a salt in" in one.err
    spoilt = salt_file({"GANGLAND_DATA": str(tmp_path / "spoilt")})
    spoilt.parent.mkdir(parents=True)
    spoilt.write_text("no salt\n")
    with pytest.raises(NoSalt, match="no salt in"):
        machine_salt({"GANGLAND_DATA": str(tmp_path / "spoilt")})


@pytest.mark.parametrize("text", ["", "5", "5g", "0x5a", "5a 5a", "5a\n", "5a" * 65])
def test_what_is_no_salt_is_a_wrong_call(folder: Path, text: str) -> None:
    with pytest.raises(ValueError, match="hexadecimal digits"):
        parsed_salt(text)
    assert gangland("play", "plain.py", "plain.py", "--salt", text, folder=folder).code == 2


def test_a_run_is_resumed_with_its_own_salt_and_no_other(folder: Path, tmp_path: Path) -> None:
    env = {"GANGLAND_RUNS": str(tmp_path / "runs")}
    call = ("ladder", "carries.py", "plain.py", "--seed", 7, "--blocks", 1, "--trusted", "--json", "--resume")
    begun = gangland(*call[:-1], "--salt", "aa", folder=folder, env=env)
    other = gangland(*call, "--salt", "bb", folder=folder, env=env)
    same = gangland(*call, "--salt", "aa", folder=folder, env=env)
    unsaid = gangland(*call, folder=folder, env=env)
    assert (begun.code, other.code, other.out) == (0, 2, "")
    assert "the stored run has another salt" in other.err
    assert [ran.document["salt"] for ran in (begun, same, unsaid)] == ["aa"] * 3
    assert "starting a new one" not in same.err + unsaid.err


def test_an_archive_says_its_salt_and_lines_that_reproduce_carry_it(folder: Path) -> None:
    call = ("ladder", "carries.py", "plain.py", "--blocks", 1, "--trusted", "--archive", "l.tar", "--salt", "aa")
    assert gangland(*call, folder=folder).code == 0
    assert read_archive(folder / "l.tar").tournament.about["salt"] == "aa"
    (folder / "mine.py").write_text(GOOD.replace("min(2, view.pool)", "99"))
    found = gangland("check", "mine.py", "--salt", "aa", folder=folder)
    assert "Reproduce: gangland check mine.py --salt aa --view 1 " in found.out


def test_no_bot_sees_the_salt_in_its_jail(folder: Path, tmp_path: Path) -> None:
    (folder / "looks.py").write_text(
        GOOD.replace("        return", "        self.log(look())\n        return").replace(
            "from gangland import gang_of_dice",
            "import os\nfrom gangland import gang_of_dice\n\n"
            "def look():\n    found = dict(os.environ)\n    for file in FILES:\n        try:\n"
            "            found[file] = open(file).read()\n        except OSError as error:\n"
            "            found[file] = type(error).__name__\n    return repr(found)\n\n"
            f"FILES = {[str(salt_file(os.environ)), '/proc/self/environ', '/proc/1/environ', '/proc/self/cmdline']!r}",
        )
    )
    ran = gangland("play", "looks.py", "plain.py", "--log", "--json", folder=folder)
    logged = json.dumps([seat["log"] for seat in ran.document["seats"]])
    assert "Error" in logged, "it looked"
    assert "00" * 32 not in logged
    assert "GANGLAND" not in logged
