"""Pages over many matches: lists by the page, and no statement that reads or sorts a whole table."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from benchmarks.fill.site import SiteSize, fill
from flask import Flask
from sqlalchemy import event, text
from sqlmodel import Session, col, select
from tests.kits.postgres_kit import new_database

from gangland_web.app import create_app
from gangland_web.models import columns, tournaments
from gangland_web.models.bots import Version
from gangland_web.models.database import Database, migrate
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.queries import bot_figures, bots, ladders, match_lists, matches
from gangland_web.settings import Settings, sqlite_url
from gangland_web.web.caching import Pages

GAME = "gang-of-dice"
BOT = 20  # in its second version, with entries of both
SMALL = {
    "tournaments",
    "setup_codes",
    "ladder_days",
    "records",
    "ladder_records",
    "worker_hosts",
    "audits",
    "audit_differences",
}
"""Tables that stay so; audits are 2% of the matches, and one page counts them all."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("filled")
    database = Database(sqlite_url(folder) if request.param == "sqlite" else new_database(migrate))
    fill(database, SiteSize(bots=150, matches=1500, waiting=40, with_games=900))
    yield database
    database.close()


@pytest.fixture
def app(filled: Database, tmp_path: Path) -> Flask:
    return create_app(Settings(tmp_path, None, None, None, secret_key="for tests only"), database=filled)


def all_of(pages: Iterator[match_lists.MatchList]) -> list[match_lists.ListedMatch]:
    return [row for page in pages for row in page.rows]


def walk(page_at: Callable[[int], match_lists.MatchList]) -> Iterator[match_lists.MatchList]:
    before: int | None = match_lists.MAX_KEY
    while before is not None:
        page = page_at(before)
        yield page
        before = page.next_key


def walk_ladder(db: Session, limit: int) -> Iterator[match_lists.MatchList]:
    ladder = columns.row_id(ladders.get_ladder(db, GAME, 2).id)
    return walk(lambda before: match_lists.matches_of_ladder(db, ladder, limit, before=before))


def walk_bot(db: Session, limit: int) -> Iterator[match_lists.MatchList]:
    entries = [columns.row_id(row.entry.id) for row in bots.ratings_of(db, BOT)]
    return walk(lambda before: match_lists.matches_of_entries(db, entries, limit, before=before))


def test_a_ladders_list_has_every_finished_match_once_latest_first(filled: Database) -> None:
    with filled.read() as db:
        done = db.exec(select(Match.id).where(Match.state == "done").order_by(col(Match.id).desc())).all()
        rows = all_of(walk_ladder(db, 130))
        assert [row.id for row in rows] == list(done)
        assert [row.id for row in match_lists.latest_matches(db, 8)] == list(done)[:8]
    for row in rows:
        assert [seat.mean_place for seat in row.bots] == sorted(seat.mean_place for seat in row.bots)
        assert len(row.bots) == row.seats == 2


@pytest.mark.parametrize("limit", [1, 3, 7, 1000])
def test_a_bots_list_has_the_matches_of_all_its_versions_latest_first(filled: Database, limit: int) -> None:
    with filled.read() as db:
        theirs = select(MatchSeat.match_id).join(tournaments.Entry, col(tournaments.Entry.id) == MatchSeat.entry_id)
        theirs = theirs.join(Version, col(Version.id) == tournaments.Entry.version_id).where(Version.bot_id == BOT)
        done = select(Match.id).where(Match.state == "done", col(Match.id).in_(theirs))
        wanted = db.exec(done.order_by(col(Match.id).desc())).all()
        assert {row.version for row in bots.ratings_of(db, BOT) if row.entry.games} == {1, 2}
        assert [row.id for row in all_of(walk_bot(db, limit))] == list(wanted)
        assert all(BOT in [seat.bot_id for seat in row.bots] for row in all_of(walk_bot(db, limit)))


def test_pages_list_first_the_match_that_was_over_last(filled: Database) -> None:
    with Session(filled.engine) as db:  # rolled back
        db.connection().execute(
            text("UPDATE matches SET done_at = done_at + (number * 37 % 101) * 600 WHERE state = 'done'")
        )
        query = select(Match).where(Match.state == "done").order_by(col(Match.done_at).desc(), col(Match.id).desc())
        done = [columns.row_id(match.id) for match in db.exec(query)]
        assert done != sorted(done, reverse=True)
        ladder = columns.row_id(ladders.get_ladder(db, GAME, 2).id)
        pages = walk(lambda before: match_lists.latest_of_tournament(db, ladder, 130, before=before))
        assert [row.id for row in all_of(pages)] == done
        entries = [columns.row_id(row.entry.id) for row in bots.ratings_of(db, BOT)]
        theirs = {row.id for row in all_of(walk_bot(db, 1000))}
        pages = walk(lambda before: match_lists.matches_by_time(db, entries, 7, before=before))
        assert [row.id for row in all_of(pages)] == [match for match in done if match in theirs]
        foreign = next(match for match in done if match not in theirs)
        assert not match_lists.matches_by_time(db, entries, 7, before=foreign).rows, "it says when that one was over"
        newest = {row.id for row in match_lists.matches_of_entries(db, entries, match_lists.PAGE_SIZE).rows}
        latest = match_lists.latest_of_entries(db, entries, 5)
        assert [row.id for row in latest] == [match for match in done if match in newest][:5]


def test_a_match_that_is_void_by_now_is_listed_nowhere(filled: Database) -> None:
    with Session(filled.engine) as db:  # rolled back
        second = next(walk_bot(db, 3)).rows[1].id
        db.connection().execute(
            text("UPDATE matches SET state = 'void', void_reason = 'so', digest = NULL, sent_at = NULL WHERE id = :id"),
            {"id": second},
        )
        rows = all_of(walk_bot(db, 3))
        assert second not in [row.id for row in [*rows, *all_of(walk_ladder(db, 1000))]]
        assert len(rows) > 3


def test_a_bots_page_names_its_latest_faults(filled: Database) -> None:
    with filled.read() as db:
        chosen = select(MatchSeat).where(MatchSeat.faults > 0, MatchSeat.match_id > 560)
        seats = db.exec(chosen.order_by(col(MatchSeat.match_id).desc())).all()
        assert seats
        for seat in seats:
            found = matches.recent_faults(db, {seat.entry_id: 7}, matches=1)
            assert (found[0].match_id, found[0].version, found[0].fault["kind"]) == (seat.match_id, 7, "crashed")


def test_a_bots_history_runs_from_its_first_match_to_its_last_and_skips_none(filled: Database) -> None:
    with filled.read() as db:
        entries = {columns.row_id(row.entry.id): row.version for row in bots.ratings_of(db, BOT) if row.seats == 2}
        chosen = select(MatchSeat).where(col(MatchSeat.entry_id).in_(entries), col(MatchSeat.mu_after).is_not(None))
        seats = {(seat.match_id, entries[seat.entry_id]): seat for seat in db.exec(chosen)}
        points = bot_figures.history_of(db, entries)
        assert [point.match for point in points] == sorted(point.match for point in points)
        assert {point.version for point in points} == {1, 2}
        assert (points[0].match, points[-1].match) == (min(seats)[0], max(seats)[0])
        for point in points:
            seat = seats[point.match, point.version]
            assert (point.mu, point.sigma) == (seat.mu_after, seat.sigma_after)
        assert len(points) > len(seats) / 2


def test_head_to_head_counts_every_rated_match_of_a_version_once(filled: Database) -> None:
    with filled.read() as db:
        row = next(row for row in bots.ratings_of(db, BOT) if row.seats == 2 and row.entry.games)
        entry, games = columns.row_id(row.entry.id), row.blocks * 2
        rivals, total = bot_figures.rivals_of(db, entry, 2, games)
        assert bot_figures.rivals_of(db, entry, 2, games, 3) == (rivals[:3], total)
        assert total == len(rivals) > 3
        mine = db.exec(select(MatchSeat).where(MatchSeat.entry_id == entry, col(MatchSeat.mu_after).is_not(None))).all()
        assert sum(rival.matches for rival in rivals) == len(mine) > 5
        assert sum(rival.won + rival.shared for rival in rivals) == sum(seat.wins for seat in mine)
        assert sum(rival.faulty_matches for rival in rivals) == sum(seat.faults > 0 for seat in mine)
        for rival in rivals:
            assert rival.won + rival.shared + rival.lost == rival.matches * games
            assert rival.mean_place + rival.their_mean_place == pytest.approx(3)
        played = bot_figures.played_matches(db, entry)
        assert [one.match for one in played] == sorted(seat.match_id for seat in mine)
        observed = bot_figures.games_of_entry(db, entry, len(played))
        kept = set(db.exec(select(PlayedGame.match_id)).all())
        assert {game.match for game in observed} == {one.match for one in played} & kept
        assert 0 < len({one.match for one in played} - kept) < len(played)
        assert {game.seat for game in observed} == {0, 1}


def test_lists_are_walked_by_their_links(app: Flask) -> None:
    for path in (f"/{GAME}/watch?seats=2", f"/bots/{BOT}/games"):
        observed: list[str] = []
        while path:
            page = app.test_client().get(path).text
            observed += re.findall(r">Match (\d+)</a>", page)
            before, more, _ = page.partition('" rel="next"')
            path = before.rpartition('href="')[2].replace("&amp;", "&") if more else ""
        assert observed == sorted(set(observed), key=int, reverse=True)
        assert len(observed) > 15


def test_a_list_of_what_is_not_there_is_not_found_nor_begins_it_at_what_is_no_number(app: Flask) -> None:
    for path in ("/poker/watch", "/bots/999999/games"):
        assert app.test_client().get(path).status_code == 404
    for path in (f"/{GAME}/watch", f"/bots/{BOT}/games"):
        for before in ("", "-1", "x", "1.5", "²", "9" * 12):
            answer = app.test_client().get(path, query_string={"before": before})
            assert answer.status_code == 400, (path, before)


SORTED_BY_AN_INDEX = [
    f"/{GAME}/leaderboard", f"/{GAME}/leaderboard?after=1.5:60", f"/{GAME}/leaderboard?before=1.5:60",
    f"/ladders/{GAME}.json", "/",
]  # fmt: skip
MERGED = [
    "/status", *(f"/{GAME}/watch", f"/{GAME}/watch?before=700"),
    *(f"/bots/{BOT}{tab}" for tab in ("", "/games", "/versions", "/analysis", "/rivals.csv")),
]  # fmt: skip
"""These sort, too: a page's rows, at most some for each version of a bot, or a count for each queue."""


def plan(database: Database, statement: str, given: Any) -> Sequence[str]:
    """Return a database's plan for a statement on large tables."""
    with database.engine.connect() as connection:
        if database.engine.dialect.name == "sqlite":
            return [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)]
        for way in ("seqscan", "bitmapscan", "sort", "hashjoin"):
            connection.exec_driver_sql(f"SET LOCAL enable_{way} = off")
        return [row[0] for row in connection.exec_driver_sql(f"EXPLAIN (COSTS OFF) {statement}", given)]


@pytest.mark.parametrize("path", [*SORTED_BY_AN_INDEX, *MERGED])
def test_no_page_reads_a_whole_table(app: Flask, filled: Database, path: str) -> None:
    sent: list[tuple[str, Any]] = []

    def keep(_connection: object, _cursor: object, statement: str, given: Any, *_rest: object) -> None:
        sent.append((statement, given))

    app.extensions["gangland_pages"] = Pages()
    event.listen(filled.engine, "before_cursor_execute", keep)
    assert app.test_client().get(path).status_code == 200
    event.remove(filled.engine, "before_cursor_execute", keep)
    requested = [(statement, given) for statement, given in sent if statement.startswith("SELECT")]
    assert requested
    for statement, given in requested:
        steps = plan(filled, statement, given)
        read = {found for step in steps for found in re.findall(r"(?:^SCAN|Seq Scan on) (\w+)", step)}
        assert {name for name in read if name in filled.metadata.tables} <= SMALL, steps
        if path in SORTED_BY_AN_INDEX and "setup_codes" not in statement:
            assert not [step for step in steps if "TEMP B-TREE" in step or "Sort Key" in step], steps
