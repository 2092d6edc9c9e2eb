"""What pages of people read, on both databases: comparisons, records, what is followed, search."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from tests.kits.core_kit import BOTH, Platform, a_platform_after
from tests.kits.models import Bot, User, col, row_id, select

from gangland_web.app import create_app
from gangland_web.queries import authors, comparison, following, hall_of_fame
from gangland_web.services.following import FollowKind, add_ranks, follow, mark_as_read, mark_of
from gangland_web.settings import Settings


def two_rounds(platform: Platform) -> None:
    platform.upload("Zoë", "zwolf")
    for _ in range(2):
        platform.recorder.schedule()
        platform.play_all()


platform = pytest.fixture(a_platform_after(two_rounds), params=BOTH)


@pytest.fixture
def app(platform: Platform, tmp_path: Path) -> Iterator[Flask]:
    settings = Settings(tmp_path, None, None, None, secret_key="for tests only")
    made = create_app(settings, database=platform.database)
    with made.test_request_context("/"):
        yield made


@pytest.mark.usefixtures("app")
def test_both_databases_answer_alike(platform: Platform) -> None:
    platform.recorder.schedule()
    with platform.database.read() as db:
        first, second = db.exec(select(Bot.id).where(Bot.is_house).order_by(col(Bot.id)).limit(2)).all()
        found, picture = comparison.compare(db, row_id(first), row_id(second))
        assert found.matches == len(found.meetings) > 0
        assert found.scores[0].games == sum(score.games for score in found.scores[1:])
        assert found.scores[0].won + found.scores[0].shared + found.scores[0].lost == found.scores[0].games
        assert picture is not None
        assert {record.kind for record in hall_of_fame.game_records(db, "gang-of-dice")} >= {"reign", "closest"}
        assert [bot.name for bot in authors.search(db, "ZWÖLF").bots] == ["zwolf"]
        assert [person.name for person in authors.search(db, "ZOE").people] == ["Zoë"]
        assert [bot.name for bot in authors.search(db, "zwo\0\u200blf").bots] == ["zwolf"]
        assert authors.search(db, "\0").bots == authors.bots_of_game(db, "gang-of-dice", "\0") == []
        assert [bot.name for bot in authors.bots_of_game(db, "gang-of-dice", "house1")][:1] == ["house1"]
    with platform.database.write() as db:
        who = row_id(db.exec(select(User.id).where(User.name == "Zoë")).one())
        follow(db, who, FollowKind.BOT, row_id(first))
        follow(db, who, FollowKind.PERSON, who)
        add_ranks(db, who, following.ranks_of(db, who))
        mark = mark_of(db, who)
        assert mark.ranks
        mark.read_at, mark.ranks = 1.0, dict.fromkeys(mark.ranks, 99)
        db.add(mark)
    told = platform.read(following.unread, who).shown
    assert [each.kind for each in told.follows] == ["authors", "bots"]
    assert {each.kind for each in told.happenings} >= {"rank", "version"}
    assert platform.read(following.feed_of, who, 1) == told.happenings[:1]
    with platform.database.write() as db:
        mark_as_read(db, who, 9e99, following.ranks_of(db, who))
    assert platform.read(following.unread, who).shown.happenings == []
