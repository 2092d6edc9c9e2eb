"""Bust by command line: run with the engine of `test_third_game`."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from tests.kits.command_kit import gangland

from gangland.games import GAME_NAMES

BOTS = Path(__file__).resolve().parent.parent / "bots"
TWO = (BOTS / "banks_at_6.py", BOTS / "banks_at_20.py")


def test_the_engine_here_has_the_third_game() -> None:
    assert "bust" in GAME_NAMES


def test_play_tells_a_game_that_replay_shows_in_text_and_as_a_page(tmp_path: Path) -> None:
    played = gangland("play", *TWO, "--seed", 7, "--out", tmp_path / "game.json")
    assert played.code == 0, played.err
    assert "Round 12" in played.out
    assert "The die shows" in played.out
    shown = gangland("replay", tmp_path / "game.json", "--at", "r2.s1.d1")
    assert shown.code == 0, shown.err
    assert "at_risk" in shown.out
    assert "points" in shown.out
    made = gangland("replay", tmp_path / "game.json", "--html", tmp_path / "game.html")
    assert made.code == 0, made.err
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "Turn? 0 (bank) or 1 (roll)" in page
    assert "more points are better" in page
    assert "Luck" not in page, "nobody measures it"


def test_a_person_plays_it_by_picking_from_the_list(tmp_path: Path) -> None:
    lines = BytesIO(b"h\n?\n" + b"#2\n#1\n" * 200)
    out = tmp_path / "game.json"
    played = gangland("play", "--me", TWO[0], "--seed", 7, "--trusted", "--out", out, stdin=lines)
    assert played.code == 0, played.err
    assert "No hint for this decision." in played.out
    assert "#2   #2" in played.out
    assert json.loads(out.read_text())["seats"][0]["place"] in (1, 2)


def test_house_bots_are_known_by_name_and_a_ladder_ranks_them_in_the_jail(tmp_path: Path) -> None:
    bots = ("banks_at_6", "banks_at_12", "banks_at_20")
    ran = gangland("ladder", *bots, "--game", "bust", "--blocks", 4, "--seed", 3, "--json")
    assert ran.code == 0, ran.err
    result = json.loads(ran.out)
    assert result["game"] == "bust"
    assert len(result["standings"]) == 3


@pytest.mark.parametrize("command", ["check", "check --json"])
def test_check_examines_a_bot(command: str) -> None:
    ran = gangland(*command.split(), TWO[0])
    assert ran.code == 0, ran.out + ran.err


def test_new_says_that_there_is_no_first_bot_for_it(tmp_path: Path) -> None:
    ran = gangland("new", "mine", "--game", "bust", folder=tmp_path)
    assert ran.code == 2
    assert "there is no starter for bust" in ran.err
    assert not (tmp_path / "mine").exists()
