"""`python -m benchmarks` measures what it says: every way plays, and frameworks that are not there are named."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from benchmarks.hand_tuned import Player
from benchmarks.harness import Section, Table, keys_of, parser, pipes, publish, put, ratio, run_in_turn
from benchmarks.peers.sitting import LENGTH, Sitting, dice_decision, limits, proven, vector

from benchmarks import __main__, random_play, ways
from gangland.chance import SeededChance
from gangland.game import Game
from gangland.games import GAME_NAMES, game_named

TINY = ["--rounds", "1", "--round-s", "0.001", "--seats", "2"]


def play_by_views(game: Game[Any], players: list[Player], number: int) -> tuple[int, list[float], list[list[int]]]:
    """Play at random; return the number of decisions, the scores, and every observation as numbers."""
    chance, found = SeededChance(ways.seed(number)), []
    state, _ = game.start(len(players), game.options({}), chance)
    while questions := game.pending(state):
        decisions: dict[int, Any] = {}
        for question in questions:
            view = game.observe(state, question.seat)
            found.append(vector(game.name, view))
            choices = game.choices(state, question.seat)
            decisions[question.seat] = choices[players[question.seat](view, len(choices))]
        state, _ = game.resolve(state, decisions, chance)
    outcome = game.outcome(state)
    assert outcome is not None
    return len(found), ways.utilities(outcome), found


@pytest.mark.long("a benchmark runs")
def test_every_way_that_needs_no_framework_is_measured() -> None:
    (section,) = __main__.run(__main__.arguments(["--only", "engine", "--game", "gang-of-dice", *TINY]))
    (table,) = section.tables
    rows = [dict(zip(random_play.COLUMNS, row, strict=True)) for row in table.rows]
    assert [row["way"] for row in rows] == [way.name for way in ways.WAYS if not way.peer]
    assert all(isinstance(row["games/s"], float) and row["games/s"] > 0 for row in rows)
    assert [row["x engine"] for row in rows if row["way"] == "engine"] == [1]
    assert section.notes == ()


@pytest.mark.long("a benchmark runs")
@pytest.mark.parametrize(
    ("python", "reason"),
    [(Path("nowhere/python"), "make bench"), (Path(sys.base_prefix) / "bin" / "python3", "No module named")],
    ids=["no environment", "no framework in it"],
)
def test_missing_frameworks_are_named(monkeypatch: pytest.MonkeyPatch, python: Path, reason: str) -> None:
    monkeypatch.setattr(random_play, "PEERS_PYTHON", python)
    (section,) = __main__.run(__main__.arguments(["--only", "peers", "--game", "gang-of-dice", *TINY]))
    peers = [way.name for way in ways.WAYS if way.peer]
    assert len(section.notes) == len(peers)
    assert all(
        f"Not measured: {name}" in note and reason in note for name, note in zip(peers, section.notes, strict=True)
    )
    assert [row[2] for row in section.tables[0].rows] == ["hand-tuned loop", "engine"]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", GAME_NAMES)
def test_an_observation_in_numbers_is_always_as_long(name: str, seats: int) -> None:
    game = game_named(name)
    players = ways.random_players(seats)
    lengths = {len(numbers) for number in range(5) for numbers in play_by_views(game, players, number)[2]}
    assert lengths == {LENGTH[name](seats)}


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_framework_is_measured_only_if_it_plays_as_the_engine_does(name: str) -> None:
    def honest(game: Game[Any], seats: int, number: int) -> tuple[int, list[float]]:
        return play_by_views(game, ways.random_players(seats), number)[:2]

    def forgetful(game: Game[Any], seats: int, number: int) -> tuple[int, list[float]]:
        decisions, rewards = honest(game, seats, number)
        return decisions - 1, rewards

    def partial(game: Game[Any], seats: int, number: int) -> tuple[int, list[float]]:
        return honest(game, seats, number)[0], [0.0] * seats

    assert proven(honest, name, 3)(range(2)) > 0
    for dishonest in (forgetful, partial):
        with pytest.raises(RuntimeError, match="does not play"):
            proven(dishonest, name, 3)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", GAME_NAMES)
def test_what_frameworks_share_plays_whole_games_as_the_engine_does(name: str, seats: int) -> None:
    def play_one(game: Game[Any], seats: int, number: int) -> tuple[int, list[float]]:
        sitting = Sitting(game, seats, ways.seed(number))
        while sitting.questions:
            legal = {seat: sitting.legal(seat, sitting.view(seat)) for seat in sitting.questions}
            actions = {seat: most - 1 if sitting.by_index else most for seat, most in legal.items()}
            sitting.go_on({seat: sitting.decision(seat, action) for seat, action in actions.items()})
        return sitting.counted, sitting.utilities()

    assert proven(play_one, name, seats)(range(2)) > 0


def test_six_numbers_of_dice_stand_for_a_decision_of_gang_of_dice() -> None:
    before, rolled = SimpleNamespace(dice=(), pool=48), SimpleNamespace(dice=(0, 2, 2), pool=45)
    assert limits(before) == [47, 0, 0, 0, 0, 0]
    assert dice_decision(limits(before), rerolls=False) == before.pool
    assert limits(rolled) == [1, 0, 2, 0, 0, 0]
    assert dice_decision(limits(rolled), rerolls=True) == rolled.dice
    assert dice_decision([0, 0, 1, 0, 0, 0], rerolls=True) == (2,)


def test_tables_are_put_between_the_marks_of_a_page_and_its_words_stay(tmp_path: Path) -> None:
    page = tmp_path / "speed.md"
    page.write_text("before\n<!-- parts -->\nold\n<!-- end of parts -->\nafter\n", encoding="utf-8")
    rows = (("gang-of-dice", 1_200, 1.25, True), ("gangster-dice", 2, None, False))
    table = Table("parts", "Parts", ("game", "seats", "us", "met"), rows, "All fine.")
    section = Section("parts", (table,), ("Not measured: OpenSpiel (not there).",))
    publish(parser("it", "").parse_args(["--into", str(page)]), [section])
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- parts -->\n")
    assert text.endswith("<!-- end of parts -->\nafter\n")
    assert "| --- | ---: | ---: | --- |\n| gang-of-dice | 1,200 | 1.25 | yes |\n| gangster-dice | 2 |  | no |\n" in text
    assert "\nAll fine.\n" in text
    assert "Not measured: OpenSpiel (not there)." in text
    assert "old" not in text
    assert keys_of(page) == ["parts"]


def test_a_page_without_marks_is_left_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match="no marks"):
        put(page, "figures", "text")
    assert page.read_text(encoding="utf-8") == "no marks"


def test_json_and_terminal_have_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    tables = (Table("one", "One", ("a", "b"), (("x", 1.5),)), Table("two", "Two", ("c",), ((1_000,),), "Found."))
    section = Section("both", tables, dated=False)
    publish(parser("it", "").parse_args(["--json"]), [section])
    result = json.loads(capsys.readouterr().out)
    publish(parser("it", "").parse_args([]), [section])
    assert [(table["key"], table["rows"]) for table in result["tables"]] == [
        ("one", [{"a": "x", "b": 1.5}]),
        ("two", [{"c": 1_000}]),
    ]
    assert capsys.readouterr().out == "One\n\na     b\nx  1.50\n\nTwo\n\n    c\n1,000\n\nFound.\n"
    assert "**Two**" in section.drawn(pipes, "**{}**")


def test_ways_take_turns_and_a_ratio_is_of_the_same_round() -> None:
    order: list[str] = []

    def way(name: str, factor: float) -> float:
        order.append(name)
        return factor * len(order)

    noted = {name: partial(way, name, factor) for name, factor in (("one", 1.0), ("other", 2.0))}
    taken = run_in_turn(noted, 3)
    assert order == ["one", "other"] * 4
    assert taken == {"one": [3.0, 5.0, 7.0], "other": [8.0, 12.0, 16.0]}
    assert ratio([1.0, 2.0, 30.0], [1.0, 1.0, 10.0]) == 2.0


def test_the_page_on_speed_can_be_refreshed(root: Path) -> None:
    page = root / "benchmarks" / "results" / "speed.md"
    assert set(keys_of(page)) == {
        "figures", "jails", "load", "soak", "platform rate", "tables of persons", "traffic", "traffic soak",
    }  # fmt: skip
    assert all(f"| {way.name} |" in page.read_text(encoding="utf-8") for way in ways.WAYS)


# Every benchmark can be imported as its users run it, and prints its help.


# One process imports what they share once.
HELP = """
import runpy, sys
for name in sys.argv[1:]:
    sys.argv = [name, "--help"]
    try:
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        assert end.code == 0, (name, end.code)
    else:
        raise AssertionError(f"{name} ran instead of printing its help")
"""


def commands(root: Path) -> list[str]:
    named = {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__main__")
        for path in (root / "benchmarks").rglob("*.py")
        if 'if __name__ == "__main__"' in path.read_text(encoding="utf-8")
    }
    return sorted(named - {"benchmarks.worker"})  # which `benchmarks` starts itself


@pytest.mark.long("tests of tools: imports each benchmark in a process of its own")
def test_every_benchmark_can_be_imported_and_prints_its_help(root: Path) -> None:
    names = commands(root)
    assert {"benchmarks", "benchmarks.soak", "benchmarks.traffic"} <= set(names)
    result = subprocess.run(
        [sys.executable, "-c", HELP, *names], cwd=root, capture_output=True, text=True, check=False, timeout=300
    )
    assert result.returncode == 0, result.stderr
    assert [name for name in names if f"usage: python -m {name} " not in result.stdout] == []
