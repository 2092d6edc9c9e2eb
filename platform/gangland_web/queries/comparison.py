"""Compare two bots at one table size: their ratings, their ladder games against each other, and their costs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from flask import url_for
from sqlalchemy import Integer, bindparam, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from gangland_ladder.common.texts import counted
from gangland_ladder.matches.match_jobs import quantile_limit_s
from gangland_web.base.charts import Picture, two_ratings_chart
from gangland_web.base.formats import timestamp
from gangland_web.models.bots import Bot
from gangland_web.models.columns import literal_number, row_id
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame
from gangland_web.queries import analyses, tables, visibility
from gangland_web.queries.bot_figures import Subject, history_of, played_matches, sort_by_time, subject_of, think_counts
from gangland_web.queries.bots import BotSummary, bot_summary, bots_with_ids, games_by_size, ratings_of
from gangland_web.services.retention import Trim

# Meetings are searched for in this many of the latest matches of the bot that has played less.
MAX_SEARCHED: Final = 5_000
COUNTED_GAMES: Final = 1_200  # the approximate number of latest games that are counted
MAX_MEETINGS: Final = 10


class NoComparison(visibility.NotVisible):
    """Two bots cannot be compared; the message says why."""


class Side(BotSummary):
    """One of the two bots, with the rating of its version and how it plays; figures that are not known are null.

    `wins` and `faults` count games.  Half of its latest decisions took at most `half_cpu_s` seconds of CPU time, and
    99% at most `most_cpu_s`.  `cost` is the mean cost per game of its decisions over `analyzed` games, as a share of a
    win, and `cost_error` its standard error.
    """

    version: tables.Number
    rank: tables.Count | None
    rating: float | None
    mu: float | None
    sigma: float | None
    games: tables.Count
    wins: tables.Count
    faults: tables.Count
    half_cpu_s: float | None
    most_cpu_s: float | None
    analyzed: tables.Count
    cost: float | None
    cost_error: float | None


class Score(tables.Model):
    """The games in which the first bot finished ahead of the second, level with it, and behind it.

    `seat` is the first bot's, counted from 0; null for all seats together.  `share` counts level games half, and its
    95% interval is `low` to `high`.
    """

    seat: tables.Count | None
    games: tables.Count
    won: tables.Count
    shared: tables.Count
    lost: tables.Count
    share: float
    low: float
    high: float
    confidence: str


class Meeting(tables.Model):
    """A match of the two bots, with the mean place of each."""

    match: tables.Number
    page: tables.Path
    replay: tables.Path | None
    over_at: tables.Moment | None
    mean_place: float
    other_mean_place: float


class BotComparison(tables.Model):
    """Two bots at one table size; `sizes` are the table sizes at which both have played.

    `scores` cover the latest `matches` meetings: first all seats together, then each seat.
    """

    seats: tables.Seats
    sizes: list[tables.Seats]
    bot: Side
    other: Side
    matches: tables.Count
    scores: list[Score]
    meetings: list[Meeting]


SCORES: Final = tables.table_of(
    *("bot-against-scores", Score, "/bots/N/against/M"),
    "The results of two bots' games against each other, by seat of the first; only the CSV has these rows (`?seats=`).",
    tables.Column("seat", "Seat", tables.Kind.WHOLE, "score_seat", css=""),
    *tables.several(tables.Kind.WHOLE, games="Games", won="Ahead", shared="Level", lost="Behind"),
    tables.Column("share", "Share", tables.Kind.NUMBER, "score_share", css="meter"),
    *tables.several(tables.Kind.NUMBER, quiet=True, low="low", high="high"),
    tables.Column("confidence", "Certainty", cell="score_certainty", css="nowrap"),
    attributes=' class="sure-{{ row.confidence.split(" ")[0] | replace("clearly", "clear") }}"',
    phone=("Seat", "Games", "Share"),
)


def caption_of(comparison: BotComparison) -> str:
    """Return the caption of the scores."""
    first, second = comparison.bot.version, comparison.other.version
    return (
        f"Version {first} against version {second}, in {counted(comparison.matches, 'match', ',')}. "
        "Share: how often the first bot finished ahead; a tie counts half."
    )


class MeetingRow(NamedTuple):
    """A match of the two bots, with their positions in it and their mean places."""

    match: int
    at: float
    trimmed: int
    position: int
    other_position: int
    place: float
    other_place: float


def compare(db: Session, bot_id: int, other_id: int, seats: int | None = None) -> tuple[BotComparison, Picture | None]:
    """Return the comparison of two bots, and a chart of their ratings.  Raises NoComparison and NotVisible."""
    bots = _bots(db, bot_id, other_id)
    subjects, sizes = _subjects(db, [bot for bot, _ in bots], seats)
    first, second = subjects
    meetings = _meetings(db, first, second)
    costs = analyses.mean_costs(db, [first.entry, second.entry])
    sides = [_side(db, subject, owner, cost) for subject, (_, owner), cost in zip(subjects, bots, costs, strict=True)]
    response = BotComparison(
        seats=first.seats,  # type: ignore[arg-type]  # a ladder has no other table size
        sizes=sizes,  # type: ignore[arg-type]
        bot=sides[0],
        other=sides[1],
        matches=len(meetings),
        scores=_scores(db, meetings, first.seats),
        meetings=[_meeting(meeting) for meeting in meetings[:MAX_MEETINGS]],
    )
    histories = [(each.bot.name, sort_by_time(history_of(db, each.versions))) for each in subjects]
    return response, two_ratings_chart("histories", histories)


def _bots(db: Session, bot_id: int, other_id: int) -> list[tuple[Bot, str | None]]:
    if bot_id == other_id:
        raise NoComparison("Choose another bot to compare with, under “Head to head” on the bot's page.")
    try:
        rows = bots_with_ids(db, [bot_id, other_id])
    except KeyError as error:
        raise visibility.NotVisible(f"There is no bot {error}.") from error
    (first, _), (second, _) = rows
    if first.game != second.game:
        raise NoComparison(f"{first.name} and {second.name} play different games.")
    return rows


def _subjects(db: Session, bots: Sequence[Bot], seats: int | None) -> tuple[tuple[Subject, Subject], list[int]]:
    """Return both bots at a table size, by default the one most played by both, and all sizes that both have played."""
    first, second = bots
    ratings = [ratings_of(db, number) for number in (row_id(first.id), row_id(second.id))]
    common = games_by_size(ratings[0]) & games_by_size(ratings[1])  # the smaller number at each size
    if seats not in common and (seats is not None or not common):
        place = "at any table size" if seats is None else f"at {seats} seats"
        raise NoComparison(f"{first.name} and {second.name} have not both played on the ladder {place}.")
    size = max(common, key=lambda each: (common[each], -each)) if seats is None else seats
    subject, other = subject_of(first, ratings[0], size), subject_of(second, ratings[1], size)
    if subject is None or other is None:
        raise NoComparison(f"One of {first.name} and {second.name} has not played at {size} seats.")
    return (subject, other), sorted(common)


def _side(db: Session, subject: Subject, owner: str | None, cost: Any) -> Side:
    row, entry = subject.row, subject.row.entry
    counts = think_counts(played_matches(db, subject.entry))
    rated = {name: getattr(entry, name) if row.rated else None for name in ("rating", "mu", "sigma")}
    return tables.model_from(
        Side,
        bot_summary(subject.bot, owner),
        version=row.version,
        rank=row.rank if row.rated else None,
        **rated,
        **{name: getattr(entry, name) for name in ("games", "wins", "faults")},
        half_cpu_s=quantile_limit_s(counts, 0.5),
        most_cpu_s=quantile_limit_s(counts, 0.99),
        analyzed=0 if cost is None else cost.games,
        cost=None if cost is None else cost.cost,
        cost_error=None if cost is None else cost.error,
    )


def _meetings(db: Session, first: Subject, second: Subject) -> list[MeetingRow]:
    """Return the latest meetings of two versions, newest first, with at most about `COUNTED_GAMES` games."""
    is_swapped = second.row.entry.games < first.row.entry.games
    entry, other_entry = (second.entry, first.entry) if is_swapped else (first.entry, second.entry)
    limits = {"searched": MAX_SEARCHED, "most": max(1, COUNTED_GAMES // first.games_per_match)}
    parameters = {"entry": entry, "other_entry": other_entry, **limits}
    rows: Any = db.connection().execute(_MEETINGS, parameters).all()
    meetings = []
    for match, at, trimmed, *seats in rows:
        (position, num, den), (other, other_num, other_den) = (
            (seats[3:], seats[:3]) if is_swapped else (seats[:3], seats[3:])
        )
        meetings.append(MeetingRow(match, at, trimmed, position, other, num / den, other_num / other_den))
    return meetings


def _meeting(row: MeetingRow) -> Meeting:
    replay = url_for("matches.game", match_id=row.match, block=0, rotation=0) if row.trimmed < Trim.REPLAYS else None
    page = url_for("matches.match", match_id=row.match)
    return Meeting(row.match, page, replay, timestamp(row.at), row.place, row.other_place)


def _scores(db: Session, meetings: Sequence[MeetingRow], seats: int) -> list[Score]:
    positions = {meeting.match: (meeting.position, meeting.other_position) for meeting in meetings}
    rows: Any = db.connection().execute(_PLACES, {"matches": list(positions)}).all() if positions else ()
    by_seat: list[list[int]] = [[] for _ in range(seats)]
    for match, seating, places in rows:
        seat, other = (seating.index(position) for position in positions[match])
        by_seat[seat].append(places[other] - places[seat])
    total = [gap for gaps in by_seat for gap in gaps]
    # A block has one game in each seat, so its games count as one when all seats are added up.
    scores = [(None, total, len(total) // seats), *((seat, gaps, len(gaps)) for seat, gaps in enumerate(by_seat))]
    return [_score(seat, gaps, blocks) for seat, gaps, blocks in scores if blocks]


def _score(seat: int | None, gaps: Iterable[int], blocks: int) -> Score:
    signs = Counter((gap > 0) - (gap < 0) for gap in gaps)
    games = signs.total()
    first_ahead = tables.lead((signs[1] + signs[0] / 2) / games, blocks)
    counts = {"games": games, "won": signs[1], "shared": signs[0], "lost": signs[-1]}
    return tables.model_from(Score, first_ahead, seat=seat, confidence=first_ahead.text, **counts)


def _place_columns(seat: Any) -> list[Any]:
    return [seat.position, seat.mean_place_num, seat.mean_place_den]


_seat = (
    select(
        *(col(column) for column in (MatchSeat.match_id, MatchSeat.position)),
        *(col(column) for column in (MatchSeat.mean_place_num, MatchSeat.mean_place_den)),
    )
    .where(col(MatchSeat.entry_id) == bindparam("entry", type_=Integer), col(MatchSeat.mean_place_num).is_not(None))
    .order_by(col(MatchSeat.match_id).desc())
    .limit(literal_number("searched"))
    .subquery("seat")
)
_other = aliased(MatchSeat)
_other_entry: Any = bindparam("other_entry", type_=Integer)
_MEETINGS: Final = (
    select(_seat.c.match_id, col(Match.done_at), col(Match.trimmed), *_place_columns(_seat.c), *_place_columns(_other))
    .select_from(_seat)
    .join(_other, (col(_other.match_id) == _seat.c.match_id) & (col(_other.entry_id) == _other_entry))
    .join(Match, col(Match.id) == _seat.c.match_id)
    .where(col(Match.state) == MatchState.DONE.value)
    .order_by(_seat.c.match_id.desc())
    .limit(literal_number("most"))
)
_PLACES: Final = (
    select(col(PlayedGame.match_id), col(PlayedGame.seating), col(PlayedGame.places))
    .where(col(PlayedGame.match_id).in_(bindparam("matches", expanding=True)))
    .order_by(col(PlayedGame.match_id), col(PlayedGame.block), col(PlayedGame.rotation))
)
