"""Ladders for tests: many entries, all rounds with their ratings, and recomputed ratings."""

from collections.abc import Sequence
from typing import Any

from tests.kits.core_kit import GAME, Platform
from tests.kits.models import Bot, Code, Entry, LadderRound, Match, MatchSeat, Session, Tournament, Version, col, select
from time_machine import Traveller

from gangland_web.base.formats import DAY_S
from gangland_web.queries.ladders import get_ladder
from gangland_web.services import ladder_days, ratings, seasons
from gangland_web.services.entries import enter


def all_rounds_and_ratings(platform: Platform) -> dict[str, Any]:
    ladders = platform.rows(select(Tournament).where(Tournament.kind == "ladder").order_by(col(Tournament.id)))
    ids = [ladder.id for ladder in ladders]
    rounds = platform.rows(select(LadderRound).order_by("tournament_id", "number"))
    seats = platform.rows(
        select(Match.tournament_id, Match.number, MatchSeat)
        .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
        .where(col(Match.tournament_id).in_(ids))
        .order_by(col(Match.tournament_id), col(Match.number), col(MatchSeat.position))
    )
    entries = platform.rows(select(Entry).where(col(Entry.tournament_id).in_(ids)).order_by(col(Entry.id)))
    return {
        "rounds": [each.model_dump() for each in rounds],
        "seats": [(ladder, number, seat.model_dump(exclude={"match_id"})) for ladder, number, seat in seats],
        "entries": [entry.model_dump(exclude={"created_at"}) for entry in entries],
        "ladders": [(ladder.cursor, ladder.rounds, ladder.rounds_taken) for ladder in ladders],
    }


def a_ladder(platform: Platform, seats: int = 2) -> Tournament:
    return platform.read(get_ladder, GAME, seats)


def crowd(platform: Platform, names: Sequence[str], seats: int) -> list[int]:
    ladder = a_ladder(platform, seats)
    with platform.database.write() as session:
        if session.get(Code, "f" * 64) is None:
            session.add(Code(sha256="f" * 64, source=b"", size=0))
        return [a_house_bot(session, ladder, name) for name in names]


def a_house_bot(session: Session, ladder: Tournament, name: str) -> int:
    bot = Bot(game=GAME, name=name, name_key=name, is_house=True, created_at=0.0)
    session.add(bot)
    session.flush()
    version = Version(
        bot_id=bot.id or 0, number=1, code_sha256="f" * 64, filename="b.py", state="active", created_at=0.0
    )
    session.add(version)
    session.flush()
    return enter(session, ladder, version.id or 0).id or 0


FORTY = [f"bot{number}" for number in range(40)]


def rebuilt(platform: Platform) -> list[ratings.RebuildSummary]:
    return platform.write(lambda session: list(ratings.rebuild(session)))


# Seasons of a ladder: announce them, and move on day by day.


BORDER = 20_000 * DAY_S  # the start of a day, for tests over several days


def announce(platform: Platform, *days: tuple[int, int], seats: int = 2, name: str = "") -> None:
    with platform.database.write() as session:
        for first, last in days:
            ladder = get_ladder(session, GAME, seats)
            seasons.announce_season(session, ladder, ladder_days.today() + first, ladder_days.today() + last, name=name)


def next_day(platform: Platform, clock: Traveller) -> None:
    clock.shift(DAY_S)
    platform.recorder.schedule()


def play_days(platform: Platform, clock: Traveller, days: int) -> None:
    for _ in range(days):
        next_day(platform, clock)
        platform.play_all()
