"""A tournament as one file that a stranger can verify, and its final standings."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

import msgspec
from sqlmodel import Session, col, func, select

from gangland_ladder import archive
from gangland_ladder.archive_build import Move, done_match, scheduled_match, void_match
from gangland_ladder.archive_orders import block_results
from gangland_ladder.final_standings import standings
from gangland_ladder.lifecycle import State, secret_is_public
from gangland_ladder.orders import FaultRecord
from gangland_ladder.ratings import MU, SIGMA
from gangland_ladder.seeds import rng_key
from gangland_sandbox.intake import stem_of
from gangland_web.accounts.models import User
from gangland_web.bots.models import Bot, Version
from gangland_web.columns import stored
from gangland_web.matches.lifecycle import MatchState
from gangland_web.matches.models import Match, MatchSeat, PlayedGame
from gangland_web.tournaments.models import Entry, Tournament

BATCH = 200
"""Matches that are read at once."""
NAME_CHARS = 80


class NotFrozen(ValueError):
    """A tournament that has no entries yet cannot be exported."""


def content_of(session: Session, tournament: Tournament) -> archive.Content:
    """Return what goes into a tournament's archive; its matches are read as they are taken.

    Raises:
        NotFrozen: it has no entries yet.
    """
    if not tournament.roster_digest:
        raise NotFrozen(f"{tournament.name} is {tournament.state} and was never frozen: there is nothing to export")
    return archive.Content(
        tournament=_header(session, tournament),
        entries=tuple(_entries(session, tournament)),
        matches=_matches(session, tournament),
        standings=final_standings(session, tournament),
    )


def final_standings(session: Session, tournament: Tournament) -> dict[str, Any] | None:
    """Return the standings of a finished tournament as in gangland/standings/1, None while it is played."""
    if tournament.state not in (State.FINISHED.value, State.REVEALED.value):
        return None
    blocks = [
        block
        for played in _matches(session, tournament)
        for block in block_results(played.match.entries, _block_places(played.match))
    ]
    ids = session.exec(select(Entry.id).where(Entry.tournament_id == tournament.id)).all()
    return standings(blocks, sorted(map(stored, ids))).to_json()


def _block_places(match: archive.Match) -> list[list[Fraction]]:
    return [[Fraction(*place) for place in score.block_places] for score in match.scores]


def _header(session: Session, tournament: Tournament) -> archive.Tournament:
    counted = select(func.count()).select_from(Match).where(Match.tournament_id == tournament.id)
    sample = tournament.tables_asked if tournament.seats > 2 else None
    return archive.Tournament(
        name=tournament.name,
        kind="tournament",
        game=tournament.game,
        options=tournament.options,
        seats=tournament.seats,
        blocks=tournament.blocks,
        limits=tournament.limits,
        dice="frozen",
        schedule=archive.Schedule(seed=tournament.roster_digest, sample=sample),
        first=1,
        matches=session.exec(counted).one(),
        commitment=tournament.commitment,
        secret=tournament.secret.hex() if secret_is_public(State(tournament.state)) else None,
        about={"state": tournament.state},
    )


def _entries(session: Session, tournament: Tournament) -> Iterator[archive.Entry]:
    chosen = (
        select(Entry.id, Bot.name, User.name, Version)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .outerjoin(User, col(User.id) == Bot.owner_id)
        .where(Entry.tournament_id == tournament.id)
        .order_by(col(Entry.id))
    )
    for entry, bot, owner, version in session.exec(chosen).all():
        file, code = stem_of(version.filename)[:NAME_CHARS], version.code_sha256
        yield archive.Entry(stored(entry), bot, owner or "", version.number, file, code, (MU, SIGMA))


def _matches(session: Session, tournament: Tournament) -> Iterator[archive.PlayedMatch]:
    chosen = select(Match.id).where(Match.tournament_id == tournament.id).order_by(col(Match.number))
    ids = [stored(match) for match in session.exec(chosen).all()]
    for at in range(0, len(ids), BATCH):
        yield from _batch(session, tournament, ids[at : at + BATCH])


def _batch(session: Session, tournament: Tournament, ids: list[int]) -> Iterator[archive.PlayedMatch]:
    matches = session.exec(select(Match).where(col(Match.id).in_(ids)).order_by(col(Match.number))).all()
    seats = session.exec(select(MatchSeat).where(col(MatchSeat.match_id).in_(ids)).order_by("match_id", "position"))
    sat = {match: list(rows) for match, rows in groupby(seats, key=lambda seat: seat.match_id)}
    order = (col(PlayedGame.match_id), col(PlayedGame.block), col(PlayedGame.rotation))
    games = session.exec(select(PlayedGame).where(col(PlayedGame.match_id).in_(ids)).order_by(*order))
    played = {match: list(rows) for match, rows in groupby(games, key=lambda game: game.match_id)}
    for match in matches:
        yield _match(tournament, match, sat[stored(match.id)], played.get(stored(match.id), []))
        session.expunge(match)


def _match(
    tournament: Tournament, match: Match, seats: list[MatchSeat], games: list[PlayedGame]
) -> archive.PlayedMatch:
    entries = [seat.entry_id for seat in seats]
    if match.state == MatchState.VOID.value:
        return void_match(match.number, entries, (match.void_reason or "")[:4000])
    if match.state != MatchState.DONE.value:
        return scheduled_match(match.number, entries)
    return done_match(
        match.number,
        entries,
        [_game(match.number, game) for game in games],
        digest=match.digest or "",
        rng_key=rng_key(tournament.secret, match.number).hex(),
        wins=[seat.wins for seat in seats],
        lucks=[(seat.luck or 0.0, seat.adjusted or 0.0) for seat in seats],
        faults=[seat.faults for seat in seats],
        moves=_moves(seats),
    )


def _moves(seats: list[MatchSeat]) -> list[Move]:
    """How the ratings took the match in; nothing if they have not come so far."""
    return [
        (seat.mu_before, seat.sigma_before, seat.mu_after, seat.sigma_after)
        for seat in seats
        if seat.mu_before is not None
        and seat.sigma_before is not None
        and seat.mu_after is not None
        and seat.sigma_after is not None
    ]


def _game(number: int, game: PlayedGame) -> archive.Game:
    return archive.Game(
        match=number,
        block=game.block,
        rotation=game.rotation,
        seating=game.seating,
        places=game.places,
        luck=game.luck,
        replay=msgspec.Raw(game.replay.encode()),
        views=game.views,
        faults=[msgspec.convert(fault, FaultRecord) for fault in game.faults],
    )
