"""Records: the best that may be shown, with what it is proven by; three of them on a game's hub."""

import re
from typing import Any

from sqlmodel import Session, select
from tests.kits.pages_kit import Site, activate_bot, finished_match

from gangland_web.base.formats import now_s
from gangland_web.models import accounts, columns, matches
from gangland_web.models.tournaments import LadderRecords, Record, RecordKind
from gangland_web.queries.hall_of_fame import game_records
from gangland_web.queries.ladders import get_ladder
from gangland_web.services import hall_of_fame, leaving


def ladder_of(db: Session) -> int:
    return columns.row_id(get_ladder(db, "gang-of-dice", 2).id)


def add(site: Site, kind: RecordKind, bot: int, score: float, **more: Any) -> None:
    about = more.pop("about", {})
    with site.database.write() as db:
        record: dict[str, Any] = {"tournament_id": ladder_of(db), "kind": kind.value, "bot_id": bot, "score": score}
        db.add(Record(**record, at=1_700_000_000.0, about=about, **more))


def shown(site: Site) -> dict[str, tuple[str, str]]:
    with site.database.read() as db, site.app.test_request_context():
        return {row.kind.value: (row.bot, row.value_text) for row in game_records(db, "gang-of-dice")}


def test_a_hub_shows_a_record_of_three_kinds_and_none_of_a_house_bot(site: Site) -> None:
    site.person("Ann")
    house, anns = activate_bot(site, None, "house"), activate_bot(site, "Ann", "<i>anns")
    match = finished_match(site, [house, anns])
    add(site, RecordKind.UPSET, anns, 0.96, match_id=match, about={"other": house, "chance": 0.04})
    add(site, RecordKind.UPSET, house, 0.99, match_id=match, about={"other": anns, "chance": 0.01})
    add(site, RecordKind.CLOSEST, anns, 7, match_id=match, block=0, rotation=1)
    with site.database.write() as db:
        db.add(LadderRecords(tournament_id=ladder_of(db), cursor=1, leader_id=anns, leads_since=now_s() - 5 * 86_400))
    page = re.sub(r"<[^>]+>", "", site.stranger().page("/gang-of-dice/watch").partition('id="records"')[2])
    page = re.sub(r"\s+", " ", page.partition("Latest matches")[0])
    assert "Biggest upset, 2 seats &lt;i&gt;anns against house: chance 4.0%" in page
    assert "Most lead changes, 2 seats &lt;i&gt;anns: 7 lead changes" in page
    assert "Longest reign, 2 seats &lt;i&gt;anns: 5 days, still going" in page
    assert f'href="/matches/{match}/games/0/1"' in site.stranger().page("/gang-of-dice/watch")
    assert 'id="records"' not in site.stranger().page("/gangster-dice/watch")


def test_house_bots_hold_no_record_even_where_they_are_ranked(site: Site) -> None:
    site.person("Ann")
    house, anns = activate_bot(site, None, "house"), activate_bot(site, "Ann", "anns")
    match = finished_match(site, [house, anns])
    for bot, score in ((house, 12), (anns, 10)):
        add(site, RecordKind.CLOSEST, bot, score, match_id=match, block=0, rotation=0)
    add(site, RecordKind.REIGN, house, 7200.0, about={"since": 1_699_992_800.0})
    assert shown(site) == {"closest": ("anns", "10 lead changes")}
    with site.database.write() as db:
        assert [record.bot_id for record in hall_of_fame.hidden_records(db)] == [house, house]
        hall_of_fame.BestRecords(db, ladder_of(db)).offer(
            hall_of_fame.Offer(RecordKind.UPSET, house, 5, 0.0, match, 0, 0)
        )
    assert "upset" not in shown(site)


def test_who_has_left_and_what_is_void_hold_no_record_and_the_next_ones_do(site: Site) -> None:
    for name in ("Ann", "Bob", "Eve"):
        site.person(name)
    anns, bob, eve = (activate_bot(site, *owned) for owned in (("Ann", "anns"), ("Bob", "bob"), ("Eve", "eve")))
    with_ann, void, fair = (finished_match(site, pair) for pair in ([anns, bob], [eve, bob], [bob, eve]))
    for bot, score, match_id in ((anns, 30, with_ann), (eve, 20, void), (bob, 10, fair)):
        add(site, RecordKind.CLOSEST, bot, score, match_id=match_id)
    add(site, RecordKind.UPSET, bob, 0.9, match_id=with_ann, about={"other": anns, "chance": 0.1})
    with site.database.write() as db:
        db.add(LadderRecords(tournament_id=ladder_of(db), cursor=1, leader_id=anns, leads_since=1.0))
    assert shown(site)["closest"] == ("anns", "30 lead changes")
    assert {"upset", "reign"} <= set(shown(site))
    with site.database.write() as db:
        match = db.get_one(matches.Match, void)
        match.state, match.digest, match.void_reason = "void", None, "an audit"
        ann = columns.row_id(db.exec(select(accounts.User.id).where(accounts.User.name == "Ann")).one())
    leaving.delete_account(site.database, ann)
    assert shown(site) == {"closest": ("bob", "10 lead changes")}
