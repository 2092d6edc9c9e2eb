"""The order of a leased match, made out of its rows alone: made twice, it is the same."""

from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from gangland_ladder.matches.orders import FaultRecord, GameRecord, Order, Seat
from gangland_ladder.matches.seeds import block_seed, rng_key
from gangland_sandbox.intake import stem_of
from gangland_web.league.matches.final_match import size_of
from gangland_web.league.tournaments.epochs import secret_of
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchSeat, PlayedGame, Purpose
from gangland_web.models.tournaments import Entry, Tournament

NAME_CHARS = 80
KEPT_ORDERS = 1000


class SentOrders:
    """Orders that this process sent, until their results come: an order made out of its rows again is the same.

    They save queries and nothing else.  Whether a lease still holds is for the row to say.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._kept: dict[tuple[int, str], Order] = {}

    def keep(self, order: Order) -> None:
        """Keep an order; the oldest goes if there are too many."""
        self._kept[order.id, order.token] = order
        if len(self._kept) > KEPT_ORDERS:
            del self._kept[next(iter(self._kept))]

    def take(self, match_id: int, token: str) -> Order | None:
        """Return the order with this token, and forget it; None if it is not here."""
        return self._kept.pop((match_id, token), None)


def build_order(session: Session, match: Match, tournament: Tournament) -> Order:
    """Return what a worker needs to play the match; an audit's order is that of the match which it audits.

    Raises:
        ValueError: the match is not leased.
    """
    if match.lease_token is None or match.lease_until is None:
        raise ValueError(f"match {match.id} is {match.state}, not leased")
    if match.audit_of is None:
        return _order(session, match, tournament, match.lease_token, match.lease_until)
    played, of = played_in(session, match)
    order = _order(session, played, of, match.lease_token, match.lease_until)
    return msgspec.structs.replace(order, id=stored(match.id), check=None)


def played_in(session: Session, match: Match) -> tuple[Match, Tournament]:
    """Return the match whose seats, size and dice are played, for an audit the audited one, and its tournament."""
    of = match if match.audit_of is None else session.get_one(Match, match.audit_of)
    return of, session.get_one(Tournament, of.tournament_id)


def recorded_games(session: Session, match_id: int) -> list[GameRecord]:
    """Return the recorded games of a match as a worker sent them, by block and rotation, without the logs."""
    columns = (PlayedGame.block, PlayedGame.rotation, PlayedGame.seating, PlayedGame.replay, PlayedGame.views)
    chosen = select(*map(col, columns), col(PlayedGame.faults)).where(col(PlayedGame.match_id) == match_id)
    rows: Any = session.connection().execute(chosen.order_by(col(PlayedGame.block), col(PlayedGame.rotation)))
    return [
        GameRecord(block, rotation, seating, replay, views, msgspec.convert(faults, list[FaultRecord]), [])
        for block, rotation, seating, replay, views, faults in rows
    ]


def played_order(session: Session, match: Match, tournament: Tournament) -> Order:
    """Return the order by which a match that is done was played; its token and time are nobody's."""
    return msgspec.structs.replace(_order(session, match, tournament, "done", 0.0), check=None)


def _order(session: Session, match: Match, tournament: Tournament, token: str, until: float) -> Order:
    digest = bytes.fromhex(match.seed_digest)
    secret = secret_of(session, tournament, match)
    size = size_of(tournament, match)
    seeds = [block_seed(secret, digest, match.number, block).hex() for block in range(size.blocks)]
    seats = _seats(session, match)
    return Order(
        id=stored(match.id),
        token=token,
        until=until,
        game=tournament.game,
        options=tournament.options,
        blocks=seeds,
        rng_key=rng_key(secret, match.number).hex(),
        seats=[seat for _, seat in seats],
        limits=size.limits,
        check=next((i for i, (version, _) in enumerate(seats) if _is_checked(match, tournament, version)), None),
        check_only=match.purpose == Purpose.CHECK.value,
    )


def _is_checked(match: Match, tournament: Tournament, version_id: int) -> bool:
    """A bot on trial is checked before the smallest table too: a slow one came to no end in its short check."""
    return version_id == match.trial_version_id and tournament.seats == 2


def _seats(session: Session, match: Match) -> list[tuple[int, Seat]]:
    rows: Any = session.connection().execute(_SEATS, {"its_match": match.id})
    return [
        (version, Seat(entry=entry, name=stem_of(filename)[:NAME_CHARS], code=code, bot=bot))
        for entry, version, filename, code, bot in rows
    ]


_SEATS: Final = (
    select(
        col(MatchSeat.entry_id),
        col(Version.id),
        col(Version.filename),
        col(Version.code_sha256),
        col(Version.bot_id),
    )
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .where(col(MatchSeat.match_id) == bindparam("its_match"))
    .order_by(col(MatchSeat.position))
)
