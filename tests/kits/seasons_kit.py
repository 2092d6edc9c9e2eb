"""Seasons of a ladder: announced, and days that go by."""

from tests.kits.core_kit import GAME, Platform
from time_machine import Traveller

from gangland_web.base.formats import DAY_S
from gangland_web.queries.ladders import found_ladder
from gangland_web.services.ladder_days import today
from gangland_web.services.seasons import announce_season

BORDER = 20_000 * DAY_S
"""A day's border, for tests that go on from day to day."""


def announce(platform: Platform, *days: tuple[int, int], seats: int = 2, name: str = "") -> None:
    with platform.database.write() as session:
        for first, last in days:
            ladder = found_ladder(session, GAME, seats)
            announce_season(session, ladder, today() + first, today() + last, name=name)


def next_day(platform: Platform, clock: Traveller) -> None:
    clock.shift(DAY_S)
    platform.recorder.schedule()


def play_days(platform: Platform, clock: Traveller, days: int) -> None:
    for _ in range(days):
        next_day(platform, clock)
        platform.play_all()
