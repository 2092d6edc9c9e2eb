"""The tables of a bot that are about all table sizes: ratings, versions and the latest errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask import url_for
from msgspec.structs import asdict
from sqlmodel import Session

from gangland_web.models.bots import Version
from gangland_web.models.columns import stored
from gangland_web.resources.bots.models import VersionSummary, own_bot, version_summary
from gangland_web.resources.bots.queries import BotPage, RatingRow, ratings_of
from gangland_web.resources.matches.faults import FaultRow, recent_faults
from gangland_web.resources.tables import Column, Kind, TableData, columns_of, file_urls

RATINGS: Final = (
    Column("seats", "Table", Kind.WHOLE),
    Column("version", "Version", Kind.WHOLE),
    Column("active", "Active", Kind.FLAG),
    *(Column("season", "Season", Kind.WHOLE), Column("season_rank", "Rank at its end", Kind.WHOLE)),
    Column("rank", "Rank", Kind.WHOLE),
    Column("rating", "Rating", Kind.NUMBER),
    Column("mu", "mu", Kind.NUMBER),
    Column("sigma", "sigma", Kind.NUMBER),
    Column("games", "Games", Kind.WHOLE),
    Column("wins", "Wins", Kind.WHOLE),
    Column("faults", "Faults", Kind.WHOLE),
)
VERSIONS: Final = columns_of(VersionSummary)
ERRORS: Final = (
    Column("match", "Match", Kind.WHOLE),
    Column("over_at", "Over", Kind.MOMENT),
    Column("version", "Version", Kind.WHOLE),
    Column("fault", "What", Kind.FAULT),
    Column("block", "Block", Kind.INDEX),
    Column("rotation", "Order", Kind.INDEX),
    Column("round", "Round", Kind.WHOLE),
    Column("where", "Where"),
    Column("at", "Decision"),
)
OWN: Final = (
    *(Column("bot_id", "Number", Kind.WHOLE, of="id"), Column("bot", "Bot", of="name"), Column("game", "Game")),
    *(Column("active_version", "On the ladder", Kind.WHOLE), Column("newest_version", "Newest", Kind.WHOLE)),
    *(Column("state", "State"), Column("uploaded_at", "Uploaded", Kind.MOMENT)),
    *(Column(f"rating_{seats}", f"Rating, {seats} seats", Kind.NUMBER) for seats in (2, 3, 4)),
    *(Column(f"rank_{seats}", f"Rank, {seats} seats", Kind.WHOLE) for seats in (2, 3, 4)),
    *(Column("games", "Games", Kind.WHOLE), Column("faults", "Faults", Kind.WHOLE)),
)
ERRORS_LISTED = 12
"""So many matches with a fault are listed."""
TABLES: Final[Mapping[str, tuple[Column, ...]]] = {"ratings": RATINGS, "versions": VERSIONS, "errors": ERRORS}


def _table(bot_id: int, what: str, caption: str, rows: Sequence[Any], **more: Any) -> TableData:
    files = file_urls("bot_figures.whole_table", bot_id=bot_id, what=what)
    return TableData(f"bot-{what}", caption, TABLES[what], rows, **files, **more)


def ratings_table(bot_id: int, ratings: Sequence[RatingRow]) -> TableData:
    """Return how a bot's versions stand at each table size."""
    rows = [
        {
            "seats": row.seats,
            "version": row.version,
            "active": row.entry.active,
            **{name: getattr(row, name) for name in ("season", "season_rank")},
            "rank": row.rank,
            **{name: getattr(row.entry, name) for name in ("rating", "mu", "sigma", "games", "wins", "faults")},
        }
        for row in ratings
    ]
    return _table(bot_id, "ratings", "Rating is mu − 3 sigma: a strength that the bot almost surely has.", rows)


def versions_table(bot_id: int, versions: Sequence[Version]) -> TableData:
    """Return a bot's versions, newest first."""
    return _table(bot_id, "versions", "Newest first", [version_summary(each) for each in versions])


def errors_table(bot_id: int, faults: Sequence[FaultRow]) -> TableData:
    """Return the latest faults of a bot's version, one a match, each with the way to its very decision."""
    rows, links = [], []
    for each in faults:
        rows.append(
            {
                "match": each.match_id,
                "over_at": each.at,
                "version": each.version,
                "fault": each.fault["kind"],
                "block": each.block,
                "rotation": each.rotation,
                "round": each.fault["round"] or None,
                "where": "" if each.address else _nowhere(each.fault),
                "at": each.address,
            }
        )
        place: Any = {"match_id": each.match_id, "block": each.block, "rotation": each.rotation}
        game = url_for("matches.game", **place, _anchor=each.address)
        links.append({"match": url_for("matches.match", match_id=each.match_id), "at": game})
    caption = "The first fault of each of its latest matches that had one, newest first"
    return _table(bot_id, "errors", caption, rows, links=links)


def _nowhere(fault: Mapping[str, Any]) -> str:
    """Say why no decision of a replay is to be seen for a fault."""
    if fault["decision"] is not None:
        return "replay not kept"
    return "after the game" if fault["round"] else "before the game"


def own_bots_table(bots: Sequence[BotPage], standing: Mapping[int, Sequence[RatingRow]]) -> TableData:
    """Return a person's bots with their newest versions, and how their active versions stand."""
    rows = []
    for page in bots:
        sizes = {row.seats: row for row in standing[stored(page.bot.id)]}
        rated = {seats: row for seats, row in sizes.items() if row.rated}
        rows.append(
            {
                **asdict(own_bot(page)),
                **{f"rating_{seats}": rated[seats].entry.rating if seats in rated else None for seats in (2, 3, 4)},
                **{f"rank_{seats}": rated[seats].rank if seats in rated else None for seats in (2, 3, 4)},
                "games": sum(row.entry.games for row in sizes.values()),
                "faults": sum(row.entry.faults for row in sizes.values()),
            }
        )
    return TableData("own-bots", "In order of game and name", OWN, rows)


def bot_table(db: Session, page: BotPage, what: str) -> TableData:
    """Return a table of a bot that is about all table sizes."""
    bot_id = stored(page.bot.id)
    if what == "versions":
        return versions_table(bot_id, page.versions)
    ratings = ratings_of(db, bot_id)
    if what == "ratings":
        return ratings_table(bot_id, ratings)
    return errors_table(bot_id, latest_errors(db, page, ratings))


def latest_errors(db: Session, page: BotPage, ratings: Sequence[RatingRow]) -> list[FaultRow]:
    """Return the latest faults of the version that is on the ladders, or else of the newest that was."""
    newest = page.active.number if page.active else max((row.version for row in ratings), default=0)
    versions = {stored(row.entry.id): row.version for row in ratings if row.version == newest}
    return recent_faults(db, versions, matches=ERRORS_LISTED)
