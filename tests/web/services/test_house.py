"""House bots: seeded at every start, whatever people have done."""

from pathlib import Path

import pytest
from tests.kits.core_kit import GAME, KINDS, ON_POSTGRESQL, Platform, a_platform_after, play_a_round
from tests.kits.models import Bot, ChannelItem, Database, Match, User, col, migrate, select

from gangland_web import services, settings
from gangland_web.ops.prepare import prepare
from gangland_web.services import channels, tournaments, uploads


def test_a_person_who_has_a_house_bots_name_keeps_it_and_the_site_starts(tmp_path: Path) -> None:
    database = Database(settings.sqlite_url(tmp_path))
    migrate(database)
    with database.write() as session:
        tournaments.ensure_tournaments(session)
        person = User(name="ann", name_key="ann", password_hash="-", created_at=0.0)
        session.add(person)
        session.flush()
        uploads.submit_version(session, person, GAME, "sensible_gang", "sensible_gang.py", b"# mine\n")
    prepare(database)
    with database.read() as session:
        mine = session.exec(select(Bot).where(Bot.game == GAME, Bot.name == "sensible_gang")).one()
        house = session.exec(select(Bot).where(Bot.game == GAME, Bot.is_house)).all()
    assert mine.is_house is False
    assert len(house) == len(uploads.house_files(GAME)) - 1
    database.close()


platform = pytest.fixture(a_platform_after(play_a_round), params=KINDS)


def some_match(platform: Platform) -> int:
    with platform.database.read() as session:
        return session.exec(select(Match.id).where(Match.state == "done")).first() or 0


@ON_POSTGRESQL
def test_of_two_who_plan_one_is_first_and_old_items_go(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services.channels, "MAX_ITEMS", 3)
    game = channels.NextItem(some_match(platform), 0, 0, 90.0, False, "a close finish of the first two")
    assert channels.add_item(platform.database, "ladders", 1, game, 100.0)
    assert not channels.add_item(platform.database, "ladders", 1, game, 100.0)
    assert channels.add_item(platform.database, "event-7", 1, game, 100.0)
    for number in range(2, 6):
        assert channels.add_item(platform.database, "ladders", number, game, 100.0 * number)
    assert platform.read(channels.last_number, "ladders") == 5
    kept = platform.rows(select(ChannelItem.channel, ChannelItem.number).order_by(col(ChannelItem.id)))
    assert list(kept) == [("event-7", 1), ("ladders", 3), ("ladders", 4), ("ladders", 5)]
