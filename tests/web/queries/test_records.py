"""Records: the best that may be shown, with what it is proven by; three of them on a game's hub."""

import re
from typing import Any

from sqlmodel import Session, select
from tests.kits.pages_kit import Site, activate_bot, finished_match

from gangland_web.base.formats import now_s
from gangland_web.models.accounts import User
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match
from gangland_web.models.tournaments import LadderRecords, Record, RecordKind, Tournament
from gangland_web.queries.ladders import found_ladder
from gangland_web.services import hall_of_fame, leaving


def ladder_of(db: Session) -> int:
    return stored(found_ladder(db, "gang-of-dice", 2).id)


def add(site: Site, kind: RecordKind, bot: int, score: float, **more: Any) -> None:
    about = more.pop("about", {})
    with site.database.write() as db:
        record: dict[str, Any] = {"tournament_id": ladder_of(db), "kind": kind.value, "bot_id": bot, "score": score}
        db.add(Record(**record, at=1_700_000_000.0, about=about, **more))


def shown(site: Site) -> dict[str, tuple[str, str]]:
    answer = site.stranger().get("/api/v1/records")
    assert answer.status_code == 200
    return {row["kind"]: (row["bot"], row["words"]) for row in answer.get_json()["records"]}


def test_each_record_has_its_holder_words_and_proof(site: Site) -> None:
    ann, bob = activate_bot(site, None, "<i>ann"), activate_bot(site, None, "bob")
    first, second = finished_match(site, [ann, bob]), finished_match(site, [bob, ann])
    add(site, RecordKind.UPSET, bob, 0.96, match_id=first, about={"other": ann, "chance": 0.04})
    add(site, RecordKind.STREAK, ann, 1, match_id=first, about={"last": first})
    add(site, RecordKind.STREAK, bob, 17, match_id=second, about={"last": second})
    add(site, RecordKind.LONGEST, ann, 12, match_id=second, block=0, rotation=1)
    add(site, RecordKind.LUCK, ann, 0.613, match_id=second, block=0, rotation=0)
    add(site, RecordKind.REIGN, ann, 7200.0, about={"since": 1_699_992_800.0})
    with site.database.write() as db:
        db.add(LadderRecords(tournament_id=ladder_of(db), cursor=1, leader_id=bob, leads_since=now_s() - 5 * 86_400))
    assert shown(site) == {
        "reign": ("bob", "5 days"), "upset": ("bob", "chance 4.0%"), "streak": ("bob", "17 blocks"),
        "longest": ("<i>ann", "12 rounds"), "luck": ("<i>ann", "61% of a win"),
    }  # fmt: skip
    assert site.stranger().get("/api/v1/records").get_json()["records"][1]["other"] == "<i>ann"


def test_a_hub_shows_a_record_of_three_kinds_and_none_of_a_house_bot(site: Site) -> None:
    site.person("Ann")
    house, anns = activate_bot(site, None, "house"), activate_bot(site, "Ann", "<i>anns")
    match = finished_match(site, [house, anns])
    add(site, RecordKind.UPSET, anns, 0.96, match_id=match, about={"other": house, "chance": 0.04})
    add(site, RecordKind.UPSET, house, 0.99, match_id=match, about={"other": anns, "chance": 0.01})
    add(site, RecordKind.CLOSEST, anns, 7, match_id=match, block=0, rotation=1)
    add(site, RecordKind.LONGEST, anns, 12, match_id=match)
    with site.database.write() as db:
        db.add(LadderRecords(tournament_id=ladder_of(db), cursor=1, leader_id=anns, leads_since=now_s() - 5 * 86_400))
    page = re.sub(r"<[^>]+>", "", site.stranger().page("/gang-of-dice/watch").partition('id="records"')[2])
    page = re.sub(r"\s+", " ", page.partition("Latest matches")[0])
    assert "Biggest upset, 2 seats &lt;i&gt;anns against house: chance 4.0%" in page
    assert "Most changes of lead, 2 seats &lt;i&gt;anns: 7 changes of lead" in page
    assert "Longest reign, 2 seats &lt;i&gt;anns: 5 days, still going" in page
    assert "Longest game" not in page
    assert f'href="/matches/{match}/games/0/1"' in site.stranger().page("/gang-of-dice/watch")
    assert 'id="records"' not in site.stranger().page("/gangster-dice/watch")


def test_house_bots_hold_no_record_on_a_ladder_that_does_not_rank_them(site: Site) -> None:
    site.person("Ann")
    house, anns = activate_bot(site, None, "house"), activate_bot(site, "Ann", "anns")
    match = finished_match(site, [house, anns])
    for bot, score in ((house, 12), (anns, 10)):
        add(site, RecordKind.LONGEST, bot, score, match_id=match, block=0, rotation=0)
    add(site, RecordKind.REIGN, house, 7200.0, about={"since": 1_699_992_800.0})
    assert set(shown(site)) == {"longest", "reign"}
    with site.database.write() as db:
        db.get_one(Tournament, ladder_of(db)).house_ranked = False
    assert shown(site) == {"longest": ("anns", "10 rounds")}
    with site.database.write() as db:
        assert [record.bot_id for record in hall_of_fame.hidden_records(db)] == [house, house]
        hall_of_fame.Best(db, ladder_of(db)).offer(hall_of_fame.Offer(RecordKind.CLOSEST, house, 5, 0.0, match, 0, 0))
    assert "closest" not in shown(site)


def test_who_has_left_and_what_is_void_hold_no_record_and_the_next_ones_do(site: Site) -> None:
    site.person("Ann")
    anns, bob, eve = activate_bot(site, "Ann", "anns"), activate_bot(site, None, "bob"), activate_bot(site, None, "eve")
    with_ann, void, fair = (finished_match(site, pair) for pair in ([anns, bob], [eve, bob], [bob, eve]))
    add(site, RecordKind.LONGEST, anns, 30, match_id=with_ann)
    add(site, RecordKind.CLOSEST, bob, 9, match_id=with_ann)
    add(site, RecordKind.LONGEST, eve, 20, match_id=void)
    add(site, RecordKind.LONGEST, bob, 10, match_id=fair)
    with site.database.write() as db:
        db.add(LadderRecords(tournament_id=ladder_of(db), cursor=1, leader_id=anns, leads_since=1.0))
    assert shown(site)["longest"] == ("anns", "30 rounds")
    with site.database.write() as db:
        match = db.get_one(Match, void)
        match.state, match.digest, match.void_reason = "void", None, "an audit"
        ann = stored(db.exec(select(User.id).where(User.name == "Ann")).one())
    leaving.delete_account(site.database, ann)
    assert shown(site) == {"longest": ("bob", "10 rounds")}
