"""The programme of a channel: written once for all, and not kept for ever."""

import pytest
from sqlmodel import col, select
from tests.kits.core_kit import KINDS, ON_POSTGRESQL, Platform, a_platform_after, play_a_round

from gangland_web.models.matches import Match
from gangland_web.models.tournaments import ChannelItem
from gangland_web.services import channels
from gangland_web.services.channels import Planned, add_item, last_number

platform = pytest.fixture(a_platform_after(play_a_round), params=KINDS)


def some_match(platform: Platform) -> int:
    with platform.database.read() as session:
        return session.exec(select(Match.id).where(Match.state == "done")).first() or 0


@ON_POSTGRESQL
def test_of_two_who_plan_at_once_one_is_first_and_old_items_are_forgotten(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channels, "KEPT", 3)
    game = Planned(some_match(platform), 0, 0, 90.0, False, "a close finish of the first two")
    assert add_item(platform.database, "ladders", 1, game, 100.0)
    assert not add_item(platform.database, "ladders", 1, game, 100.0)
    assert add_item(platform.database, "event-7", 1, game, 100.0)
    for number in range(2, 6):
        assert add_item(platform.database, "ladders", number, game, 100.0 * number)
    with platform.database.read() as session:
        assert last_number(session, "ladders") == 5
        kept = session.exec(select(ChannelItem.channel, ChannelItem.number).order_by(col(ChannelItem.id))).all()
    assert list(kept) == [("event-7", 1), ("ladders", 3), ("ladders", 4), ("ladders", 5)]
