"""Read the seasons of a ladder: dates, days and final standings."""

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from flask import url_for
from sqlmodel import Session, col, func, select

from gangland_web.base.formats import day_text
from gangland_web.models.bots import HOUSE, Bot, Version, owner_name
from gangland_web.models.tournaments import Entry, Season, SeasonPlace, Tournament
from gangland_web.queries import ladders, tables
from gangland_web.queries.visibility import NotVisible
from gangland_web.services.ladder_days import today
from gangland_web.services.seasons import seasons_of

MAX_RESULTS: Final = 10  # the maximum number of best results listed


class SeasonSummary(tables.Model):
    """A season of a ladder, with its first and last day in UTC.

    It is `ending` after its last day, and `fixed` once its standings are final, that is, when all its matches are over
    and all secrets of its days are public.
    """

    number: tables.Number
    url: tables.Path
    page: tables.Path
    name: str
    state: Literal["announced", "running", "ending", "fixed"]
    first_day: tables.Day
    last_day: tables.Day
    announced_at: tables.Moment
    fixed_at: tables.Moment | None


class Seasons(tables.Model):
    """The seasons of a ladder, newest first."""

    rows: list[SeasonSummary]


class SeasonStanding(tables.Model):
    """A bot's place in a season: equal ratings share a rank, and `owner` is the owner at the season's end."""

    rank: tables.Number
    entry: tables.Number
    bot_id: tables.Number
    bot: str
    version: tables.Number
    owner: str
    mu: float
    sigma: float
    rating: float
    games: tables.Count
    wins: tables.Count
    faults: tables.Count


class SeasonDetail(SeasonSummary):
    """A season with its days and, once they are final, its standings.

    `gangland verify` recomputes the standings from the archives of the days.
    """

    ladder: str
    game: tables.Game
    seats: tables.Seats
    blocks: tables.Count
    days: list[ladders.DayDetail]
    rows: list[SeasonStanding]


class SeasonResult(tables.Model):
    """A bot's place in a season, among `bots` bots."""

    season: SeasonSummary
    game: tables.Game
    seats: tables.Seats
    bot_id: tables.Number
    bot: str
    rank: tables.Number
    rating: float
    bots: tables.Count


class SeasonRow(NamedTuple):
    """A row of a season's standings."""

    rank: int
    entry: int
    bot_id: int
    bot: str
    version: int
    owner: str | None  # None for a house bot
    owner_id: int | None
    team_id: int | None
    mu: float
    sigma: float
    rating: float
    games: int
    wins: int
    faults: int


SEASON_STANDINGS: Final = tables.table_of(
    *("season-standings", SeasonRow, "/ladders/GAME/SEATS/seasons/N"),
    "A season's final standings; only the CSV has these rows.",
    tables.Column("rank", "Rank", tables.Kind.WHOLE, css="rank"),
    *tables.several(tables.Kind.WHOLE, quiet=True, entry="Entry", bot_id="Number"),
    tables.Column("bot", "Bot", cell="bot_version", names_row=True),
    tables.Column("version", "Version", tables.Kind.WHOLE, quiet=True),
    tables.Column("owner", "Final owner", tables.Kind.OWNER, quiet=True),
    *tables.several(tables.Kind.NUMBER, quiet=True, mu="mu", sigma="sigma"),
    tables.Column("rating", "Rating", tables.Kind.NUMBER, "rating"),
    tables.Column("", "Strength", tables.Kind.NUMBER, "range"),
    tables.Column("", "Final owner", cell="owner"),
    *tables.several(tables.Kind.WHOLE, games="Games", wins="Wins", faults="Faults"),
    attributes=' id="bot-{{ row.bot_id }}"',
    phone=("Rank", "Bot", "Rating"),
)
_CAPTION: Final = "By rating. Where ranges of strength overlap, it is too close to call."


def season_list(db: Session, ladder_id: int | None, game: str, seats: int) -> list[SeasonSummary]:
    """Return the seasons of a ladder, newest first."""
    return [_summary(game, seats, season) for season in seasons_of(db, ladder_id)]


def get_season(db: Session, ladder: Tournament, number: int) -> Season:
    """Return a season of a ladder.  Raises NotVisible."""
    season = db.exec(select(Season).where(Season.tournament_id == ladder.id, Season.number == number)).first()
    if season is None:
        raise NotVisible
    return season


def season_detail(db: Session, ladder: Tournament, season: Season, rows: Sequence[SeasonRow]) -> SeasonDetail:
    """Return a season for its JSON file and the API; `rows` is the result of `season_rows`."""
    return tables.model_from(
        SeasonDetail,
        _summary(ladder.game, ladder.seats, season),
        ladder=ladder.name,
        game=ladder.game,
        seats=ladder.seats,
        blocks=ladder.blocks,
        days=ladders.days_of(db, ladder, since=season.first_day, before=season.last_day + 1)[::-1],
        rows=[tables.model_from(SeasonStanding, row, owner=row.owner or HOUSE) for row in rows],
    )


def season_table(ladder: Tournament, season: Season, rows: Sequence[SeasonRow]) -> tables.TableData:
    """Return the standings of a season as a table."""
    parameters: dict[str, Any] = {"game": ladder.game, "seats": ladder.seats, "number": season.number}
    files = tables.file_urls("ladders.season_file", **parameters)
    return SEASON_STANDINGS.of(rows, _CAPTION, **files)


def season_rows(db: Session, season: Season) -> list[SeasonRow]:
    """Return the final standings of a season, best first; empty until they are final."""
    query: Any = (
        select(
            *(col(SeasonPlace.rank), col(SeasonPlace.entry_id).label("entry"), col(Bot.id).label("bot_id")),  # type: ignore[call-overload]
            *(col(Bot.name).label("bot"), col(Version.number).label("version"), owner_name(SeasonPlace).label("owner")),
            *(col(SeasonPlace.owner_id), col(SeasonPlace.team_id)),
            *(col(column) for column in (SeasonPlace.mu, SeasonPlace.sigma, SeasonPlace.rating)),
            *(col(column) for column in (SeasonPlace.games, SeasonPlace.wins, SeasonPlace.faults)),
        )
        .join(Entry, col(Entry.id) == SeasonPlace.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(SeasonPlace.season_id == season.id, col(SeasonPlace.rank).is_not(None))
        .order_by(col(SeasonPlace.rank), col(SeasonPlace.entry_id))
    )
    return [SeasonRow(**row._mapping) for row in db.exec(query).all()]


def season_results(db: Session, bots: Sequence[int], limit: int | None = None) -> list[SeasonResult]:
    """Return the places of these bots in seasons, best place first, then newest first."""
    all_places = select(func.count()).where(SeasonPlace.season_id == Season.id, col(SeasonPlace.rank).is_not(None))
    count = all_places.correlate(Season).scalar_subquery()
    query: Any = (
        select(SeasonPlace, Season, Bot.id, Bot.name, Tournament.game, Tournament.seats, count)  # type: ignore[call-overload]
        .join(Season, col(Season.id) == SeasonPlace.season_id)
        .join(Tournament, col(Tournament.id) == Season.tournament_id)
        .join(Entry, col(Entry.id) == SeasonPlace.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(col(Bot.id).in_(bots), col(SeasonPlace.rank).is_not(None))
        .order_by(col(SeasonPlace.rank), col(Season.last_day).desc(), col(SeasonPlace.entry_id))
    )
    return [
        SeasonResult(_summary(game, seats, season), game, seats, bot_id, bot, place.rank, place.rating, bots_placed)
        for place, season, bot_id, bot, game, seats, bots_placed in db.exec(query.limit(limit)).all()
    ]


def final_seasons(
    db: Session, ladder: Tournament, limit: int
) -> list[tuple[SeasonSummary, float, Sequence[SeasonRow]]]:
    """Return the latest seasons with final standings, the times when these became final, and their first three rows."""
    seasons = [(season, season.fixed_at) for season in seasons_of(db, ladder.id, limit) if season.fixed_at is not None]
    return [(_summary(ladder.game, ladder.seats, season), at, season_rows(db, season)[:3]) for season, at in seasons]


def _summary(game: str, seats: int, season: Season) -> SeasonSummary:
    return tables.model_from(
        SeasonSummary,
        season,
        url=f"{tables.BASE}/ladders/{game}/{seats}/seasons/{season.number}",
        page=url_for("ladders.ladder", game=game, seats=seats, season=season.number),
        state=_state(season),
        first_day=day_text(season.first_day),
        last_day=day_text(season.last_day),
    )


def _state(season: Season) -> str:
    if season.fixed_at is not None:
        return "fixed"
    if season.ended_at is not None or season.last_day < today():
        return "ending"
    return "announced" if season.first_day > today() else "running"
