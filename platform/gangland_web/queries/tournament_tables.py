"""Build the tables of a tournament's page, and the class ranking of an event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

from sqlmodel import Session

from gangland_web.base.formats import timestamp
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.queries import match_lists, standings, tournaments
from gangland_web.queries.tables import Column, Kind, Moment, TableData, columns_of, file_urls, several, table_of
from gangland_web.queries.visibility import CurrentUser, NotVisible, results_are_immediate, results_visible

# Tables of a tournament, each with its files.


class EntryLine(NamedTuple):
    """A bot in a tournament."""

    part: tournaments.Part
    visible_entry: Entry | None  # the entry if the visitor may see results

    @property
    def disqualified_for(self) -> str | None:
        """The reason for a disqualification, or None."""
        return self.visible_entry.disqualified_for or None if self.visible_entry else None


class CrossLine(NamedTuple):
    """The results of two bots against each other, from the first bot's side."""

    part: tournaments.Part
    other: tournaments.Part
    cell: standings.Cell

    @property
    def confidence(self) -> str:
        """How certain the lead is, as text."""
        return self.cell.lead.text if self.cell.lead else "void"


class ProgressPoint(NamedTuple):
    """The number of matches finished by a time."""

    over_at: Moment
    matches_over: int
    matches_planned: int


_ROW_ATTRIBUTES: Final = ' data-bot="{{ row.part.bot_id }}"{% if is_own(row.part) %} class="mine"{% endif %}'
ENTRIES: Final = table_of(
    *("tournament-entries", EntryLine, "/tournaments/N/entries", "The entered bots; results once they are visible."),
    Column("entry", "Entry", Kind.WHOLE, quiet=True, of="part.entry.id"),
    Column("bot_id", "Number", Kind.WHOLE, quiet=True, of="part.bot_id"),
    Column("bot", "Bot", cell="entry", of="part.bot"),
    Column("owner", "Owner", Kind.OWNER, "entry_owner", of="part.owner"),
    Column("version", "Version", Kind.WHOLE, "entry_version", of="part.version", css=""),
    Column("code_sha256", "Code SHA-256", cell="entry_code", of="part.code"),
    Column("active", "In", Kind.FLAG, quiet=True, of="visible_entry.active"),
    Column("disqualified_for", "Disqualified for", quiet=True),
    Column("games", "Games", Kind.WHOLE, "entry_games", of="visible_entry.games"),
    *several(Kind.WHOLE, "visible_entry", wins="Wins", faults="Faults"),
    attributes=_ROW_ATTRIBUTES,
    phone=("Bot", "Games"),
)
# Headings of the columns that are empty before the freeze, and of the columns that are empty before results are shown.
VERSION_HEADINGS: Final = ("Version", "Code SHA-256")
RESULT_HEADINGS: Final = ("Games", "Wins", "Faults")
INTERIM: Final = table_of(
    *("tournament-interim", standings.InterimRow, "/tournaments/N/interim"),
    "The standings from the matches that are over, until the final standings are known.",
    Column("rank", "Rank", Kind.WHOLE, css="rank"),
    Column("entry", "Entry", Kind.WHOLE, quiet=True, of="part.entry.id"),
    Column("bot_id", "Number", Kind.WHOLE, quiet=True, of="part.bot_id"),
    Column("bot", "Bot", cell="part_version", of="part.bot", names_row=True),
    Column("owner", "Owner", Kind.OWNER, "entry_owner", of="part.owner"),
    *(Column("score", "Score", Kind.NUMBER, digits=3), Column("matches", "Matches", Kind.WHOLE)),
    attributes=_ROW_ATTRIBUTES,
    phone=("Rank", "Bot", "Score"),
)
AMENDMENTS: Final = table_of(
    *("tournament-amendments", tournaments.Amendment, "/tournaments/N/amendments"),
    "The organizer's changes to results (replayed, voided, disqualified), with reasons.",
    *(Column("at", "When", Kind.MOMENT), Column("what", "What", of="description"), Column("bot", "Bot")),
    Column("number", "Match", Kind.WHOLE, "amended_match"),
    *(Column("match", "Match number", Kind.WHOLE, quiet=True, of="match_id"), Column("reason", "Reason")),
    phone=("When", "What", "Bot"),
)
FREEZE: Final = table_of(
    *("tournament-freeze", tournaments.LeftOut, "/tournaments/N/freeze"),
    "Bots that the freeze left out, or entered with a version that was not their newest, with reasons.",
    *(Column("bot_id", "Number", Kind.WHOLE, quiet=True), Column("bot", "Bot", cell="bot"), Column("reason", "Reason")),
)
CROSS: Final = table_of(
    *("tournament-cross", CrossLine, "/tournaments/N/cross"),
    "The results of each bot against each other bot: a row for each pair in each direction.",
    *(Column("entry", "Entry", Kind.WHOLE, of="part.entry.id"), Column("bot", "Bot", of="part.bot")),
    Column("against_entry", "Against entry", Kind.WHOLE, of="other.entry.id"),
    *(Column("against", "Against", of="other.bot"), Column("matches", "Matches", Kind.WHOLE, of="cell.matches")),
    Column("share", "Share", Kind.SHARE, of="cell.share"),
    Column("share_low", "At least", Kind.SHARE, of="cell.lead.low"),
    *(Column("share_high", "At most", Kind.SHARE, of="cell.lead.high"), Column("confidence", "Certainty")),
)
PROGRESS: Final = table_of(
    *("tournament-progress", ProgressPoint, "/tournaments/N/progress", "How many matches were finished at each time."),
    *columns_of(ProgressPoint, over_at="Time", matches_over="Finished", matches_planned="Planned"),
)
# For files: a row for each match and bot.
SCHEDULE: Final = replace(
    match_lists.MATCHES,
    name="tournament-schedule",
    address="/tournaments/N/schedule",
    about="Matches in order of their numbers (`?after=`, `?entry=`), a row for each bot in each.",
)
# For pages: a row for each match.
SCHEDULE_LINES: Final = table_of(
    *("schedule-lines", tournaments.ScheduledMatch, "", ""),
    *(Column("", "Number", Kind.WHOLE, of="number"), Column("", "Bots", cell="scheduled_seats", css="wide")),
    *(Column("", "State", cell="state_void"), Column("", "Finished", Kind.MOMENT, of="done_at")),
    Column("", "Match", cell="match_id", css="nowrap"),
    phone=("Number", "Bots"),
)
_LISTED_TIMES: Final = ("freezes_at", "starts_at")
_TIMES: Final = {"opens_at": "Entries open", "freezes_at": "Entries close", "starts_at": "Play begins"}
TOURNAMENT_LIST: Final = table_of(
    *("tournament-list-rows", tournaments.TournamentSummary, "/tournaments"),
    "Tournaments, newest first; only the CSV has these rows.",
    Column("id", "Number", Kind.WHOLE, quiet=True),
    *several(Kind.TEXT, quiet=True, url="url", page="page"),
    *(Column("name", "Tournament", cell="tournament"), Column("event", "Event", Kind.WHOLE, quiet=True)),
    *(Column("", "Game", cell="game_seats", css="nowrap"), Column("state", "State", cell="tournament_state")),
    *several(Kind.TEXT, quiet=True, note="Note", game="Game"),
    *several(Kind.WHOLE, quiet=True, seats="Seats", matches_planned="Matches"),
    Column("matches_over", "Matches played", Kind.WHOLE, "matches_over"),
    *(
        Column(name, _TIMES.get(name, name), Kind.MOMENT, quiet=name not in _LISTED_TIMES)
        for name in tournaments.DEADLINES
    ),
    phone=("Tournament", "State"),
)
TOURNAMENT_TABLES: Final = {
    table.name.removeprefix("tournament-"): table
    for table in (ENTRIES, CROSS, PROGRESS, SCHEDULE, INTERIM, AMENDMENTS, FREEZE)
}


def _table(tournament: Tournament, name: str, rows: Sequence[Any], caption: str = "", **parameters: Any) -> TableData:
    files = file_urls("tournaments.table", tournament_id=tournament.id, what=name, **parameters)
    return TOURNAMENT_TABLES[name].of(rows, caption, **files)


def entries_table(tournament: Tournament, parts: Sequence[tournaments.Part], *, results: bool) -> TableData:
    """Return the entries; `results`: whether the visitor may see results."""
    return _table(tournament, "entries", [EntryLine(part, part.entry if results else None) for part in parts])


def interim_table(tournament: Tournament, lines: Sequence[standings.InterimRow]) -> TableData:
    """Return the standings while the tournament is in progress."""
    caption = "From the matches finished so far. Bots may have met different opponents. "
    return _table(tournament, "interim", lines, f"{caption}The final standings follow when all matches are played.")


def freeze_table(tournament: Tournament, bots: Sequence[tournaments.LeftOut]) -> TableData:
    """Return the bots that the freeze left out, or entered with an older version, with reasons."""
    return _table(tournament, "freeze", bots, "By name")


def amendments_table(tournament: Tournament, amendments: Sequence[tournaments.Amendment]) -> TableData:
    """Return the organizers' changes to results, with reasons."""
    return _table(tournament, "amendments", amendments, "Newest first")


def cross_rows_table(
    tournament: Tournament, parts: Sequence[tournaments.Part], cells: Mapping[int, Mapping[int, standings.Cell]]
) -> TableData:
    """Return the cross table with a row for each pair that has met, in each direction."""
    by_entry = {part.entry.id: part for part in parts if part.entry is not None}
    rows = [
        CrossLine(by_entry[entry], by_entry[other], cell)
        for entry, row in sorted(cells.items())
        for other, cell in sorted(row.items())
    ]
    return _table(tournament, "cross", rows)


def progress_table(tournament: Tournament, points: Sequence[tuple[float, int]]) -> TableData:
    """Return the number of finished matches over time."""
    rows = [ProgressPoint(timestamp(at), count, tournament.matches_planned) for at, count in points]
    return _table(tournament, "progress", rows, "Matches finished so far")


def schedule_table(
    tournament: Tournament,
    matches: Sequence[tournaments.ScheduledMatch],
    *,
    results: bool,
    next_url: str | None,
    **query: int | None,
) -> TableData:
    """Return matches with a row for each bot, with results if the visitor may see them; `next_url`: the next page."""
    rows = []
    for match in matches:
        state, over_at = (match.state, match.done_at) if results else (None, None)
        facts = match_lists.ListedMatch(match.id, match.number, tournament.game, len(match.seats), state, over_at, ())
        for seat in match.seats if results else sorted(match.seats, key=lambda seat: seat.position):
            place = seat.mean_place if results else None
            rows.append(match_lists.MatchBotRow(facts, seat.position, seat.bot_id, seat.bot, place))
    return replace(_table(tournament, "schedule", rows, "", **query), next=next_url)


def schedule_lines(
    tournament: Tournament, matches: Sequence[tournaments.ScheduledMatch], *, results: bool, **query: int | None
) -> TableData:
    """Return matches with a row for each match; the page hides results that the visitor may not see."""
    files = file_urls("tournaments.table", tournament_id=tournament.id, what="schedule", **query)
    caption = "By number"
    caption += ". Finished matches list bots best first, with mean places" if results else ""
    return SCHEDULE_LINES.of(matches, caption, **files)


def tournament_table(db: Session, tournament: Tournament, name: str, who: CurrentUser | None) -> TableData:
    """Return a table of a tournament, except its schedule.  Raises NotVisible: there is no such table."""
    results, parts = results_visible(tournament, who), tournaments.frozen_parts(db, tournament)
    if name == "entries":
        return entries_table(tournament, parts or tournaments.entrants_of(db, tournament), results=results)
    if name == "interim":
        return interim_table(tournament, standings.interim_standings(db, tournament, parts, results=results))
    if name == "amendments":
        return amendments_table(tournament, tournaments.amendments_of(db, tournament) if results else [])
    if name == "freeze":
        return freeze_table(tournament, tournaments.left_out(db, tournament))
    if name == "progress":
        return progress_table(tournament, standings.progress_of(db, tournament) if results else [])
    if not results_are_immediate(tournament, who) or not standings.has_cross_table(tournament, len(parts)):
        raise NotVisible("There is no cross table: results are not public yet, or the tournament has too many bots.")
    return cross_rows_table(tournament, parts, standings.cross_table(db, tournament) if results else {})


# The class ranking of an event: without house bots, with one total over all its games.
#
# In each game a bot gets the share of the other bots of the class that it finished ahead of, where a tie counts half: 1
# for the first, 0 for the last. The only bot in a game gets 1; an owner without a bot in a game gets 0. The total is
# the sum over the event's games; equal totals share a rank.

Owner = tuple[str, int]


@dataclass(frozen=True, slots=True)
class ClassPlace:
    """The place of an owner's best bot in one game of an event, among the bots of the class."""

    part: tournaments.Part
    place: int
    share: Fraction

    @property
    def points(self) -> float:
        """The points for this place."""
        return float(self.share)


@dataclass(frozen=True, slots=True)
class RankingLine:
    """A row of the ranking."""

    rank: int
    owner: str  # the name
    total: float
    class_places: tuple[ClassPlace | None, ...]  # an item for each game, in the event's order


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game of the event: its bots, and the rows of its final standings."""

    parts: Sequence[tournaments.Part]
    rows: Sequence[Mapping[str, Any]]


def owner_of(part: tournaments.Part) -> Owner | None:
    """Return the owner of a bot: a user or a team; None for a house bot."""
    if part.team_id is not None:
        return ("team", part.team_id)
    return None if part.owner_id is None else ("person", part.owner_id)


def ranking(games: Sequence[FinishedGame]) -> list[RankingLine]:
    """Return the ranking over the finished games of an event, first to last."""
    class_places = [_class_places(game) for game in games]
    owners = {owner: class_place.part.owner or "" for game in class_places for owner, class_place in game.items()}
    totals = {
        owner: sum((game[owner].share for game in class_places if owner in game), Fraction(0)) for owner in owners
    }
    order = sorted(owners, key=lambda owner: (-totals[owner], owners[owner].casefold(), owner))
    return [
        RankingLine(
            rank=1 + sum(other > totals[owner] for other in totals.values()),
            owner=owners[owner],
            total=float(totals[owner]),
            class_places=tuple(game.get(owner) for game in class_places),
        )
        for owner in order
    ]


class RankingRow(NamedTuple):
    """A bot of the class, in one game."""

    line: RankingLine
    game: str
    tournament: int
    class_place: ClassPlace
    bots: int  # the number of bots of the class in the game


RANKING: Final = table_of(
    *("class-ranking", RankingRow, "/events/N/ranking"),
    "The class ranking of an event, without house bots: a row for each bot in each game.",
    *(Column("rank", "Rank", Kind.WHOLE, of="line.rank"), Column("who", "Who", of="line.owner")),
    *(Column("total", "Total", Kind.NUMBER, of="line.total"), Column("game", "Game")),
    *(Column("tournament", "Tournament", Kind.WHOLE, quiet=True), Column("bot", "Bot", of="class_place.part.bot")),
    *(Column("place", "Place in class", Kind.WHOLE, of="class_place.place"), Column("of", "of", Kind.WHOLE, of="bots")),
    Column("points", "Points", Kind.NUMBER, of="class_place.points"),
)


def ranking_table(ranked: Sequence[RankingLine], games: Sequence[tuple[int, str]]) -> TableData:
    """Return the ranking as a table; `games` has the tournament and the name of each game."""
    rows = [
        RankingRow(line, game, tournament, class_place, sum(other.class_places[at] is not None for other in ranked))
        for line in ranked
        for at, ((tournament, game), class_place) in enumerate(zip(games, line.class_places, strict=True))
        if class_place is not None
    ]
    return RANKING.of(rows)


def _class_places(game: FinishedGame) -> dict[Owner, ClassPlace]:
    by_entry = {part.entry.id: part for part in game.parts if part.entry is not None}
    best: dict[Owner, tuple[int, tournaments.Part]] = {}
    for row in game.rows:
        part = by_entry.get(row["entry"])
        owner = None if part is None else owner_of(part)
        if part is not None and owner is not None and (owner not in best or row["rank"] < best[owner][0]):
            best[owner] = (row["rank"], part)
    ranks = [rank for rank, _ in best.values()]
    return {
        owner: ClassPlace(part, 1 + sum(other < rank for other in ranks), _points(rank, ranks))
        for owner, (rank, part) in best.items()
    }


def _points(rank: int, ranks: Sequence[int]) -> Fraction:
    others = len(ranks) - 1
    ties = sum(other == rank for other in ranks) - 1
    behind = sum(other > rank for other in ranks)
    return Fraction(2 * behind + ties, 2 * others) if others else Fraction(1)
