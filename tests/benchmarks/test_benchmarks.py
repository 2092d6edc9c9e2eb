"""`python -m benchmarks` measures what it says: every way plays, and frameworks that are not there are named."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from benchmarks.__main__ import arguments, run
from benchmarks.hand_tuned import Player
from benchmarks.jails.tables import TableFigures
from benchmarks.parts import Part
from benchmarks.peers.proof import proven
from benchmarks.peers.vectors import LENGTH, dice_decision, limits, vector
from benchmarks.playing import random_players, seed, utilities
from benchmarks.report import PARTS, Report, marks
from benchmarks.ways import WAYS

from benchmarks import measuring
from gangland.chance import SeededChance
from gangland.game import Game
from gangland.games import GAME_NAMES, game_named

TINY = ["--rounds", "1", "--round-s", "0.001", "--seats", "2"]


def play_by_views(game: Game[Any], players: list[Player], number: int) -> tuple[int, list[float], list[list[int]]]:
    """Play a game at random; return its decisions, what the seats got, and every observation as numbers."""
    chance, seen = SeededChance(seed(number)), []
    state, _ = game.start(len(players), game.options({}), chance)
    while questions := game.pending(state):
        decisions: dict[int, Any] = {}
        for question in questions:
            view = game.observe(state, question.seat)
            seen.append(vector(game.name, view))
            choices = game.choices(state, question.seat)
            decisions[question.seat] = choices[players[question.seat](view, len(choices))]
        state, _ = game.resolve(state, decisions, chance)
    outcome = game.outcome(state)
    assert outcome is not None
    return len(seen), utilities(outcome), seen


def test_every_way_that_needs_no_framework_is_measured() -> None:
    report = run(arguments(["--only", "engine", "--only", "parts", "--game", "gang-of-dice", *TINY]))

    tables = json.loads(report.json())["tables"]
    assert [row["way"] for row in tables["Figures"]] == [way.name for way in WAYS if not way.peer]
    assert all(row["games_per_s"] > 0 for row in tables["Figures"])
    assert [row["of_engine"] for row in tables["Figures"] if row["way"] == "engine"] == [1]
    assert all(row["decision_us"] > 0 for row in tables["Part"])
    assert report.missing == {}
    for text in (report.text(), report.markdown()):
        assert all(way.name in text for way in WAYS if not way.peer)


def test_matches_are_measured_trusted_and_jailed() -> None:
    report = run(arguments(["--only", "matches", "--game", "gang-of-dice", *TINY]))

    rows = json.loads(report.json())["tables"]["MatchFigures"]
    assert [row["way"] for row in rows] == ["bots in process", "trusted match", "jailed match"]
    assert all(row["games_per_s"] > 0 for row in rows)


@pytest.mark.parametrize(
    ("python", "reason"),
    [(Path("nowhere/python"), "make bench"), (Path(sys.base_prefix) / "bin" / "python3", "No module named")],
    ids=["no environment", "no framework in it"],
)
def test_frameworks_that_are_not_installed_are_named_and_the_rest_is_measured(
    monkeypatch: pytest.MonkeyPatch, python: Path, reason: str
) -> None:
    monkeypatch.setattr(measuring, "PEERS_PYTHON", python)

    report = run(arguments(["--only", "peers", "--game", "gang-of-dice", *TINY]))

    assert set(report.missing) == {way.name for way in WAYS if way.peer}
    assert all(reason in why for why in report.missing.values())
    assert all(f"Not measured: {name}" in report.text() for name in report.missing)
    assert [row["way"] for row in json.loads(report.json())["tables"]["Figures"]] == ["hand-tuned loop", "engine"]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", GAME_NAMES)
def test_an_observation_in_numbers_is_always_as_long(name: str, seats: int) -> None:
    game = game_named(name)
    players = random_players(seats)

    lengths = {len(numbers) for number in range(5) for numbers in play_by_views(game, players, number)[2]}

    assert lengths == {LENGTH[name](seats)}


@pytest.mark.parametrize("name", GAME_NAMES)
def test_a_framework_is_measured_only_if_it_plays_as_the_engine_does(name: str) -> None:
    def honest(game: Game[Any], seats: int, number: int) -> tuple[int, list[float]]:
        return play_by_views(game, random_players(seats), number)[:2]

    def forgetful(game: Game[Any], seats: int, number: int) -> tuple[int, list[float]]:
        decisions, rewards = honest(game, seats, number)
        return decisions - 1, rewards

    def partial(game: Game[Any], seats: int, number: int) -> tuple[int, list[float]]:
        return honest(game, seats, number)[0], [0.0] * seats

    assert proven(honest, name, 3)(range(2)) > 0
    for dishonest in (forgetful, partial):
        with pytest.raises(RuntimeError, match="does not play"):
            proven(dishonest, name, 3)


def test_six_numbers_of_dice_stand_for_a_decision_of_gang_of_dice() -> None:
    before, rolled = SimpleNamespace(dice=(), pool=48), SimpleNamespace(dice=(0, 2, 2), pool=45)

    assert limits(before) == [47, 0, 0, 0, 0, 0]
    assert dice_decision(limits(before), rerolls=False) == before.pool
    assert limits(rolled) == [1, 0, 2, 0, 0, 0]
    assert dice_decision(limits(rolled), rerolls=True) == rolled.dice
    assert dice_decision([0, 0, 1, 0, 0, 0], rerolls=True) == (2,)


def test_tables_are_put_between_the_marks_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "speed.md"
    page.write_text("before\n<!-- figures -->\nold\n<!-- end of figures -->\nafter\n", encoding="utf-8")
    report = Report({Part: [Part("gang-of-dice", 2, "observe", 1.25)]}, {"OpenSpiel": "not there"})

    report.into(page)

    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n<!-- figures -->\n")
    assert text.endswith("<!-- end of figures -->\nafter\n")
    assert "| gang-of-dice | 2 | observe | 1.25 |" in text
    assert "Not measured: OpenSpiel (not there)" in text
    assert "old" not in text


def test_figures_of_jails_have_a_part_of_the_page_of_their_own(tmp_path: Path) -> None:
    page = tmp_path / "speed.md"
    page.write_text("<!-- figures -->\nold\n<!-- end of figures -->\n<!-- jails -->\n<!-- end of jails -->\n", "utf-8")

    Report({TableFigures: [TableFigures("gang-of-dice", 2, 100.0, 190.0, 1.9)]}, {"nsjail": "not there"}).into(page)

    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!-- figures -->\nold\n<!-- end of figures -->\n<!-- jails -->\n")
    assert "| gang-of-dice | 2 | 100 | 190 | 1.90 |" in text
    assert "Not measured: nsjail (not there)" in text


def test_a_page_without_marks_is_left_as_it_is(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("no marks", encoding="utf-8")

    with pytest.raises(ValueError, match="no marks"):
        Report({}, {}).into(page)

    assert page.read_text(encoding="utf-8") == "no marks"


def test_the_page_on_speed_can_be_refreshed(root: Path) -> None:
    text = (root / "benchmarks" / "results" / "speed.md").read_text(encoding="utf-8")

    for part in PARTS:
        begin, end = marks(part)
        assert text.index(begin) < text.index(end)
    assert all(f"| {way.name} |" in text for way in WAYS)
