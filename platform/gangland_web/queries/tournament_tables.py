"""The tables of a tournament's page, and the class ranking of an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from flask import url_for
from sqlmodel import Session

from gangland_web.base.charts import Picture, progress
from gangland_web.models.tournaments import Tournament
from gangland_web.queries.match_lists import MATCHES
from gangland_web.queries.standings import Cell, SoFar, cross_table, crossed, progress_of, so_far
from gangland_web.queries.tables import Column, Kind, TableData, file_urls
from gangland_web.queries.tournaments import (
    DEADLINES,
    Amendment,
    LeftOut,
    Part,
    Table,
    amendments_of,
    entrants_of,
    left_out,
    pinned_of,
)
from gangland_web.queries.visibility import CurrentUser, NotVisible, results_come_at_once, results_visible

# Tables of a tournament, each with its files, and the chart of its progress.


ENTRIES: Final = (
    Column("entry", "Entry", Kind.WHOLE, quiet=True),
    Column("bot_id", "Number", Kind.WHOLE, quiet=True),
    Column("bot", "Bot"),
    Column("owner", "Owner"),
    Column("version", "Version", Kind.WHOLE),
    Column("code_sha256", "SHA-256 of its code", of="code"),
    Column("active", "In", Kind.FLAG),
    Column("disqualified_for", "Disqualified for"),
    Column("games", "Games", Kind.WHOLE),
    Column("wins", "Wins", Kind.WHOLE),
    Column("faults", "Faults", Kind.WHOLE),
)
INTERIM: Final = (
    Column("rank", "Rank", Kind.WHOLE),
    Column("entry", "Entry", Kind.WHOLE, quiet=True, of="part.entry.id"),
    Column("bot_id", "Number", Kind.WHOLE, quiet=True, of="part.bot_id"),
    Column("bot", "Bot", of="part.bot"),
    Column("owner", "Owner", of="part.owner_or_house"),
    Column("score", "Score", Kind.NUMBER, 3),
    Column("matches", "Matches", Kind.WHOLE),
)
AMENDMENTS: Final = (
    *(Column("at", "When", Kind.MOMENT), Column("what", "What", of="words"), Column("bot", "Bot")),
    *(
        Column("number", "Match", Kind.WHOLE),
        Column("match", "Number of the match", Kind.WHOLE, quiet=True, of="match_id"),
    ),
    Column("reason", "Reason"),
)
FREEZE: Final = (Column("bot_id", "Number", Kind.WHOLE, quiet=True), Column("bot", "Bot"), Column("reason", "Reason"))
CROSS_ROWS: Final = (
    Column("entry", "Entry", Kind.WHOLE),
    Column("bot", "Bot"),
    Column("against_entry", "Against entry", Kind.WHOLE),
    Column("against", "Against"),
    Column("matches", "Matches", Kind.WHOLE),
    Column("share", "Share", Kind.SHARE),
    Column("share_low", "At least", Kind.SHARE),
    Column("share_high", "At most", Kind.SHARE),
    Column("confidence", "Certainty"),
)
PROGRESS: Final = (
    Column("over_at", "By", Kind.MOMENT),
    Column("matches_over", "Matches over", Kind.WHOLE),
    Column("matches_planned", "of", Kind.WHOLE),
)
_TIMES: Final = {"opens_at": "Entries open", "freezes_at": "Entries close", "starts_at": "Play begins"}
TOURNAMENT_LIST: Final = (
    *(Column("id", "Number", Kind.WHOLE), Column("url", "url"), Column("page", "page"), Column("name", "Tournament")),
    *(Column("event", "Event", Kind.WHOLE), Column("state", "State"), Column("note", "Note"), Column("game", "Game")),
    *(Column("seats", "Seats", Kind.WHOLE), Column("matches_planned", "Matches", Kind.WHOLE)),
    Column("matches_over", "Matches played", Kind.WHOLE),
    *(Column(name, _TIMES.get(name, name), Kind.MOMENT) for name in DEADLINES),
)
"""The members of `TournamentSummary`."""
TOURNAMENT_TABLES: Final[Mapping[str, tuple[Column, ...]]] = {
    "entries": ENTRIES,
    "cross": CROSS_ROWS,
    "progress": PROGRESS,
    "schedule": MATCHES,
    "interim": INTERIM,
    "amendments": AMENDMENTS,
    "freeze": FREEZE,
}


def _table(tournament: Tournament, what: str, caption: str, rows: Sequence[Any], **where: Any) -> TableData:
    files = file_urls("tournaments.table", tournament_id=tournament.id, what=what, **where)
    return TableData(f"tournament-{what}", caption, TOURNAMENT_TABLES[what], rows, **files)


def entries_table(tournament: Tournament, parts: Sequence[Part], *, results: bool) -> TableData:
    """Return the entries; with results only if the visitor may see them."""
    of_play = ("active", "games", "wins", "faults")
    rows = [
        {
            **{name: getattr(part, name) for name in ("bot_id", "bot", "version", "code")},
            "owner": part.owner_or_house,
            "entry": part.entry.id if part.entry else None,
            **{name: getattr(part.entry, name) if results and part.entry else None for name in of_play},
            "disqualified_for": part.entry.disqualified_for or None if results and part.entry else None,
        }
        for part in parts
    ]
    return _table(tournament, "entries", "Who takes part", rows)


def so_far_table(tournament: Tournament, lines: Sequence[SoFar]) -> TableData:
    """Return the standings while the tournament is played."""
    return _table(tournament, "interim", "Standings from the matches that are over", lines)


def freeze_table(tournament: Tournament, bots: Sequence[LeftOut]) -> TableData:
    """Return which bots the freeze left out or took in an older version, and why."""
    links = [{"bot": url_for("bots.bot", bot_id=each.bot_id)} for each in bots]
    return replace(_table(tournament, "freeze", "By name", bots), links=links)


def amendments_table(tournament: Tournament, amendments: Sequence[Amendment]) -> TableData:
    """Return what organizers did to results, and why."""
    links = [
        {"number": url_for("matches.match", match_id=one.match_id)} if one.match_id is not None else {}
        for one in amendments
    ]
    return replace(_table(tournament, "amendments", "Newest first", amendments), links=links)


def cross_rows_table(
    tournament: Tournament, parts: Sequence[Part], cells: Mapping[int, Mapping[int, Cell]]
) -> TableData:
    """Return the cross table, a row for each two that met."""
    names = {part.entry.id: part.bot for part in parts if part.entry is not None}
    rows = [
        {
            "entry": entry,
            "bot": names[entry],
            "against_entry": other,
            "against": names[other],
            "matches": cell.matches,
            "share": cell.share,
            "share_low": cell.lead.low if cell.lead else None,
            "share_high": cell.lead.high if cell.lead else None,
            "confidence": cell.lead.words if cell.lead else "void",
        }
        for entry, row in sorted(cells.items())
        for other, cell in sorted(row.items())
    ]
    return _table(tournament, "cross", "Matches and their results", rows)


def progress_table(tournament: Tournament, points: Sequence[tuple[float, int]]) -> TableData:
    """Return how many matches were over by when."""
    planned = tournament.matches_planned
    rows = [{"over_at": at, "matches_over": count, "matches_planned": planned} for at, count in points]
    return _table(tournament, "progress", "Matches that were over by then", rows)


def progress_picture(tournament: Tournament, points: Sequence[tuple[float, int]]) -> Picture | None:
    """Return the chart of a tournament's progress."""
    return progress("progress", f"Progress of {tournament.name}", points, tournament.matches_planned)


def schedule_table(
    tournament: Tournament, tables: Sequence[Table], *, results: bool, beyond: str | None, **query: int | None
) -> TableData:
    """Return some matches of a tournament, a row for each bot in each; results only where the visitor may see them.

    Args:
        beyond: the address of the matches that follow.
        query: which ones, as the page's address has it.
    """
    shown = {} if results else dict.fromkeys(("state", "done_at", "mean_place"))
    rows = [
        {
            **{name: getattr(table, name) for name in ("id", "number", "state", "done_at")},
            **{name: getattr(seat, name) for name in ("position", "bot_id", "bot", "mean_place")},
            "game": tournament.game,
            "seats": len(table.seats),
            **shown,
        }
        for table in tables
        for seat in (table.seats if results else sorted(table.seats, key=lambda seat: seat.position))
    ]
    data = _table(tournament, "schedule", "Matches in order of their numbers", rows, **query)
    return replace(data, paged=True, next=beyond)


def tournament_table(db: Session, tournament: Tournament, what: str, who: CurrentUser | None) -> TableData:
    """Return a table of a tournament, but that of its matches.  Raises NotVisible: it has none."""
    shown, parts = results_visible(tournament, who), pinned_of(db, tournament)
    if what == "entries":
        return entries_table(tournament, parts or entrants_of(db, tournament), results=shown)
    if what == "interim":
        return so_far_table(tournament, so_far(db, tournament, parts, shown=shown))
    if what == "amendments":
        return amendments_table(tournament, amendments_of(db, tournament) if shown else [])
    if what == "freeze":
        return freeze_table(tournament, left_out(db, tournament))
    if what == "progress":
        return progress_table(tournament, progress_of(db, tournament) if shown else [])
    if not results_come_at_once(tournament, who) or not crossed(tournament, len(parts)):
        raise NotVisible("There is no cross table: its results are not shown yet, or it is too large for one.")
    return cross_rows_table(tournament, parts, cross_table(db, tournament) if shown else {})


# The class ranking of an event: without house bots, with one total over all its games.
#
# In each game a bot gets the share of the others of the class that it finished ahead of: 1 for the first, 0 for the
# last, a half for each tie. Alone in a game it has 1; without a bot in a game an owner has 0. The total is the sum
# over the event's games; equal totals share a rank.


RANKING: Final = (
    *(Column("rank", "Rank", Kind.WHOLE), Column("who", "Who"), Column("total", "Total", Kind.NUMBER)),
    *(Column("game", "Game"), Column("tournament", "Tournament", Kind.WHOLE, quiet=True), Column("bot", "Bot")),
    *(Column("place", "Place in class", Kind.WHOLE), Column("of", "of", Kind.WHOLE)),
    Column("points", "Points", Kind.NUMBER),
)
"""A row for each bot of the class in each game."""

Owner = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Stand:
    """The place of an owner's best bot in one game of the event, among bots of the class."""

    part: Part
    place: int
    points: Fraction


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of the ranking; `stands` has an item for each game, in the event's order."""

    rank: int
    who: str
    total: Fraction
    stands: tuple[Stand | None, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A game of the event that is over: who took part, and what its final standings say."""

    parts: Sequence[Part]
    rows: Sequence[Mapping[str, Any]]


def owner_of(part: Part) -> Owner | None:
    """Return the owner of a bot: a person or a team; None for a house bot."""
    if part.team_id is not None:
        return ("team", part.team_id)
    return None if part.owner_id is None else ("person", part.owner_id)


def ranking(games: Sequence[Played]) -> list[Ranked]:
    """Return the ranking over the games of an event that are over, first to last."""
    stands = [_stands(game) for game in games]
    owners = {owner: stand.part.owner or "" for game in stands for owner, stand in game.items()}
    totals = {owner: sum((game[owner].points for game in stands if owner in game), Fraction(0)) for owner in owners}
    order = sorted(owners, key=lambda owner: (-totals[owner], owners[owner].casefold(), owner))
    return [
        Ranked(
            rank=1 + sum(other > totals[owner] for other in totals.values()),
            who=owners[owner],
            total=totals[owner],
            stands=tuple(game.get(owner) for game in stands),
        )
        for owner in order
    ]


def ranking_rows(ranked: Sequence[Ranked], games: Sequence[tuple[int, str]]) -> list[dict[str, Any]]:
    """Return the ranking as rows of a table.

    Args:
        games: of each game its tournament and its name.
    """
    return [
        {
            "rank": line.rank,
            "who": line.who,
            "total": float(line.total),
            "game": game,
            "tournament": tournament,
            "bot": stand.part.bot,
            "place": stand.place,
            "of": sum(other.stands[at] is not None for other in ranked),
            "points": float(stand.points),
        }
        for line in ranked
        for at, ((tournament, game), stand) in enumerate(zip(games, line.stands, strict=True))
        if stand is not None
    ]


def _stands(game: Played) -> dict[Owner, Stand]:
    """Return the place of each owner's best bot."""
    by_entry = {part.entry.id: part for part in game.parts if part.entry is not None}
    best: dict[Owner, tuple[int, Part]] = {}
    for row in game.rows:
        part = by_entry.get(row["entry"])
        owner = None if part is None else owner_of(part)
        if part is not None and owner is not None and (owner not in best or row["rank"] < best[owner][0]):
            best[owner] = (row["rank"], part)
    ranks = [rank for rank, _ in best.values()]
    return {
        owner: Stand(part, 1 + sum(r < rank for r in ranks), _points(rank, ranks))
        for owner, (rank, part) in best.items()
    }


def _points(rank: int, ranks: Sequence[int]) -> Fraction:
    others = len(ranks) - 1
    level = sum(other == rank for other in ranks) - 1
    behind = sum(other > rank for other in ranks)
    return Fraction(2 * behind + level, 2 * others) if others else Fraction(1)
