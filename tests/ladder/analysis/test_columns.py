"""Recorded games as tables: what is in them, where they come from, and what is left out."""

import json
import re
import sys
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyarrow import parquet
from tests.contract import players, run
from tests.kits import bots_kit, command_kit

from gangland.games import GAME_NAMES, game_named
from gangland.luck import luck_of
from gangland.replay import Replay, ReplayError, expand
from gangland_ladder import round_robin
from gangland_ladder.analysis.columns import TABLES, Format, LoadedGame, rows_of, write_columns
from gangland_ladder.proof.archive_files import read_archive

KINDS = {"int": "int64", "float": "double", "bool": "bool", "text": "string", "ints": "list<element: int64>"}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ladder")
    for name, source in {"steady": bots_kit.GOOD, "chancy": bots_kit.CHANCY, "greedy": bots_kit.GREEDY}.items():
        (folder / f"{name}.py").write_text(source)
    round_robin([folder], blocks=1, seed=5, trusted=True, archive=folder / "ladder.tar")
    return folder / "ladder.tar"


def a_game(name: str, number: int, seats: int = 3, fails: float = 0.0) -> Replay:
    played, _, _ = players.play_watched(run.Table(name, seats, {}), number, [fails] + [0.0] * (seats - 1))
    return played.replay


def table(file: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = parquet.read_table(file).to_pylist()
    return rows


def test_an_archive_comes_as_replays_and_two_typed_tables(archive: Path, tmp_path: Path) -> None:
    ran = command_kit.gangland("import", archive, "--into", tmp_path / "new" / "cup", "--json")

    document = ran.document
    replays, seats, decisions = map(Path, document["files"])
    assert (ran.code, document["games"], document["found"]) == (0, 6, 0)
    lines = replays.read_text().splitlines()
    games = [game for played in read_archive(archive).matches() for game in played.games]
    assert [json.loads(line)["replay"] for line in lines] == [json.loads(bytes(game.replay)) for game in games]
    assert all(
        line.endswith(f'"replay":{bytes(game.replay).decode()}}}') for line, game in zip(lines, games, strict=True)
    )
    for file, columns in ((seats, TABLES["seats"]), (decisions, TABLES["decisions"])):
        found = parquet.read_schema(file)
        assert [(each.name, str(each.type)) for each in found] == [(each.name, KINDS[each.kind]) for each in columns]
    rows = table(seats)
    assert document["seats"] == len(rows) == 12
    assert [seat["bot"] for line in lines for seat in json.loads(line)["seats"]] == [row["bot"] for row in rows]
    assert [row["place"] for row in rows] == [place for game in games for place in game.places]
    assert [row["luck"] for row in rows] == [luck for game in games for luck in game.luck]
    assert [(row["match"], row["block"], row["rotation"]) for row in rows[::2]] == [
        (game.match, game.block, game.rotation) for game in games
    ]
    assert {row["fault"] for row in rows if row["bot"] == "greedy"} == {"illegal"}
    assert {row["fault"] for row in rows if row["bot"] != "greedy"} == {None}
    assert {row["code"] for row in rows if row["bot"] == "steady"} == {sha256(bots_kit.GOOD.encode()).hexdigest()}
    requested = table(decisions)
    assert document["decisions"] == len(requested) == sum(row["asked"] for row in rows)
    failed = [row for row in requested if row["failed"]]
    assert {row["bot"] for row in failed} == {"greedy"}
    assert {row["decision"] for row in failed} == {None}
    assert not list(seats.parent.glob("*.part"))


@pytest.mark.parametrize("name", GAME_NAMES)
def test_the_rows_of_a_game_are_what_was_seen_asked_and_answered(name: str) -> None:
    replay = a_game(name, 3)

    rows = rows_of(LoadedGame(replay, ("ann", "bob", "cy")), 9)

    recorded = [row for row in rows.decisions if row["number"] is not None]
    assert [json.loads(row["decision"]) for row in recorded] == replay.to_dict()["decisions"]
    answers = [(step, answer) for step in expand(replay) for answer in step.answers]
    game = game_named(name)
    for row, (step, answer) in zip(recorded, answers, strict=True):
        view: Any = game.observe(step.before, answer.seat)
        assert (row["round"], row["seat"], row["method"]) == (step.round, answer.seat, f"choose_{answer.kind}")
        assert row["legal"] == len(game.choices(step.before, answer.seat)) > 1
        assert row["bot"] == ("ann", "bob", "cy")[answer.seat]
        if name == "gang-of-dice":
            assert (row["dice"], row["pool"], row["card"]) == (list(view.dice), view.pool, view.card.id)
        else:
            assert (row["hand"], row["stash"]) == (list(view.hand), list(view.dice))
            assert row["others"] == [sum(player.dice) for player in view.opponents]
    assert [row["place"] for row in rows.seats] == list(replay.places)
    assert [row["luck"] for row in rows.seats] == list(luck_of(replay))
    assert {row["game_id"] for row in [*rows.seats, *rows.decisions]} == {9}


def test_every_row_has_the_columns_of_its_table_and_no_others() -> None:
    for name in GAME_NAMES:
        rows = rows_of(LoadedGame(a_game(name, 4, fails=0.1)), 1)
        for each in rows.seats:
            assert set(each) == {column.name for column in TABLES["seats"]}
        for each in rows.decisions:
            assert set(each) <= {column.name for column in TABLES["decisions"]}


def test_both_forms_hold_the_same(tmp_path: Path) -> None:
    games = [LoadedGame(a_game(name, number, fails=0.02)) for name in GAME_NAMES for number in range(2)]
    as_parquet = write_columns(games, tmp_path / "one")
    as_lines = write_columns(games, tmp_path / "other", Format.NDJSON)
    for file, lines in zip(as_parquet, as_lines, strict=True):
        assert table(file) == [json.loads(line) for line in lines.read_text().splitlines()]


def test_a_replay_that_does_not_come_out_is_left_out_and_told(tmp_path: Path) -> None:
    good, bad = a_game("gang-of-dice", 1), a_game("gang-of-dice", 2)
    wrong = bad.to_json().replace(bad.seed, "0" * 64)
    file = tmp_path / "some.ndjson"
    file.write_text("\n".join([good.to_json(), "{}", wrong, good.to_json()]))
    ran = command_kit.gangland("import", file, "--into", tmp_path / "out", "--as", "ndjson", "--json")
    assert ran.code == 1
    assert (ran.document["games"], ran.document["found"]) == (2, 2)
    assert [finding["where"] for finding in ran.document["findings"]] == [f"{file}, line 2", f"{file}, line 3"]
    assert (tmp_path / "out" / "replays.ndjson").read_text() == f"{good.to_json()}\n" * 2
    result = command_kit.gangland("import", file, "--into", tmp_path / "again", "--as", "ndjson")
    assert f"{file}, line 2" in result.err
    assert "2 replays" in result.out


def test_of_an_archive_that_was_changed_nothing_is_imported(archive: Path, tmp_path: Path) -> None:
    text = archive.read_bytes()
    at = text.index(b'"digest":"') + 10
    changed = tmp_path / "changed.tar"
    changed.write_bytes(text[:at] + (b"0" if text[at : at + 1] != b"0" else b"1") + text[at + 1 :])
    ran = command_kit.gangland("import", changed, "--into", tmp_path / "out", "--json")
    assert (ran.code, ran.document["games"], ran.document["files"]) == (1, 0, [])
    assert ran.document["found"] > 0
    assert list((tmp_path / "out").iterdir()) == []


def test_nothing_is_written_over(archive: Path, tmp_path: Path) -> None:
    for name in ("replays.ndjson", "seats.parquet", "decisions.parquet"):
        folder = tmp_path / name.replace(".", "-")
        folder.mkdir()
        (folder / name).write_text("mine")
        ran = command_kit.gangland("import", archive, "--into", folder)
        assert (ran.code, ran.out) == (2, "")
        assert f"{name} already exists" in ran.err
        assert [(file.name, file.read_text()) for file in folder.iterdir()] == [(name, "mine")]


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("nowhere.tar",), "cannot read nowhere.tar"),
        (("-", "-"), "- (stdin) can be given only once"),
        (("some.ndjson", "--commitment", "0" * 64), "need an archive"),
        (("some.ndjson", "--secret", "abc"), "64 hexadecimal digits"),
    ],
)
def test_a_call_that_makes_no_sense_is_told(tmp_path: Path, arguments: tuple[str, ...], output: str) -> None:
    (tmp_path / "some.ndjson").write_text(a_game("gang-of-dice", 1).to_json())
    ran = command_kit.gangland("import", *arguments, "--into", "out", folder=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert output in ran.err
    assert not list(tmp_path.glob("out/*"))


def test_without_the_extra_parquet_says_so_and_lines_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "game.json").write_text(a_game("gang-of-dice", 1).to_json())
    ran = command_kit.gangland("import", "game.json", "--into", "out", folder=tmp_path)
    assert ran.code == 2
    assert "pip install 'gangland[research]'" in ran.err
    assert command_kit.gangland("import", "game.json", "--into", "out", "--as", "ndjson", folder=tmp_path).code == 0


def test_a_game_that_does_not_come_out_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    good, bad = a_game("gang-of-dice", 1), a_game("gang-of-dice", 2)
    wrong = Replay(**{**{name: getattr(bad, name) for name in bad.__slots__}, "seed": "1" * 64})
    with pytest.raises(ReplayError):
        write_columns([LoadedGame(good), LoadedGame(wrong)], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_documentation_names_every_column(root: Path) -> None:
    page = (root / "docs" / "research.md").read_text(encoding="utf-8")
    for name, columns in TABLES.items():
        section = page.split(f"### `{name}`")[1].split("\n### ")[0].split("\n## ")[0]
        rows = re.findall(r"^- (`.+?): ", section, re.MULTILINE)
        assert [named for row in rows for named in re.findall(r"`(\w+)`", row)] == [column.name for column in columns]


def test_many_rows_are_written_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gangland_ladder.analysis.columns._ROWS_AT_ONCE", 7)
    games = [LoadedGame(a_game("gang-of-dice", Random(0).randrange(9)))] * 4
    seats, decisions = write_columns(games, tmp_path)
    assert parquet.ParquetFile(decisions).num_row_groups > 1
    assert [row["game_id"] for row in table(seats)] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
