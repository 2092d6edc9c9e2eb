"""The log of what people with a role did: written in the transaction of the act itself, read page by page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from gangland_web.base.clock import now_s
from gangland_web.models.accounts import User
from gangland_web.models.tournaments import AuditEntry

COMMAND_LINE = "command line"
SUBJECT_CHARS = 200


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts and from where.

    Attributes:
        id: of the account; None for the site itself.
        address: of the client, or where else the order came from.
    """

    id: int | None
    address: str


HOUSE = Actor(None, "record worker")


@dataclass(frozen=True, slots=True)
class Line:
    """An entry of the log with its actor's name, None for the site itself."""

    entry: AuditEntry
    actor: str | None


def note_act(
    session: Session,
    actor: Actor,
    act: str,
    *,
    tournament_id: int | None = None,
    subject: str = "",
    directive_id: int | None = None,
    **details: Any,
) -> None:
    """Write an act into the log; it stands or falls with the transaction."""
    session.add(
        AuditEntry(
            at=now_s(),
            actor_id=actor.id,
            act=act,
            tournament_id=tournament_id,
            subject=subject[:SUBJECT_CHARS],
            details=details,
            directive_id=directive_id,
            address=actor.address[:64],
        )
    )
    session.flush()


def read_log(
    session: Session, count: int, *, tournament_id: int | None = None, before: int | None = None
) -> Sequence[Line]:
    """Return the newest entries first: of one tournament or of all, before an entry's id if one is given."""
    chosen = select(AuditEntry, User.name).join(User, col(User.id) == AuditEntry.actor_id, isouter=True)
    if tournament_id is not None:
        chosen = chosen.where(AuditEntry.tournament_id == tournament_id)
    if before is not None:
        chosen = chosen.where(col(AuditEntry.id) < before)
    rows = session.exec(chosen.order_by(col(AuditEntry.id).desc()).limit(count)).all()
    return [Line(entry, name) for entry, name in rows]
