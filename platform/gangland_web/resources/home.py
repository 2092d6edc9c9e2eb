"""What the home page asks: few statements, each off an index, however much was played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, literal_column, select
from sqlmodel import Session, col
from sqlmodel import select as select_model

from gangland.games import game_named
from gangland.replay import ReplayError, load
from gangland_ladder.tournaments.lifecycle import State
from gangland_ladder.viewer.film import film_of
from gangland_ladder.viewer.turning import result
from gangland_web.charts.paths import line
from gangland_web.core.clock import now_s
from gangland_web.resources.matches.lists import ListedMatch, ListedSeat, latest_matches
from gangland_web.resources.visibility import results_visible
from gangland_web.store.columns import stored
from gangland_web.store.models.bots import Bot, Version
from gangland_web.store.models.matches import PlayedGame
from gangland_web.store.models.tournaments import Entry, StoredStandings, Tournament

LATEST = 40
"""Among so many of the latest ladder matches the featured one and the upsets are chosen."""
UPSETS = 4
CHART = 560, 132
"""Width and height of the featured game's chart."""
_RUNNING = (State.PLAYING.value, State.PAUSED.value, State.FROZEN.value)
_COMING = (State.OPEN.value, State.ANNOUNCED.value)
_OVER = (State.FINISHED.value, State.REVEALED.value)
RESULT_SHOWN_S = 14 * 86_400.0
"""So long the latest event that is over is told of."""


@dataclass(frozen=True, slots=True)
class Result:
    """A tournament that is over; `winners` as (number, name) of the bots in the first place, none under an embargo."""

    event: Tournament
    is_shown: bool
    winners: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Upset:
    """Who finished ahead of whom in a match, though rated clearly lower before it."""

    match: ListedMatch
    winner: ListedSeat
    loser: ListedSeat
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


def events(db: Session) -> tuple[Tournament | None, Tournament | None]:
    """Return the tournament that is on now, the newest of them, and the one that begins next."""
    found = db.exec(_EVENTS).all()
    running = [event for event in found if event.state in _RUNNING]
    coming = [event for event in found if event.state in _COMING]
    now = max(running, key=lambda event: (event.state == State.PLAYING, event.id), default=None)
    following = min(coming, key=lambda event: (event.starts_at or float("inf"), event.id), default=None)
    return now, following


def latest_results(db: Session) -> list[Result]:
    """Return what was over last, within two weeks: a tournament, with the others of its event that are over."""
    found = db.exec(_FINISHED.where(col(Tournament.finished_at) >= now_s() - RESULT_SHOWN_S)).all()
    last = max(found, key=lambda event: (event.finished_at or 0.0, event.id), default=None)
    if last is None:
        return []
    together = [event for event in found if event.event_id == last.event_id] if last.event_id is not None else [last]
    return [_result(db, event) for event in sorted(together, key=lambda event: stored(event.id))]


def _result(db: Session, event: Tournament) -> Result:
    shown = results_visible(event, None)
    kept = db.get(StoredStandings, event.id) if shown else None
    first = [row["entry"] for row in kept.body["rows"] if row["rank"] == 1] if kept is not None else []
    winners: Any = db.connection().execute(_BOTS, {"entries": first}).all() if first else ()
    return Result(event, shown, tuple((number, name) for number, name in winners))


def recent(db: Session) -> tuple[ListedMatch, ...]:
    """Return the latest finished ladder matches, latest first."""
    return tuple(match for match in latest_matches(db, LATEST) if len(match.bots) > 1)


def upsets(matches: Iterable[ListedMatch], most: int = UPSETS) -> list[Upset]:
    """Return where somebody finished ahead of a bot whose rating, less its sigma, was above theirs, plus theirs.

    One for each match, the widest apart first.
    """
    found = [upset for match in matches if (upset := _upset(match)) is not None]
    return sorted(found, key=lambda upset: (-upset.gap, -upset.match.id))[:most]


def _upset(match: ListedMatch) -> Upset | None:
    best: Upset | None = None
    for at, winner in enumerate(match.bots):
        for loser in match.bots[at + 1 :]:
            if winner.mean_place == loser.mean_place or None in (winner.mu, winner.sigma, loser.mu, loser.sigma):
                continue
            gap = (loser.mu or 0) - (winner.mu or 0)
            if gap > (loser.sigma or 0) + (winner.sigma or 0) and (best is None or gap > best.gap):
                best = Upset(match, winner, loser, gap)
    return best


def featured(db: Session, matches: Sequence[ListedMatch]) -> Featured | None:
    """Return a game to watch: a close one between strong bots, of ladder matches alone, so it spoils no tournament.

    Of the matches the strongest quarter, by the lower of the ratings that the best two had before; among these the
    match whose best two were closest, the latest of several.  Of its first block it is the game in which the lead
    changed hands most often.
    """
    if not matches:
        return None
    least = sorted((_strength(match) for match in matches), reverse=True)[(len(matches) - 1) // 4]
    strong = [match for match in matches if _strength(match) >= least]
    closest = min(strong, key=lambda match: (match.bots[1].mean_place - match.bots[0].mean_place, -match.id))
    games = db.connection().execute(_BLOCK, {"match": closest.id}).all()
    bots = {seat.position: (seat.bot_id, seat.bot) for seat in closest.bots}
    summaries = [_summary_of(game.replay, tuple(bots[position] for position in game.seating)) for game in games]
    best = max(
        (at for at, one in enumerate(summaries) if one is not None),
        key=lambda at: (summaries[at].leads, -at),  # type: ignore[union-attr]
        default=None,
    )
    if best is None or (chosen := summaries[best]) is None:
        return None
    lines = tuple(
        Line(*bot, place, path, end)
        for bot, place, (path, end) in zip(chosen.bots, chosen.places, chosen.paths, strict=True)
    )
    aim = game_named(closest.game).unit.aim
    return Featured(closest, games[best].rotation, chosen.rounds, chosen.leads, chosen.ending, aim, lines)


def _strength(match: ListedMatch) -> float:
    """Return the lower of the ratings that a match's best two had before it; a bot without one counts as new."""
    return min((seat.mu or 0.0) - 3 * (seat.sigma or 0.0) for seat in match.bots[:2])


@dataclass(frozen=True, slots=True)
class _GameSummary:
    """What is kept of a game that was played again for the home page; one value a seat."""

    bots: tuple[tuple[int, str], ...]
    places: tuple[int, ...]
    paths: tuple[tuple[str, tuple[float, float]], ...]
    rounds: int
    leads: int
    ending: str


@lru_cache(maxsize=32)
def _summary_of(replay: str, bots: tuple[tuple[int, str], ...]) -> _GameSummary | None:
    """Play a game again and return what the home page tells of it; None if its rules are no longer known."""
    try:
        film = film_of(load(replay), names=[name for _, name in bots])
    except ReplayError:
        return None
    leads = sum(mark == "lead" for mark in film.marks.values())
    paths = tuple(_path([dice[seat] for _, dice in film.dice], film.dice) for seat in range(len(bots)))
    return _GameSummary(bots, film.places, paths, film.rounds, leads, result(film))


def _path(held: Sequence[int], all_dice: Sequence[tuple[int, tuple[int, ...]]]) -> tuple[str, tuple[float, float]]:
    """Return a seat's dice as a path in the chart's box, and where it ends."""
    width, height = CHART
    most = max(1, *(count for _, dice in all_dice for count in dice))
    wide = max(1, len(held) - 1)
    points = [
        (8 + (width - 40) * at / wide, height - 10 - (height - 22) * count / most) for at, count in enumerate(held)
    ]
    return line(points), points[-1]


_PUBLIC = select_model(Tournament).where(
    col(Tournament.kind) == literal_column("'tournament'"),
    col(Tournament.announced_at).is_not(None),
    col(Tournament.rehearsal_of).is_(None),
)
_EVENTS = _PUBLIC.where(col(Tournament.state).in_([literal_column(f"'{state}'") for state in (*_RUNNING, *_COMING)]))
_FINISHED = _PUBLIC.where(col(Tournament.state).in_([literal_column(f"'{state}'") for state in _OVER]))
_BOTS: Any = (
    select(col(Bot.id), col(Bot.name))
    .join(Version, col(Version.bot_id) == Bot.id)
    .join(Entry, col(Entry.version_id) == Version.id)
    .where(col(Entry.id).in_(bindparam("entries", expanding=True)))
    .order_by(col(Entry.id))
)
_BLOCK = (
    select(col(PlayedGame.rotation), col(PlayedGame.seating), col(PlayedGame.replay))
    .where(col(PlayedGame.match_id) == bindparam("match"), col(PlayedGame.block) == literal_column("0"))
    .order_by(col(PlayedGame.rotation))
)
