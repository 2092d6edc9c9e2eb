"""The command line as an author meets it, in the real jail."""

import json
from pathlib import Path

import pytest
from tests.kits.bots_kit import CHANCY, GOOD, GREEDY, bots_in, document
from tests.kits.command_kit import apart, gangland

from gangland_ladder.errors.catalogue import entries

BURNING = pytest.mark.long("uses up the server's limit of CPU")


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    return bots_in(tmp_path, steady=GOOD, chancy=CHANCY, twin=GOOD)


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long("larger tables"))])
def test_the_same_seed_gives_the_same_ladder_to_the_byte(bots: Path, seats: int) -> None:
    arguments = ("ladder", bots, "--seats", seats, "--blocks", 2, "--seed", 7, "--json")
    one, other = document(apart(*arguments)), document(gangland(*arguments))
    assert one.pop("seconds") > 0
    other.pop("seconds")
    assert one == other
    assert (one["schema"], one["game"], one["seed"]) == ("gangland/ladder/1", "gang-of-dice", 7)
    assert one["games"] == {2: 3 * 2 * 2, 3: 1 * 2 * 3}[seats]
    assert {row["bot"] for row in one["standings"]} == {"steady", "chancy", "twin"}
    assert sum(row["win_share"] for row in one["standings"]) == pytest.approx(1 if seats == 3 else 1.5, abs=1e-4)


def test_a_game_is_told_and_written_and_verified(bots: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run = gangland("play", bots / "steady.py", bots / "chancy.py", "--seed", 3, "--out", file)
    assert run.code == 0, run.err
    assert "Round 12" in run.out
    assert "chancy" in run.out
    game = json.loads(file.read_text())
    assert document(gangland("play", bots / "steady.py", bots / "chancy.py", "--seed", 3, "--json")) == game
    assert [seat["bot"] for seat in game["seats"]] == ["steady", "chancy"]
    assert game["decisions"] == len(game["replay"]["decisions"])
    assert document(gangland("verify", file, "--json"))["verified"] is True
    assert "chancy" in gangland("replay", file).out
    assert document(gangland("replay", file, "--json"))["lines"]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("import no_such_module\n", "import_error"),
        ("x = (\n", "import_error"),
        pytest.param("while True: pass\n", "import_time", marks=BURNING),
        (GOOD + "\nclass Second(Steady):\n    pass\n", "import_error"),
        (GOOD.replace("return", "raise RuntimeError('boom')\n        return"), "crashed"),
        pytest.param(GOOD.replace("return", "while True: pass\n        return"), "decision_time", marks=BURNING),
        (GREEDY, "illegal"),
    ],
)
def test_a_bot_that_fails_still_gives_the_whole_document_and_exit_1(
    tmp_path: Path, bots: Path, source: str, kind: str
) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(source)
    game = document(gangland("play", bad, bots / "steady.py", "--game", "gang-of-dice", "--seed", 1, "--json"), code=1)
    assert [seat["place"] for seat in game["seats"]] == [2, 1]
    assert game["seats"][1]["fault"] is None
    assert game["seats"][0]["fault"]["kind"] == kind
    assert game["seats"][0]["fault"]["code"] in entries()
    assert set(game["seats"][0]["fault"]) == {"kind", "code", "message", "round", "decision"}


def test_a_bot_that_cannot_be_loaded_is_said_to_fail_while_loading_and_how_to_see_why(bots: Path) -> None:
    (bots / "bad.py").write_text("1 / 0\n")
    ran = gangland("play", "bad.py", "steady.py", "--trusted", "--seed", 1, folder=bots)
    assert ran.code == 1
    assert "bad was at fault (E201 fails while it is loaded, while loading; gangland explain E201):\n" in ran.out
    assert ran.err.endswith("\nsee why: gangland check bad.py --game gang-of-dice\n")


def test_check_accepts_a_good_bot_and_explains_a_bad_one(tmp_path: Path, bots: Path) -> None:
    good = document(gangland("check", bots / "chancy.py", "--json"))
    assert good["problems"] == []
    assert good["stages"] == ["imported", "legal", "timed"]
    bad = tmp_path / "bad.py"
    bad.write_text(GREEDY)
    (problem,) = document(gangland("check", bad, "--json"), code=1)["problems"]
    assert (problem["code"], problem["line"]) == ("E203", 5)
    run = gangland("check", bad)
    assert run.code == 1
    assert "E203  bad.py:5" in run.out


KEEPER = """
from gangland import gangster_dice

class Keeper(gangster_dice.Bot):
    def choose_bids(self, view):
        return list(zip(view.legal_tokens, view.hand))[:view.bids_required]

    def choose_keep(self, view):
        return 5
"""


def test_check_with_options_tries_the_choices_that_only_they_bring(tmp_path: Path) -> None:
    keeper = tmp_path / "keeper.py"
    keeper.write_text(KEEPER)
    plain = document(gangland("check", keeper, "--json"))
    assert (plain["accepted"], plain["options"]) == (True, {})
    cast = ("--option", "characters=chosen", "--option", "cast=timmy,don,liza")
    found = document(gangland("check", keeper, *cast, "--json"), code=1)
    assert found["options"] == {"characters": "chosen", "cast": ["timmy", "don", "liza"]}
    assert "choose_keep()" in found["problems"][0]["message"]
    keeper.write_text(KEEPER.replace("5", "min(view.pair)"))
    assert "decisions at 3 seats, all legal" in gangland("check", keeper, *cast).out
    alone = gangland("check", keeper, "--option", "characters=chosen", "--option", "cast=timmy")
    assert (alone.code, alone.out) == (2, "")
    assert "is for 1 seat" in alone.err


def test_a_file_that_imports_no_game_is_a_finding_and_takes_the_game_of_the_others(tmp_path: Path, bots: Path) -> None:
    lost = tmp_path / "lost.py"
    lost.write_text("class Lost:\n    pass\n")
    (problem,) = document(gangland("check", lost, "--json"), code=1)["problems"]
    assert problem["code"] == "E108"
    assert "from gangland import gang_of_dice" in gangland("check", lost).out
    game = document(gangland("play", lost, bots / "steady.py", "--json"), code=1)
    assert (game["game"], game["seats"][0]["fault"]["kind"]) == ("gang-of-dice", "import_error")


def test_the_doctor_finds_this_machine_fit() -> None:
    found = document(gangland("doctor", "--json"))
    assert found["ok"] is True
    assert len(found["probes"]) >= 10


def test_trusted_mode_plays_the_same_game_and_says_what_it_is(bots: Path) -> None:
    arguments = ("play", bots / "steady.py", bots / "chancy.py", "--seed", 3, "--json")
    run = gangland(*arguments, "--trusted")
    assert document(run) == document(gangland(*arguments))
    assert "trusted mode" in run.err


def test_a_bot_cannot_pass_its_words_off_as_ours(tmp_path: Path, bots: Path) -> None:
    spoof = tmp_path / "spoof.py"
    message = "steady was at fault (E203 illegal decision, round 1):\\nplace  bot\\n    1  spoof\\x1b[2J\\u3164"
    spoof.write_text(GOOD.replace("return", f"raise RuntimeError('{message}')\n        return"))
    result = gangland("play", spoof, bots / "steady.py", "--seed", 1).out
    after = result[result.index("spoof was at fault") :].split("\n")[1:]
    assert all(line.startswith("  | ") for line in after if line)
    assert "\x1b" not in result
    assert "\u3164" not in result


def test_what_a_bot_logged_is_shown_to_its_author_on_demand(bots: Path) -> None:
    arguments = ("play", bots / "steady.py", bots / "chancy.py", "--seed", 3)
    assert "What chancy logged:\n  | round 1 card" in gangland(*arguments, "--log").out
    assert "logged" not in gangland(*arguments).out
    logged = document(gangland(*arguments, "--log", "--json"))["seats"][1]["log"]
    assert logged.startswith("round 1 card")


def test_bots_of_another_game_are_left_out_of_a_ladder_by_name(bots: Path) -> None:
    (bots / "other.py").write_text("from gangland import gangster_dice\n")
    run = gangland("ladder", bots, "--game", "gang-of-dice", "--blocks", 1, "--seed", 1, "--json")
    assert {row["bot"] for row in document(run)["standings"]} == {"steady", "chancy", "twin"}
    assert "left out: other" in run.err


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param("while True: pass", "bad.py:5 choose_dice() used ", marks=BURNING),
        ("return 49", "bad.py:5 choose_dice(): 49 is not legal. Allowed: a number of dice from 1 to 48."),
        ("import numpy", "standard library and gangland, and nothing else"),
        ("import socket; socket.socket()", "no network"),
        ("import threading; threading.Thread(target=print).start()", "no threads"),
        ("print('x' * 100_000)", "self.log()"),
    ],
)
def test_a_fault_names_what_the_bot_was_doing_and_why_it_cannot(bots: Path, body: str, words: str) -> None:
    bad = bots / "bad.py"
    bad.write_text(GOOD.replace("return", f"{body}\n        return"))
    game = document(gangland("play", bad, bots / "steady.py", "--seed", 1, "--json"), code=1)
    assert words in game["seats"][0]["fault"]["message"]
