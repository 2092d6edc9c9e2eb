"""Queries for tournament and ladder entries, interim and final standings, cross tables and progress."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import Float, Integer, bindparam, case, cast, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func

from gangland_web.base.formats import Row, Value
from gangland_web.models.bots import HOUSE, Bot, Version, shown_owner
from gangland_web.models.columns import row_id
from gangland_web.models.matches import OVER as MATCHES_OVER
from gangland_web.models.matches import Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.queries import tables, tournaments, visibility
from gangland_web.services.settling import ENDED_STATES, stored_standings

# Entries: columns that identify the bot, and ratings.

BOT_COLUMNS: Final[tuple[Any, ...]] = (
    col(Entry.id).label("entry"),
    col(Bot.id).label("bot_id"),
    col(Bot.name).label("bot"),
    col(Version.number).label("version"),
    shown_owner().label("owner"),
)


def bot_columns(row: Any) -> dict[str, Value]:
    """Return the columns of `BOT_COLUMNS` from a row; a house bot's owner is "house"."""
    return {**{name: row[name] for name in ("entry", "bot_id", "bot", "version")}, "owner": row["owner"] or HOUSE}


def read_entries(db: Session, tournament_id: int, *columns: Any) -> Any:
    """Return the entries of a tournament or ladder with `BOT_COLUMNS` and these columns, best rating first."""
    query = (
        select(*BOT_COLUMNS, *columns)
        .select_from(Entry)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(col(Entry.tournament_id) == tournament_id)
        .order_by(col(Entry.rating).desc(), col(Entry.id))
    )
    return db.connection().execute(query).mappings().all()


class EntryRating(tables.Model):
    """An entry's rating; `rank` counts only active entries, and equal ratings share a rank."""

    rank: tables.Number | None
    entry: tables.Number
    bot_id: tables.Number
    bot: str
    version: tables.Number
    owner: str
    code_sha256: tables.Hex64
    active: bool
    mu: float
    sigma: float
    rating: float
    games: int
    wins: int
    faults: int


_FIGURES: Final = ("active", "mu", "sigma", "rating", "games", "wins", "faults")


def read_ratings(db: Session, tournament_id: int) -> list[Row]:
    """Return a row for each entry, best rating first."""
    columns = [col(Version.code_sha256), *(getattr(Entry, name) for name in _FIGURES)]
    rows: list[Row] = []
    rank, place, before = 0, 0, None
    for row in read_entries(db, tournament_id, *columns):
        if row["active"]:
            place += 1
            rank, before = (rank if row["rating"] == before else place), row["rating"]
        figures = {name: row[name] for name in ("code_sha256", *_FIGURES)}
        rows.append({"rank": rank if row["active"] else None, **bot_columns(row), **figures})
    return rows


# Interim standings: scores from the finished matches only.


@dataclass(frozen=True, slots=True)
class InterimRow:
    """A row of interim standings."""

    part: tournaments.Part
    rank: int | None  # None if the bot is unranked or has no finished match
    score: float | None  # the share of the other bots at its tables that it beat, on average; a tie counts half
    matches: int


def interim_standings(
    db: Session, tournament: Tournament, parts: Sequence[tournaments.Part], *, results: bool
) -> tuple[InterimRow, ...]:
    """Return the frozen entries by interim score, best first, then entries without a match, in entry order.

    House bots follow all other bots, unless the organizer ranks them.  Without `results`, no entry has a score, and
    disqualified entries are included.
    """
    frozen_parts = [part for part in parts if part.entry is not None and not (results and part.entry.disqualified_at)]
    rows: Any = db.connection().execute(_PLACES, {"tournament": row_id(tournament.id)}).all() if results else ()
    played = {entry: (matches, places / matches) for entry, matches, places in rows}
    scores = {
        part.bot_id: (tournament.seats - played[part.entry.id][1]) / (tournament.seats - 1)
        for part in frozen_parts
        if part.entry is not None and part.entry.id in played
    }
    unranked = {part.bot_id for part in frozen_parts if part.is_house and not tournament.house_ranked}
    ranked = [score for bot_id, score in scores.items() if bot_id not in unranked]
    lines = []
    for part in sorted(frozen_parts, key=lambda part: (part.bot_id in unranked, -scores.get(part.bot_id, -1.0))):
        score = scores.get(part.bot_id)
        rank = None if score is None or part.bot_id in unranked else 1 + sum(other > score for other in ranked)
        matches = played[part.entry.id][0] if part.entry is not None and score is not None else 0
        lines.append(InterimRow(part, rank, score, matches))
    return tuple(lines)


_PLACES: Any = (
    select(
        col(MatchSeat.entry_id),
        func.count(),
        func.sum(cast(col(MatchSeat.mean_place_num), Float) / col(MatchSeat.mean_place_den)),
    )
    .join(Match, col(Match.id) == MatchSeat.match_id)
    .where(col(Match.tournament_id) == bindparam("tournament", type_=Integer))
    .where(col(Match.purpose) == Purpose.TOURNAMENT.value, col(Match.state) == MatchState.DONE.value)
    .where(col(MatchSeat.mean_place_num).is_not(None), col(Match.is_final).is_(False))
    .group_by(col(MatchSeat.entry_id))
)


# Final standings on pages: ranks, certainty, and the podium.


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of final standings."""

    part: tournaments.Part
    figures: Mapping[str, Any]  # a row of gangland/standings/1, or an `OutsideStanding` for an unranked bot
    below: tournaments.Part | None  # the next lower bot that cannot be distinguished from this one

    @property
    def rank(self) -> int | None:
        """The rank; None for an unranked bot."""
        rank: int | None = self.figures.get("rank")
        return rank

    @property
    def block_score(self) -> float | None:
        """The share of opponents that the bot finished ahead of."""
        score: float | None = self.figures["block_score"]
        return score

    @property
    def range(self) -> str:
        """The ranks that are plausible for the bot's strength, such as "2-4"."""
        return str(self.figures["range"])

    @property
    def final_table_rank_before(self) -> int | None:
        """The rank before the final table; None for bots that did not play there."""
        before: int | None = self.figures.get("rank_before")
        return before

    @property
    def rank_before(self) -> int:
        """The rank before the final table; the final rank of bots that did not sit there."""
        return self.final_table_rank_before or int(self.figures["rank"])

    @property
    def best(self) -> str:
        """The probability that the bot is the best, as text; empty if unknown."""
        share = self.figures["best"]
        if share is None:
            return ""
        return "more than 99%" if share > 0.995 else "less than 1%" if share < 0.005 else f"{share:.0%}"


@dataclass(frozen=True, slots=True)
class TopPlaces:
    """Which bots are in the first k places, and how certain that is."""

    k: int
    settled: bool
    inside: tuple[tournaments.Part, ...]  # bots that are almost certainly among the first k
    open: tuple[tournaments.Part, ...]  # bots that may be
    games_needed: int | None


@dataclass(frozen=True, slots=True)
class FinalTable:
    """The final table of a tournament."""

    match: int  # its number in the tournament
    lines: tuple[tuple[tournaments.Part, Mapping[str, Any]], ...]  # the bots, each with a row of gangland/standings/1


@dataclass(frozen=True, slots=True)
class Board:
    """Final standings for a page."""

    coverage: float  # the mean probability that a range contains the true rank
    has_enough_blocks: bool  # whether there were enough blocks to estimate which bot is best
    enough_blocks: int
    rows: tuple[BoardRow, ...]
    podium: tuple[BoardRow, ...]  # the first three bots, or more if ranks are shared
    tops: tuple[TopPlaces, ...]
    final: FinalTable | None  # best bot first; None if no final table was played
    outside: tuple[BoardRow, ...]  # unranked bots, strongest first
    games: int  # the number of games before the final table

    @property
    def winners(self) -> tuple[BoardRow, ...]:
        """The bots in first place."""
        return tuple(row for row in self.podium if row.figures["rank"] == 1)


_OWNER: Final = tables.Column("", "Owner", cell="entry_owner")
_SCORE: Final = tables.Column("", "Score", tables.Kind.NUMBER, of="block_score", digits=3)
STANDINGS: Final = tables.table_of(
    *("standings", BoardRow, "", ""),
    tables.Column("", "Rank", tables.Kind.WHOLE, "standing_rank", css="rank"),
    tables.Column("", "Bot", cell="standing_bot", names_row=True),
    *(_OWNER, _SCORE),
    tables.Column("", "Won, tied, lost", tables.Kind.WHOLE, "standing_blocks", css="num noprint"),
    tables.Column("", "Games", tables.Kind.WHOLE, "standing_games", css="num noprint"),
    attributes=' data-bot="{{ row.part.bot_id }}"{% if row.rank and is_own(row.part) %} class="mine"{% endif %}',
    phone=("Rank", "Bot", "Score"),
)
# Only shown on pages; the downloads come from the exports.
CERTAINTY: Final = tables.table_of(
    *("standings-certainty", BoardRow, "", ""),
    tables.Column("", "Rank", tables.Kind.WHOLE, of="rank_before", css="rank"),
    tables.Column("", "Bot", of="part.bot", names_row=True),
    tables.Column("", "Range", tables.Kind.WHOLE, "standing_range"),
    tables.Column("", "Likely best", tables.Kind.NUMBER, "standing_best"),
    tables.Column("", "Score against all", tables.Kind.NUMBER, "standing_against"),
    tables.Column("", "Too close to", cell="standing_below", css="small"),
    phone=("Rank", "Bot", "Range"),
)


def standings_table(board: Board, tournament_id: int) -> tables.TableData:
    """Return final standings for a page."""
    files = tables.file_urls("exports.tournament_table", tournament_id=tournament_id, what="standings")
    return STANDINGS.of([*board.rows, *board.outside], **files)


def certainty_table(board: Board, tournament_id: int) -> tables.TableData:
    """Return the certainty of final standings, by the ranks before the final table."""
    table = CERTAINTY.renamed({"Rank": "Rank before the final table"}) if board.final else CERTAINTY
    rows = sorted(board.rows, key=lambda row: row.rank_before)
    return table.of(rows, **tables.file_urls("exports.tournament_table", tournament_id=tournament_id, what="standings"))


def visible_standings(db: Session, tournament: Tournament, who: visibility.CurrentUser | None) -> dict[str, Any] | None:
    """Return a tournament's final standings; None if there are none or the visitor may not see them."""
    visible = tournament.state in ENDED_STATES and visibility.results_visible(tournament, who)
    return stored_standings(db, row_id(tournament.id)) if visible else None


def board(standings: Mapping[str, Any], parts: Sequence[tournaments.Part]) -> Board:
    """Combine stored standings with their bots, for a page."""
    by_entry = {part.entry.id: part for part in parts if part.entry is not None}
    rows = {
        row["entry"]: BoardRow(by_entry[row["entry"]], row, by_entry.get(row["next_below"]))
        for row in standings["rows"]
    }
    tops = tuple(
        TopPlaces(
            k=top["k"],
            settled=top["settled"],
            inside=tuple(row.part for entry, row in rows.items() if entry in top["inside"]),
            open=tuple(row.part for entry, row in rows.items() if entry in top["open"]),
            games_needed=top["games_needed"],
        )
        for top in standings["top"]
        if top["k"] < len(rows)  # otherwise it is certain
    )
    final = standings.get("final_table")
    lines = tuple((by_entry[row["entry"]], row) for row in final["rows"]) if final else ()
    return Board(
        coverage=standings["holds"] or 0.0,
        has_enough_blocks=standings["enough"],
        enough_blocks=standings["enough_blocks"],
        rows=tuple(rows.values()),
        podium=tuple(rows[entry] for entry in standings["podium"]),
        tops=tops,
        final=FinalTable(final["match"], lines) if final else None,
        outside=tuple(BoardRow(by_entry[row["entry"]], row, None) for row in standings.get("outside", ())),
        games=standings["games"],
    )


# The model of final standings, used by pages, JSON, the API and exports.


class StandingRow(tables.Model):
    """An entry's row of final standings.  docs/standings.md explains each figure."""

    rank: int
    rank_before: int | None
    rank_low: int
    rank_high: int
    holds: float
    best: float | None
    next_below: tables.Number | None
    next_above: tables.Number | None
    entry: tables.Number
    bot_id: tables.Number
    bot: str
    version: int
    owner: str
    blocks: int
    won: int
    tied: int
    lost: int
    block_score: float | None
    against_all: float | None
    against_all_low: float | None
    against_all_high: float | None
    strength: float
    error: float


class Top(tables.Model):
    """The certainty of the first k places: entries that are almost certainly among them, and entries that may be."""

    k: int
    settled: bool
    inside: list[int]
    open: list[int]
    games_needed: int | None


class OutsideStanding(tables.Model):
    """An unranked entry, such as a house bot.  Its games still count for the ranked entries."""

    entry: tables.Number
    bot_id: tables.Number
    bot: str
    version: int
    owner: str
    blocks: int
    won: int
    tied: int
    lost: int
    block_score: float | None
    strength: float


class FinalTableLine(tables.Model):
    """An entry at the final table; `mean_place` is its mean place over all games at that table."""

    entry: tables.Number
    rank: int
    rank_before: int
    mean_place: float


class FinalTableResult(tables.Model):
    """The final table, best first; `match` is the number of the match in the tournament."""

    match: tables.Number
    blocks: int
    effect: str
    rows: list[FinalTableLine]


class Standings(tables.Model):
    """Final standings, best first.

    `podium` has the entries with the first three ranks, and `outside` the bots outside the ranking, strongest first.  A
    final table decides ranks and order; all other figures are from the matches before it.
    """

    level: float
    holds: float | None
    enough_blocks: int
    enough: bool
    podium: list[int]
    blocks: int
    games: int
    top: list[Top]
    final_table: FinalTableResult | None
    outside: list[OutsideStanding]
    rows: list[StandingRow]


def standings_of(db: Session, tournament: Tournament, body: dict[str, Any]) -> Standings:
    """Return the stored final standings of a tournament, with the names of its bots."""
    bots = {row["entry"]: bot_columns(row) for row in read_entries(db, row_id(tournament.id))}
    rows = [_row(line, bots[line["entry"]]) for line in body["rows"]]
    outside = [{**line, **bots[line["entry"]]} for line in body.get("outside", ())]
    summary = {name: body.get(name) for name in Standings.__struct_fields__}
    return msgspec.convert({**summary, "outside": outside, "rows": rows}, Standings)


def _row(line: dict[str, Any], bot: dict[str, Any]) -> dict[str, Any]:
    low, _, high = line["range"].partition("-")
    share = line["against_all"] or {}
    return {
        "rank_before": None,
        **{name: line[name] for name in StandingRow.__struct_fields__ if name in line},
        **bot,
        "rank_low": int(low),
        "rank_high": int(high or low),
        "against_all": share.get("value"),
        "against_all_low": share.get("low"),
        "against_all_high": share.get("high"),
    }


# The cross table and the progress of a tournament, read with a few SQL statements from an index.

MAX_CROSS_ENTRIES = 30  # a cross table with more entries is too wide to read
MAX_CROSS_MATCHES = 4_000  # with more matches there is no cross table, because it would have to read all of them
STEPS = 120  # the number of time steps in a progress chart


@dataclass(frozen=True, slots=True)
class Cell:
    """The results of one entry's matches against another entry."""

    match_id: int | None  # the match if there was only one
    matches: int  # the number of matches that counted
    lead: tables.Lead | None  # None if all were void

    @property
    def share(self) -> float | None:
        """The lead of the entry as a share; None if all matches were void."""
        return None if self.lead is None else self.lead.share


def has_cross_table(tournament: Tournament, parts: int) -> bool:
    """Return whether a tournament with this number of entries has a cross table."""
    return parts <= MAX_CROSS_ENTRIES and tournament.matches_planned <= MAX_CROSS_MATCHES


def cross_table(db: Session, tournament: Tournament) -> dict[int, dict[int, Cell]]:
    """Return the results of all pairs of entries that met, by entry and opponent."""
    rows: Any = db.connection().execute(_PAIRS, {"tournament": row_id(tournament.id)})
    cells: dict[int, dict[int, Cell]] = defaultdict(dict)
    for entry, other, done, over, match, place, opponent_place in rows:
        share = tables.share_of(place / done, opponent_place / done, tournament.seats) if done else None
        ahead = None if share is None else tables.lead(share, done * tournament.blocks)
        cells[entry][other] = Cell(match if over == 1 else None, done, ahead)
    return cells


def progress_of(db: Session, tournament: Tournament) -> list[tuple[float, int]]:
    """Return the number of finished matches over time as at most `STEPS` + 2 points; empty if all ended at once."""
    parameters = {"tournament": row_id(tournament.id)}
    first, last = db.connection().execute(_SPAN, parameters).one()
    if first is None or first == last:
        return []
    parameters |= {"first": first, "step": (last - first) / STEPS}
    points, count = [(first, 0)], 0
    for _, step_count, at in db.connection().execute(_STEPPED, parameters):
        count += step_count
        points.append((at, count))
    return points


_seat, _opponent_seat = aliased(MatchSeat), aliased(MatchSeat)
_tournament: Any = bindparam("tournament", type_=Integer)
_done: Any = case((col(Match.state) == MatchState.DONE.value, 1), else_=0)


def _place(seat: Any) -> Any:
    place = cast(col(seat.mean_place_num), Float) / col(seat.mean_place_den)
    return func.sum(case((col(Match.state) == MatchState.DONE.value, place), else_=0.0))


_PAIRS: Any = (
    select(
        col(_seat.entry_id),
        col(_opponent_seat.entry_id),
        func.sum(_done),
        func.count(),
        func.max(col(Match.id)),
        _place(_seat),
        _place(_opponent_seat),
    )
    .select_from(Match)
    .join(_seat, col(_seat.match_id) == col(Match.id))
    .join(
        _opponent_seat,
        (col(_opponent_seat.match_id) == col(_seat.match_id)) & (col(_opponent_seat.position) != col(_seat.position)),
    )
    .where(col(Match.tournament_id) == _tournament, col(Match.state).in_(MATCHES_OVER), col(Match.is_final).is_(False))
    .group_by(col(_seat.entry_id), col(_opponent_seat.entry_id))
)
_OVER = (
    col(Match.tournament_id) == _tournament,
    col(Match.purpose) == Purpose.TOURNAMENT.value,
    col(Match.done_at).is_not(None),
)
_SPAN: Any = select(func.min(col(Match.done_at)), func.max(col(Match.done_at))).where(*_OVER)
_step: Any = cast((col(Match.done_at) - bindparam("first", type_=Float)) / bindparam("step", type_=Float), Integer)
_stepped = select(_step.label("step"), col(Match.done_at).label("at")).where(*_OVER).subquery()
_STEPPED: Any = (
    select(_stepped.c.step, func.count(), func.max(_stepped.c.at)).group_by(_stepped.c.step).order_by(_stepped.c.step)
)
