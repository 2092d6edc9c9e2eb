"""`gangland diff`: two versions of a bot along the views of recorded games."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.kits.command_kit import Ran, gangland

from gangland.games import GAME_NAMES
from gangland_ladder.analysis import comparison
from gangland_ladder.cli.diff import DiffReport

Run = Callable[..., Ran]

HEAD = "from gangland import gang_of_dice\nimport random\nclass Bot(gang_of_dice.Bot):\n"
STEADY = HEAD + "    def choose_dice(self, view):\n        return min(3, view.pool)\n"
REROLLS = STEADY + "    def choose_reroll(self, view):\n        return list(view.dice[:1]) if view.round == 2 else []\n"
BOLD = HEAD + "    def choose_dice(self, view):\n        return view.pool\n"
COUNTS = HEAD + (
    "    def on_game_start(self, info):\n        self.asked = 0\n"
    "    def choose_dice(self, view):\n        self.asked += 1\n        return 3 if self.asked < 4 else 2\n"
)
WILD = HEAD + "    def choose_dice(self, view):\n        return random.SystemRandom().randint(1, view.pool)\n"
CHANCY = HEAD + "    def choose_dice(self, view):\n        return self.rng.randint(1, 5)\n"
CRASHES = HEAD + (
    "    def choose_dice(self, view):\n        if view.round == 3:\n            raise ValueError('\\x1b[2Jboom')\n"
    "        return 3\n"
)
ILLEGAL = HEAD + "    def choose_dice(self, view):\n        return 3 if view.round < 2 else 999\n"
BROKEN = "from gangland import gang_of_dice\nimport there_is_none_of_this_name\n"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return lambda *arguments: gangland(*arguments, env={"GANGLAND_RUNS": str(tmp_path / "runs")})


@pytest.fixture
def bot(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(name: str, source: str) -> Path:
        file = tmp_path / f"{name}.py"
        file.write_text(source)
        return file

    return write


Write = Callable[[str, str], Path]


def told(run: Run, new: Path, old: Path, *more: object) -> tuple[int, dict[str, Any]]:
    """Return the exit code and the document of a diff over one game, played without the jail."""
    ran = run("diff", new, old, "--seed", 3, "--games", 1, "--trusted", "--quiet", "--json", *more)
    assert ran.err == ""
    return ran.code, ran.document


def test_a_bot_decides_as_itself_and_chance_of_its_generator_is_the_same_in_both_versions(run: Run, bot: Write) -> None:
    code, found = told(run, bot("new", CHANCY), bot("old", CHANCY))
    assert (code, found["differing"], found["differences"], found["partial"]) == (0, 0, [], False)
    assert found["games"] == 1
    assert found["decisions"] == sum(each["decisions"] for each in found["methods"]) >= 24
    assert found["old"]["deterministic"] is None
    slightly = CHANCY.replace("return self.rng.randint(1, 5)", "n = self.rng.randint(1, 5); return n if n < 5 else 4")
    found = told(run, bot("new", slightly), bot("old", CHANCY), "--first", 1000)[1]
    assert {each["old"]["decision"] for each in found["differences"]} == {5}


def test_in_the_jail_each_difference_has_both_decisions_and_the_line_that_opens_it(run: Run, bot: Write) -> None:
    new, old = bot("new", REROLLS), bot("old", STEADY)
    ran = run("diff", new, old, "--seed", 3, "--games", 1, "--first", 1)
    assert ran.code == 1
    head, *rest = ran.out.splitlines()
    assert head.startswith("new against old: ")
    assert any(line.split()[:1] == ["choose_reroll"] for line in rest)
    assert not [line for line in rest if line.startswith("choose_dice")]
    assert "  | old: [], stops" in rest
    opening = next(line for line in rest if line.startswith("  gangland replay "))
    *_, number, _, at = opening.split()
    file = opening.split()[2]
    assert (number, at[:3]) == ("1", "r2.")
    shown = run("replay", file, "--game", number)
    assert shown.code == 0
    assert "Round 2" in shown.out


def test_what_a_version_remembers_builds_up_along_the_recorded_game(run: Run, bot: Write) -> None:
    code, found = told(run, bot("new", COUNTS), bot("old", STEADY), "--first", 1000)
    assert code == 1
    places = {(each["game"], each["seat"], each["round"]) for each in found["differences"]}
    assert {number for _, _, number in places} == set(range(4, 13))
    assert all(each["old"]["decision"] == 3 and each["new"]["decision"] == 2 for each in found["differences"])
    assert found["new"]["deterministic"] is found["old"]["deterministic"] is True


def test_a_version_that_is_not_deterministic_is_told_so(run: Run, bot: Write) -> None:
    found = told(run, bot("new", STEADY), bot("old", WILD))[1]
    assert (found["old"]["deterministic"], found["new"]["deterministic"]) == (False, True)
    assert {name for each in found["differences"] for name in each["unsteady"]} == {"old"}
    out = run("diff", bot("new", WILD), bot("old", STEADY), "--seed", 3, "--games", 1, "--trusted").out
    assert "new is not deterministic" in out


def test_a_fault_of_one_version_is_a_difference_and_ends_its_part_in_that_game(run: Run, bot: Write) -> None:
    found = told(run, bot("new", ILLEGAL), bot("old", STEADY))[1]
    assert {each["new"]["fault"]["kind"] for each in found["differences"]} == {"illegal"}
    assert len({(each["game"], each["seat"]) for each in found["differences"]}) == found["differing"] == 2
    assert found["new"]["faults"] == {"illegal": 2}
    assert found["old"]["faults"] == {}


def test_what_a_bot_says_as_it_fails_is_told_and_cannot_drive_the_terminal(run: Run, bot: Write) -> None:
    ran = run("diff", bot("new", CRASHES), bot("old", STEADY), "--seed", 3, "--games", 1, "--trusted")
    assert ran.code == 1
    assert "crashed" in ran.out
    assert "boom" in ran.out
    assert "\x1b" not in ran.out + ran.err


def test_a_version_that_cannot_start_differs_before_the_first_decision(run: Run, bot: Write) -> None:
    found = told(run, bot("new", BROKEN), bot("old", STEADY), "--game", "gang-of-dice")[1]
    assert {each["method"] for each in found["differences"]} == {"start of the game"}
    assert {each["new"]["fault"]["kind"] for each in found["differences"]} == {"import_error"}
    assert found["decisions"] == 0


def test_versions_are_compared_by_cost(run: Run, bot: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "MIN_GAMES", 3)
    new, old, file = bot("new", BOLD), bot("old", STEADY), tmp_path / "games.ndjson"
    how = ("--seed", 3, "--trusted", "--analyze", "--against", bot("other", REROLLS))

    ran = run("diff", new, old, *how, "--games", 3, "--out", file, "--first", 1)
    document = run("diff", new, old, *how, "--games", 2, "--json").document

    found = document["comparison"]
    assert [found[each] for each in ("old_games", "new_games", "blocks", "paired")] == [2, 2, 2, 2]
    assert found["whole"]["verdict"] == "too few games"
    assert " of a win per game less than old: " in ran.out
    assert "; standard error " in ran.out
    played = [json.loads(line) for line in file.read_text().splitlines()]
    seated = [" ".join(seat["bot"] for seat in each["seats"]) for each in played]
    assert seated == ["old other", "new other", "other old", "other new", "old other", "new other"]
    seeds = [each["replay"]["seed"] for each in played]
    assert seeds[::2] == seeds[1::2]
    assert len(set(seeds)) == 3
    assert {each["game"] for each in document["differences"]} <= {1, 3}


def test_recorded_games_are_read_from_files_and_those_of_no_use_are_named(run: Run, bot: Write, tmp_path: Path) -> None:
    new, old, file = bot("new", REROLLS), bot("old", STEADY), tmp_path / "games.ndjson"
    played = told(run, new, old, "--out", file)[1]
    spoiled = json.loads(file.read_text().splitlines()[0])
    spoiled["views"] = "0" * 64
    with file.open("a") as stream:
        stream.write(json.dumps(spoiled) + "\n{}\n")
    ran = run("diff", new, old, "--from", file, "--trusted", "--quiet", "--json")
    found = ran.document
    assert (ran.code, ran.err) == (1, "")
    assert [each["game"] for each in found["unusable"]] == [2, 3]
    assert "the views sent have the digest 0000" in found["unusable"][0]["message"]
    for name in ("games", "decisions", "differing", "methods", "differences"):
        assert found[name] == played[name]


def test_an_archives_games_are_compared_at_the_seats_of_the_old_version(run: Run, bot: Write, tmp_path: Path) -> None:
    old, other, archive = bot("old", CHANCY), bot("other", STEADY), tmp_path / "cup.tar"
    played = run("ladder", old, other, "--blocks", 2, "--seed", 5, "--trusted", "--quiet", "--archive", archive)
    assert played.code == 0
    new = bot("new", CHANCY.replace("(1, 5)", "(1, 6)"))
    found = run("diff", new, old, "--from", archive, "--trusted", "--quiet", "--json", "--first", 999).document
    assert found["games"] == 4
    assert {(each["game"], each["seat"]) for each in found["differences"]} == {(1, 0), (2, 1), (3, 0), (4, 1)}
    assert all(each["old"]["decision"] == each["recorded"] for each in found["differences"])
    number, at = found["differences"][0]["game"], found["differences"][0]["at"]
    assert at.startswith("r")
    assert run("replay", archive, "--game", number).code == 0


def test_another_games_are_left_out_and_none_is_a_mistake(run: Run, bot: Write, root: Path, tmp_path: Path) -> None:
    new, old, mixed = bot("new", STEADY), bot("old", STEADY), tmp_path / "mixed.ndjson"
    lines = [(root / "tests" / "golden" / f"{game}.ndjson").read_text().splitlines() for game in GAME_NAMES]
    mixed.write_text("\n".join(each[5] for each in lines))
    ran = run("diff", new, old, "--from", mixed, "--trusted")
    assert (ran.code, ran.err.splitlines()[-1]) == (0, "skipped 1 game: not gang-of-dice")
    other = root / "tests" / "golden" / "gangster-dice.ndjson"
    ran = run("diff", new, old, "--from", other, "--games", 2, "--trusted", "--quiet")
    assert (ran.code, ran.err) == (2, "gangland: no gang-of-dice games in these files\n")


def test_options_of_playing_and_recorded_games_exclude_each_other(run: Run, bot: Write, tmp_path: Path) -> None:
    new, old = bot("new", STEADY), bot("old", STEADY)
    (file := tmp_path / "games.ndjson").write_text("")
    assert run("diff", new, old, "--from", file, "--seats", 3).code == 2
    assert "no replay" in run("diff", new, old, "--from", file).err
    assert "room for" in run("diff", new, old, "--against", old, "--against", new, "--seats", 2).err


def test_ctrl_c_prints_what_was_found_and_how_to_go_on(run: Run, bot: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    add = DiffReport.add

    def interrupted(findings: Any, found: Any) -> None:
        add(findings, found)
        raise KeyboardInterrupt

    monkeypatch.setattr(DiffReport, "add", interrupted)
    new, old = bot("new", REROLLS), bot("old", STEADY)

    ran = run("diff", new, old, "--seed", 3, "--games", 3, "--trusted")

    assert ran.code == 130
    assert ran.out.startswith("new against old: ")
    assert "in 1 game, " in ran.out
    assert "continue: gangland diff" in ran.err
    assert "--seed 3" in ran.err
    assert "--games 2 --skip 1" in ran.err
