"""Hall of fame: the records of ladders, which are counted from rated matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, select
from sqlmodel import Session, col
from sqlmodel import select as select_model

from gangland_ladder.rating.trueskill import BETA, SIGMA
from gangland_web.base.formats import now_s
from gangland_web.models.accounts import User
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import table_of
from gangland_web.models.database import Database
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.tournaments import Entry, LadderRecords, Record, RecordKind, Tournament

# Counting each ladder's rated matches in rating order, in batches.
#
# Only public results count, and house bots are left out. A game with a fault cannot be a record, and a match with a
# fault cannot be an upset. When a match becomes void or a user leaves, the ladder is recounted from the beginning, so
# that the next best results move up.


BATCH: Final = 200  # number of positions in a ladder's rating order that are processed in one transaction


class Seat(NamedTuple):
    """A seat in a match, with its entry and bot, mean place, rating before the match, and number of faults."""

    entry_id: int
    bot_id: int
    place: Fraction
    mu: float
    sigma: float
    faults: int


class Game(NamedTuple):
    """A game of a match, with positions by seat, places by seat, faults, and the number of lead changes."""

    block: int
    rotation: int
    seating: Sequence[int]
    places: Sequence[int]
    faults: Sequence[Any]
    leads: int | None


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match, with its seats by position and its games."""

    id: int
    at: float
    seats: Sequence[Seat]
    games: Sequence[Game]


def count_records(database: Database) -> int:
    """Count every ladder's next rated matches, and record its leader; return the number of positions processed."""
    with database.read() as session:
        rows: Any = session.connection().execute(_LADDERS).all()
        hidden = {record.tournament_id for record in hidden_records(session)}
        ladder_ids = [
            ladder
            for ladder, rated, cursor, leader in rows
            if cursor is None or cursor < rated or leader != _leader_of(session, ladder) or ladder in hidden
        ]
    counted = 0
    for ladder in ladder_ids:
        with database.write() as session:
            counted += _count_ladder(session, ladder)
    return counted


_LADDERS: Final = (
    select(*(col(Tournament.id), col(Tournament.cursor)), *(col(LadderRecords.cursor), col(LadderRecords.leader_id)))
    .select_from(Tournament)
    .outerjoin(LadderRecords, col(LadderRecords.tournament_id) == Tournament.id)
    .where(col(Tournament.kind) == "ladder")
    .order_by(col(Tournament.id))
)


def _count_ladder(session: Session, ladder_id: int) -> int:
    ladder = session.get_one(Tournament, ladder_id)
    progress = session.get(LadderRecords, ladder_id, with_for_update=True)
    if progress is None:
        progress = LadderRecords(tournament_id=ladder_id, cursor=1)
    if hidden := hidden_records(session, ladder_id):
        for record in hidden:
            session.delete(record)
        progress.cursor = 1
    begin, end = progress.cursor, min(progress.cursor + BATCH, ladder.cursor)
    best = BestRecords(session, ladder_id)
    if begin < end:
        for match in _rated_matches(session, ladder_id, begin, end):
            _offer_match(best, match)
        progress.cursor = end
    _update_leader(session, best, progress)
    session.add(progress)
    return max(0, end - begin)


def schedule_recount(session: Session, tournament_id: int) -> None:
    """Schedule a recount of a ladder's matches from the first; reigns stay, because they do not depend on matches."""
    records = table_of(Record)
    is_of_ladder = (records.c.tournament_id == tournament_id) & (records.c.kind != RecordKind.REIGN.value)
    session.connection().execute(delete(records).where(is_of_ladder))
    progress = session.get(LadderRecords, tournament_id)
    if progress is not None:
        progress.cursor = 1
        session.add(progress)


def _rated_matches(session: Session, ladder_id: int, begin: int, end: int) -> list[RatedMatch]:
    values = {"ladder": ladder_id, "begin": begin, "end": end}
    seats: dict[int, list[Seat]] = {}
    done_times: dict[int, float] = {}
    rows: Any = session.connection().execute(_SEATS, values)
    for match_id, done_at, entry, bot, num, den, mu, sigma, faults in rows:
        seats.setdefault(match_id, []).append(Seat(entry, bot, Fraction(num, den), mu, sigma, faults))
        done_times[match_id] = done_at
    games = _games_of(session, seats)
    return [RatedMatch(number, done_times[number], group, games.get(number, ())) for number, group in seats.items()]


_SEATS: Final = (
    select(
        *(col(Match.id), col(Match.done_at), col(MatchSeat.entry_id), col(Version.bot_id)),
        *(col(MatchSeat.mean_place_num), col(MatchSeat.mean_place_den)),
        *(col(MatchSeat.mu_before), col(MatchSeat.sigma_before), col(MatchSeat.faults)),
    )
    .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .where(col(Match.tournament_id) == bindparam("ladder"), col(Match.state) == MatchState.DONE.value)
    .where(col(Match.rating_order) >= bindparam("begin"), col(Match.rating_order) < bindparam("end"))
    .where(col(MatchSeat.mu_before).is_not(None))
    .order_by(col(Match.rating_order), col(MatchSeat.position))
)


def _games_of(session: Session, matches: Iterable[int]) -> Mapping[int, list[Game]]:
    games: dict[int, list[Game]] = defaultdict(list)
    rows: Any = session.connection().execute(_GAMES, {"matches": list(matches)})
    for match_id, *game in rows:
        games[match_id].append(Game(*game))
    return games


_BOT_IDS: Final[Any] = bindparam("bots", expanding=True)
_MATCH_IDS: Final[Any] = bindparam("matches", expanding=True)
_GAMES: Final = (
    select(
        *(col(PlayedGame.match_id), col(PlayedGame.block), col(PlayedGame.rotation), col(PlayedGame.seating)),
        *(col(PlayedGame.places), col(PlayedGame.faults), col(PlayedGame.leads)),
    )
    .where(col(PlayedGame.match_id).in_(_MATCH_IDS))
    .order_by(col(PlayedGame.match_id), col(PlayedGame.block), col(PlayedGame.rotation))
)


def _offer_match(best: BestRecords, match: RatedMatch) -> None:
    for game in match.games:
        if game.leads and not game.faults:
            winner = match.seats[game.seating[game.places.index(1) if 1 in game.places else 0]]
            proof = (match.at, match.id, game.block, game.rotation)
            best.offer(Offer(RecordKind.CLOSEST, winner.bot_id, game.leads, *proof))
    if any(seat.faults for seat in match.seats):
        return
    for winner in match.seats:
        for loser in match.seats:
            if winner.place < loser.place and winner.mu < loser.mu:
                chance = chance_of(winner, loser)
                about = {"other": loser.bot_id, "chance": chance}
                best.offer(Offer(RecordKind.UPSET, winner.bot_id, 1 - chance, match.at, match.id, about=about))


def chance_of(seat: Seat, opponent: Seat) -> float:
    """Return the chance that `seat` finishes a match ahead of `opponent`, by their earlier ratings, ignoring ties."""
    spread = sqrt(2 * BETA * BETA + seat.sigma * seat.sigma + opponent.sigma * opponent.sigma)
    return NormalDist().cdf((seat.mu - opponent.mu) / spread)


def _update_leader(session: Session, best: BestRecords, progress: LadderRecords) -> None:
    """Record a ladder's leader; if the leader has changed, offer the reign that has ended."""
    leader, now = _leader_of(session, progress.tournament_id), now_s()
    if leader == progress.leader_id:
        return
    if progress.leader_id is not None and progress.leads_since is not None:
        about = {"since": progress.leads_since}
        best.offer(Offer(RecordKind.REIGN, progress.leader_id, now - progress.leads_since, now, about=about))
    progress.leader_id, progress.leads_since = leader, None if leader is None else now


def _leader_of(session: Session, ladder_id: int) -> int | None:
    # House bots and bots without a rated match are left out. Among equal ratings, the bot that was entered first leads.
    leader: int | None = session.connection().execute(_LEADER, {"ladder": ladder_id}).scalar_one_or_none()
    return leader


_LEADER: Final = (
    select(col(Version.bot_id))
    .join(Entry, col(Entry.version_id) == Version.id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .where(col(Bot.is_house).is_(False))
    .where(col(Entry.tournament_id) == bindparam("ladder"), col(Entry.active).is_(True), col(Entry.sigma) < SIGMA)
    .order_by(col(Entry.rating).desc(), col(Entry.id))
    .limit(1)
)


# Offers: an offer is stored if it is among the best of its kind. Each bot has at most one record of a kind.


# The number of records stored of each kind. If a record becomes hidden because its owner left, the next one is shown.
MAX_RECORDS: Final = 5


@dataclass(frozen=True, slots=True)
class Offer:
    """A candidate for a `Record`, with the same members."""

    kind: RecordKind
    bot_id: int
    score: float
    at: float
    match_id: int | None = None
    block: int | None = None
    rotation: int | None = None
    # For a reign: `since` (Unix time). For an upset: `other`, the bot that finished behind, and the `chance` of this
    # outcome.
    about: Mapping[str, Any] = field(default_factory=dict)


class BestRecords:
    """The best records of a ladder, by kind, within a transaction."""

    def __init__(self, session: Session, tournament_id: int) -> None:
        self._session, self._tournament_id = session, tournament_id
        self._records: dict[str, list[Record]] = {kind.value: [] for kind in RecordKind}
        self._is_hidden_by_key: dict[tuple[int, int | None], bool] = {}
        query = select_model(Record).where(Record.tournament_id == tournament_id).order_by(col(Record.id))
        for record in session.exec(query):
            self._records[record.kind].append(record)

    def offer(self, offer: Offer) -> None:
        """Store a visible offer that beats the bot's own record and is among the best; ties keep the older record."""
        records = self._records[offer.kind.value]
        own = next((record for record in records if record.bot_id == offer.bot_id), None)
        if own is None and len(records) >= MAX_RECORDS:
            own = min(records, key=lambda record: (record.score, -record.at))
        if (own is not None and offer.score <= own.score) or self._is_hidden(offer):
            return
        if own is None:
            own = Record(
                tournament_id=self._tournament_id, kind=offer.kind.value, bot_id=0, score=0.0, at=0.0, about={}
            )
            records.append(own)
        own.bot_id, own.score, own.at, own.about = offer.bot_id, offer.score, offer.at, dict(offer.about)
        own.match_id, own.block, own.rotation = offer.match_id, offer.block, offer.rotation
        self._session.add(own)
        self._session.flush()  # flush now, because a bot that just lost its place may get another one

    def _is_hidden(self, offer: Offer) -> bool:
        key = (offer.bot_id, offer.match_id)
        if key not in self._is_hidden_by_key:
            self._is_hidden_by_key[key] = find_hidden(self._session, [key]).hides(*key)
        return self._is_hidden_by_key[key]


# Hidden records: records of house bots and of users who left, of matches with such bots, and of void matches.


class Hidden(NamedTuple):
    """The bots and matches whose records are hidden."""

    bots: Set[int]
    matches: Set[int]

    def hides(self, bot_id: int, match_id: int | None) -> bool:
        """Return whether this bot's record in this match is hidden."""
        return bot_id in self.bots or match_id in self.matches


def find_hidden(session: Session, held: Iterable[tuple[int, int | None]]) -> Hidden:
    """Return which bots and matches are hidden; `held` has the bot and the match of each record."""
    pairs = list(held)
    values = {"bots": list({bot for bot, _ in pairs}), "matches": list({match for _, match in pairs} - {None})}

    def ids(statement: Any) -> Set[int]:
        return set(session.connection().execute(statement, values).scalars())

    return Hidden(ids(_HIDDEN_BOTS), ids(_HIDDEN_MATCHES) | ids(_VOID_IDS))


def hidden_records(session: Session, ladder_id: int | None = None) -> list[Record]:
    """Return the hidden records of a ladder, or of all ladders."""
    query = select_model(Record)
    if ladder_id is not None:
        query = query.where(Record.tournament_id == ladder_id)
    records = session.exec(query.order_by(col(Record.id))).all()
    hidden = find_hidden(session, [(record.bot_id, record.match_id) for record in records])
    return [record for record in records if hidden.hides(record.bot_id, record.match_id)]


_HIDDEN_BOTS: Final = (
    select(col(Bot.id))
    .outerjoin(User, col(User.id) == Bot.owner_id)
    .where(col(Bot.id).in_(_BOT_IDS), col(Bot.is_house).is_(True) | col(User.deleted_at).is_not(None))
)
_HIDDEN_MATCHES: Final = (
    select(col(MatchSeat.match_id))
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .join(User, col(User.id) == Bot.owner_id)
    .where(col(MatchSeat.match_id).in_(_MATCH_IDS), col(User.deleted_at).is_not(None))
)
_VOID_IDS: Final = select(col(Match.id)).where(col(Match.id).in_(_MATCH_IDS), col(Match.state) != MatchState.DONE.value)
