"""Two bots side by side: their meetings from either side, and between whom there is nothing to compare."""

from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, select
from tests.kits.pages_kit import Site, activate_bot, finished_match

from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import table_of
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.models.tournaments import Entry, Tournament


def count_games(db: Session) -> None:
    of_two = select(Tournament.id).where(Tournament.kind == "ladder", Tournament.seats == 2)
    db.connection().execute(update(table_of(Entry)).where(col(Entry.tournament_id).in_(of_two)).values(games=10))


def test_meetings_count_by_seat_and_from_both_sides_alike(site: Site) -> None:
    ann, bob, eve = (activate_bot(site, None, name) for name in ("ann", "bob", "<i>eve"))
    met = [finished_match(site, [ann, bob]) for _ in range(4)]
    void = finished_match(site, [bob, ann])
    finished_match(site, [ann, eve])
    with site.database.write() as db:
        for game in db.exec(select(PlayedGame).where(col(PlayedGame.match_id).in_(met))):
            game.places = [1, 2]  # seat 1 wins, whoever sits there
        for game in db.exec(select(PlayedGame).where(PlayedGame.match_id == met[-1])):
            game.places = [1, 1]
        gone: dict[str, Any] = {"state": "void", "digest": None, "void_reason": "an audit"}
        db.connection().execute(update(table_of(Match)).where(col(Match.id) == void).values(**gone))
        theirs = select(Entry.id).join(Version, col(Version.id) == Entry.version_id).where(Version.bot_id == bob)
        think = update(table_of(MatchSeat)).where(col(MatchSeat.entry_id).in_(theirs)).values(think={"10": 3})
        db.connection().execute(think)
        count_games(db)
    found = site.stranger().get(f"/bots/{ann}/against/{bob}.json").get_json()
    assert (found["seats"], found["sizes"], found["matches"]) == (2, [2], 4)
    scores = [(each["seat"], each["games"], each["won"], each["shared"], each["lost"]) for each in found["scores"]]
    assert scores == [(None, 8, 3, 2, 3), (0, 4, 3, 1, 0), (1, 4, 0, 1, 3)]
    assert [each["share"] for each in found["scores"]] == [0.5, 0.875, 0.125]
    assert [each["match"] for each in found["meetings"]] == met[::-1]
    assert found["other"]["half_cpu_s"] == 2**10 / 1e6
    assert found["bot"]["half_cpu_s"] is None
    other = site.stranger().get(f"/api/v1/bots/{bob}/against/{ann}?seats=2").get_json()
    assert [each["share"] for each in other["scores"]] == [0.5, 0.875, 0.125]
    assert other["bot"] == found["other"]
    page = site.stranger().page(f"/bots/{ann}/against/{bob}")
    assert f'href="/matches/{met[0]}/games/0/0"' in page
    assert "CPU per decision: 1 ms median" in page, "as the bot's page rounds it"
    assert "<i>eve" not in site.stranger().page(f"/bots/{ann}/against/{eve}")


def test_what_cannot_be_compared_says_why(site: Site) -> None:
    ann, new = activate_bot(site, None, "ann"), activate_bot(site, None, "new")
    with site.database.write() as db:
        other = Bot(game="gangster-dice", name="far", name_key="far", is_house=True, created_at=0.0)
        db.add(other)
        db.flush()
        far = other.id
    for path, why in {
        f"{ann}/against/{ann}": "Choose another bot to compare with",
        f"{ann}/against/{far}": "ann and far play different games",
        f"{ann}/against/{new}": "ann and new have not both played on the ladder at any table size",
        f"{ann}/against/{new}?seats=3": "not both played on the ladder at 3 seats",
        f"{ann}/against/999": "There is no bot 999",
    }.items():
        answer = site.stranger().get(f"/bots/{path}")
        assert answer.status_code == 404, path
        assert why in answer.text, path


def test_a_name_leads_to_the_comparison_and_a_part_of_one_to_a_choice(site: Site) -> None:
    ann = activate_bot(site, None, "ann")
    fox, foxes = activate_bot(site, None, "Fóx"), activate_bot(site, None, "Foxes")
    finished_match(site, [ann, fox])
    site.write(count_games)
    browser = site.stranger()
    assert 'name="with"' in browser.page(f"/bots/{ann}")
    exact = browser.get(f"/bots/{ann}/against?with=fóx")
    assert (exact.status_code, exact.headers["Location"]) == (303, f"/bots/{ann}/against/{fox}")
    choice = browser.page(f"/bots/{ann}/against?with=fox")
    assert f'href="/bots/{ann}/against/{fox}"' in choice
    assert f'href="/bots/{ann}/against/{foxes}"' in choice
    assert "No other bot" in browser.page(f"/bots/{ann}/against?with=ann")
    assert f'href="/bots/{ann}/against/{fox}?seats=2"' in browser.page(f"/bots/{ann}"), "the way from head to head"
