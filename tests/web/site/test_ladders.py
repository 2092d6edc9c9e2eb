"""Leaderboards by the page: the same order and ranks however they are walked, few statements, nothing stale."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from random import Random

import pytest
from sqlalchemy import Engine, event, text
from tests.kits.core_kit import GAME, KINDS, Platform, a_platform
from tests.kits.models import Bot, Code, Database, Session, Version, row_id
from tests.kits.pages_kit import Person, Site, activate_bot, finished_match

from gangland_web.queries import ladders
from gangland_web.queries.ladders import Key, LadderPage, Window, brackets, ladder_of, ladder_page, ranks_of, read_key
from gangland_web.services.entries import enter
from gangland_web.web.caching import Pages

platform = pytest.fixture(
    a_platform, params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long("the same on the other database"))]
)

LADDER, ROWS = f"/{GAME}/leaderboard", f"/ladders/{GAME}.json"


def stand(database: Database, ratings: Sequence[float], name: str = "bot") -> None:
    with database.write() as session:
        ladder = ladder_of(session, GAME, 2)
        assert ladder is not None
        code = session.merge(Code(sha256="f" * 64, source=b"", size=0)).sha256
        bots = [
            Bot(game=GAME, name=f"{name}{n}", name_key=f"{name}{n}", is_house=True, created_at=0.0)
            for n in range(len(ratings))
        ]
        session.add_all(bots)
        session.flush()
        versions = [
            Version(bot_id=row_id(bot.id), number=1, code_sha256=code, filename="b.py", created_at=0.0) for bot in bots
        ]
        session.add_all(versions)
        session.flush()
        for version, rating in zip(versions, ratings, strict=True):
            entry = enter(session, ladder, row_id(version.id))
            entry.mu, entry.sigma, entry.rating, entry.games = rating + 3, 1.0, rating, 24


def state_of(session: Session) -> ladders.LadderState:
    state = ladders.ladder_state(session, GAME, 2)
    assert state is not None
    return state


def walk(session: Session, size: int) -> list[LadderPage]:
    pages, window = [], Window()
    while True:
        pages.append(ladder_page(session, state_of(session), window, size=size))
        if pages[-1].below is None:
            return pages
        window = pages[-1].below


def rows_of(pages: Sequence[LadderPage]) -> list[ladders.LadderRow]:
    return [row for page in pages for row in page.rows]


def with_ties(count: int) -> list[float]:
    chance = Random(count)
    return [chance.randrange(-4, 4) / 3 for _ in range(count)]


@pytest.mark.parametrize("size", [1, 5, 24, 30])
def test_every_page_size_gives_the_same_rows_ranks_and_order(platform: Platform, size: int) -> None:
    stand(platform.database, with_ties(20))
    with platform.database.read() as session:
        pages = walk(session, size)
        (whole,) = walk(session, 1000)
        rows = rows_of(pages)
        assert rows == list(whole.rows)
        assert len(rows) == len({row.bot for row in rows}) == 24
        assert [row.rank for row in rows] == [1 + sum(o.rating > row.rating for o in rows) for row in rows]
        assert ranks_of(session, state_of(session), [r.entry for r in rows]) == {r.entry: r.rank for r in rows}
        assert {len(page.rows) for page in pages[:-1]} <= {size}
        for before, page in pairwise(pages):
            assert page.above is not None
            assert ladder_page(session, state_of(session), page.above, size=size) == before
        assert pages[0].above is None


@pytest.mark.parametrize("platform", KINDS, indirect=True)
def test_a_page_goes_on_where_the_last_one_ended_when_ratings_have_moved(platform: Platform) -> None:
    stand(platform.database, [10.0 - n for n in range(9)])
    with platform.database.read() as session:
        below = ladder_page(session, state_of(session), size=4).below
    assert below is not None
    platform.execute(text("UPDATE entries SET rating = 20 WHERE rating = 7"))
    with platform.database.read() as session:
        page = ladder_page(session, state_of(session), below, size=4)
        assert [(row.rank, row.rating) for row in page.rows] == [(5, 6.0), (6, 5.0), (7, 4.0), (8, 3.0)]
        assert page.above is not None
        before = ladder_page(session, state_of(session), page.above, size=4)
    assert [(row.rank, row.rating) for row in before.rows] == [(1, 20.0), (2, 10.0), (3, 9.0), (4, 8.0)]


def test_a_page_upwards_has_what_is_there_and_an_older_state_its_own_order(platform: Platform) -> None:
    stand(platform.database, [10.0 - n for n in range(9)])
    with platform.database.read() as session:
        page = ladder_page(session, state_of(session), Window(Key(7.5, 1), upwards=True), size=4)
        assert [(row.rank, row.rating) for row in page.rows] == [(1, 10.0), (2, 9.0), (3, 8.0)]
        assert page.above is None
        assert page.below is not None
        assert ladder_page(session, state_of(session), page.below, size=4).rows[0].rank == 4
        assert ladder_page(session, state_of(session), Window(Key(50.0, 1), upwards=True), size=4).rows == ()
        page = ladder_page(session, state_of(session), Window(Key(-99.0, 1)), size=4)
        assert (page.rows, page.below) == ((), None)
        assert page.above is not None
        assert len(ladder_page(session, state_of(session), page.above, size=4).rows) == 4

    def first_two(session: Session) -> list[tuple[int, float]]:
        return [(row.rank, row.rating) for row in ladder_page(session, state_of(session), size=2).rows]

    with platform.database.read() as older:
        assert first_two(older) == [(1, 10.0), (2, 9.0)]
        with platform.database.write() as session:
            session.connection().execute(text("UPDATE entries SET rating = 20 WHERE rating = 9"))
            assert first_two(session) == [(1, 20.0), (2, 10.0)]
        assert platform.read(first_two) == [(1, 20.0), (2, 10.0)]
        assert first_two(older) == [(1, 10.0), (2, 9.0)]
        assert platform.read(first_two) == [(1, 20.0), (2, 10.0)]


def test_a_key_is_read_as_it_was_written_and_one_that_is_none_refused_with_words(site: Site) -> None:
    for key in (Key(0.1 + 0.2, 7), Key(-26.291, 2**31 - 1), Key(1e-300, 1), Key(0.0, 0)):
        assert read_key(key.text) == key
    for none in ("", "1", "1:", ":1", "nan:1", "inf:1", "1:-1", "1:1.5", "x:1", "1:99999999999", "1:²"):
        for path in (LADDER, ROWS):
            answer = site.stranger().get(path, query_string={"after": none})
            assert (answer.status_code, "as in the links on the page" in answer.text) == (400, True), none
    assert site.stranger().get(f"{LADDER}?after=1:1&before=1:1").status_code == 400


def test_the_twin_and_the_pages_say_where_they_go_on_and_take_few_statements(site: Site) -> None:
    stand(site.database, with_ties(230))
    path, rows, someone = f"{ROWS}?seats=2", [], site.stranger()
    while path:
        answer = someone.get(path).get_json()
        rows += answer["rows"]
        path = answer.get("next", "")
    assert len({row["bot"] for row in rows}) == len(rows) == 230
    assert [row["rank"] for row in rows] == [1 + sum(o["rating"] > row["rating"] for o in rows) for row in rows]
    pages = [someone.page(LADDER)]
    while 'rel="next"' in pages[-1]:
        pages.append(someone.page(link(pages[-1], "next")))
    assert [page.count('<td class="rank">') for page in pages] == [50, 50, 50, 50, 30]
    assert someone.page(link(pages[2], "prev")).count('<td class="rank">') == 50
    assert 'rel="prev"' not in pages[0]
    people = ((site.person("Ann"), 5, 2), (site.stranger(), 3, 1))
    for query in ("", "?after=0.5:40", "?before=0.5:40"):
        for person, made, kept in people:
            person.get(LADDER + query)  # a form's token comes with the first page
            site.app.extensions["gangland_pages"] = Pages()
            with statements(site.database.engine) as sent:
                answer = person.get(LADDER + query)
            assert answer.status_code == 200
            assert len(sent) == made
            with statements(site.database.engine) as sent:
                again = person.get(LADDER + query, headers={"If-None-Match": answer.headers["ETag"]})
            assert (again.status_code, again.data) == (304, b"")
            assert len(sent) == kept
        with statements(site.database.engine) as sent:
            assert site.stranger().get(LADDER + query).status_code == 200
        assert len(sent) == 1


def link(page: str, rel: str) -> str:
    return page.split(f'" rel="{rel}"')[0].rpartition('href="')[2].replace("&amp;", "&")


@contextmanager
def statements(engine: Engine) -> Iterator[list[str]]:
    """Yield the statements sent to a database, without transactions and periodic queries."""
    sent: list[str] = []

    def keep(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if "site_facts" not in statement:
            sent.append(statement)

    event.listen(engine, "before_cursor_execute", keep)
    yield sent
    event.remove(engine, "before_cursor_execute", keep)
    sent[:] = [statement for statement in sent if not statement.startswith("BEGIN")]


def test_a_ladder_says_what_a_bots_last_match_did_to_its_rank_and_leads_authors_to_their_own(site: Site) -> None:
    ann = site.person("Ann")
    bots = [activate_bot(site, "Ann", "anns"), activate_bot(site, None, "houses")]
    match = finished_match(site, bots)
    stand(site.database, [9.0, 3.0, 2.0])
    with site.database.write() as session:
        for bot, rating in zip(bots, (5.5, 4.5), strict=True):  # both were at 1 before
            chosen = "(SELECT e.id FROM entries e JOIN versions v ON v.id = e.version_id WHERE v.bot_id = :bot)"
            result = text(f"UPDATE entries SET rating = :rating, games = 6 WHERE id IN {chosen}")
            session.connection().execute(result, {"rating": rating, "bot": bot})
    with statements(site.database.engine) as sent:
        rows = {row["bot"]: row for row in site.stranger().get(ROWS).get_json()["rows"]}
    assert len(sent) == 3
    assert (rows["anns"]["places_moved"], rows["anns"]["points_moved"], rows["anns"]["last_match"]) == (3, 4.5, match)
    assert (rows["houses"]["places_moved"], rows["houses"]["points_moved"]) == (2, 3.5)
    assert (rows["bot0"]["places_moved"], rows["bot0"]["last_match_at"]) == (None, None)
    assert (rows["anns"]["rank"], rows["anns"]["provisional"]) == (2, True)
    page = ann.page(LADDER)
    assert f'href="#bot-{bots[0]}">Jump to <bdi>anns</bdi>, rank 2' in page
    assert "Jump to" not in site.stranger().page(LADDER)
    stand(site.database, [50.0 - n / 100 for n in range(110)], "ahead")
    link = re.search(r'href="([^"]+)#bot-\d+">Jump to', ann.page(LADDER))
    assert link is not None
    there = ann.page(link[1].replace("&amp;", "&"))
    assert f'id="bot-{bots[0]}"' in there
    assert there.index('id="bot-') == there.index(f'id="bot-{bots[0]}"')


def test_a_leaderboard_has_seven_columns_and_the_rest_on_request_and_draws_its_brackets(site: Site) -> None:
    stand(site.database, [20.0, 19.9, 14.0, *(8 - n / 100 for n in range(100))])
    usual = ["Rank", "Bot", "Owner", "Rating", "Games", "Wins", "Change"]
    page, more = (site.stranger().page(LADDER + query) for query in ("", "?columns=all"))
    heads = [re.findall(r'<th scope="col"[^>]*>([^<]+)</th>', each) for each in (page, more)]
    assert heads == [usual, [*usual, "Strength", "Faults", "Last active"]]
    assert re.findall(r'<tr id="bot-\d+" class="([^"]*)"', page)[:4] == ["tied first", "tied last", "", "tied first"]
    assert "tied: ranks 1 to 2" in page
    assert "columns=all" in link(more, "next")
    assert "columns=all" not in link(page, "next")


def has(person: Person, etag: str | None, path: str = LADDER) -> bool:
    return person.get(path, headers={"If-None-Match": etag}).status_code == 304


CHANGES = {
    "a rating": "UPDATE entries SET rating = 7 WHERE id = (SELECT max(id) FROM entries WHERE tournament_id ="
    " (SELECT min(id) FROM tournaments WHERE kind = 'ladder' AND game = 'gang-of-dice'))",
    "a count": "UPDATE entries SET games = games + 1", "an author's name": "UPDATE users SET name = 'Anna'",
    "a bot's name": "UPDATE bots SET name = 'annas'",
    "how far ratings are": "UPDATE tournaments SET cursor = cursor + 1",
    "who plays": "UPDATE entries SET active = NOT active",
}  # fmt: skip


def test_nobody_is_shown_an_old_page(site: Site) -> None:
    site.person("Ann")
    activate_bot(site, "Ann", "ann_bot")
    someone = site.stranger()
    for what, change in CHANGES.items():
        old = {path: someone.get(path).headers["ETag"] for path in (LADDER, ROWS)}
        assert all(has(someone, etag, path) for path, etag in old.items())
        site.execute(text(change))
        assert not any(has(someone, etag, path) for path, etag in old.items()), what


def test_pages_of_people_messages_or_other_builds_are_not_shown(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, stranger = site.person("Ann"), site.person("Bob"), site.stranger()
    activate_bot(site, "Ann", "ann_bot")
    for person in (ann, bob):
        person.get(LADDER)
    tags = [person.get(LADDER).headers["ETag"] for person in (ann, bob, stranger)]
    assert len(set(tags)) == 3
    assert has(ann, tags[0])
    assert ", my account" in ann.page(LADDER)
    assert "yours" in ann.page(LADDER)
    assert "yours" not in bob.page(LADDER)
    assert ", my account" not in stranger.page(LADDER)
    ann.sign_out()
    assert not has(ann, tags[0])
    ann.sign_in("Ann")
    ann.get(LADDER)
    assert not has(ann, tags[0])  # its form has the token of the session that has ended
    someone = site.stranger()
    old = someone.get(LADDER).headers["ETag"]
    someone.get("/account")  # sends strangers to the sign-in page with a message
    answer = someone.get(LADDER, headers={"If-None-Match": old})
    assert answer.status_code == 200
    assert "Sign in first." in answer.text
    assert "ETag" not in answer.headers
    assert "Sign in first." not in someone.page(LADDER)
    assert has(site.stranger(), old)
    monkeypatch.setattr("gangland_web.web.caching.code_digest", lambda: "another")
    assert not has(site.stranger(), old)


def test_pages_are_kept_within_bounds_and_bots_too_close_to_call_share_a_bracket() -> None:
    pages = Pages(2)
    for mark in ("a", "b"):
        pages.put(mark, mark.encode())
    assert pages.get("a") == b"a"
    pages.put("c", b"c")
    assert [pages.get(mark) for mark in "abc"] == [b"a", None, b"c"]
    pages = Pages(100, max_bytes=1000)
    for number in range(5):
        pages.put(str(number), bytes(400))
    assert [pages.get(str(number)) is not None for number in range(5)] == [False] * 3 + [True] * 2
    pages.put("4", bytes(500))  # the same page made twice at once
    pages.put("huge", bytes(1001))
    assert (pages.get("huge"), pages.get("3") is not None, len(pages.get("4") or b"")) == (None, True, 500)
    rows = [(28.4, 1, 31.4), (29.3, 2, 32.3), (30.7, 3, 33.7), (29.0, 4, 40.0), (20.0, 5, 23.0), (10.0, 6, 13.0)]
    rows.append((10.0, 7, 13.0))
    assert brackets(sorted(rows)) == {3: (1, 4), 2: (1, 4), 1: (1, 4), 7: (6, 6), 6: (6, 6)}
