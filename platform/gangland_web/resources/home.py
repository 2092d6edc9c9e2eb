"""What the home page asks: few statements, each off an index, however much was played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Float, bindparam, literal_column, select
from sqlmodel import Session, col

from gangland.games import game_named
from gangland.replay import ReplayError, load
from gangland_ladder.tournaments.lifecycle import State, Viewer, over_in_steps, results_are_shown
from gangland_ladder.viewer.film import film_of
from gangland_ladder.viewer.turning import result
from gangland_web.charts.paths import line
from gangland_web.core.clock import now_s
from gangland_web.resources.matches.lists import ListedMatch, ListedSeat
from gangland_web.store.lifecycles.matches import MatchState, Purpose
from gangland_web.store.models.bots import Bot, Version
from gangland_web.store.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.store.models.tournaments import Entry, KeptStandings, Tournament

LATEST = 40
"""Among so many of the latest ladder matches the featured one and the upsets are chosen."""
UPSETS = 4
CHART = 560, 132
"""Width and height of the featured game's chart."""
_RUNNING = (State.PLAYING.value, State.PAUSED.value, State.FROZEN.value)
_COMING = (State.OPEN.value, State.ANNOUNCED.value)
_OVER = (State.FINISHED.value, State.REVEALED.value)
TOLD_S = 14 * 86_400.0
"""So long the latest event that is over is told of."""


class Event(NamedTuple):
    """A tournament that was announced."""

    id: int
    name: str
    game: str
    seats: int
    state: str
    planned: int
    over: int
    opens_at: float | None
    freezes_at: float | None
    starts_at: float | None
    announced_at: float | None
    embargo_until: float | None
    finished_at: float | None
    event_id: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """A tournament that is over; `winners` as (number, name) of the bots in the first place, none under an embargo."""

    event: Event
    is_shown: bool
    winners: tuple[tuple[int, str], ...]


class Seat(NamedTuple):
    """A bot at one of the latest matches, with its rating before it."""

    match_id: int
    position: int
    sum_of_places: int
    games: int
    mu: float | None
    sigma: float | None
    bot_id: int
    bot: str

    @property
    def mean_place(self) -> float:
        """Its mean place over the match's games."""
        return self.sum_of_places / self.games


@dataclass(frozen=True, slots=True)
class Recent:
    """One of the latest ladder matches with its seats, best first."""

    row: ListedMatch
    seats: tuple[Seat, ...]

    @property
    def margin(self) -> float:
        """How far the second was behind the first."""
        return self.seats[1].mean_place - self.seats[0].mean_place

    @property
    def strength(self) -> float:
        """The lower of the ratings that its best two had before it; a bot without one counts as new."""
        return min((seat.mu or 0.0) - 3 * (seat.sigma or 0.0) for seat in self.seats[:2])


@dataclass(frozen=True, slots=True)
class Upset:
    """Who finished ahead of whom in a match, though rated clearly lower before it."""

    match: ListedMatch
    winner: Seat
    loser: Seat
    gap: float


@dataclass(frozen=True, slots=True)
class Line:
    """A seat's dice through a game: the path, and where its end is."""

    bot_id: int
    bot: str
    place: int
    path: str
    end: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Featured:
    """The replay that the house shows: one game of the closest of the latest matches."""

    match: ListedMatch
    rotation: int
    rounds: int
    leads: int
    ending: str
    aim: str
    lines: tuple[Line, ...]


def events(db: Session) -> tuple[Event | None, Event | None]:
    """Return the tournament that is on now, the newest of them, and the one that begins next."""
    found = [_paced(Event._make(row)) for row in db.connection().execute(_EVENTS)]
    running = [event for event in found if event.state in _RUNNING]
    coming = [event for event in found if event.state in _COMING]
    now = max(running, key=lambda event: (event.state == State.PLAYING, event.id), default=None)
    following = min(coming, key=lambda event: (event.starts_at or float("inf"), event.id), default=None)
    return now, following


def latest_results(db: Session) -> list[Result]:
    """Return what was over last, within two weeks: a tournament, with the others of its event that are over."""
    since = {"since": now_s() - TOLD_S}
    found = [Event._make(row) for row in db.connection().execute(_FINISHED, since)]
    found.sort(key=lambda event: (event.finished_at or 0.0, event.id), reverse=True)
    if not found:
        return []
    last = found[0]
    together = [event for event in found if event.event_id == last.event_id] if last.event_id is not None else [last]
    return [_result(db, event) for event in sorted(together, key=lambda event: event.id)]


def _result(db: Session, event: Event) -> Result:
    shown = _is_shown(event)
    kept = db.get(KeptStandings, event.id) if shown else None
    first = [row["entry"] for row in kept.body["rows"] if row["rank"] == 1] if kept is not None else []
    winners: Any = db.connection().execute(_BOTS, {"entries": first}).all() if first else ()
    return Result(event, shown, tuple((number, name) for number, name in winners))


def _is_shown(event: Event) -> bool:
    return results_are_shown(State(event.state), Viewer.PUBLIC, event.embargo_until, now_s())


def _paced(event: Event) -> Event:
    """Return an event as it may be told under its embargo, to organisers too."""
    if _is_shown(event):
        return event
    return event._replace(over=over_in_steps(event.over, event.planned))


def recent(db: Session) -> tuple[Recent, ...]:
    """Return the latest finished ladder matches, latest first."""
    matches = db.connection().execute(_LATEST).all()
    seats: dict[int, list[Seat]] = {match.id: [] for match in matches}
    for row in db.connection().execute(_SEATS, {"matches": list(seats)}):
        seat = Seat._make(row)
        seats[seat.match_id].append(seat)
    for sat in seats.values():
        sat.sort(key=lambda seat: (seat.mean_place, seat.position))
    return tuple(_recent(match, tuple(seats[match.id])) for match in matches if len(seats[match.id]) > 1)


def _recent(match: Any, seats: tuple[Seat, ...]) -> Recent:
    bots = tuple(ListedSeat(seat.position, seat.bot_id, seat.bot, seat.mean_place) for seat in seats)
    return Recent(ListedMatch._make((*match, bots)), seats)


def upsets(matches: Iterable[Recent], most: int = UPSETS) -> list[Upset]:
    """Return where somebody finished ahead of a bot whose rating, less its sigma, was above theirs, plus theirs.

    One for each match, the widest apart first.
    """
    found = [upset for match in matches if (upset := _upset(match)) is not None]
    return sorted(found, key=lambda upset: (-upset.gap, -upset.match.id))[:most]


def _upset(match: Recent) -> Upset | None:
    best: Upset | None = None
    for at, winner in enumerate(match.seats):
        for loser in match.seats[at + 1 :]:
            if winner.mean_place == loser.mean_place or None in (winner.mu, winner.sigma, loser.mu, loser.sigma):
                continue
            gap = (loser.mu or 0) - (winner.mu or 0)
            if gap > (loser.sigma or 0) + (winner.sigma or 0) and (best is None or gap > best.gap):
                best = Upset(match.row, winner, loser, gap)
    return best


def featured(db: Session, matches: Sequence[Recent]) -> Featured | None:
    """Return a game to watch: a close one between strong bots, of ladder matches alone, so it spoils no tournament.

    Of the matches the strongest quarter, by the lower of the ratings that the best two had before; among these the
    match whose best two were closest, the latest of several.  Of its first block it is the game in which the lead
    changed hands most often.
    """
    if not matches:
        return None
    least = sorted((match.strength for match in matches), reverse=True)[(len(matches) - 1) // 4]
    strong = [match for match in matches if match.strength >= least]
    closest = min(strong, key=lambda match: (match.margin, -match.row.id))
    games = db.connection().execute(_BLOCK, {"match": closest.row.id}).all()
    bots = {seat.position: (seat.bot_id, seat.bot) for seat in closest.seats}
    told = [_told(game.replay, tuple(bots[position] for position in game.seating)) for game in games]
    best = max(
        (at for at, one in enumerate(told) if one is not None),
        key=lambda at: (told[at].leads, -at),  # type: ignore[union-attr]
        default=None,
    )
    if best is None or (chosen := told[best]) is None:
        return None
    lines = tuple(
        Line(*bot, place, path, end)
        for bot, place, (path, end) in zip(chosen.bots, chosen.places, chosen.paths, strict=True)
    )
    aim = game_named(closest.row.game).unit.aim
    return Featured(closest.row, games[best].rotation, chosen.rounds, chosen.leads, chosen.ending, aim, lines)


@dataclass(frozen=True, slots=True)
class _Told:
    """What is kept of a game that was played again for the home page; one value a seat."""

    bots: tuple[tuple[int, str], ...]
    places: tuple[int, ...]
    paths: tuple[tuple[str, tuple[float, float]], ...]
    rounds: int
    leads: int
    ending: str


@lru_cache(maxsize=32)
def _told(replay: str, bots: tuple[tuple[int, str], ...]) -> _Told | None:
    """Play a game again and return what the home page tells of it; None if its rules are no longer known."""
    try:
        film = film_of(load(replay), names=[name for _, name in bots])
    except ReplayError:
        return None
    leads = sum(mark == "lead" for mark in film.marks.values())
    paths = tuple(_path([dice[seat] for _, dice in film.dice], film.dice) for seat in range(len(bots)))
    return _Told(bots, film.places, paths, film.rounds, leads, result(film))


def _path(held: Sequence[int], all_dice: Sequence[tuple[int, tuple[int, ...]]]) -> tuple[str, tuple[float, float]]:
    """Return a seat's dice as a path in the chart's box, and where it ends."""
    width, height = CHART
    most = max(1, *(count for _, dice in all_dice for count in dice))
    wide = max(1, len(held) - 1)
    points = [
        (8 + (width - 40) * at / wide, height - 10 - (height - 22) * count / most) for at, count in enumerate(held)
    ]
    return line(points), points[-1]


_PUBLIC = select(
    *(col(Tournament.id), col(Tournament.name), col(Tournament.game), col(Tournament.seats), col(Tournament.state)),
    *(col(Tournament.matches_planned), col(Tournament.matches_over)),
    *(col(Tournament.opens_at), col(Tournament.freezes_at), col(Tournament.starts_at), col(Tournament.announced_at)),
    *(col(Tournament.embargo_until), col(Tournament.finished_at), col(Tournament.event_id)),
).where(
    col(Tournament.kind) == literal_column("'tournament'"),
    col(Tournament.announced_at).is_not(None),
    col(Tournament.rehearsal_of).is_(None),
)
_EVENTS = _PUBLIC.where(col(Tournament.state).in_([literal_column(f"'{state}'") for state in (*_RUNNING, *_COMING)]))
_FINISHED = _PUBLIC.where(col(Tournament.state).in_([literal_column(f"'{state}'") for state in _OVER])).where(
    col(Tournament.finished_at) >= bindparam("since", type_=Float)
)
_BOTS: Any = (
    select(col(Bot.id), col(Bot.name))
    .join(Version, col(Version.bot_id) == Bot.id)
    .join(Entry, col(Entry.version_id) == Version.id)
    .where(col(Entry.id).in_(bindparam("entries", expanding=True)))
    .order_by(col(Entry.id))
)
_DONE: Any = literal_column(f"'{MatchState.DONE}'")
_LADDER: Any = literal_column(f"'{Purpose.LADDER}'")
_LATEST = (
    select(
        *(col(Match.id), col(Match.number), col(Tournament.game), col(Tournament.seats)),
        *(col(Match.state), col(Match.done_at)),
    )
    .join_from(Match, Tournament, col(Tournament.id) == Match.tournament_id)
    .where(col(Match.state) == _DONE, col(Match.purpose) == _LADDER)
    .order_by(col(Match.id).desc())
    .limit(literal_column(str(LATEST)))
)
_SEATS = (
    select(
        *(col(MatchSeat.match_id), col(MatchSeat.position), col(MatchSeat.mean_place_num)),
        *(col(MatchSeat.mean_place_den), col(MatchSeat.mu_before), col(MatchSeat.sigma_before)),
        *(col(Bot.id), col(Bot.name)),
    )
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .where(col(MatchSeat.match_id).in_(bindparam("matches", expanding=True)))
    .where(col(MatchSeat.mean_place_num).is_not(None))
)
_BLOCK = (
    select(col(PlayedGame.rotation), col(PlayedGame.seating), col(PlayedGame.replay))
    .where(col(PlayedGame.match_id) == bindparam("match"), col(PlayedGame.block) == literal_column("0"))
    .order_by(col(PlayedGame.rotation))
)
