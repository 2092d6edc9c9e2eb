"""Read the news about the bots, users and teams that a user follows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import nextafter
from typing import Any, Final, NamedTuple

from flask import url_for
from sqlalchemy import bindparam, func
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from gangland_ladder.common.texts import counted
from gangland_web.base.formats import DAY_S, GAME_TITLES, now_s, number, timestamp
from gangland_web.models.accounts import Follow, Team, User
from gangland_web.models.bots import Bot, Version, VersionState, VersionStep
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import AnalysisSeat, AnalysisState, GameAnalysis
from gangland_web.models.matches import Match, MatchState, PlayedGame
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.queries.authors import listed_people, places_of
from gangland_web.queries.bot_figures import LAST_MATCH
from gangland_web.queries.bots import BotPage, RatingRow, active_ratings_of, pages_with_ids
from gangland_web.queries.hall_of_fame import TITLES, best_records, record_holder
from gangland_web.queries.match_lists import ListedMatch
from gangland_web.queries.seasons import SeasonRow, SeasonSummary
from gangland_web.queries.tables import Model, Moment, Number, Path
from gangland_web.queries.tournaments import tournaments_of
from gangland_web.services.following import FollowKind, follows_of, mark_of

# News: one model for feeds and for the page of followed bots, users and teams.
#
# All news is public: ladder matches, versions on the ladders, places in tournaments once their standings are public,
# records, and analyzed games of ladders.

MAX_NEWS: Final = 50  # default length of a list of news, and the maximum length of the page of unread news


class NewsItem(Model):
    """A piece of news: `kind` is match, version, tournament, record, analysis, season or rank.

    `title` begins with the bot's `name`, which is empty for a match or a season.  `mark` distinguishes news with the
    same `page`.  For a change of rank, `at` is the end of the bot's last match, since the time of the change is not
    known.
    """

    kind: str
    at: Moment
    name: str
    title: str
    summary: str
    page: Path
    mark: str


def news_of(db: Session, bots: Sequence[int], since: float = 0.0, limit: int = MAX_NEWS) -> list[NewsItem]:
    """Return the news about bots since a time, newest first, without matches."""
    items = [
        *_versions(db, bots, since, limit),
        *_tournaments(db, bots, since),
        *_records(db, bots, since),
        *_analyses(db, bots, since),
    ]
    return newest(items, limit)


def newest(items: Iterable[NewsItem], limit: int) -> list[NewsItem]:
    """Return the newest items, newest first."""
    return sorted(items, key=lambda item: (item.at, item.page, item.mark), reverse=True)[:limit]


def match_news(match: ListedMatch) -> NewsItem:
    """Return a finished match as a news item."""
    names = ", ".join(seat.bot for seat in match.bots)
    places = "; ".join(f"{seat.bot}: mean place {number(seat.mean_place)}" for seat in match.bots)
    summary = f"{GAME_TITLES[match.game]}, {match.seats} seats. {places}."
    page = url_for("matches.match", match_id=match.id)
    return NewsItem("match", timestamp(match.done_at or 0.0), "", f"Match {match.id}: {names}", summary, page, "")


def season_news(season: SeasonSummary, at: float, best: Sequence[SeasonRow]) -> NewsItem:
    """Return the final standings of a season as a news item, with their first rows."""
    first = "; ".join(f"rank {row.rank}: {row.bot}, {number(row.rating)}" for row in best) or "no rated match"
    title = f"The standings of season {season.number} are final"
    summary = f"{season.first_day} to {season.last_day}. {first}."
    return NewsItem("season", timestamp(at), "", title, summary, season.page, "")


def rank_key(bot_id: int, seats: int) -> str:
    """Return the key of a stored rank (`FollowMark.ranks`)."""
    return f"{bot_id}.{seats}"


def ranks_in(ratings: Mapping[int, Sequence[RatingRow]]) -> dict[str, int]:
    """Return the ranks of bots on the ladders, by their keys."""
    return {
        rank_key(bot, row.seats): row.rank
        for bot, rows in ratings.items()
        for row in rows
        if row.rated and row.rank is not None
    }


def rank_changes(
    db: Session, bots: Sequence[Bot], ratings: Mapping[int, Sequence[RatingRow]], known: Mapping[str, int]
) -> dict[str, NewsItem]:
    """Return the changes from known ranks by rank key, each with the time of the bot's last match."""
    changed = [
        (bot, row, before)
        for bot in bots
        for row in ratings.get(row_id(bot.id), ())
        if row.rated and (before := known.get(rank_key(row_id(bot.id), row.seats))) not in (None, row.rank)
    ]
    entries = [row_id(row.entry.id) for _, row, _ in changed]
    times: Any = db.connection().execute(_LAST_MATCHES, {"entries": entries}).all() if entries else ()
    last = {entry: at or 0.0 for entry, at in times}
    changes = {}
    for bot, row, before in changed:
        at, key = timestamp(last[row_id(row.entry.id)]), rank_key(row_id(bot.id), row.seats)
        title = f"{_bot_with_game(bot.name, bot.game)}: rank {row.rank} at {row.seats} seats (was {before})"
        summary = "Since you followed it or last read your news."
        page = url_for("bots.bot", bot_id=bot.id)
        changes[key] = NewsItem("rank", at, bot.name, title, summary, page, f"rank-{row.seats}-{before}-{row.rank}")
    return changes


def _bot_with_game(bot: str, game: str) -> str:
    return f"{bot} ({GAME_TITLES[game]})"


def _versions(db: Session, bots: Sequence[int], since: float, limit: int) -> Iterator[NewsItem]:
    rows: Any = db.connection().execute(_ACTIVE, {"bots": list(bots), "since": since, "limit": limit}).all()
    for bot_id, name, game, version, note, at in rows:
        title = f"{_bot_with_game(name, game)}: version {version} is on the ladders"
        page = url_for("bots.version", bot_id=bot_id, number=version)
        yield NewsItem("version", timestamp(at), name, title, note or f"{GAME_TITLES[game]}.", page, "active")


def _tournaments(db: Session, bots: Sequence[int], since: float) -> Iterator[NewsItem]:
    tournaments = {row_id(each.id): each for each in tournaments_of(db, bots)}
    for place in places_of(db, list(tournaments.values()), bots):
        played, tournament = place.tournament, tournaments[place.tournament.id]
        at = max(tournament.finished_at or 0.0, tournament.embargo_until or 0.0)  # when standings became public
        if at > since:
            title = f"{_bot_with_game(place.bot, played.game)}: rank {place.rank} of {place.bots} in {played.name}"
            summary, mark = f"{GAME_TITLES[played.game]}, {played.seats} seats.", f"rank-of-bot-{place.bot_id}"
            yield NewsItem("tournament", timestamp(at), place.bot, title, summary, played.page, mark)


def _records(db: Session, bots: Sequence[int], since: float) -> Iterator[NewsItem]:
    for stored_record in best_records(db):
        record = stored_record.record
        if record.bot_id in bots and record.at > since and record.id is not None:
            row = record_holder(stored_record, {})
            title = f"{_bot_with_game(row.bot, row.game)} holds a record: {TITLES[row.kind].lower()}, {row.value_text}"
            summary, page = f"{GAME_TITLES[row.game]}, {row.seats} seats.", url_for("ladders.watch", game=row.game)
            mark = f"{row.kind}-{row.game}-{row.seats}-{row.bot_id}-{row.match or timestamp(row.at)}"
            yield NewsItem("record", timestamp(row.at), row.bot, title, summary, page, mark)


def _analyses(db: Session, bots: Sequence[int], since: float) -> Iterator[NewsItem]:
    rows: Any = db.connection().execute(_ANALYZED, {"bots": list(bots), "since": since}).all()
    for bot_id, name, game, games, last, at in rows:
        title = f"{_bot_with_game(name, game)}: {counted(games, 'game')} analyzed"
        page = url_for("bots.analysis", bot_id=bot_id)
        yield NewsItem("analysis", timestamp(at), name, title, "What its decisions cost.", page, f"game-{last}")


_bots: Any = bindparam("bots", expanding=True)
_ACTIVE: Final = (
    select_columns(*(col(each) for each in (Bot.id, Bot.name, Bot.game, Version.number, Version.note, VersionStep.at)))
    .join(Version, col(Version.bot_id) == Bot.id)
    .join(VersionStep, col(VersionStep.version_id) == Version.id)
    .where(col(Bot.id).in_(_bots), col(VersionStep.state) == VersionState.ACTIVE.value, col(VersionStep.ok).is_(True))
    .where(col(VersionStep.at) > bindparam("since"))
    .order_by(col(VersionStep.at).desc(), col(VersionStep.id).desc())
    .limit(bindparam("limit"))
)
_ANALYZED: Final = (
    select_columns(
        *(col(Bot.id), col(Bot.name), col(Bot.game), func.count()),
        *(func.max(col(GameAnalysis.game_id)), func.max(col(GameAnalysis.done_at))),
    )
    .join(Version, col(Version.bot_id) == Bot.id)
    .join(Entry, col(Entry.version_id) == Version.id)
    .join(Tournament, col(Tournament.id) == Entry.tournament_id)
    .join(AnalysisSeat, col(AnalysisSeat.entry_id) == Entry.id)
    .join(GameAnalysis, col(GameAnalysis.game_id) == AnalysisSeat.game_id)
    .join(PlayedGame, col(PlayedGame.id) == GameAnalysis.game_id)
    .join(Match, col(Match.id) == PlayedGame.match_id)
    .where(col(Bot.id).in_(_bots), col(Tournament.kind) == "ladder", col(Match.state) == MatchState.DONE.value)
    .where(col(GameAnalysis.state) == AnalysisState.DONE.value, col(GameAnalysis.done_at) > bindparam("since"))
    .group_by(col(Bot.id), col(Bot.name), col(Bot.game))
)
_LAST_MATCHES: Final = (
    select_columns(col(Entry.id), col(Match.done_at))
    .join(Match, col(Match.id) == LAST_MATCH)
    .where(col(Entry.id).in_(bindparam("entries", expanding=True)))
)


# Followed bots, users and teams, and their news since the user last marked the news as read.

FEED_S: Final = 30 * DAY_S  # the age of the oldest news in the feed, except changes of rank
_NO_LIMIT: Final = 10**6  # effectively no limit


class FollowedItem(Model):
    """A bot, a user or a team that is followed; `kind` is the word in its address: bots, authors or teams.

    `game` is empty for users and teams.
    """

    kind: str
    id: Number
    name: str
    game: str
    page: Path
    since: Moment


class Following(Model):
    """The bots, users and teams that a user follows, newest first, and the news since `read_at`, newest first.

    If there are more than 50 unread items, only the oldest are listed.
    """

    read_at: Moment
    follows: list[FollowedItem]
    happenings: list[NewsItem]


class Unread(NamedTuple):
    """A user's unread news, as shown on pages."""

    shown: Following
    total: int  # including later items, which are not shown and stay unread
    until: float  # the latest possible time of the items shown
    ranks: dict[str, int]  # the ranks of the changes shown, by rank key


class FollowedBots(NamedTuple):
    """The bots, users and teams that a user follows, and all of their bots."""

    items: list[FollowedItem]
    bots: list[BotPage]


def unread(db: Session, user_id: int) -> Unread:
    """Return a user's follows and unread news."""
    until, last = now_s(), None  # set before the first statement, so that later items stay unread
    follows, mark = followed(db, user_id), mark_of(db, user_id)
    ratings = active_ratings_of(db, follows.bots)
    bots = [page.bot for page in follows.bots]
    changes, ranks = rank_changes(db, bots, ratings, mark.ranks), ranks_in(ratings)
    others = news_of(db, [row_id(bot.id) for bot in bots], mark.read_at, _NO_LIMIT)
    items = newest([*others, *changes.values()], _NO_LIMIT)
    if len(items) > MAX_NEWS:
        last = items[-MAX_NEWS].at
        until = nextafter(datetime.fromisoformat(last).timestamp() + 1, 0)
    return Unread(
        Following(
            read_at=timestamp(mark.read_at),
            follows=follows.items,
            happenings=[item for item in items if last is None or item.at <= last],
        ),
        len(items),
        until,
        {key: ranks[key] for key, change in changes.items() if last is None or change.at <= last},
    )


def feed_of(db: Session, user_id: int, limit: int) -> list[NewsItem]:
    """Return a user's latest news, newest first: read or not, but changes of rank only while unread."""
    follows, mark = followed(db, user_id), mark_of(db, user_id)
    bots = [page.bot for page in follows.bots]
    changes = rank_changes(db, bots, active_ratings_of(db, follows.bots), mark.ranks)
    others = news_of(db, [row_id(bot.id) for bot in bots], now_s() - FEED_S)
    return newest([*others, *changes.values()], limit)


def ranks_to_store(db: Session, user_id: int, shown: Mapping[str, int]) -> dict[str, int]:
    """Return the ranks to store as read, after a page has shown the ranks `shown`."""
    known = mark_of(db, user_id).ranks
    return {key: shown.get(key, known.get(key, rank)) for key, rank in ranks_of(db, user_id).items()}


def ranks_of(db: Session, user_id: int) -> dict[str, int]:
    """Return the ranks of all bots that a user follows, by rank key."""
    return ranks_in(active_ratings_of(db, followed(db, user_id).bots))


def followed(db: Session, user_id: int) -> FollowedBots:
    """Return the bots, users and teams that a user follows and that are still listed, with their bots."""
    rows = follows_of(db, user_id)
    bots, people, teams = ([row for row in rows if getattr(row, name)] for name in ("bot_id", "person_id", "team_id"))
    names: dict[tuple[FollowKind, int], str] = {}
    query = select(Bot.id, Bot.name, Bot.game).where(col(Bot.id).in_([row.bot_id for row in bots]))
    games: dict[tuple[FollowKind, int], str] = {}
    for bot_id, name, game in db.exec(query).all():
        names[FollowKind.BOT, row_id(bot_id)], games[FollowKind.BOT, row_id(bot_id)] = name, game
    users = select(User.id, User.name).where(col(User.id).in_([row.person_id for row in people]), listed_people())
    names |= {(FollowKind.PERSON, row_id(number)): name for number, name in db.exec(users).all()}
    team_names = select(Team.id, Team.name).where(col(Team.id).in_([row.team_id for row in teams]))
    names |= {(FollowKind.TEAM, row_id(number)): name for number, name in db.exec(team_names).all()}
    items = [_followed_item(row, names[key], games.get(key, "")) for row in rows if (key := _key(row)) in names]
    ids_by_kind = {kind: [item.id for item in items if item.kind == kind] for kind in FollowKind}
    condition = col(Bot.id).in_(ids_by_kind[FollowKind.BOT]) | col(Bot.owner_id).in_(ids_by_kind[FollowKind.PERSON])
    condition |= col(Bot.team_id).in_(ids_by_kind[FollowKind.TEAM])
    ids = [row_id(number) for number in db.exec(select(Bot.id).where(condition).order_by(col(Bot.id))).all()]
    return FollowedBots(items, pages_with_ids(db, ids))


def page_url(kind: FollowKind, number: int) -> str:
    """Return the URL of a bot's, user's or team's page."""
    if kind is FollowKind.BOT:
        return url_for("bots.bot", bot_id=number)
    if kind is FollowKind.PERSON:
        return url_for("authors.author", author_id=number)
    return url_for("teams.team", team_id=number)


def _key(row: Follow) -> tuple[FollowKind, int]:
    if row.bot_id is not None:
        return FollowKind.BOT, row.bot_id
    return (FollowKind.PERSON, row.person_id) if row.person_id is not None else (FollowKind.TEAM, row.team_id or 0)


def _followed_item(row: Follow, name: str, game: str) -> FollowedItem:
    kind, number = _key(row)
    return FollowedItem(
        kind=kind.value, id=number, name=name, game=game, page=page_url(kind, number), since=timestamp(row.since)
    )
