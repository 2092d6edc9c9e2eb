"""Twelve questions of a bot's author, each answered by a page or its JSON without arithmetic; and who sees what."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select
from tests.kits.analyses_kit import games_of, write_figures
from tests.kits.pages_kit import SOURCE, Person, Site, activate_bot, finished_match, open_site

from gangland_ladder.analysis.account import Account, DecisionFigures, GameFigures, mark_of
from gangland_web import app, settings
from gangland_web.models.accounts import User
from gangland_web.models.bots import Bot
from gangland_web.models.jobs import Requester
from gangland_web.models.matches import Match
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.queries.analyses import rounded_shares
from gangland_web.services import trials, uploads
from gangland_web.services.analyses import queue_analysis

MANY, FEW = "staking too many dice on yellow cards", "staking too few dice on red cards"
AGAIN = "rolling again instead of stopping on yellow cards"


def decided(round: int, kind: str, theme: str, cost: float, seat: int = 0) -> DecisionFigures:
    chosen, best = (5, 2) if kind == "dice" else ([6], [])
    mark = mark_of(cost, 0.0)
    return DecisionFigures(f"r{round}.s{seat + 1}.d1", round, seat, kind, theme, mark, cost, 0.0, chosen, best, 6)


def judged(
    seats: int, seat: int, decisions: Sequence[tuple[int, str, str, float]], *, luck: float = 0.0, version: str = "r2"
) -> GameFigures:
    """Return a game of twelve rounds with these decisions of one bot; the others lost 1.2% by one decision."""
    own = [decided(*each, seat) for each in decisions]
    theirs = [decided(3, "dice", FEW, 0.012, other) for other in range(seats) if other != seat]
    lost, gift = sum(each.cost for each in own), 0.012
    accounts = [
        Account(0.5, luck, -lost, gift, 0.0, 0.001, 0.0, 0.501 + luck - lost + gift)
        if each == seat
        else Account(0.5, -luck / (seats - 1), -gift, lost, 0.0, -0.001, 0.0, 0.499 - luck / (seats - 1) + lost - gift)
        for each in range(seats)
    ]
    return GameFigures("gang-of-dice", seats, version, 12, True, accounts, [*own, *theirs])


@dataclass(frozen=True)
class Author:
    site: Site
    reader: Person
    bot: int
    boss: int
    sensible: int
    by_luck: int
    by_staking: int

    def read(self, query: str = "") -> Any:
        answer = self.reader.get(f"/bots/{self.bot}/analysis.json{query}")
        assert answer.status_code == 200
        return answer.get_json()

    def page(self, query: str = "") -> str:
        return plain(self.reader.page(f"/bots/{self.bot}/analysis{query}"))


def plain(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", markup).split()).replace(" .", ".").replace(" ,", ",")


def analyzed(
    site: Site, bots: Sequence[int], games: Sequence[Sequence[tuple[int, str, str, float]]], **more: Any
) -> int:
    match = finished_match(site, bots)
    for rotation, decisions in enumerate(games):
        write_figures(site.database, match, rotation, judged(len(bots), (-rotation) % len(bots), decisions, **more))
    return match


def next_version(site: Site, bot: int, note: str) -> None:
    with site.database.write() as db:
        mine = db.get_one(Bot, bot)
        owner = db.get_one(User, mine.owner_id)
        trials.activate(db, uploads.submit_version(db, owner, mine.game, mine.name, "mine.py", SOURCE + note.encode()))


def played(site: Site, games: int = 345) -> None:
    with site.database.write() as db:
        for entry in db.exec(select(Entry)):
            entry.games = games
            db.add(entry)


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Author]:
    opened = open_site(tmp_path_factory.mktemp("site"))
    site = next(opened)
    site.person("Ann")
    boss, sensible, third = (activate_bot(site, None, name) for name in ("the_boss", "sensible_gang", "bold_gang"))
    bot = activate_bot(site, "Ann", "mine")
    for extra in (0.0, 0.002):
        worse = [(11, "dice", MANY, 0.09 + extra), (2, "reroll", AGAIN, 0.004)]
        analyzed(site, [bot, boss], [worse, worse])
    next_version(site, bot, "# 2\n")
    for extra in (0.0, 0.004):
        much = [(11, "dice", MANY, 0.05 + extra), (2, "reroll", AGAIN, 0.004)]
        little = [(10, "dice", MANY, 0.02 + extra), (12, "dice", FEW, 0.01), (2, "reroll", AGAIN, 0.002)]
        analyzed(site, [bot, boss], [much, much])
        analyzed(site, [bot, sensible], [little, little], luck=0.1)
    by_luck = analyzed(site, [bot, boss], [[(1, "dice", MANY, 0.03)]] * 2, luck=-0.25)
    by_staking = analyzed(site, [bot, sensible], [[(11, "dice", MANY, 0.2)]] * 2, luck=-0.05)
    for _ in range(2):
        four = [(4, "dice", MANY, 0.01), (5, "reroll", AGAIN, 0.06)]
        analyzed(site, [bot, boss, sensible, third], [four, four])
    waits = finished_match(site, [bot, boss])
    with site.database.write() as db:
        match = db.get_one(Match, waits)
        ladder = db.get_one(Tournament, match.tournament_id)
        assert queue_analysis(db, match, ladder, games_of(db, match)[0], Requester.OPENED) is None
    played(site)
    yield Author(site, site.stranger(), bot, boss, sensible, by_luck, by_staking)
    site.database.close()


def test_where_does_my_bot_lose_most_is_version_2_better_and_how_does_it_compare_with_sensible_gang(
    author: Author,
) -> None:
    lead = f"Loses 6.3% ± 1.9% of a win per game by {MANY} (5.0 on average, 2.0 was best)"
    lead += ", mostly in rounds 10 to 11 (5.8%)"
    assert author.read()["headline"] == lead
    assert f"{lead}." in author.page()
    bot = plain(author.reader.page(f"/bots/{author.bot}?seats=2"))
    assert f"{lead} (version 2, 12 analyzed games)." in bot, "the bot's own page says the same from the sums"
    assert "worst game, mistakes cost 20.0% of a win. The worst: “rolls 5 dice”, not" in bot
    worst = re.search(r'href="([^"]*)">worst game<', author.reader.page(f"/bots/{author.bot}?seats=2"))
    assert worst
    assert worst.group(1) in {each["page"] for each in author.read()["costliest"][:2]}
    row = next(each for each in author.read()["opponents"] if each["name"] == "the_boss")
    assert row["games"] == 6
    assert row["most"].startswith(f"Loses 4.5% ± 0.5% of a win per game by {MANY} (5.0 on average, 2.0 was best)")
    assert row["most"] in author.page()
    alone = author.page(f"?opponent={author.boss}")
    assert "From 6 analyzed games against the_boss." in alone
    assert f"{row['most']}." in alone, "its own page says the same, and lists those decisions alone"
    assert [each["name"] for each in author.read(f"?opponent={author.boss}")["opponents"]] == ["the_boss"]
    found = author.read("?version=2&compare=1")["compared"]["comparison"]
    staking = next(each for each in found["kinds"] if each["kind"] == "dice")
    assert (staking["verdict"], staking["old"]) == ("too few games", pytest.approx(0.091))
    assert "choose_dice 9.1% 6.6% 2.6% too few games" in author.page("?version=2&compare=1")
    again = author.page("?version=2&compare=1")
    assert re.search(r"rolling again instead of stopping on yellow cards 0\.4% 0\.2% 0\.\d% too few games", again)
    row = next(each for each in author.read()["peers"] if each["name"] == "sensible_gang")
    assert row["verdict"] == "less"
    assert "sensible_gang v1 6 0.0% 1.2% 0.0% loses" in author.page()
    page = author.page(f"?compare_bot={author.sensible}")
    assert "mine v2 loses 5.6% of a win per game more than sensible_gang v1: 6.8%, not 1.2%." in page
    assert "6 games of sensible_gang v1 and 12 of mine v2, 3 of 6 blocks with the same dice." in page


def test_was_this_match_lost_by_luck_and_which_three_decisions_cost_most(author: Author) -> None:
    page = plain(author.reader.page(f"/matches/{author.by_luck}"))
    assert "In the 2 analyzed games mine v2 finished lowest: luck took it 25.0% of a win per game," in page
    assert "its own decisions cost 3.0%. It lost more to bad luck than to its own decisions." in page
    other = plain(author.reader.page(f"/matches/{author.by_staking}"))
    assert "its own decisions cost 20.0%. It lost more to its own decisions than to bad luck." in other
    found = author.read()["costliest"]
    assert [each["cost"] for each in found[:3]] == [0.2, 0.2, 0.054]
    assert (found[0]["did"], found[0]["better"]) == ("rolls 5 dice", "rolls 2 dice")
    match = author.by_staking
    assert found[0]["page"] in (f"/matches/{match}/games/0/{at}#r11.s{seat}.d1" for at, seat in ((0, 1), (1, 2)))
    row = f"Match {match}, round 11 20.0% rolls 5 dice best: rolls 2 dice blunder {MANY}"
    assert row in author.page()


def test_in_which_phase_does_it_lose_how_sure_is_that_and_what_is_its_luck(author: Author) -> None:
    phases = {each["phase"]: (each["rounds"], each["cost"]) for each in author.read()["phases"]}
    assert phases["last"] == ([10, 12], pytest.approx(0.7 / 12, abs=0.01))
    assert max(phases, key=lambda each: phases[each][1]) == "last"
    assert "last third, rounds 10 to 12" in author.page()
    kinds = {each["kind"]: each["cost"] for each in author.read("?seats=4")["kinds"]}
    assert kinds == {"dice": pytest.approx(0.01), "reroll": pytest.approx(0.06)}
    assert "reroll 4 4 6.0% 0.0%" in author.page("?seats=4")
    found, page = author.read(), author.page()
    assert found["error"] == pytest.approx(0.018, abs=0.005)
    assert f"Decisions cost 6.8% ± {100 * found['error']:.1f}% of a win per game." in page
    assert "too few games" in author.page("?version=2&compare=1")
    assert "From 12 of its 345 ladder games; 1 waiting." in page
    assert [found[name] for name in ("games", "games_played", "games_waiting")] == [12, 345, 1]
    again = next(each for each in found["themes"] if each["theme"] == AGAIN)
    assert (again["decisions"], again["marked"]) == (8, 0)
    assert f"{AGAIN} 8 0 0.2% 0.0%" in page
    account = {each["part"]: (each["mean"], each["error"]) for each in author.read()["account"]}
    assert account["luck"][0] == pytest.approx((4 * 0.1 - 2 * 0.25 - 2 * 0.05) / 12)
    assert account["others"][0] == pytest.approx(0.012)
    assert re.search(r"luck of dice and cards −1\.\d% 3\.\d%", page)
    assert "the others' decisions 1.2% 0.0%" in page.replace("&#39;", "'")


def test_the_page_its_json_its_csv_and_the_api_say_the_same(author: Author) -> None:
    found = author.read("?version=1")
    assert found.pop("schema") == "gangland/bot-analysis/1"
    assert author.reader.get(f"/api/v1/bots/{author.bot}/analysis?version=1").get_json() == found
    answer = author.reader.get(f"/bots/{author.bot}/analysis.csv?version=1")
    rows = list(csv.DictReader(StringIO(answer.text)))
    assert float(rows[0]["cost"]) == pytest.approx(found["cost"])
    themes = {each["part"]: float(each["cost"]) for each in rows if each["by"] == "theme"}
    assert themes == {each["theme"]: pytest.approx(each["cost"]) for each in found["themes"]}
    lines = author.reader.get(f"/matches/{author.by_luck}/analysis.json").get_json()["rows"]
    assert [(each["block"], each["rotation"], each["seat"]) for each in lines] == [
        (0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1),
    ]  # fmt: skip
    assert author.reader.get(f"/api/v1/matches/{author.by_luck}/analysis").get_json()["rows"] == lines
    parts = ("start", "luck", "own", "others", "hidden", "error", "rest")
    assert all(sum(each[part] for part in parts) == pytest.approx(each["result"]) for each in lines)
    for query in ("?version=9", "?compare=9", "?opponent=99", "?compare_bot=99"):
        for base in ("", "/api/v1"):
            assert author.reader.get(f"{base}/bots/{author.bot}/analysis{query}").status_code == 404


def test_what_is_shown_adds_up_as_it_is_shown() -> None:
    for parts in ([0.50049, 0.00049, 0.00049], [0.5, -0.1234, -0.0449, 0.0005], [1 / 3, 1 / 3, 1 / 3], [-0.0006] * 3):
        shown = rounded_shares(parts, sum(parts))
        assert round(sum(shown), 9) == round(sum(parts), 3)
        assert all(abs(one - other) < 0.001 for one, other in zip(shown, parts, strict=True))


def two_bots(site: Site) -> tuple[int, int]:
    site.person("Ann")
    boss = activate_bot(site, None, "the_boss")
    return activate_bot(site, "Ann", "mine"), boss


def test_games_that_others_judged_or_that_are_kept_no_more_do_not_count(site: Site) -> None:
    mine, boss = two_bots(site)
    staked = [(1, "dice", MANY, 0.1)]
    old = analyzed(site, [mine, boss], [[(1, "dice", MANY, 0.9)]], version="r1")
    kept = analyzed(site, [mine, boss], [staked, staked])
    dropped = analyzed(site, [mine, boss], [[(1, "dice", MANY, 0.7)]] * 2)
    site.change(Match, dropped, trimmed=2)
    played(site)
    found = site.stranger().get(f"/bots/{mine}/analysis.json").get_json()
    assert {each["match"] for each in found["costliest"]} == {kept} != {old}
    assert (found["games"], found["cost"]) == (2, pytest.approx(0.1))
    assert site.stranger().get(f"/matches/{dropped}/analysis.json").get_json()["rows"] == []


def test_before_any_game_is_analyzed_the_pages_say_so_and_how_it_comes(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, boss = two_bots(site)
    reader, address = site.stranger(), f"/bots/{mine}/analysis"
    assert "No ladder game yet." in plain(reader.page(address))
    match = finished_match(site, [mine, boss])
    played(site, 2)
    assert reader.get(f"{address}.json").get_json()["message"] == (
        "No analyzed game yet. Open a game to have it analyzed."
    )
    assert "0 of 2 games analyzed. Open a game to have it analyzed." in plain(reader.page(f"/matches/{match}"))
    with site.database.write() as db:
        row = db.get_one(Match, match)
        assert (
            queue_analysis(db, row, db.get_one(Tournament, row.tournament_id), games_of(db, row)[0], Requester.OPENED)
            is None
        )
    assert "No analyzed game yet; 1 waiting." in plain(reader.page(address))
    assert "No analyzed game of version 1 at 2 seats yet." in plain(reader.page(f"/bots/{mine}"))
    assert "0 of 2 games analyzed; 1 waiting." in plain(reader.page(f"/matches/{match}"))
    how = settings.Settings(Path(), None, None, None, secret_key="for tests only", analysis_workers=0)
    off = app.create_app(how, database=site.database)
    assert "does not analyze games" in plain(off.test_client().get(f"/bots/{boss}/analysis?seats=3").text)
    assert "How analysis works" not in off.test_client().get(f"/matches/{match}").text
    monkeypatch.setattr("gangland_web.queries.bot_analysis.has_reference", lambda _game: False)
    assert "There is no analysis of this game." in plain(reader.page(f"{address}?seats=4"))
