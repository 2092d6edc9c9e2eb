"""Tables and archives of tournaments and ladders: whole, harmless in spreadsheets, and never ahead of the pages."""

import csv
import io
import json
import re
import time
from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
import time_machine
from flask import Flask
from sqlalchemy import update
from tests.kits import ladder_kit, models, pages_kit, tournaments_kit
from tests.kits.core_kit import GAME, KINDS, NOON, ON_POSTGRESQL, Platform, a_small_platform

from gangland_ladder.proof import archive_files, archives, proving, result_forms
from gangland_ladder.proof.archive_matches import block_results
from gangland_ladder.rating import final_standings, result_files
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.app import create_app
from gangland_web.base.formats import Format, Row, day_text, encode_table
from gangland_web.queries.exports import ROWS, NoTable, Span, TableKind, open_table
from gangland_web.services.ladder_days import today
from gangland_web.settings import Settings

platform = pytest.fixture(a_small_platform, params=KINDS)
TABLES = ("matches", "games", "standings", "ratings")


@pytest.fixture
def site(platform: Platform, tmp_path: Path) -> Flask:
    settings = Settings(tmp_path, None, None, None, secret_key="for tests only")
    return create_app(settings, database=platform.database)


@ON_POSTGRESQL
def test_a_tournaments_files_say_what_its_page_says(platform: Platform, site: Flask, tmp_path: Path) -> None:
    number = tournaments_kit.play_tournament(platform, blocks=6)
    stranger = site.test_client()
    page = stranger.get(f"/tournaments/{number}").text
    (tmp_path / "cup.tar").write_bytes(stranger.get(f"/tournaments/{number}/archive.tar", buffered=True).data)
    archived = archive_files.read_archive(tmp_path / "cup.tar")
    lines = rows(platform, tournaments_kit.seen(platform, number), TableKind.STANDINGS)

    blocks = [each for one in archived.matches() for each in block_results(one.match.entries, _places(one.match))]
    assert archived.standings == final_standings.standings(blocks, [each.id for each in archived.entries]).to_json()
    shown = stranger.get(f"/tournaments/{number}/standings.json").get_json()
    assert {name: shown[name] for name in ("level", "holds", "podium", "top")} == {
        name: archived.standings[name] for name in ("level", "holds", "podium", "top")
    }
    cells = re.findall(
        r'<td class="rank">(\d+)</td>\s*<th scope="row"><bdi>([^<]+)</bdi></th>\s*<td class="num">([\d-]+)</td>', page
    )
    names = {each.id: each.name for each in archived.entries}
    result = archived.standings["rows"]
    assert cells == [(str(row["rank"]), names[row["entry"]], row["range"]) for row in result]
    assert [(line["rank"], line["bot"], line["best"], line["next_below"]) for line in lines] == [
        (str(row["rank"]), names[row["entry"]], _cell(row["best"]), _cell(row["next_below"])) for row in result
    ]
    winners = [names[row["entry"]] for row in result if row["rank"] == result[0]["rank"]]
    named = ", ".join(f"<strong><bdi>{name}</bdi></strong>" for name in winners)
    assert f"{'Winner' if len(winners) == 1 else 'Shared first place'}: {named}" in page
    podium, sure = page[: page.index("How sure is this?")], page[page.index("How sure is this?") :]
    probable = f"{result[0]['best']:.0%}"
    assert probable not in podium
    assert f'<td class="num">{probable}</td>' in sure or result[0]["best"] > 0.995


def _places(match: archives.Match) -> list[list[Fraction]]:
    return [[Fraction(*place) for place in score.block_places] for score in match.scores]


def _cell(value: float | None) -> str:
    return "" if value is None else str(value)


def rows(
    platform: Platform, found: models.Tournament, what: TableKind, span: Span | None = None
) -> list[dict[str, str]]:
    text = b"".join(open_table(platform.database, found, what, span).pieces(Format.CSV)).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def as_admin(site: Flask, platform: Platform) -> pages_kit.Person:
    boss = pages_kit.Site(site, platform.database).person("Boss")
    platform.execute(update(models.User).values(role="admin"))
    return boss


def test_matches_and_games_have_a_row_for_each_seat_and_each_form_says_the_same(platform: Platform) -> None:
    number = tournaments_kit.begin_tournament(platform, seats=3)
    found = tournaments_kit.seen(platform, number)
    before = rows(platform, found, TableKind.MATCHES)
    assert {row["state"] for row in before} == {"scheduled"}
    assert {row["mean_place"] for row in before} == {""}
    assert rows(platform, found, TableKind.GAMES) == []
    platform.play_all()
    platform.recorder.schedule()
    found = tournaments_kit.seen(platform, number)
    matches, games = rows(platform, found, TableKind.MATCHES), rows(platform, found, TableKind.GAMES)
    assert (len(matches), len(games)) == (4 * 3, 4 * 2 * 3 * 3)
    for row in matches:
        theirs = [game for game in games if (game["match"], game["entry"]) == (row["match"], row["entry"])]
        assert sum(float(game["luck"]) for game in theirs) / 6 == pytest.approx(float(row["luck"]))
        assert row["state"] == "done"
        assert float(row["sigma_after"]) < float(row["sigma_before"])  # mu may stay: all may be level
    for name in TABLES:
        what = TableKind(name)
        texts = {form: b"".join(open_table(platform.database, found, what).pieces(form)).decode() for form in Format}
        lines = [json.loads(line) for line in texts[Format.NDJSON].splitlines()]
        whole = json.loads(texts[Format.JSON])
        cells = list(csv.DictReader(io.StringIO(texts[Format.CSV], newline="")))
        assert (whole["rows"], whole["schema"].endswith(f"{name}/1")) == (lines, True)
        assert len(cells) == len(lines) > 0
        for cell, line in zip(cells, lines, strict=True):
            assert tuple(cell) == tuple(line) == ROWS[what].__struct_fields__
            assert cell == {column: in_csv(value) for column, value in line.items()}
    table = rows(platform, found, TableKind.RATINGS)
    wanted = {int(row["entry"]): (float(row["mu"]), float(row["sigma"])) for row in table}
    for form, first in product(Format, (1, 3)):
        data = b"".join(open_table(platform.database, found, TableKind.MATCHES, Span(first=first)).pieces(form))
        results = result_files.Results()
        for at, line in result_forms.lines_of(data.splitlines(keepends=True)):
            results.add(at, line)
        rated = {row.entry: (row.rating.mu, row.rating.sigma) for row in results.ratings().rows}
        assert rated == {entry: wanted[int(entry)] for entry in rated}
        assert len(rated) >= 3


def in_csv(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "", True: "true", False: "false"}[value]
    return str(value)


@time_machine.travel(NOON, tick=True)
def test_a_ladders_matches_are_read_by_numbers_or_day(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gangland_web.queries.exports.MATCH_WINDOW", 2)
    monkeypatch.setattr("gangland_web.queries.exports.GAME_WINDOW", 2)
    platform.recorder.schedule()
    platform.play_all()
    found = ladder_kit.a_ladder(platform)
    every = rows(platform, found, TableKind.MATCHES)
    assert [int(row["number"]) for row in every] == [number for number in range(1, 7) for _ in range(2)]
    assert [int(row["number"]) for row in rows(platform, found, TableKind.MATCHES, Span(3, 4))] == [3, 3, 4, 4]
    assert rows(platform, found, TableKind.MATCHES, Span(day=today())) == every
    assert rows(platform, found, TableKind.MATCHES, Span(day=today() + 1)) == []
    assert len(rows(platform, found, TableKind.GAMES, Span(2, 6))) == 5 * 2 * 2
    ranks = [row["rank"] for row in rows(platform, found, TableKind.RATINGS)]
    assert (ranks[0], len(ranks)) == ("1", 4)
    with pytest.raises(NoTable, match="never ends"):
        open_table(platform.database, found, TableKind.STANDINGS)


def test_no_text_is_a_formula_in_a_spreadsheet_and_what_cannot_be_seen_is_a_mark_in_every_form() -> None:
    for name in ("=1+1", "+cmd|' /C calc'!A0", "-2", "@SUM(A1)", " =1", "\t=1"):
        row: Row = {"bot": name, "luck": -0.5}
        text = b"".join(encode_table(Format.CSV, "matches", ("bot", "luck"), [row])).decode()
        (read,) = csv.DictReader(io.StringIO(text, newline=""))
        assert read["bot"].startswith("'"), name
        assert read["luck"] == "-0.5"
    for form in Format:
        text = b"".join(encode_table(form, "matches", ("bot",), [{"bot": "a\u202eb"}])).decode()
        assert "\u202e" not in text
        assert "a\N{REPLACEMENT CHARACTER}b" in text


def test_a_spreadsheet_is_given_marks_and_times_as_it_expects_them() -> None:
    row: Row = {"bot": "Zoë", "at": "2027-03-01T10:00:00Z", "house": True, "luck": None}
    pieces = encode_table(Format.CSV, "matches", tuple(row), [row], spreadsheet=True)
    assert b"".join(pieces) == "\ufeffbot,at,house,luck\r\nZoë,2027-03-01 10:00:00,TRUE,\r\n".encode()


def addresses(number: int) -> Iterator[str]:
    for name in TABLES:
        for form in Format:
            yield f"/tournaments/{number}/{name}.{form}"
    yield f"/tournaments/{number}/archive.tar"


def test_under_an_embargo_tables_and_archive_are_for_organizers_alone(site: Flask, platform: Platform) -> None:
    number = tournaments_kit.make(platform)
    stranger = site.test_client()
    for moves in ((), (State.ANNOUNCED, State.OPEN, State.FROZEN)):
        tournaments_kit.go(platform, number, *moves)
        assert {stranger.get(address, buffered=True).status_code for address in addresses(number)} == {404}
    tournaments_kit.go(platform, number, State.PLAYING)
    platform.play_all()
    platform.recorder.schedule()
    assert {stranger.get(address, buffered=True).status_code for address in addresses(number)} == {200}
    platform.change(models.Tournament, number, embargo_until=time.time() + 3600)
    assert {stranger.get(address, buffered=True).status_code for address in addresses(number)} == {404}
    boss = as_admin(site, platform)
    assert {boss.get(address).status_code for address in addresses(number)} == {200}
    trials = next(t for t in range(1, 20) if tournaments_kit.seen(platform, t).kind != "tournament")
    assert {boss.get(address).status_code for address in addresses(trials)} == {404}


def test_a_tournaments_archive_holds_a_secret_once_public(site: Flask, platform: Platform, tmp_path: Path) -> None:
    number = tournaments_kit.play_tournament(platform)
    file = tmp_path / "cup.tar"
    for state in (None, State.REVEALED):
        if state is not None:
            tournaments_kit.go(platform, number, state)
        answer = site.test_client().get(f"/tournaments/{number}/archive.tar", buffered=True)
        assert answer.headers["Content-Disposition"] == f'attachment; filename="gangland-tournament-{number}.tar"'
        file.write_bytes(answer.data)
        archive = archive_files.read_archive(file)
        assert (archive.tournament.secret is not None) == (state is not None)
        assert proving.prove(archive).findings == []
        secret = tournaments_kit.seen(platform, number).secret
        assert (secret.hex().encode() in answer.data) == (state is not None)


def test_a_fault_is_named_in_exports_and_its_words_are_the_owners(site: Flask, platform: Platform) -> None:
    number, version = tournaments_kit.begin_with_anns_bot(platform)
    platform.play_all(failing=platform.seat_of(version))
    stranger = site.test_client()
    for address in addresses(number):
        assert b"it broke" not in stranger.get(address, buffered=True).data
    games = rows(platform, tournaments_kit.seen(platform, number), TableKind.GAMES)
    assert {(row["bot"], row["fault"]) for row in games if row["fault"]} == {("newcomer", "crashed")}


@ON_POSTGRESQL
def test_a_day_of_a_ladder_is_proven_once_it_is_revealed(site: Flask, platform: Platform, tmp_path: Path) -> None:
    stranger = site.test_client()
    file = tmp_path / "day.tar"
    promises, answers = {}, []
    with time_machine.travel(NOON, tick=True) as clock:
        day = today()
        for later in range(2):
            platform.recorder.schedule()
            platform.play_all()
            early = stranger.get(f"/ladders/{GAME}/2/{day_text(day + later)}.tar", buffered=True)
            assert early.status_code == 404
            assert "published when the day is over" in early.text
            clock.shift(timedelta(days=1))
        platform.recorder.schedule()
        for later in range(2):
            answer = stranger.get(f"/ladders/{GAME}/2/{day_text(day + later)}.tar", buffered=True)
            assert answer.status_code == 200, answer.text
            file.write_bytes(answer.data)
            archive = archive_files.read_archive(file)
            answers.append(answer.data)
            listed = stranger.get(f"/ladders/{GAME}/2/days.json", buffered=True).text
            promises = {row["day"]: row for row in json.loads(listed)["rows"]}
            result = promises[day_text(day + later)]
            proof = proving.prove(archive, announced=result["commitment"])
            assert (proof.findings, proof.matches) == ([], result["matches"])
            assert archive.tournament.dice == "seated"
            assert result["secret"] == archive.tournament.secret
            assert (len({entry.start for entry in archive.entries}) > 1) == bool(later)
        assert promises[day_text(day + 2)]["secret"] is None
    assert all(ladder_kit.a_ladder(platform).secret.hex().encode() not in each for each in answers)


ADDRESSES = {
    f"/ladders/{GAME}/2/matches.csv": 400, f"/ladders/{GAME}/2/matches.csv?from=1": 400,
    f"/ladders/{GAME}/2/matches.csv?from=1&to=x": 400, f"/ladders/{GAME}/2/matches.csv?day=2027-13-01": 404,
    f"/ladders/{GAME}/2/2027-01-01.tar": 404, f"/ladders/{GAME}/2/today.tar": 404,
    f"/ladders/{GAME}/9/ratings.csv": 404, "/ladders/chess/2/ratings.csv": 404, f"/ladders/{GAME}/2/ratings.xml": 404,
    "/tournaments/99/matches.csv": 404, f"/ladders/{GAME}/2/matches.csv?from=1&to=4": 200,
    f"/ladders/{GAME}/2/games.ndjson?day=2027-01-01": 200, f"/ladders/{GAME}/2/ratings.json": 200,
}  # fmt: skip


def test_an_address_asking_too_much_is_told(site: Flask, platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gangland_web.queries.exports.MAX_MATCHES", 4)
    platform.recorder.schedule()
    stranger = site.test_client()
    assert {address: stranger.get(address, buffered=True).status_code for address in ADDRESSES} == ADDRESSES
    refused = stranger.get(f"/ladders/{GAME}/2/matches.json?from=1&to=5", buffered=True)
    assert (refused.status_code, "at most 4" in refused.text) == (400, True)


def test_the_documentation_names_every_column(root: Path) -> None:
    page = (root / "docs" / "exports.md").read_text(encoding="utf-8")
    for what, model in ROWS.items():
        columns = model.__struct_fields__
        part = page.partition(f"## {what.value.capitalize()}")[2].partition("\n## ")[0]
        assert [column for column in columns if f"`{column}`" not in part] == [], what
