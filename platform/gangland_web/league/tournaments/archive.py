"""A tournament as one file that a stranger can verify."""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from operator import attrgetter
from typing import Any

import msgspec
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select

from gangland_ladder.matches.orders import HIGHEST_ID, FaultRecord
from gangland_ladder.matches.seeds import rng_key, schedule_seed
from gangland_ladder.proof.archives import archive
from gangland_ladder.proof.archives.build import Move, done_match, scheduled_match, void_match
from gangland_ladder.proof.archives.rating_order import SEATED
from gangland_ladder.rating.trueskill import MU, SIGMA
from gangland_ladder.tournaments.lifecycle import State, secret_is_public
from gangland_sandbox.intake import stem_of
from gangland_web.base.clock import now_s
from gangland_web.league.matches.final_match import final_terms_of
from gangland_web.league.matches.retention import lacks_replays
from gangland_web.league.tournaments.final import final_standings
from gangland_web.league.tournaments.public_values import awaits_value, played_with, secret_for_dice
from gangland_web.league.tournaments.running import terms_of
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.owners import owner_name
from gangland_web.models.site import Import, ImportedEntry
from gangland_web.models.tournaments import Entry, Tournament

BATCH = 200
"""Matches that are read at once."""
NAME_CHARS = 80


class NotFrozen(ValueError):
    """A tournament that has no entries yet cannot be exported."""


def content_of(session: Session, tournament: Tournament) -> archive.Content:
    """Return what goes into a tournament's archive; its matches are read as they are taken.

    Raises:
        NotFrozen: it has no entries yet, or its replays are not kept any more.
    """
    if not tournament.roster_digest:
        raise NotFrozen(f"{tournament.name} is {tournament.state} and was never frozen: there is nothing to export")
    if lacks_replays(session, stored(tournament.id), 1, HIGHEST_ID):
        raise NotFrozen(
            f"the replays of {tournament.name} are no longer stored, and an archive needs them as its proof"
        )
    origin = session.get(Import, tournament.id)
    if origin is not None:
        return _imported(session, tournament, origin)
    return archive.Content(
        tournament=_header(session, tournament),
        entries=tuple(archived_entries(session, tournament)),
        matches=archived_matches(session, tournament, _secret(tournament), 1, HIGHEST_ID),
        standings=final_standings(session, tournament),
    )


def _imported(session: Session, tournament: Tournament, origin: Import) -> archive.Content:
    """Return the content of the archive that a tournament was imported from."""
    chosen = select(ImportedEntry).join(Entry, col(Entry.id) == ImportedEntry.entry_id)
    known = {one.entry_id: one for one in session.exec(chosen.where(Entry.tournament_id == tournament.id))}
    owners = select(Entry.id, Bot.foreign_owner).join(Version, col(Version.id) == Entry.version_id)
    owners = owners.join(Bot, col(Bot.id) == Version.bot_id).where(Entry.tournament_id == tournament.id)
    whose = {stored(entry): owner or "" for entry, owner in session.exec(owners)}
    entries = tuple(
        msgspec.structs.replace(
            entry,
            id=known[entry.id].number,
            owner=whose[entry.id],
            start=(known[entry.id].start_mu, known[entry.id].start_sigma),
        )
        for entry in archived_entries(session, tournament)
    )
    numbers = {entry: one.number for entry, one in known.items()}
    ordered = origin.header["dice"] == SEATED
    played = archived_matches(session, tournament, _secret(tournament), 1, HIGHEST_ID, imported=True, ordered=ordered)
    return archive.Content(
        tournament=msgspec.convert(origin.header, archive.Tournament),
        entries=entries,
        matches=(_renumbered(one, numbers) for one in played),
        standings=origin.standings,
    )


def _renumbered(played: archive.PlayedMatch, numbers: dict[int, int]) -> archive.PlayedMatch:
    entries = [numbers[entry] for entry in played.match.entries]
    return archive.PlayedMatch(msgspec.structs.replace(played.match, entries=entries), played.games)


def _secret(tournament: Tournament) -> bytes:
    """The secret that its dice come from; as long as the public value is not there, nothing has been played."""
    return tournament.secret if awaits_value(tournament) else secret_for_dice(tournament)


def _header(session: Session, tournament: Tournament) -> archive.Tournament:
    counted = select(func.count()).select_from(Match).where(Match.tournament_id == tournament.id)
    sample = tournament.tables if tournament.seats > 2 else None
    terms, final = terms_of(tournament), final_terms_of(tournament)
    public = secret_is_public(State(tournament.state), tournament.embargo_until, now_s())
    return archive.Tournament(
        name=tournament.name,
        kind="tournament",
        game=tournament.game,
        options=tournament.options,
        seats=tournament.seats,
        blocks=tournament.blocks,
        limits=tournament.limits,
        dice="frozen",
        schedule=archive.Schedule(seed=schedule_seed(tournament.roster_digest, tournament.public_value), sample=sample),
        first=1,
        matches=session.exec(counted).one(),
        commitment=tournament.commitment,
        secret=tournament.secret.hex() if public else None,
        about={"state": tournament.state},
        randomness=played_with(tournament) or msgspec.UNSET,
        settling=None if terms is None else archive.Settling(terms.first, terms.percent, terms.blocks),
        final_table=msgspec.UNSET if final is None else archive.FinalTable(final.seats, final.blocks),
        house_ranked=msgspec.UNSET if tournament.house_ranked else False,
    )


def archived_entries(session: Session, tournament: Tournament, *, only: Any = None) -> Iterator[archive.Entry]:
    """Yield a tournament's entries as archives hold them, by id, with the rating that everybody begins with.

    Args:
        only: a query for the ids of those that are wanted; all of them if None.
    """
    chosen = (
        select(Entry, Bot.name, owner_name(), Version)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Entry.tournament_id == tournament.id)
        .order_by(col(Entry.id))
    )
    if only is not None:
        chosen = chosen.where(col(Entry.id).in_(only))
    for entry, bot, owner, version in session.exec(chosen).all():
        file, code = stem_of(version.filename)[:NAME_CHARS], version.code_sha256
        why, left = entry.disqualified_for, tournament.kind == "tournament" and not entry.active
        yield archive.Entry(
            *(stored(entry.id), bot, owner or "", version.number, file, code, (MU, SIGMA), why),
            withdrawn=True if left and not why else msgspec.UNSET,
        )


def archived_matches(
    session: Session,
    tournament: Tournament,
    secret: bytes,
    first: int,
    last: int,
    *,
    imported: bool = False,
    ordered: bool = False,
) -> Iterator[archive.PlayedMatch]:
    """Yield matches with their games as archives hold them, by number, reading some at a time.

    Args:
        secret: the one that gave them their dice, with the public value mixed in.
        first, last: of which numbers, both included.
        imported: what faults were about came with them and is public; of our own it is the owners' to read.
        ordered: whether they say their place in the rating order, as those of ladders do.
    """
    numbered = select(Match).where(Match.tournament_id == tournament.id, col(Match.number) <= last)
    numbered = numbered.order_by(col(Match.number)).limit(BATCH)
    at = first  # pages by the last number, not by OFFSET: each is read from the index, however far in
    while matches := session.exec(numbered.where(col(Match.number) >= at)).all():
        for match, played in zip(matches, _batch(session, secret, matches, imported), strict=True):
            yield _ordered(match, played) if ordered else _marked(match, played)
        at = matches[-1].number + 1
        for match in matches:
            session.expunge(match)


def _batch(session: Session, secret: bytes, matches: Sequence[Match], imported: bool) -> Iterator[archive.PlayedMatch]:
    ids = [stored(match.id) for match in matches]
    seats = session.exec(select(MatchSeat).where(col(MatchSeat.match_id).in_(ids)).order_by("match_id", "position"))
    sat = {match: list(rows) for match, rows in groupby(seats, key=_MATCH)}
    order = (col(PlayedGame.match_id), col(PlayedGame.block), col(PlayedGame.rotation))
    chosen = select(PlayedGame).where(col(PlayedGame.match_id).in_(ids)).options(defer(_LOGS))
    played = {match: list(rows) for match, rows in groupby(session.exec(chosen.order_by(*order)), key=_MATCH)}
    for match in matches:
        games = [_game(match.number, game, imported) for game in played.get(stored(match.id), [])]
        yield _match(match, secret, sat[stored(match.id)], games)
    for row in chain(*sat.values(), *played.values()):
        session.expunge(row)


_LOGS: Any = PlayedGame.logs
"""The one column that archives do without: it is the owners'."""
_MATCH: Any = attrgetter("match_id")


def _match(match: Match, secret: bytes, seats: list[MatchSeat], games: list[archive.Game]) -> archive.PlayedMatch:
    entries = [seat.entry_id for seat in seats]
    if match.state == MatchState.VOID.value:
        return void_match(match.number, entries, (match.void_reason or "")[:4000])
    if match.state != MatchState.DONE.value:
        return scheduled_match(match.number, entries)
    return done_match(
        match.number,
        entries,
        games,
        digest=match.digest or "",
        rng_key=rng_key(secret, match.number).hex(),
        python=match.python,
        wins=[seat.wins for seat in seats],
        lucks=[(seat.luck or 0.0, seat.adjusted or 0.0) for seat in seats],
        faults=[seat.faults for seat in seats],
        moves=_moves(seats),
    )


def _ordered(match: Match, played: archive.PlayedMatch) -> archive.PlayedMatch:
    if match.rating_order is None:
        return played
    return archive.PlayedMatch(msgspec.structs.replace(played.match, rating_order=match.rating_order), played.games)


def _marked(match: Match, played: archive.PlayedMatch) -> archive.PlayedMatch:
    if not match.is_final:
        return played
    return archive.PlayedMatch(msgspec.structs.replace(played.match, final=True), played.games)


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


def _game(number: int, game: PlayedGame, imported: bool) -> archive.Game:
    faults = [fault if imported else {**fault, "message": ""} for fault in game.faults]
    return archive.Game(
        match=number,
        block=game.block,
        rotation=game.rotation,
        seating=game.seating,
        places=game.places,
        luck=game.luck,
        replay=msgspec.Raw(game.replay.encode()),
        views=game.views,
        faults=msgspec.convert(faults, list[FaultRecord]),
    )
