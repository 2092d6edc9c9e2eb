"""The command line as an author meets it, in the real jail."""

import json
from pathlib import Path

import pytest
from tests.kits.bots_kit import CHANCY, GOOD, bots_in, document
from tests.kits.command_kit import apart, gangland

from gangland_ladder.cli.options import options_of
from gangland_ladder.common.texts import option_arguments
from gangland_ladder.errors import entries
from gangland_ladder.local.bots import InvalidArgument


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    return bots_in(tmp_path, steady=GOOD, chancy=CHANCY, twin=GOOD)


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long("larger tables"))])
def test_the_same_seed_gives_the_same_ladder_to_the_byte(bots: Path, seats: int) -> None:
    arguments = ("ladder", bots, "--seats", seats, "--blocks", 1, "--seed", 7, "--json")
    one, other = document(apart(*arguments)), document(gangland(*arguments))
    assert one.pop("seconds") > 0
    other.pop("seconds")
    assert one == other
    assert (one["schema"], one["game"], one["seed"]) == ("gangland/ladder/1", "gang-of-dice", 7)
    assert one["games"] == {2: 3 * 2, 3: 1 * 3}[seats]
    assert {row["bot"] for row in one["standings"]} == {"steady", "chancy", "twin"}
    assert sum(row["win_share"] for row in one["standings"]) == pytest.approx(1 if seats == 3 else 1.5, abs=1e-4)


def test_a_game_is_told_written_and_verified_and_is_the_same_in_trusted_mode(bots: Path, tmp_path: Path) -> None:
    file, arguments = tmp_path / "game.json", ("play", bots / "steady.py", bots / "chancy.py", "--seed", 3)
    run = gangland(*arguments, "--log", "--out", file)
    trusted = gangland(*arguments, "--trusted", "--log", "--json")
    assert run.code == 0, run.err
    assert "Round 12" in run.out
    assert "Log of chancy:\n  | round 1 card" in run.out
    game = json.loads(file.read_text())
    assert document(trusted) == game
    assert "trusted mode" in trusted.err
    assert [seat["bot"] for seat in game["seats"]] == ["steady", "chancy"]
    assert game["seats"][1]["log"].startswith("round 1 card")
    assert game["decisions"] == len(game["replay"]["decisions"])
    assert document(gangland("verify", file, "--json"))["verified"] is True
    assert "chancy" in gangland("replay", file).out
    assert document(gangland("replay", file, "--json"))["lines"]


def failing(body: str) -> str:
    return GOOD.replace("return", f"{body}\n        return")


Failing = dict[str, tuple[str, str, str]]  # sources of bots by name, the kind of their fault, and words of its message


@pytest.mark.parametrize(
    "bad",
    [
        {
            "no_module": ("import no_such_module\n", "import_error", "no_such_module"),
            "syntax": ("x = (\n", "import_error", "'(' was never closed"),
            "lost": ("class Lost:\n    pass\n", "import_error", ""),
        },
        {
            "two": (GOOD + "\nclass Second(Steady):\n    pass\n", "import_error", "Second"),
            "many": (failing("return 99"), "illegal", "many.py:5 choose_dice(): 99 is not legal. Allowed: a number "),
            "threads": (failing("import threading; threading.Thread(target=print).start()"), "crashed", "no threads"),
        },
        {
            "counts": (failing("import numpy"), "crashed", "standard library and gangland, and nothing else"),
            "dials": (failing("import socket; socket.socket()"), "crashed", "no network"),
            "prints": (failing("print('x' * 100_000)"), "output", "self.log()"),
        },
        pytest.param(
            {
                "burning": ("while True: pass\n", "import_time", ""),
                "endless": (failing("while True: pass"), "decision_time", "endless.py:5 choose_dice() used "),
            },
            marks=pytest.mark.long("uses up the server's limit of CPU"),
        ),
    ],
    ids=" ".join,
)
def test_bots_that_fail_still_give_the_whole_document_with_what_they_did_and_exit_1(bots: Path, bad: Failing) -> None:
    for name, (source, _, _) in bad.items():
        (bots / f"{name}.py").write_text(source)
    files = [bots / f"{name}.py" for name in (*bad, "steady")]
    game = document(gangland("play", *files, "--seed", 1, "--json"), code=1)
    assert game["game"] == "gang-of-dice"
    *failed, steady = game["seats"]
    assert (steady["place"], steady["fault"]) == (1, None)
    for seat, (_, kind, words) in zip(failed, bad.values(), strict=True):
        assert seat["place"] > 1
        assert set(seat["fault"]) == {"kind", "code", "message", "round", "decision"}
        assert (seat["fault"]["kind"], words in seat["fault"]["message"]) == (kind, True), seat["fault"]
        assert seat["fault"]["code"] in entries()


def test_a_bot_that_cannot_be_loaded_is_said_to_fail_while_loading_and_how_to_see_why(bots: Path) -> None:
    (bots / "bad.py").write_text("1 / 0\n")
    ran = gangland("play", "bad.py", "steady.py", "--trusted", "--seed", 1, folder=bots)
    assert ran.code == 1
    assert "bad was at fault (E201 fails while it is loaded, while loading; gangland explain E201):\n" in ran.out
    assert ran.err.endswith("\ndetails: gangland check bad.py --game gang-of-dice\n")


KEEPER = """
from gangland import gangster_dice

class Keeper(gangster_dice.Bot):
    def choose_bids(self, view):
        return list(zip(view.legal_tokens, view.hand))[:view.bids_required]

    def choose_keep(self, view):
        return 5
"""


def test_a_check_of_several_bots_fails_if_one_of_them_fails(bots: Path) -> None:
    (bots / "broken.py").write_text("def")
    for order in (("steady", "broken"), ("broken", "steady")):
        ran = gangland("check", *(bots / f"{name}.py" for name in order))
        assert ran.code == 1, ran.err
        assert "accepted" in ran.out


def test_check_with_options_tries_the_choices_that_only_they_bring(tmp_path: Path) -> None:
    keeper = tmp_path / "keeper.py"
    keeper.write_text(KEEPER)
    cast = ("--option", "characters=chosen", "--option", "cast=timmy,don,liza")
    found = document(gangland("check", keeper, *cast, "--json"), code=1)
    assert found["options"] == {"characters": "chosen", "cast": ["timmy", "don", "liza"]}
    assert "choose_keep()" in found["problems"][0]["message"]
    keeper.write_text(KEEPER.replace("5", "min(view.pair)"))
    assert "decisions at 3 seats, all legal" in gangland("check", keeper, *cast).out
    alone = gangland("check", keeper, "--option", "characters=chosen", "--option", "cast=timmy")
    assert (alone.code, alone.out) == (2, "")
    assert "is for 1 seat" in alone.err


def test_the_doctor_finds_this_machine_fit() -> None:
    found = document(gangland("doctor", "--json"))
    assert found["ok"] is True
    assert len(found["probes"]) >= 10


def test_a_bot_cannot_pass_its_words_off_as_ours(tmp_path: Path, bots: Path) -> None:
    spoof = tmp_path / "spoof.py"
    message = "steady was at fault (E203 illegal decision, round 1):\\nplace  bot\\n    1  spoof\\x1b[2J\\u3164"
    spoof.write_text(GOOD.replace("return", f"raise RuntimeError('{message}')\n        return"))
    result = gangland("play", spoof, bots / "chancy.py", "--seed", 1).out
    assert "logged" not in result, "only with --log"
    after = result[result.index("spoof was at fault") :].split("\n")[1:]
    assert all(line.startswith("  | ") for line in after if line)
    assert "\x1b" not in result
    assert "\u3164" not in result


def test_bots_of_another_game_are_left_out_of_a_ladder_by_name(bots: Path) -> None:
    (bots / "other.py").write_text("from gangland import gangster_dice\n")
    run = gangland("ladder", bots, "--game", "gang-of-dice", "--blocks", 1, "--seed", 1, "--json")
    assert {row["bot"] for row in document(run)["standings"]} == {"steady", "chancy", "twin"}
    assert "left out, not for gang-of-dice: other" in run.err


# `--profile numeric` on the command line: numpy where it is asked for, in the jail and without it.


COUNTS = """
import numpy as np
from gangland import gang_of_dice

class Counts(gang_of_dice.Bot):
    def choose_dice(self, view):
        self.log("mean", np.mean([1, 2, view.pool]))
        return min(int(np.argmax(np.bincount([2, 2, 3]))), view.pool)
"""


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    file = tmp_path / "counts.py"
    file.write_text(COUNTS)
    return file


def test_numpy_is_of_the_numeric_profile_alone_and_a_library_that_no_profile_has_is_named(counts: Path) -> None:
    assert document(gangland("check", counts, "--profile", "numeric", "--json"))["accepted"]
    (problem,) = document(gangland("check", counts, "--json"), code=1)["problems"]
    assert "No module named 'numpy'" in problem["message"]
    counts.write_text(COUNTS.replace("import numpy as np", "import numpy as np, scipy"))
    (problem,) = document(gangland("check", counts, "--profile", "numeric", "--json"), code=1)["problems"]
    assert "standard library, numpy and gangland, and nothing else" in problem["message"]


@pytest.mark.parametrize(
    "trusted", [("--trusted",), pytest.param((), marks=pytest.mark.long("a ladder is in the jail"))]
)
def test_a_game_is_played_in_the_numeric_profile(counts: Path, trusted: tuple[str, ...]) -> None:
    found = document(gangland("play", counts, counts, "--seed", 3, "--profile", "numeric", "--log", "--json", *trusted))
    assert [seat["fault"] for seat in found["seats"]] == [None, None]
    assert found["seats"][0]["log"].startswith("mean ")


def test_a_ladder_says_in_which_profile_it_was_played(counts: Path, tmp_path: Path) -> None:
    other = tmp_path / "steady.py"
    other.write_text(GOOD)
    found = document(gangland("ladder", counts, other, "--blocks", 2, "--seed", 3, "--profile", "numeric", "--json"))
    assert found["profile"] == "numeric"
    assert [row["faults"] for row in found["standings"]] == [0, 0]
    assert gangland("ladder", counts, other, "--profile", "huge").code == 2


# `--option` of the command line: what an organizer may choose, told by name and value.


def test_options_are_told_by_name_and_value_and_neither_spaces_nor_defaults_mean_anything() -> None:
    chosen = {"characters": "chosen", "cast": ["nancy", "timmy", "don"], "round_limit": 40}
    for given in (
        ["characters=chosen", "cast=nancy,timmy,don", "round_limit=40", "spent_favor=stack"],
        ["characters = chosen", "cast= nancy , timmy,don ", " round_limit=40"],
    ):
        assert options_of("gangster-dice", 3, given) == chosen
    assert options_of("gang-of-dice", 2, ["deck=box18"]) == {"deck": "box18"}
    assert options_of("gang-of-dice", 4, None) == {}


def test_options_are_shown_as_they_are_given() -> None:
    given = ["round_limit=40", "characters=chosen", "cast=nancy,don"]
    shown = option_arguments(options_of("gangster-dice", 2, given))
    assert shown == " --option round_limit=40 --option characters=chosen --option cast=nancy,don"
    assert options_of("gangster-dice", 2, shown.replace(" --option ", "\n").split()) == options_of(
        "gangster-dice", 2, given
    )


@pytest.mark.parametrize(
    ("given", "output"),
    [
        (["deck"], "NAME=VALUE, not 'deck'"), (["stake=1"], "has no option 'stake'; it has investigator_colour"),
        (["characters=all"], "characters must be one of 'none', 'dealt', 'chosen', not 'all'"),
        (["round_limit=0"], "round_limit must be a whole number from 1 to 10000, not 0"),
        (["characters=chosen"], "needs cast"),
        (["characters=chosen", "cast=nancy,don,liza"], "is for 3 seats, not for 2"),
        (["characters=chosen", "cast=nancy,nancy"], "appears twice: .'nancy', 'nancy'.;.*such as cast=nancy,bobby$"),
        (["characters=chosen", "cast=Timmy,nancy"], "unknown character 'Timmy';.*such as cast=nancy,bobby$"),
        (["characters=chosen", "cast=timmy"], "is for 1 seat"), (["characters=chosen"], "such as cast=nancy,bobby$"),
        (["round_limit=2", "round_limit=5"], "--option round_limit is given twice"),
        (["=x"], "NAME=VALUE, not '=x'"), ([" =x"], "NAME=VALUE, not ' =x'"), ([""], "NAME=VALUE, not ''"),
    ],
)  # fmt: skip
def test_a_wrong_option_says_what_is_allowed(given: list[str], output: str) -> None:
    with pytest.raises(InvalidArgument, match=output):
        options_of("gangster-dice", 2, given)
