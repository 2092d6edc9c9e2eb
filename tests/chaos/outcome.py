"""What a schedule came to: what must not hang on who played it, how often, and what died meanwhile."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlmodel import Session, col, func, select

from gangland_web.models.bots import Bot, Version
from gangland_web.models.database import Database
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.services.settling import final_standings

ORDER = (col(Match.tournament_id), col(Match.number))


@dataclass(frozen=True)
class Told:
    """Counts and digests of all tournaments, without ladders and trials; times and tokens do not count."""

    scheduled: int
    played: int
    committed: int
    voided: int
    lost: int
    doubled: int
    results: str
    ratings: str
    standings: str
    faults: tuple[str, ...] = ()

    @property
    def digests(self) -> tuple[str, str, str]:
        return self.results, self.ratings, self.standings


def tell(database: Database) -> Told:
    with database.read() as session:
        statement = select(Tournament).where(Tournament.kind == "tournament").order_by(col(Tournament.id))
        tournaments = session.exec(statement).all()
        chosen = [tournament.id for tournament in tournaments]
        matches = session.exec(select(Match).where(col(Match.tournament_id).in_(chosen)).order_by(*ORDER)).all()
        names = _names(session)
        states = Counter(match.state for match in matches)
        return Told(
            scheduled=len(matches),
            played=sum(max(match.attempt, match.state == "done") for match in matches),
            committed=states["done"],
            voided=states["void"],
            lost=len(matches) - states["done"] - states["void"],
            doubled=_doubled(session, tournaments, matches),
            results=_digest([_match(match) for match in matches], _games(session, chosen), _scores(session, chosen)),
            ratings=_digest(_entries(session, chosen, names), _moves(session, chosen)),
            standings=_digest([final_standings(session, tournament) for tournament in tournaments]),
            faults=tuple(_faults(session, chosen)),
        )


def _digest(*parts: object) -> str:
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _names(session: Session) -> dict[int | None, str]:
    chosen = select(Version.id, Bot.name, Version.number).join(Bot, col(Bot.id) == Version.bot_id)
    return {version: f"{name} v{number}" for version, name, number in session.exec(chosen).all()}


def _match(match: Match) -> list[Any]:
    return [match.tournament_id, match.number, match.state, match.seed_digest, match.digest, match.void_reason]


def _games(session: Session, chosen: Sequence[int | None]) -> list[Any]:
    rows = session.exec(
        select(Match.tournament_id, Match.number, PlayedGame)
        .join(PlayedGame, col(PlayedGame.match_id) == Match.id)
        .where(col(Match.tournament_id).in_(chosen))
        .order_by(*ORDER, col(PlayedGame.block), col(PlayedGame.rotation))
    ).all()
    return [
        [tournament, number, game.block, game.rotation, game.seating, game.places, game.replay, game.views, game.faults]
        for tournament, number, game in rows
    ]


def _faults(session: Session, chosen: Sequence[int | None]) -> list[str]:
    return [
        f"tournament {tournament}, match {number}, block {block}, rotation {rotation}:"
        f" {fault['kind']}: {fault['message']}"
        for tournament, number, block, rotation, *_, faults in _games(session, chosen)
        for fault in faults
    ]


def _scores(session: Session, chosen: Sequence[int | None]) -> list[Any]:
    return [
        [tournament, number, seat.position, seat.mean_place_num, seat.mean_place_den, seat.wins, seat.faults]
        for tournament, number, seat in _seats(session, chosen)
    ]


def _moves(session: Session, chosen: Sequence[int | None]) -> list[Any]:
    return [
        [tournament, number, *map(_bits, (seat.mu_before, seat.sigma_before, seat.mu_after, seat.sigma_after))]
        for tournament, number, seat in _seats(session, chosen)
    ]


def _seats(session: Session, chosen: Sequence[int | None]) -> Sequence[tuple[int, int, MatchSeat]]:
    rows = session.exec(
        select(Match.tournament_id, Match.number, MatchSeat)
        .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
        .where(col(Match.tournament_id).in_(chosen))
        .order_by(*ORDER, col(MatchSeat.position))
    ).all()
    return [(tournament, number, seat) for tournament, number, seat in rows]


def _entries(session: Session, chosen: Sequence[int | None], names: dict[int | None, str]) -> list[Any]:
    found = session.exec(select(Entry).where(col(Entry.tournament_id).in_(chosen)).order_by(col(Entry.id))).all()
    return [
        [
            *(one.tournament_id, names[one.version_id], one.games, one.wins, one.faults),
            *map(_bits, (one.mu, one.sigma, one.rating)),
        ]
        for one in found
    ]


def _bits(figure: float | None) -> str | None:
    return None if figure is None else figure.hex()


def _doubled(session: Session, tournaments: Sequence[Tournament], matches: Sequence[Match]) -> int:
    """Return the number of matches with too many games, and of entries with wrong sums."""
    games = {tournament.id: tournament.blocks * tournament.seats for tournament in tournaments}
    kept = dict(session.exec(select(PlayedGame.match_id, func.count()).group_by(col(PlayedGame.match_id))).all())
    done = [match for match in matches if match.state == "done"]
    wrong = sum(kept.get(match.id or 0, 0) != games[match.tournament_id] for match in done)
    played: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    shape = {match.id: games[match.tournament_id] for match in done}
    for seat in session.exec(select(MatchSeat).where(col(MatchSeat.match_id).in_(shape))).all():
        played[seat.entry_id] += shape[seat.match_id]
        wins[seat.entry_id] += seat.wins
    entries = session.exec(select(Entry).where(col(Entry.tournament_id).in_(list(games)))).all()
    return wrong + sum((one.games, one.wins) != (played[one.id or 0], wins[one.id or 0]) for one in entries)
