"""The days of a ladder: each has a secret of its own, committed a day ahead and revealed at its close."""

import hmac

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from gangland_ladder.matches.seeds import commitment
from gangland_web.base.clock import DAY_S, now_s
from gangland_web.league.open_audits import open_audits
from gangland_web.league.tournaments.public_values import secret_for_dice
from gangland_web.models.columns import stored
from gangland_web.models.matches import PENDING, Match
from gangland_web.models.tournaments import Epoch, Tournament

AHEAD = 1
"""How many days before it begins an epoch's commitment is public."""


def today() -> int:
    """Return the day (UTC) since 1970-01-01."""
    return int(now_s() // DAY_S)


def epoch_secret(secret: bytes, day: int) -> bytes:
    """Return the secret of one day: it tells nothing of the ladder's own secret, nor of other days."""
    return hmac.digest(secret, f"epoch|{day}".encode(), "sha256")


def opened_epoch(session: Session, ladder: Tournament) -> Epoch:
    """Return today's epoch of a ladder; commit to those of the days ahead.

    A ladder that is new, or was left alone for days, begins today with an epoch that was committed
    to only now: its pages say when each commitment was made.
    """
    day = today()
    known = {epoch.day: epoch for epoch in session.exec(_of(ladder).where(col(Epoch.day) >= day)).all()}
    for wanted in range(day, day + AHEAD + 1):
        if wanted not in known:
            secret = epoch_secret(ladder.secret, wanted)
            known[wanted] = Epoch(
                tournament_id=stored(ladder.id),
                day=wanted,
                secret=secret,
                commitment=commitment(secret),
                committed_at=now_s(),
            )
            session.add(known[wanted])
    session.flush()
    return known[day]


def reveal_closed(session: Session, ladder: Tournament) -> int:
    """Reveal the secrets of days that are over and of whose matches none is still to be played or audited."""
    waits = select(Match.id).where(Match.epoch_id == Epoch.id, col(Match.state).in_(PENDING)).exists()
    audits = open_audits(Match.epoch_id == Epoch.id).exists()
    closed = _of(ladder).where(col(Epoch.day) < today(), col(Epoch.revealed_at).is_(None), ~waits, ~audits)
    revealed = session.exec(closed).all()
    for epoch in revealed:
        epoch.revealed_at = now_s()
        session.add(epoch)
    return len(revealed)


def secret_of(session: Session, tournament: Tournament, match: Match) -> bytes:
    """Return the secret that gives a match its dice, with the public value of a tournament mixed in."""
    if match.epoch_id is None:
        return secret_for_dice(tournament)
    return session.get_one(Epoch, match.epoch_id).secret


def _of(ladder: Tournament) -> SelectOfScalar[Epoch]:
    return select(Epoch).where(Epoch.tournament_id == ladder.id).order_by(col(Epoch.day))
