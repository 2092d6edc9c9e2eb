"""Read ladders: days, pages of the leaderboard, a visitor's own bots, climbers, and the model of a ladder."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import hypot, isfinite
from operator import itemgetter
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

from flask import url_for
from sqlalchemy import Float, Integer, String, bindparam, case, literal_column, select, true, tuple_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func
from sqlmodel import select as select_model

from gangland_ladder.matches.match_jobs import HIGHEST_ID
from gangland_ladder.rating.trueskill import SIGMA
from gangland_web.base.formats import DAY_S, GAME_TITLES, day_text
from gangland_web.models.bots import Bot, Party, Version, shown_owner
from gangland_web.models.matches import Match, MatchSeat, MatchState
from gangland_web.models.tournaments import Entry, LadderDay, SeasonPlace, Tournament
from gangland_web.queries import tables, visibility
from gangland_web.queries.tables import Column, Kind, TableData, several, table_of
from gangland_web.services.ladder_days import today

# Days of ladders: commitments, the matches of the day, and the secrets once they are public.


class DayDetail(tables.Model):
    """A day (UTC) of a ladder: its commitment, the numbers of its matches, and its secret once that is public.

    `late`: the commitment was published after the day had begun.
    """

    day: tables.Day
    commitment: tables.Hex64
    committed_at: tables.Moment
    late: bool
    over: bool
    revealed_at: tables.Moment | None
    secret: tables.Hex64 | None
    first_number: tables.Number | None
    last_number: tables.Number | None
    matches: tables.Count
    results: tables.Path
    archive: tables.Path | None


DAY_LINES: Final = table_of(
    *("day-lines", DayDetail, "", ""),
    *(Column("", "Day", cell="day", css="nowrap"), Column("", "Commitment", cell="day_commitment", css="hash")),
    *(Column("", "Published", cell="day_published"), Column("", "Matches", cell="day_matches", css="nowrap")),
    Column("", "Secret", cell="day_secret", css="hash"),
    attributes=' id="day-{{ row.day }}"',
    phone=("Day", "Matches"),
)


class Days(tables.Model):
    """Days of a ladder, newest first."""

    rows: list[DayDetail]
    next: tables.Path | None


def days_of(
    db: Session, ladder: Tournament, limit: int | None = None, *, before: int | None = None, since: int | None = None
) -> list[DayDetail]:
    """Return days of a ladder, newest first; `before` and `since` count days from 1970-01-01."""
    spans = [*_match_numbers(func.min), *_match_numbers(func.max)]
    query = select(LadderDay, *spans).where(col(LadderDay.tournament_id) == ladder.id)
    if before is not None:
        query = query.where(col(LadderDay.day) < before)
    if since is not None:
        query = query.where(col(LadderDay.day) >= since)
    rows: Any = db.execute(query.order_by(col(LadderDay.day).desc()).limit(limit)).all()
    return [
        _day(ladder, ladder_day, [number for number in numbers if number is not None]) for ladder_day, *numbers in rows
    ]


def _day(ladder: Tournament, ladder_day: LadderDay, numbers: list[int]) -> DayDetail:
    day, public = day_text(ladder_day.day), ladder_day.revealed_at is not None
    address = f"{tables.BASE}/ladders/{ladder.game}/{ladder.seats}/days/{day}"
    first, last = min(numbers, default=None), max(numbers, default=None)
    return tables.model_from(
        DayDetail,
        ladder_day,
        day=day,
        late=ladder_day.committed_at > ladder_day.day * DAY_S,
        over=ladder_day.day < today(),
        secret=ladder_day.secret.hex() if public else None,
        first_number=first,
        last_number=last,
        matches=0 if first is None or last is None else last - first + 1,
        results=f"{address}/results.ndjson",
        archive=f"{address}/archive.tar" if public and numbers else None,
    )


# Paging: a page begins below or above an entry, at the entry's current rank.


class Key(NamedTuple):
    """A position on a leaderboard: a rating, and the id of the entry that has or had it."""

    rating: float
    entry: int

    @property
    def text(self) -> str:
        """The key as text for URLs; parsing it returns exactly the same rating."""
        return f"{self.rating!r}:{self.entry}"


class Window(NamedTuple):
    """A page of a leaderboard: the one below or above a key or, without a key, the first page."""

    key: Key | None = None
    upwards: bool = False

    @property
    def text(self) -> str:
        """The window as text, equal for equal windows."""
        return "" if self.key is None else f"{'before' if self.upwards else 'after'}={self.key.text}"


FIRST_PAGE = Window()


def read_key(text: str) -> Key:
    """Parse a key from a URL.  Raises ValueError."""
    rating, colon, entry = text.partition(":")
    if not colon or len(text) > 60 or not entry.isdecimal() or not entry.isascii():
        raise ValueError("expected a rating and an entry's number, separated by a colon")
    key = Key(float(rating), int(entry))
    if not isfinite(key.rating) or key.entry > HIGHEST_ID:
        raise ValueError("the rating or the entry's number is out of range")
    return key


# The order of a ladder: read once per revision, and cached in the process until the ladder changes.

# A rating with a larger sigma is too uncertain for a bracket; a bot that is no longer provisional has a smaller one.
MAX_BRACKET_SIGMA: Final = 2.5
# Two bots are too close to call if their mu differ by less than this many standard errors of the difference.
APART_ERRORS: Final = 2.0


class Order(NamedTuple):
    """The order of the active entries of a ladder at one of its revisions."""

    revision: int
    keys: Sequence[tuple[float, int]]  # worst first
    ratings: Sequence[float]  # in the same order
    brackets: Mapping[int, tuple[int, int]]  # by entry in a bracket: its best and worst rank

    def rank(self, rating: float) -> int:
        """Return the rank of a rating; equal ratings share a rank."""
        return 1 + len(self.ratings) - bisect_right(self.ratings, rating)

    def count_passed(self, before: float, after: float) -> int:
        """Return the number of ratings passed by a change; negative if the rating fell."""
        if before < after:
            return bisect_left(self.ratings, after) - bisect_right(self.ratings, before)
        return min(0, bisect_right(self.ratings, after) - bisect_left(self.ratings, before))

    def span(self, window: Window, size: int) -> tuple[int, int]:
        """Return the start and end indices of a window's page in the keys; the end is exclusive."""
        if window.upwards and window.key is not None:
            begin = bisect_right(self.keys, window.key)
            return begin, min(begin + size, len(self.keys))
        end = len(self.keys) if window.key is None else bisect_left(self.keys, window.key)
        return max(0, end - size), end


def order_of(session: Session, ladder_id: int, revision: int) -> Order:
    """Return the order of a ladder, which must have this revision in this session."""
    # Orders are cached by engine, because write sessions and read sessions have different engines.
    orders = _ORDERS_BY_ENGINE.setdefault(session.get_bind(), {})
    order = orders.get(ladder_id)
    if order is None or order.revision != revision:
        rows: Any = session.connection().execute(_ORDER, {"ladder": ladder_id}).all()
        keys, ratings = [(rating, entry) for rating, entry, _ in rows], list(map(itemgetter(0), rows))
        order = orders[ladder_id] = Order(revision, keys, ratings, brackets(rows))
    return order


def brackets(rows: Sequence[tuple[float, int, float]]) -> dict[int, tuple[int, int]]:
    """Return the best and the worst rank of each bracket, by entry; `rows`: rating, entry and mu, worst first.

    From the best bot down, a bracket includes each next bot that is too close to call with its first one.  Bots with an
    uncertain rating are skipped.
    """
    by_entry: dict[int, tuple[int, int]] = {}
    members: list[tuple[int, int]] = []
    first = (0.0, 0.0)
    rank, above = 0, None
    for number, (rating, entry, mu) in enumerate(reversed(rows), 1):
        rank, above = rank if rating == above else number, rating
        sigma = (mu - rating) / 3
        if sigma > MAX_BRACKET_SIGMA:
            continue
        if not members or abs(first[0] - mu) >= APART_ERRORS * hypot(first[1], sigma):
            _close_bracket(by_entry, members)
            members, first = [], (mu, sigma)
        members.append((entry, rank))
    _close_bracket(by_entry, members)
    return by_entry


def _close_bracket(by_entry: dict[int, tuple[int, int]], members: Sequence[tuple[int, int]]) -> None:
    if len(members) > 1:
        by_entry |= dict.fromkeys((entry for entry, _ in members), (members[0][1], members[-1][1]))


_ORDERS_BY_ENGINE: Final[WeakKeyDictionary[Any, dict[int, Order]]] = WeakKeyDictionary()
# In the order of the index `ix_entries_board`.
_ORDER: Any = (
    select(col(Entry.rating), col(Entry.id), col(Entry.mu))
    .where(col(Entry.tournament_id) == bindparam("ladder", type_=Integer), col(Entry.active) == true())
    .order_by(col(Entry.rating), col(Entry.id))
)


# A page of a ladder, read with two statements from an index.
#
# One more entry is read at each end, since an entry is only settled in relation to its neighbors. The start of the page
# and the ranks come from the whole order. The ranks that a bot gained in its last match are counted among the bots now
# on the ladder: the current rank is compared with the rank without that match.

SEATS = (2, 3, 4)  # the table sizes of ladders
PAGE_ROWS = 100  # rows per page
# A rating with fewer matches is provisional: after ten matches, mu - 3 sigma is still far below the bot's final rating.
PROVISIONAL_MATCHES = 24


class LadderRow(NamedTuple):
    """A row of a leaderboard."""

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
    rating: float  # mu - 3 sigma
    games: int
    wins: int
    faults: int
    probation: bool
    settled: bool  # whether its range overlaps neither neighbor's
    tied_first: int | None  # the best rank of its bracket, if it is in one
    tied_last: int | None  # the worst rank of its bracket
    provisional: bool  # too few games for a reliable rating
    last_match: int | None  # the last rated match; None before the first
    last_match_at: float | None
    places_moved: int | None  # ranks gained in the last match; 0 in the first
    points_moved: float | None  # rating points gained in the last match
    first_match: bool  # whether the last match was the first
    former_rank: int | None  # at the end of the last season
    former_rating: float | None  # at the end of the last season, else at the start of this one


BOARD: Final = table_of(
    *("leaderboard", LadderRow, "/ladders/GAME"),
    "The bots of a ladder, the best first (`?seats=`, `?after=`, `?before=`).",
    Column("rank", "Rank", Kind.WHOLE, "board_rank", css="rank"),
    *several(Kind.WHOLE, quiet=True, entry="Entry", bot_id="Number"),
    *(Column("bot", "Bot", cell="board_bot", names_row=True), Column("version", "Version", Kind.WHOLE, quiet=True)),
    *(Column("owner", "Owner", Kind.OWNER, quiet=True), Column("", "Owner", cell="owner")),
    *several(Kind.NUMBER, quiet=True, mu="mu", sigma="sigma"),
    *(Column("rating", "Rating", Kind.NUMBER, "board_rating"), Column("games", "Games", Kind.WHOLE)),
    *(Column("wins", "Wins", Kind.WHOLE, "board_wins"), Column("", "Change", cell="board_change")),
    *(Column("", "Strength", Kind.NUMBER, "range"), Column("faults", "Faults", Kind.WHOLE, "board_faults")),
    Column("settled", "Order", Kind.FLAG, quiet=True),
    *several(Kind.WHOLE, quiet=True, tied_first="Best rank of its bracket", tied_last="Worst rank of its bracket"),
    Column("provisional", "Provisional", Kind.FLAG, quiet=True),
    Column("last_match", "Last match", Kind.WHOLE, quiet=True),
    Column("last_match_at", "Last active", Kind.MOMENT, css="small"),
    Column("places_moved", "Ranks gained", Kind.WHOLE, quiet=True),
    Column("points_moved", "Rating gained", Kind.NUMBER, quiet=True),
    Column("former_rank", "Rank before the season", Kind.WHOLE, quiet=True),
    Column("former_rating", "Rating before the season", Kind.NUMBER, quiet=True),
    paged=True,
    phone=("Rank", "Bot", "Rating"),
    attributes=' id="bot-{{ row.bot_id }}" class="{{ "mine " if row.bot_id in mine_ids }}{% if row.tied_first %}tied'
    '{{ " first" if row.rank == row.tied_first }}{{ " last" if row.rank == row.tied_last }}{% endif %}"',
)
MORE_COLUMNS: Final = ("Strength", "Faults", "Last active")  # shown on pages only on request
HIDDEN_AT_HOME: Final = ("Owner", "Wins", "Change", *MORE_COLUMNS)  # not shown on the home page


@dataclass(frozen=True, slots=True)
class LadderPage:
    """Rows of a leaderboard, best first, and the windows above and below; None if there are no more rows."""

    rows: tuple[LadderRow, ...]
    above: Window | None
    below: Window | None

    @property
    def next_key(self) -> str | None:
        """The key after which the next page begins, or None on the last page."""
        return None if self.below is None or self.below.key is None else self.below.key.text


class LadderState(NamedTuple):
    """The revision of a ladder, and the numbers of its matches by state."""

    id: int
    game: str
    seats: int
    blocks: int
    revision: int  # rises with every visible change
    scheduled: int  # planned matches
    over: int  # matches that are done or void
    waiting: int  # played matches that are not in the ratings yet, because an earlier one is not over

    @property
    def settled_games(self) -> int:
        """The number of games after which a rating is no longer provisional."""
        return self.blocks * PROVISIONAL_MATCHES * self.seats


def ladder_of(session: Session, game: str, seats: int) -> Tournament | None:
    """Return the ladder of a game and table size, or None."""
    query = select_model(Tournament).where(Tournament.kind == "ladder", Tournament.game == game)
    return session.exec(query.where(Tournament.seats == seats)).first()


def get_ladder(session: Session, game: str, seats: int) -> Tournament:
    """Return the ladder of a game and table size.  Raises NotVisible: there is none."""
    ladder = ladder_of(session, game, seats) if game in GAME_TITLES and seats in SEATS else None
    if ladder is None:
        raise visibility.NotVisible
    return ladder


def ladder_state(session: Session, game: str, seats: int) -> LadderState | None:
    """Return the state of the ladder of a game and table size, or None."""
    row = session.connection().execute(_STATE, {"game": game, "seats": seats}).first()
    return None if row is None else LadderState(**row._mapping)


def ladder_page(db: Session, ladder: LadderState, window: Window = FIRST_PAGE, *, size: int = PAGE_ROWS) -> LadderPage:
    """Return a page of a ladder's active entries, best first; `ladder` must have been read in the same session."""
    order = order_of(db, ladder.id, ladder.revision)
    begin, end = order.span(window, size)
    is_lower, is_upper = begin > 0, end < len(order.keys)
    if begin == end:
        return LadderPage((), window._replace(upwards=True) if is_upper and not window.upwards else None, None)
    rating, entry = order.keys[end if is_upper else end - 1]
    lowest, _ = order.keys[begin - is_lower]
    parameters = {"ladder": ladder.id, "rating": rating, "entry": entry, "lowest": lowest}
    rows = db.connection().execute(_rows_from(is_upper + end - begin + is_lower), parameters).all()
    ranges = [(row.mu - 2 * row.sigma, row.mu + 2 * row.sigma) for row in rows]
    apart = [upper >= lower for (upper, _), (_, lower) in pairwise(ranges)]
    apart = [True] * (not is_upper) + apart + [True] * (not is_lower)
    page_rows = rows[is_upper : is_upper + end - begin]
    return LadderPage(
        tuple(
            [
                _row(order, ladder.settled_games, row, upper and lower)
                for row, (upper, lower) in zip(page_rows, pairwise(apart), strict=True)
            ]
        ),
        Window(Key(*order.keys[end - 1]), upwards=True) if is_upper else None,
        Window(Key(*order.keys[begin])) if is_lower else None,
    )


def ranks_of(session: Session, ladder: LadderState, entries: Sequence[int]) -> dict[int, int]:
    """Return the ranks of the entries that are on the ladder, which must have been read in the same session."""
    if not entries:
        return {}
    order = order_of(session, ladder.id, ladder.revision)
    query = select(col(Entry.id), col(Entry.rating)).where(col(Entry.tournament_id) == ladder.id)
    rows = session.execute(query.where(col(Entry.id).in_(entries), col(Entry.active) == true())).all()
    return {entry: order.rank(rating) for entry, rating in rows}


def _row(order: Order, enough: int, row: Any, settled: bool) -> LadderRow:
    values = dict(row._mapping)
    mu_before, sigma_before = values.pop("mu_before"), values.pop("sigma_before")
    moved: tuple[int | None, float | None, bool] = None, None, False
    if row.last_match is not None:
        before, first = mu_before - 3 * sigma_before, sigma_before == SIGMA  # a sigma never grows
        moved = 0 if first else order.count_passed(before, row.rating), row.rating - before, first
    tied = order.brackets.get(row.entry, (None, None))
    return LadderRow(
        **values,
        rank=order.rank(row.rating),
        settled=settled,
        tied_first=tied[0],
        tied_last=tied[1],
        provisional=row.games < enough,
        places_moved=moved[0],
        points_moved=moved[1],
        first_match=moved[2],
    )


_former = aliased(Entry)
_last = aliased(MatchSeat)
_LAST_MATCH = (
    select(col(_last.match_id))
    .where(col(_last.entry_id) == col(Entry.id), col(_last.mu_after).is_not(None))
    .order_by(col(_last.match_id).desc())
    .limit(literal_column("1"))
    .correlate(Entry)
    .scalar_subquery()
)
_KEY: Any = tuple_(bindparam("rating", type_=Float), bindparam("entry", type_=Integer))


@cache
def _rows_from(count: int) -> Any:
    # The limit and the lowest rating are literals in the statement: if a cached plan does not know that few rows are
    # needed, PostgreSQL plans the statement at each execution, which takes half as long as reading.
    return (
        select(
            *(col(Entry.id).label("entry"), col(Bot.id).label("bot_id"), col(Bot.name).label("bot")),
            *(col(Version.number).label("version"), shown_owner().label("owner")),
            *(col(Bot.owner_id), col(Bot.team_id)),
            *(col(column) for column in (Entry.mu, Entry.sigma, Entry.rating)),
            *(col(column) for column in (Entry.games, Entry.wins, Entry.faults, Entry.probation)),
            *(col(MatchSeat.match_id).label("last_match"), col(Match.done_at).label("last_match_at")),
            *(col(MatchSeat.mu_before), col(MatchSeat.sigma_before), col(SeasonPlace.rank).label("former_rank")),
            func.coalesce(col(SeasonPlace.rating), case((col(_former.sigma) < SIGMA, col(_former.rating)))).label(
                "former_rating"
            ),
        )
        .select_from(Entry)
        .outerjoin(_former, col(_former.id) == col(Entry.former_id))
        .outerjoin(SeasonPlace, col(SeasonPlace.entry_id) == col(Entry.former_id))
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .outerjoin(MatchSeat, (col(MatchSeat.entry_id) == col(Entry.id)) & (col(MatchSeat.match_id) == _LAST_MATCH))
        .outerjoin(Match, col(Match.id) == MatchSeat.match_id)
        .where(col(Entry.tournament_id) == bindparam("ladder", type_=Integer), col(Entry.active) == true())
        .where(tuple_(col(Entry.rating), col(Entry.id)) <= _KEY)
        .where(col(Entry.rating).between(bindparam("lowest", type_=Float), bindparam("rating", type_=Float)))
        .order_by(col(Entry.rating).desc(), col(Entry.id).desc())
        .limit(literal_column(str(count)))
    )


_UNRATED = (
    select(func.count())
    .select_from(Match)
    .where(col(Match.tournament_id) == col(Tournament.id), col(Match.state) == MatchState.DONE.value)
    .where(col(Match.rating_order) >= col(Tournament.cursor))
)
_STATE = (
    select(
        *(col(Tournament.id), col(Tournament.game), col(Tournament.seats), col(Tournament.blocks)),
        *(col(Tournament.revision), col(Tournament.matches_planned).label("scheduled")),
        col(Tournament.matches_over).label("over"),
        _UNRATED.correlate(Tournament).scalar_subquery().label("waiting"),
    )
    .where(col(Tournament.kind) == "ladder", col(Tournament.game) == bindparam("game", type_=String))
    .where(col(Tournament.seats) == bindparam("seats", type_=Integer))
)


# A visitor's own bots on a ladder.


class OwnEntry(NamedTuple):
    """A visitor's bot on a ladder, and the window that begins with it."""

    bot_id: int
    bot: str
    rank: int
    window: Window


def own_entries(db: Session, ladder_id: int, game: str, party: Party) -> list[OwnEntry]:
    """Return the bots on a ladder that a user may act for, best first."""
    query = _OWN_ENTRIES.where(party.own_bots())
    rows: Any = db.connection().execute(query, {"ladder": ladder_id, "game": game})
    return [
        OwnEntry(bot_id, bot, better + 1, Window(Key(rating, entry + 1))) for bot_id, bot, entry, rating, better in rows
    ]


_other = aliased(Entry)
# The number of entries above an entry on the same ladder.
RANKS_ABOVE: Any = (
    select(func.count())
    .select_from(_other)
    .where(col(_other.tournament_id) == col(Entry.tournament_id), col(_other.active).is_(True))
    .where(col(_other.rating) > col(Entry.rating))
    .correlate(Entry)
    .scalar_subquery()
)
_OWN_ENTRIES: Any = (
    select(*(col(column) for column in (Bot.id, Bot.name, Entry.id, Entry.rating)), RANKS_ABOVE)
    .select_from(Bot)
    .join(Version, col(Version.id) == Bot.active_version_id)
    .join(Entry, col(Entry.version_id) == Version.id)
    .where(col(Bot.game) == bindparam("game"))
    .where(col(Entry.tournament_id) == bindparam("ladder", type_=Integer), col(Entry.active).is_(True))
    .order_by(col(Entry.rating).desc())
)


# Climbers since yesterday.


def climbs(db: Session, ladder: LadderState, rows: Sequence[LadderRow]) -> dict[int, int]:
    """Return the ranks gained since the start of yesterday (UTC), by entry, among the current ratings."""
    first = db.connection().execute(_FIRST_MATCH, {"ladder": ladder.id, "day": today() - 1}).scalar_one()
    if first is None or not rows:
        return {}
    parameters = {"first": first, "entries": [row.entry for row in rows]}
    rows_before: Any = db.connection().execute(_RATINGS_BEFORE, parameters).all()
    ratings = {entry: mu - 3 * sigma for entry, mu, sigma in rows_before if sigma != SIGMA}
    order = order_of(db, ladder.id, ladder.revision)
    moves = {row.entry: order.count_passed(ratings[row.entry], row.rating) for row in rows if row.entry in ratings}
    return {entry: places for entry, places in moves.items() if places}


def _match_numbers(aggregate: Any) -> list[Any]:
    # One subquery for each state, since each is read from an index.
    return [
        select(aggregate(col(Match.number)))
        .where(col(Match.ladder_day_id) == col(LadderDay.id), col(Match.state) == state.value)
        .correlate(LadderDay)
        .scalar_subquery()
        for state in MatchState
    ]


# The first match since a day: like match numbers, ids increase over time.
_FIRST_MATCH: Any = (
    select(func.min(col(Match.id)))
    .select_from(LadderDay)
    .join(
        Match,
        (col(Match.tournament_id) == col(LadderDay.tournament_id)) & col(Match.number).in_(_match_numbers(func.min)),
    )
    .where(col(LadderDay.tournament_id) == bindparam("ladder", type_=Integer), col(LadderDay.day) >= bindparam("day"))
)
_seat, _earliest = aliased(MatchSeat), aliased(MatchSeat)
_since = (
    select(col(_earliest.match_id))
    .where(col(_earliest.entry_id) == col(Entry.id), col(_earliest.match_id) >= bindparam("first", type_=Integer))
    .where(col(_earliest.mu_before).is_not(None))
    .order_by(col(_earliest.match_id))
    .limit(1)
    .correlate(Entry)
    .scalar_subquery()
)
# The rating of each entry before the first of these matches: one index lookup per entry.
_RATINGS_BEFORE: Any = (
    select(col(Entry.id), col(_seat.mu_before), col(_seat.sigma_before))
    .select_from(Entry)
    .join(_seat, (col(_seat.entry_id) == col(Entry.id)) & (col(_seat.match_id) == _since))
    .where(col(Entry.id).in_(bindparam("entries", expanding=True)))
)


# The model of a ladder, for pages, files and the API.


class LadderSummary(tables.Model):
    """A ladder (a game at a table size); `matches_waiting` are played, but not in the ratings yet."""

    game: tables.Game
    seats: int
    url: tables.Path
    page: tables.Path
    blocks: tables.Count
    matches_planned: tables.Count
    matches_over: tables.Count
    matches_waiting: tables.Count


class Ladders(tables.Model):
    """The ladders of the site."""

    ladders: list[LadderSummary]


def ladder_list(db: Session) -> Ladders:
    """Return all ladders, sorted by game and seats."""
    sizes = [(game, seats, ladder_state(db, game, seats)) for game in GAME_TITLES for seats in SEATS]
    return Ladders(ladders=[_summary(game, seats, state) for game, seats, state in sizes if state is not None])


def _summary(game: str, seats: int, state: LadderState) -> LadderSummary:
    return tables.model_from(
        LadderSummary,
        state,
        game=game,
        seats=seats,
        url=f"{tables.BASE}/ladders/{game}/{seats}",
        page=url_for("ladders.ladder", game=game, seats=seats),
        matches_planned=state.scheduled,
        matches_over=state.over,
        matches_waiting=max(0, state.waiting),
    )


def board_table(page: LadderPage, next_url: str | None = None, **files: Any) -> TableData:
    """Return a page of a ladder as a table; `next_url` is the URL of the next page."""
    return BOARD.of(page.rows, next=next_url, **files)
