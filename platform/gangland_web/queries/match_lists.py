"""Read matches: lists of finished ones, their games and comparisons, upsets, rows for exports, and models."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple, get_type_hints

import msgspec
from flask import url_for
from sqlalchemy import Integer, bindparam, literal_column, select, tuple_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func

from gangland.game import EndReason
from gangland.games import game_named
from gangland_ladder.matches.match_jobs import HIGHEST_ID
from gangland_ladder.viewer.commentary import result_sentence
from gangland_ladder.viewer.timeline import Frame, Mark, Timeline
from gangland_web.base.formats import Row, day_text, fault_label, timestamp
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import literal_number, row_id
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame, Purpose
from gangland_web.models.tournaments import ChannelItem, Entry, LadderDay, Tournament
from gangland_web.queries import tables
from gangland_web.queries.matches import MatchPage, SeatRow, decision_address, dice_of, waiting_reason
from gangland_web.queries.standings import BOT_COLUMNS, bot_columns
from gangland_web.queries.tables import Column, Kind, TableData, columns_of, table_of
from gangland_web.services.matches import SIZE
from gangland_web.services.retention import Trim

# The grid of a match's games: a row for each block, a cell for each rotation of the seats.

LETTERS = "ABCD"  # letters of the bots in the grid of a match, by position

MAX_NEARBY = 24  # the number of blocks that fit next to a game; the match's page shows all blocks

# The reasons why games end, as pages show them.
REASONS = {
    EndReason.COMPLETED.value: "played to the end",
    EndReason.ROUND_LIMIT.value: "ended at the round limit",
    EndReason.LAST_FAULTLESS.value: "ended when one seat without a fault was left",
    EndReason.FAULTLESS_OUT.value: "ended when the last seats without a fault were out",
    EndReason.DEFAULT_EMPTY.value: "ended when a seat at fault got rid of all its dice",
    EndReason.ALL_AT_FAULT.value: "ended when every seat was at fault",
}


@dataclass(frozen=True, slots=True)
class GameCell:
    """A game in the grid; tuples are indexed by the position of the bot in the match."""

    block: int
    rotation: int
    seating: tuple[int, ...]  # by seat: the position of the bot there
    places: tuple[int, ...]
    luck: tuple[float, ...]
    winners: tuple[int, ...]  # positions; empty if all bots are at fault
    faults: tuple[tuple[str, ...], ...]  # the labels of each bot's faults
    rounds: int
    rules: int
    reason: str  # why the game ended, as pages show it

    @property
    def label(self) -> str:
        """The winners' letters, or a dash."""
        return "".join(LETTERS[position] for position in self.winners) or "–"

    @property
    def faulty(self) -> tuple[int, ...]:
        """The positions of the bots with a fault."""
        return tuple(position for position, words in enumerate(self.faults) if words)

    def sentence(self, names: Sequence[str]) -> str:
        """Return a sentence that describes the game; `names` are by position."""
        won = " and ".join(
            f"{names[position]} from seat {self.seating.index(position) + 1}" for position in self.winners
        )
        parts = [f"won by {won}" if won else "no winner"]
        parts += [f"{names[position]}: {', '.join(self.faults[position])}" for position in self.faulty]
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class BlockRow:
    """The games of one block by rotation, and each bot's mean place in them by position."""

    block: int
    games: tuple[GameCell, ...]
    means: tuple[float, ...]


class MatchFault(NamedTuple):
    """A bot's fault in a game of a match."""

    block: int
    rotation: int
    position: int  # the bot's position
    word: str  # the fault's public label
    at: str | None  # the address of the decision; None if the replay does not show it
    message: str  # only for the bot's owner


def faults_of(games: Sequence[PlayedGame]) -> list[MatchFault]:
    """Return all faults of a match, game by game."""
    return [
        MatchFault(
            *(game.block, game.rotation, game.seating[fault["seat"]], fault_label(fault["kind"])),
            decision_address(game.replay, fault["decision"]),
            fault["message"],
        )
        for game in games
        for fault in game.faults
    ]


def reasons_of(grid: Sequence[BlockRow]) -> list[tuple[str, int]]:
    """Return the reasons why games ended, with the number of games, most frequent first."""
    return Counter(cell.reason for row in grid for cell in row.games).most_common()


def grid_of(page: MatchPage, games: Sequence[PlayedGame]) -> tuple[BlockRow, ...]:
    """Return a match's games by block; `games` are in canonical order."""
    size = len(page.seats)
    cells = [_cell(game, size) for game in games]
    rows = []
    for block in sorted({cell.block for cell in cells}):
        row = tuple(cell for cell in cells if cell.block == block)
        means = tuple(fsum(_mean_place(cell, position) for cell in row) / len(row) for position in range(size))
        rows.append(BlockRow(block, row, means))
    return tuple(rows)


def nearby_blocks(grid: Sequence[BlockRow], block: int, limit: int = MAX_NEARBY) -> Sequence[BlockRow]:
    """Return at most `limit` blocks around a block."""
    first = max(0, min(block - limit // 2, len(grid) - limit))
    return grid[first : first + limit]


def _mean_place(cell: GameCell, position: int) -> float:
    place = cell.places[position]
    return place + (cell.places.count(place) - 1) / 2


def _cell(game: PlayedGame, size: int) -> GameCell:
    replay = json.loads(game.replay)
    faults: list[list[str]] = [[] for _ in range(size)]
    for fault in game.faults:
        faults[game.seating[fault["seat"]]].append(fault_label(fault["kind"]))
    seats = tuple(game.seating.index(position) for position in range(size))
    places = tuple(game.places[seat] for seat in seats)
    no_winner = replay["reason"] == EndReason.ALL_AT_FAULT
    return GameCell(
        block=game.block,
        rotation=game.rotation,
        seating=tuple(game.seating),
        places=places,
        luck=tuple(game.luck[seat] for seat in seats),
        winners=() if no_winner else tuple(position for position, place in enumerate(places) if place == 1),
        faults=tuple(map(tuple, faults)),
        rounds=replay["rounds"],
        rules=replay["rules"],
        reason=REASONS.get(replay["reason"], "ended"),
    )


# Two games side by side, round by round: the same dice in two rotations of the seats.

WIDTH, HEIGHT = 600, 150  # size of the chart, in its own units
_LETTER = 17  # height of a letter in the chart


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """A decision in one of the two games."""

    at: str  # its address
    seat: int  # the bot's seat, from 0
    name: str
    action: str
    fault: bool
    sentences: tuple[str, ...]  # its consequences


@dataclass(frozen=True, slots=True)
class Side:
    """A round of one of the two games."""

    opening: tuple[str, ...]  # sentences about the beginning of the round
    decisions: tuple[DecisionLine, ...]
    dice: tuple[int, ...]  # of each bot at the beginning, by position; empty if the game ended earlier
    marks: tuple[Mark, ...]  # faults and changes of the lead


@dataclass(frozen=True, slots=True)
class ComparedGame:
    """One of the two games."""

    rotation: int
    ending: str
    rounds: int
    seats: tuple[int, ...]  # from 0, by position in the match
    places: tuple[int, ...]
    lines: tuple[str, ...]  # the lines of the chart, by position in the match
    ends: tuple[tuple[float, float], ...]  # where the letter of each line is drawn


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two games; `rounds` has both sides of each round."""

    columns: tuple[ComparedGame, ...]
    rounds: tuple[tuple[Side, ...], ...]
    aim: str


def comparison_of(page: MatchPage, games: Sequence[tuple[Timeline, PlayedGame]]) -> Comparison:
    """Return the comparison of these games, in this order."""
    longest = max(timeline.rounds for timeline, _ in games)
    max_dice = max(count for timeline, _ in games for _, counts in timeline.counts for count in counts) or 1
    columns = tuple(_column(page, timeline, played, longest, max_dice) for timeline, played in games)
    rounds = tuple(
        tuple(_side(page, timeline, played, number) for timeline, played in games) for number in range(1, longest + 1)
    )
    return Comparison(columns, rounds, game_named(games[0][0].game).unit.aim)


def _by_position(page: MatchPage, played: PlayedGame) -> tuple[int, ...]:
    return tuple(played.seating.index(position) for position in range(len(page.seats)))


def _column(page: MatchPage, timeline: Timeline, played: PlayedGame, longest: int, max_dice: int) -> ComparedGame:
    seats = _by_position(page, played)
    lines = tuple(
        " ".join(
            f"{WIDTH * (number - 1) / longest:.1f},{HEIGHT - HEIGHT * counts[seat] / max_dice:.1f}"
            for number, counts in timeline.counts
        )
        for seat in seats
    )
    ends = _spread([tuple(map(float, line.rpartition(" ")[2].split(","))) for line in lines])
    places = tuple(timeline.places[seat] for seat in seats)
    return ComparedGame(played.rotation, result_sentence(timeline), timeline.rounds, seats, places, lines, ends)


def _spread(ends: Sequence[tuple[float, ...]]) -> tuple[tuple[float, float], ...]:
    """Return the points, moved apart vertically so that letters at these points do not overlap."""
    heights: dict[int, float] = {}
    height = float("-inf")
    for index, (_, y) in sorted(enumerate(ends), key=lambda each: (each[1][1], each[0])):
        heights[index] = height = max(y, height + _LETTER)
    excess = max(0.0, height - HEIGHT)
    return tuple((x, heights[index] - excess) for index, (x, _) in enumerate(ends))


def _line(timeline: Timeline, frame: Frame) -> DecisionLine:
    name, repeated, others = timeline.names[frame.seat], timeline.sentence_of(frame), list(frame.sentences)
    action = f"{frame.did}." if repeated is None else others.pop(repeated).removeprefix(f"{name} ")
    return DecisionLine(frame.at, frame.seat, name, action, frame.fault, tuple(others))


def _side(page: MatchPage, timeline: Timeline, played: PlayedGame, number: int) -> Side:
    dice = dict(timeline.counts).get(number) if number <= timeline.rounds else None
    openings = [*timeline.opening, *(line for frame in timeline.frames for line in frame.next_round_sentences)]
    return Side(
        opening=tuple(text for at, text in openings if at == number or (at == 0 and number == 1)),
        decisions=tuple(_line(timeline, frame) for frame in timeline.frames if frame.round == number),
        dice=() if dice is None else tuple(dice[seat] for seat in _by_position(page, played)),
        marks=tuple(mark for index, mark in sorted(timeline.marks.items()) if timeline.frames[index].round == number),
    )


# Lists of finished matches, page by page.
#
# A file starts with the highest number, a page with the match that ended last. The next page starts below a key: the
# number or id of the last match on the previous page. Lists are read from an index, so all pages cost the same, except
# those of a bot's matches by time (`_BY_TIME`).

PAGE_SIZE = 50  # matches per page
MAX_KEY = HIGHEST_ID  # a key above all matches


class ListedSeat(NamedTuple):
    """A bot in a listed match."""

    position: int
    bot_id: int
    bot: str
    mean_place: float
    mu: float | None  # its rating's mean before the match, if any
    sigma: float | None


class ListedMatch(NamedTuple):
    """A row in a list of matches."""

    id: int
    number: int
    game: str
    seats: int
    state: str | None
    done_at: float | None
    bots: tuple[ListedSeat, ...]  # best first


class MatchBotRow(NamedTuple):
    """A bot in a listed match."""

    match: ListedMatch
    position: int
    bot_id: int
    bot: str
    mean_place: float | None


# For files: a row for each match and bot, the best bot of a match first.
MATCHES: Final = table_of(
    *("match-list", MatchBotRow, "/matches"),
    "The latest finished matches, or those of a ladder or bot, a row for each bot.",
    *(Column("number", "Number", Kind.WHOLE, of="match.number"), Column("match", "Match", Kind.WHOLE, of="match.id")),
    *(Column("game", "Game", of="match.game"), Column("seats", "Seats", Kind.WHOLE, of="match.seats")),
    *(Column("state", "State", of="match.state"), Column("over_at", "Finished", Kind.MOMENT, of="match.done_at")),
    *(Column("position", "Position", Kind.INDEX), Column("bot_id", "Number", Kind.WHOLE), Column("bot", "Bot")),
    Column("mean_place", "Mean place", Kind.NUMBER),
    paged=True,
)
# For pages: a row for each match.
LIST_CAPTION: Final = "Latest first, with each bot's mean place"
MATCH_LINES: Final = table_of(
    *("match-lines", ListedMatch, "", ""),
    Column("", "Match", cell="match_id", css="nowrap"),
    Column("", "Bots, best first", cell="match_bots", css="wide players"),
    *(Column("", "Game", cell="game_seats", css="nowrap"), Column("", "Played", Kind.MOMENT, of="done_at")),
    phone=("Match", "Bots, best first"),
)


@dataclass(frozen=True, slots=True)
class MatchList:
    """A page of a list of matches."""

    rows: tuple[ListedMatch, ...]
    next_key: int | None  # the key of the next page, or None on the last one


def latest_matches(db: Session, limit: int) -> tuple[ListedMatch, ...]:
    """Return the most recently finished matches on all ladders, newest first."""
    return _listed_matches(db, db.connection().execute(_LATEST, {"limit": limit}).all())


def matches_of_ladder(db: Session, ladder_id: int, limit: int, *, before: int = MAX_KEY) -> MatchList:
    """Return finished matches of a ladder with numbers below `before`."""
    parameters = {"ladder": ladder_id, "before": before, "limit": limit + 1}
    rows = db.connection().execute(_LADDER_MATCHES, parameters).all()
    return MatchList(_listed_matches(db, rows[:limit]), rows[limit - 1].number if len(rows) > limit else None)


def latest_of_tournament(db: Session, tournament_id: int, limit: int, *, before: int = MAX_KEY) -> MatchList:
    """Return finished matches of a tournament or ladder, newest first; `before`: the last match already listed."""
    query = _TOURNAMENT_MATCHES if before == MAX_KEY else _OLDER_MATCHES
    rows = db.connection().execute(query, {"ladder": tournament_id, "before": before, "limit": limit + 1}).all()
    return MatchList(_listed_matches(db, rows[:limit]), rows[limit - 1].number if len(rows) > limit else None)


def unshown_matches(db: Session, tournament_id: int, channel: str, limit: int) -> tuple[ListedMatch, ...]:
    """Return finished matches with stored replays that a channel has not shown, latest in rating order first."""
    parameters = {"ladder": tournament_id, "channel": channel, "limit": limit}
    return _listed_matches(db, db.connection().execute(_UNSHOWN, parameters).all())


def matches_of_entries(db: Session, entries: Sequence[int], limit: int, *, before: int = MAX_KEY) -> MatchList:
    """Return finished matches of a bot's entries with ids below `before`; void matches are left out of a page."""
    parameters = {"entries": list(entries), "before": before, "limit": limit + 1, "last": limit}
    matches = db.connection().execute(_ENTRY_MATCHES, parameters).all()
    rows = [row for row in matches[:limit] if row.state == MatchState.DONE]
    return MatchList(_listed_matches(db, rows), matches[limit - 1].id if len(matches) > limit else None)


def latest_of_entries(db: Session, entries: Sequence[int], limit: int) -> tuple[ListedMatch, ...]:
    """Return the most recently finished matches of a bot's entries, newest first."""
    # A ladder sends its matches in rounds, so the matches that ended last are among the matches with the highest ids.
    parameters = {"entries": list(entries), "before": MAX_KEY, "limit": PAGE_SIZE, "last": PAGE_SIZE}
    rows = [row for row in db.connection().execute(_ENTRY_MATCHES, parameters) if row.state == MatchState.DONE]
    return _listed_matches(db, sorted(rows, key=_OVER_AT, reverse=True)[:limit])


def matches_by_time(db: Session, entries: Sequence[int], limit: int, *, before: int = MAX_KEY) -> MatchList:
    """Return finished matches of a bot's entries, newest first; `before`: the id of the last match already listed."""
    query = _BY_TIME if before == MAX_KEY else _BY_TIME.where(_IS_EARLIER)
    parameters = {"entries": list(entries), "before": before, "limit": limit + 1}
    matches = db.connection().execute(query, parameters).all()
    rows = [row for row in matches[:limit] if row.state == MatchState.DONE]
    return MatchList(_listed_matches(db, rows), matches[limit - 1].id if len(matches) > limit else None)


def matches_table(matches: Sequence[ListedMatch], next_url: str | None = None) -> TableData:
    """Return a list of matches for files; `next_url` leads to earlier matches."""
    rows = [
        MatchBotRow(match, seat.position, seat.bot_id, seat.bot, seat.mean_place)
        for match in matches
        for seat in match.bots
    ]
    return MATCHES.of(rows, next=next_url)


def _listed_matches(db: Session, matches: Sequence[Any]) -> tuple[ListedMatch, ...]:
    seats = _seats(db, [match.id for match in matches])
    return tuple(
        ListedMatch(match.id, match.number, match.game, match.seats, match.state, match.done_at, seats[match.id])
        for match in matches
    )


def _seats(db: Session, match_ids: Iterable[int]) -> dict[int, tuple[ListedSeat, ...]]:
    seats_by_match: dict[int, list[ListedSeat]] = {match_id: [] for match_id in match_ids}
    rows: Any = db.connection().execute(_SEATS, {"matches": list(seats_by_match)})
    for row in rows:
        place = row.mean_place_num / row.mean_place_den if row.mean_place_den else 0.0
        seat = ListedSeat(row.position, row.bot_id, row.bot, place, row.mu_before, row.sigma_before)
        seats_by_match[row.match_id].append(seat)
    return {match: tuple(sorted(seats, key=_PLACE)) for match, seats in seats_by_match.items()}


_PLACE: Final = attrgetter("mean_place", "position")
_OVER_AT: Final = attrgetter("done_at", "id")
_DONE: Any = literal_column(f"'{MatchState.DONE}'")
_COLUMNS = (col(Match.id), col(Match.number), col(Match.state), col(Match.done_at), col(Tournament.game), SIZE[0])
_MATCHES = select(*_COLUMNS).join_from(Match, Tournament, col(Tournament.id) == Match.tournament_id)
_LATEST = (
    _MATCHES.where(col(Match.state) == _DONE, col(Match.purpose) == literal_column(f"'{Purpose.LADDER}'"))
    .order_by(col(Match.done_at).desc(), col(Match.id).desc())
    .limit(literal_number("limit"))
)
_FINISHED = _MATCHES.where(col(Match.tournament_id) == bindparam("ladder", type_=Integer), col(Match.state) == _DONE)
_before = bindparam("before", type_=Integer)
_LADDER_MATCHES = (
    _FINISHED.where(col(Match.number) < _before).order_by(col(Match.number).desc()).limit(literal_number("limit"))
)
_TOURNAMENT_MATCHES = _FINISHED.order_by(col(Match.done_at).desc(), col(Match.id).desc()).limit(literal_number("limit"))
_last = aliased(Match)
_OLDER_MATCHES = _TOURNAMENT_MATCHES.where(
    tuple_(col(Match.done_at), col(Match.id))
    < select(col(_last.done_at), col(_last.id))
    .where(col(_last.tournament_id) == bindparam("ladder", type_=Integer), col(_last.number) == _before)
    .scalar_subquery()
)
_UNSHOWN = (
    _FINISHED.where(col(Match.rating_order).is_not(None), col(Match.trimmed) < literal_column(str(int(Trim.REPLAYS))))
    .where(
        ~select(col(ChannelItem.id))
        .where(col(ChannelItem.match_id) == col(Match.id), col(ChannelItem.channel) == bindparam("channel"))
        .exists()
    )
    .order_by(col(Match.rating_order).desc())
    .limit(literal_number("limit"))
)
_seat = aliased(MatchSeat)
_lowest = (
    select(col(_seat.match_id))
    .where(col(_seat.entry_id) == col(Entry.id), col(_seat.match_id) < _before, col(_seat.mean_place_num).is_not(None))
    .order_by(col(_seat.match_id).desc())
    .limit(1)
    .offset(literal_number("last"))
    .correlate(Entry)
    .scalar_subquery()
)
_entries: Any = bindparam("entries", expanding=True)
# Select the latest matches of each entry from the index, then the latest of these. There is no condition on the state
# of matches, because SQLite would then start with all matches that are done.
_ENTRY_MATCHES = (
    select(*_COLUMNS)
    .select_from(Entry)
    .join(MatchSeat, (col(MatchSeat.entry_id) == Entry.id) & (col(MatchSeat.match_id) >= func.coalesce(_lowest, 0)))
    .join(Match, col(Match.id) == MatchSeat.match_id)
    .join(Tournament, col(Tournament.id) == Match.tournament_id)
    .where(col(Entry.id).in_(_entries), col(MatchSeat.match_id) < _before, col(MatchSeat.mean_place_num).is_not(None))
    .order_by(col(MatchSeat.match_id).desc())
    .limit(literal_number("limit"))
)
# This reads all matches of these entries, because no index has the times of a bot's matches.
_BY_TIME = (
    select(*_COLUMNS)
    .join_from(MatchSeat, Match, col(Match.id) == MatchSeat.match_id)
    .join(Tournament, col(Tournament.id) == Match.tournament_id)
    .where(col(MatchSeat.entry_id).in_(_entries), col(MatchSeat.mean_place_num).is_not(None))
    .order_by(col(Match.done_at).desc(), col(Match.id).desc())
    .limit(literal_number("limit"))
)
_last_seat = aliased(MatchSeat)
# Only a listed match is a valid key: any other would show when it was played.
_IS_LISTED = (
    select(col(_last_seat.match_id))
    .where(col(_last_seat.match_id) == col(_last.id), col(_last_seat.entry_id).in_(_entries))
    .where(col(_last_seat.mean_place_num).is_not(None))
    .exists()
)
_IS_EARLIER = tuple_(col(Match.done_at), col(Match.id)) < (
    select(col(_last.done_at), col(_last.id)).where(col(_last.id) == _before, _IS_LISTED).scalar_subquery()
)
_SEATS: Any = (
    select(
        *(col(MatchSeat.match_id), col(MatchSeat.position), col(MatchSeat.mean_place_num)),
        *(col(MatchSeat.mean_place_den), col(MatchSeat.mu_before), col(MatchSeat.sigma_before)),
        *(col(Bot.id).label("bot_id"), col(Bot.name).label("bot")),
    )
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .where(col(MatchSeat.match_id).in_(bindparam("matches", expanding=True)))
)


# Upsets: a bot finished ahead of a bot that was rated clearly higher before the match.

MAX_UPSETS = 4


@dataclass(frozen=True, slots=True)
class Upset:
    """A match in which a bot beat one that was rated higher by more than the sum of both sigmas."""

    match: ListedMatch
    winner: ListedSeat
    loser: ListedSeat
    gap: float


def upsets(matches: Iterable[ListedMatch], limit: int = MAX_UPSETS) -> list[Upset]:
    """Return the largest upset of each match that has one, largest rating gap first."""
    all_upsets = [upset for match in matches if (upset := upset_of(match)) is not None]
    return sorted(all_upsets, key=lambda upset: (-upset.gap, -upset.match.id))[:limit]


def upset_of(match: ListedMatch) -> Upset | None:
    """Return the upset with the largest rating gap in a match, or None."""
    best: Upset | None = None
    for at, winner in enumerate(match.bots):
        for loser in match.bots[at + 1 :]:
            if winner.mean_place == loser.mean_place or None in (winner.mu, winner.sigma, loser.mu, loser.sigma):
                continue
            gap = (loser.mu or 0) - (winner.mu or 0)
            if gap > (loser.sigma or 0) + (winner.sigma or 0) and (best is None or gap > best.gap):
                best = Upset(match, winner, loser, gap)
    return best


# Rows of exports and of a match's tables: a bot in a match, a seat in a game.
#
# Each list is read with one SQL statement; long lists are read in windows of match numbers.


class MatchFacts(tables.Model):
    """The columns about a row's match; `number` is its number in its tournament or ladder, `seats` the number of bots.

    The final table of a tournament (`is_final`) is not rated.
    """

    match: tables.Number
    number: tables.Number
    rating_order: int | None
    day: str | None
    state: str
    void_reason: str | None
    over_at: tables.Moment | None
    digest: tables.Hex64 | None
    game: str
    seats: int
    blocks: int
    is_final: bool


class MatchBot(tables.Model):
    """A bot in a match; `position` is its position in the order of entries, from 0."""

    position: tables.Count
    entry: tables.Number
    bot_id: tables.Number
    bot: str
    version: tables.Number
    owner: str
    mean_place_num: int | None
    mean_place_den: int | None
    mean_place: float | None
    wins: int | None
    faults: int | None
    luck: float | None
    adjusted_place: float | None
    mu_before: float | None
    sigma_before: float | None
    mu_after: float | None
    sigma_after: float | None


MatchRow: Any = msgspec.defstruct(
    "MatchRow",
    [*get_type_hints(MatchFacts, include_extras=True).items(), *get_type_hints(MatchBot, include_extras=True).items()],
    bases=(tables.Model,),
    namespace={"__doc__": "A bot in a match; the rows of a match are consecutive."},
    kw_only=True,
)


class GameRow(tables.Model):
    """A seat of a game; seats, blocks and rotations are counted from 0; `fault` is the kind of fault, or null."""

    match: tables.Number
    number: tables.Number
    block: tables.Count
    rotation: tables.Count
    seat: tables.Count
    position: tables.Count
    entry: tables.Number
    bot_id: tables.Number
    bot: str
    version: tables.Number
    owner: str
    place: int
    won: bool
    luck: float
    fault: str | None
    rounds: int
    reason: str
    seed: str
    views: str


def read_matches(db: Session, tournament_id: int, window: range) -> list[Row]:
    """Return a row for each match and entry, by number and position."""
    return [_match_row(row) for row in _seat_rows(db, tournament_id, window)]


def read_games(db: Session, tournament_id: int, window: range) -> list[Row]:
    """Return a row for each game and seat of finished matches, by match, block, rotation and seat."""
    seats = {
        number: list(rows) for number, rows in groupby(_seat_rows(db, tournament_id, window), itemgetter("number"))
    }
    query = (
        select(col(Match.number), *[getattr(PlayedGame, name) for name in _GAME])
        .join(Match, col(Match.id) == PlayedGame.match_id)
        .where(col(Match.tournament_id) == tournament_id, col(Match.number).between(window[0], window[-1]))
        .where(col(Match.state) == MatchState.DONE.value)
        .order_by(col(Match.number), col(PlayedGame.block), col(PlayedGame.rotation))
    )
    played = db.connection().execute(query).mappings().all()
    return [row for game in played for row in _game_rows(game, seats[game["number"]])]


_RESULT_COLUMNS: Final = ("mean_place_num", "mean_place_den", "wins", "faults", "luck")
_RATING_COLUMNS: Final = ("mu_before", "sigma_before", "mu_after", "sigma_after")
_GAME: Final = ("block", "rotation", "replay", "views", "seating", "places", "luck", "faults")


def _seat_rows(db: Session, tournament_id: int, window: range) -> Any:
    query = (
        select(
            col(Match.id).label("match"),
            *[getattr(Match, name) for name in ("number", "rating_order", "state", "void_reason", "done_at", "digest")],
            *(col(Match.is_final), col(Tournament.game), *SIZE),
            col(LadderDay.day),
            *[getattr(MatchSeat, name) for name in ("position", "adjusted", *_RESULT_COLUMNS, *_RATING_COLUMNS)],
            *BOT_COLUMNS,
        )
        .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
        .join(Tournament, col(Tournament.id) == Match.tournament_id)
        .join(Entry, col(Entry.id) == MatchSeat.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .outerjoin(LadderDay, col(LadderDay.id) == Match.ladder_day_id)
        .where(col(Match.tournament_id) == tournament_id, col(Match.number).between(window[0], window[-1]))
        .order_by(col(Match.number), col(MatchSeat.position))
    )
    return db.connection().execute(query).mappings().all()


def _match_row(row: Any) -> Row:
    is_done = row["state"] == MatchState.DONE.value
    values = {
        **row,
        **bot_columns(row),
        "day": None if row["day"] is None else day_text(row["day"]),
        "over_at": timestamp(row["done_at"]),
        "mean_place": row["mean_place_num"] / row["mean_place_den"] if is_done else None,
        "adjusted_place": row["adjusted"] if is_done else None,
    }
    if not is_done:
        values |= dict.fromkeys((*_RESULT_COLUMNS, *_RATING_COLUMNS))
    return {name: values[name] for name in MatchRow.__struct_fields__}


class _ReplayFacts(msgspec.Struct):
    seed: str
    rounds: int
    reason: str


_REPLAY: Final = msgspec.json.Decoder(_ReplayFacts)


def _game_rows(game: Any, seats: list[Any]) -> list[Row]:
    replay = _REPLAY.decode(game["replay"])
    faults = {fault["seat"]: fault["kind"] for fault in game["faults"]}
    rows: list[Row] = []
    for seat, position in enumerate(game["seating"]):
        place = game["places"][seat]
        won = place == 1 and replay.reason != EndReason.ALL_AT_FAULT
        game_values = {**game, **msgspec.structs.asdict(replay), "match": seats[position]["match"]}
        seat_values = {"seat": seat, "position": position, "place": place, "won": won, "luck": game["luck"][seat]}
        values = {**game_values, **seat_values, **bot_columns(seats[position]), "fault": faults.get(seat)}
        rows.append({name: values[name] for name in GameRow.__struct_fields__})
    return rows


# The model of a match, for pages, JSON, the API, tables and exports.


class MatchDetail(tables.Model):
    """A match and its bots; the dice are derived from the secret, which `commitment` commits to.

    `number` is its number in its tournament or ladder, and `seats` the number of bots.  `waits` says why a scheduled
    match is not played yet.  `host` is the worker host that played the match.
    """

    id: tables.Number
    number: tables.Number
    url: tables.Path
    page: tables.Path
    game: tables.Game
    seats: int
    blocks: tables.Count
    is_final: bool
    purpose: str
    tournament: tables.Number | None
    state: str
    waits: str
    void_reason: str | None
    rating_order: int | None
    day: str | None
    created_at: tables.Moment | None
    over_at: tables.Moment | None
    digest: tables.Hex64 | None
    commitment: tables.Hex64 | None
    secret: tables.Hex64 | None
    host: str | None
    bots: list[MatchBot]


def match_detail(db: Session, page: MatchPage) -> MatchDetail:
    """Return a match that the visitor may see."""
    match, tournament, dice = page.match, page.tournament, dice_of(db, page)
    rows = rows_of(db, page)
    facts: dict[str, Any] = {name: rows[0][name] for name in MatchFacts.__struct_fields__ if name != "match"}
    return MatchDetail(
        **facts,
        id=row_id(match.id),
        url=f"{tables.BASE}/matches/{match.id}",
        page=url_for("matches.match", match_id=match.id),
        purpose=match.purpose,
        tournament=tournament.id if tournament.kind == "tournament" else None,
        waits=waiting_reason(db, page),
        created_at=timestamp(match.created_at),
        commitment=dice.commitment,
        secret=dice.secret,
        host=page.host,
        bots=_bots(rows),
    )


def rows_of(db: Session, page: MatchPage) -> list[Row]:
    """Return a row for each bot of a match, as in exports."""
    number = page.match.number
    return read_matches(db, page.match.tournament_id, range(number, number + 1))


def _bots(rows: Sequence[Row]) -> list[MatchBot]:
    return msgspec.convert([{name: row[name] for name in MatchBot.__struct_fields__} for row in rows], list[MatchBot])


MATCH_BOTS: Final = table_of(
    *("match-bots", MatchBot, "/matches/N/bots", "The bots of a match, and how it changed their ratings."),
    *columns_of(MatchBot),
)
MATCH_GAMES: Final = table_of(
    *("match-games", GameRow, "/matches/N/games", "All games of a match, a row for each seat."), *columns_of(GameRow)
)
# Tables on a match's page.
PLAYERS: Final = table_of(
    *("match-players", SeatRow, "", ""),
    *(Column("", "Bot", cell="match_bot", css="nowrap"), Column("", "Version", cell="version")),
    *(Column("", "Owner", cell="owner"), Column("", "Mean place", Kind.NUMBER, of="mean_place")),
    *(Column("", "Luck", Kind.SIGNED, of="seat.luck"), Column("", "Adjusted place", Kind.NUMBER, of="seat.adjusted")),
    *(Column("", "Wins", Kind.WHOLE, of="seat.wins"), Column("", "Faults", Kind.WHOLE, of="seat.faults")),
    phone=("Bot", "Mean place", "Wins"),
)
# Headings of columns that are empty before a match is played, besides that of the luck, which names the game's unit.
RESULT_HEADINGS: Final = ("Mean place", "Adjusted place", "Wins", "Faults")
RATING_MOVES: Final = table_of(
    *("match-ratings", SeatRow, "", ""),
    *(Column("", "Bot", of="label", css="nowrap"), Column("", "Rating before", Kind.NUMBER, "rating_before")),
    *(Column("", "Rating after", Kind.NUMBER, "rating_after"), Column("", "Change", Kind.SIGNED, "rating_change")),
    Column("", "Why", cell="rating_why", css="why"),
    phone=("Bot", "Rating after", "Change"),
)


def match_table(db: Session, page: MatchPage, name: str) -> TableData:
    """Return the table of a match's bots or games; games only if the match is done."""
    if name == "bots":
        return MATCH_BOTS.of(_bots(rows_of(db, page)))
    number = page.match.number
    rows = read_games(db, page.match.tournament_id, range(number, number + 1))
    return MATCH_GAMES.of(msgspec.convert(rows, list[GameRow]))
