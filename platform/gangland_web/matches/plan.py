"""Writing match rows: numbered within their tournament, with seats in entry order."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from gangland_ladder.seeds import entries_digest
from gangland_web.bots.models import Version
from gangland_web.clock import now_s
from gangland_web.columns import stored
from gangland_web.matches.lifecycle import Purpose
from gangland_web.matches.models import Match, MatchSeat
from gangland_web.tournaments.models import Entry, Tournament


def hold_tournaments(session: Session, which: ColumnElement[bool] | bool) -> None:
    """Keep other writers off these tournaments until the transaction ends (SQLite has one writer anyway)."""
    chosen = select(Tournament.id).where(which).order_by(col(Tournament.id))
    session.exec(chosen.with_for_update(key_share=True)).all()


def next_number(session: Session, tournament: Tournament) -> int:
    """Return the lowest match number of a tournament that is still free above all others.

    Whoever asks next waits until this transaction is over, so no two get the same number.
    """
    hold_tournaments(session, Tournament.id == tournament.id)
    highest = session.exec(select(func.max(Match.number)).where(Match.tournament_id == tournament.id)).one()
    return int(highest or 0) + 1


def plan_match(
    session: Session,
    tournament: Tournament,
    number: int,
    entries: Sequence[int],
    *,
    trial_version_id: int | None = None,
) -> Match:
    """Write one scheduled match between the entries; a trial if a version is on trial in it."""
    seated = sorted(entries)
    purpose = Purpose.LADDER if trial_version_id is None else Purpose.TRIAL
    match = Match(
        tournament_id=stored(tournament.id),
        number=number,
        purpose=purpose.value,
        trial_version_id=trial_version_id,
        seed_digest=entries_digest(_codes(session, seated)).hex(),
        created_at=now_s(),
    )
    session.add(match)
    session.flush()
    session.add_all(MatchSeat(match_id=stored(match.id), position=i, entry_id=entry) for i, entry in enumerate(seated))
    session.flush()
    return match


def _codes(session: Session, seated: Sequence[int]) -> list[str]:
    chosen = select(Version.code_sha256).join(Entry, col(Entry.version_id) == Version.id)
    return list(session.exec(chosen.where(col(Entry.id).in_(seated)).order_by(col(Entry.id))).all())
