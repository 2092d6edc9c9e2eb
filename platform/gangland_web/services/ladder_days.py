"""Days of ladders with their secrets, and public values for tournaments' dice."""

import hmac
from typing import Any

import msgspec
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from gangland_ladder.matches.seeds import commitment, dice_secret
from gangland_ladder.proof.archives import Tournament as Header
from gangland_ladder.proof.randomness import PlayedRandomness, Randomness
from gangland_ladder.tournaments.lifecycle import Deadlines, State
from gangland_web.base.formats import DAY_S, now_s, state_label
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.matches import PENDING, Match
from gangland_web.models.tournaments import LadderDay, Tournament, lock_tournament
from gangland_web.services.matches import open_audits

# The public value of a tournament, which can be entered once it is published. Play waits for it.


class ValueRefused(ValueError):
    """A public value cannot be entered, or was published before the freeze; the message explains why."""


def announcement_of(tournament: Tournament) -> Randomness | None:
    """Return the announcement of a tournament's public value, or None."""
    return None if tournament.randomness is None else msgspec.convert(tournament.randomness, Randomness)


def played_randomness(tournament: Tournament) -> PlayedRandomness | None:
    """Return the announcement and the value of a tournament as they are stored in archives, or None."""
    announced = announcement_of(tournament)
    return None if announced is None else PlayedRandomness(announced, tournament.public_value)


def check_freeze_first(deadlines: Deadlines, randomness: Randomness) -> None:
    """Check that the freeze, if it has a time, is before the value is published.  Raises ValueError: it is not."""
    if deadlines.freezes_at is not None and deadlines.freezes_at >= randomness.published_s:
        raise ValueError(f"entries must close before the public value is published at {randomness.published_at}")


def is_published(tournament: Tournament) -> bool:
    """Return whether a public value was announced and its publication time has passed."""
    announced = announcement_of(tournament)
    return announced is not None and now_s() >= announced.published_s


def check_unpublished(tournament: Tournament) -> None:
    """Raise ValueRefused if the public value is published, since authors who enter bots now may know it."""
    announced = announcement_of(tournament)
    if announced is not None and is_published(tournament):
        raise ValueRefused(
            f"the public value was published before entries closed, at {announced.published_at}. Choose a later value;"
            " after the announcement, create a new tournament for it"
        )


def awaits_value(tournament: Tournament) -> bool:
    """Return whether play has to wait until a public value is entered."""
    return tournament.randomness is not None and tournament.public_value is None


def enter_value(session: Session, tournament: Tournament, typed: str) -> str:
    """Store the public value permanently, and return it in its normal form.  Raises ValueRefused."""
    lock_tournament(session, tournament)
    announced = announcement_of(tournament)
    if announced is None:
        raise ValueRefused(f"no public value was announced for {tournament.name}")
    if tournament.public_value is not None:
        raise ValueRefused(f"{tournament.name} already has the public value {tournament.public_value}")
    if tournament.state != State.FROZEN.value:
        raise ValueRefused(f"no public value can be entered now ({state_label(tournament.state)})")
    if not is_published(tournament):
        raise ValueRefused(f"the value will be published at {announced.published_at}. Enter it then")
    try:
        tournament.public_value = announced.read(typed)
    except ValueError as error:
        raise ValueRefused(str(error)) from error
    tournament.public_value_at = now_s()
    add_row(session, tournament)
    return tournament.public_value


def secret_for_dice(tournament: Tournament) -> bytes:
    """Return a tournament's secret with the public value mixed in.  Raises ValueRefused: the value is still missing."""
    if awaits_value(tournament):
        raise ValueRefused(f"the dice of {tournament.name} wait for its public value")
    return dice_secret(tournament.secret, tournament.public_value)


def imported_randomness(header: Header) -> dict[str, Any]:
    """Return an imported tournament's columns for the public value, from its archive."""
    if header.randomness is msgspec.UNSET:
        return {}
    entered_at = None if header.randomness.value is None else header.randomness.announced.published_s
    return {
        "randomness": msgspec.to_builtins(header.randomness.announced),
        "public_value": header.randomness.value,
        "public_value_at": entered_at,
    }


# Days: each day has its own secret. Its commitment is published a day ahead, and the secret after the day, when all its
# matches are over and audited.

DAYS_AHEAD = 1  # a day's commitment is public this many days before the day begins


def today() -> int:
    """Return today (UTC) as a count of days from 1970-01-01."""
    return int(now_s() // DAY_S)


def day_secret(secret: bytes, day: int) -> bytes:
    """Return a day's secret, which reveals neither the ladder's own secret nor other days' secrets."""
    return hmac.digest(secret, f"epoch|{day}".encode(), "sha256")


def ensure_day(session: Session, ladder: Tournament) -> LadderDay:
    """Return a ladder's row for today, and commit to the secrets of today and of the days ahead if necessary."""
    day = today()
    days = {
        ladder_day.day: ladder_day
        for ladder_day in session.exec(_days_of(ladder).where(col(LadderDay.day) >= day)).all()
    }
    # If the ladder is new, or the site was down for days, today's commitment is only made now. Pages show the time.
    for number in range(day, day + DAYS_AHEAD + 1):
        if number not in days:
            secret = day_secret(ladder.secret, number)
            days[number] = LadderDay(
                tournament_id=row_id(ladder.id),
                day=number,
                secret=secret,
                commitment=commitment(secret),
                committed_at=now_s(),
            )
            session.add(days[number])
    session.flush()
    return days[day]


def reveal_past_days(session: Session, ladder: Tournament) -> int:
    """Reveal the secrets of past days whose matches are all over and audited; return the number revealed."""
    pending = select(Match.id).where(Match.ladder_day_id == LadderDay.id, col(Match.state).in_(PENDING)).exists()
    audits = open_audits(Match.ladder_day_id == LadderDay.id).exists()
    days = _days_of(ladder).where(col(LadderDay.day) < today(), col(LadderDay.revealed_at).is_(None), ~pending, ~audits)
    revealed = session.exec(days).all()
    for ladder_day in revealed:
        ladder_day.revealed_at = now_s()
        session.add(ladder_day)
    return len(revealed)


def secret_of(session: Session, tournament: Tournament, match: Match) -> bytes:
    """Return the secret for a match's dice: the day's, or the tournament's with the public value mixed in."""
    if match.ladder_day_id is None:
        return secret_for_dice(tournament)
    return session.get_one(LadderDay, match.ladder_day_id).secret


def _days_of(ladder: Tournament) -> SelectOfScalar[LadderDay]:
    return select(LadderDay).where(LadderDay.tournament_id == ladder.id).order_by(col(LadderDay.day))
