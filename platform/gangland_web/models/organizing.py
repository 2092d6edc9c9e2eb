"""Tables for organizers' actions, the audit log, and moderation by administrators."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, Index, Text
from sqlmodel import Field, Session, col, select

from gangland_web.base.formats import now_s
from gangland_web.models.accounts import User
from gangland_web.models.columns import Table, add_row, bytes_column, index_where, json_column, one_of

# Organizers' actions, which the record worker carries out.


class ActionKind(StrEnum):
    """The kinds of organizer actions."""

    MOVE = "move"
    DEADLINE = "deadline"
    RERUN = "rerun"
    VOID = "void"
    DISQUALIFY = "disqualify"
    RANDOMNESS = "randomness"


class ActionState(StrEnum):
    """The state of an action: waiting -> done or refused."""

    WAITING = "waiting"
    DONE = "done"
    REFUSED = "refused"


class OrganizerAction(Table, table=True):
    """An organizer's action, which the record worker carries out or refuses."""

    __tablename__ = "organizer_actions"
    __table_args__ = (
        one_of("kind", ActionKind, "kind"),
        one_of("state", ActionState, "state"),
        CheckConstraint("(state = 'waiting') = (done_at IS NULL)", name="done_at"),
        index_where("ix_organizer_actions_waiting", "id", where="state = 'waiting'"),
        Index("ix_organizer_actions_tournament", "tournament_id", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=16)
    tournament_id: int = Field(foreign_key="tournaments.id")
    match_id: int | None = Field(default=None, foreign_key="matches.id")
    entry_id: int | None = Field(default=None, foreign_key="entries.id")
    details: dict[str, Any] = Field(sa_column=json_column())  # the members depend on `kind`
    reason: str = Field(default="", sa_type=Text)  # public if the action removes results
    ordered_by: int = Field(foreign_key="users.id")
    ordered_at: float
    state: str = Field(default=ActionState.WAITING.value, max_length=16)
    message: str = Field(default="", sa_type=Text)  # the result in one sentence
    done_at: float | None = Field(default=None)
    # The previous results, as zstd-compressed JSON.
    before: bytes | None = Field(default=None, sa_column=bytes_column(nullable=True))


# The audit log. Entries are written in the same transaction as the action.


class AuditEntry(Table, table=True):
    """An entry of the audit log.  Database triggers prevent changes and deletions."""

    __tablename__ = "audit_log"
    __table_args__ = (
        Index("ix_audit_log_tournament", "tournament_id", "id"),
        Index("ix_audit_log_actor", "actor_id", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    at: float
    # None for the site itself.
    actor_id: int | None = Field(default=None, foreign_key="users.id")
    act: str = Field(max_length=64)
    tournament_id: int | None = Field(default=None, foreign_key="tournaments.id")
    subject: str = Field(default="", max_length=200)  # a description of the target
    details: dict[str, Any] = Field(sa_column=json_column())
    action_id: int | None = Field(default=None, foreign_key="organizer_actions.id")
    address: str = Field(max_length=64)  # the client's address, "record worker" or COMMAND_LINE


COMMAND_LINE = "command line"
SUBJECT_CHARS = 200


@dataclass(frozen=True, slots=True)
class Actor:
    """The user or the part of the site that takes an action."""

    id: int | None  # the account's id; None for the site itself
    address: str  # the client's address, or a name such as COMMAND_LINE


RECORD_WORKER = Actor(None, "record worker")


@dataclass(frozen=True, slots=True)
class AuditLine:
    """An entry of the audit log with the actor's name, or None for the site itself."""

    entry: AuditEntry
    actor: str | None


def log_action(
    session: Session,
    actor: Actor,
    act: str,
    *,
    tournament_id: int | None = None,
    subject: str = "",
    action_id: int | None = None,
    **details: Any,
) -> None:
    """Log an action in the caller's transaction."""
    add_row(
        session,
        AuditEntry(
            at=now_s(),
            actor_id=actor.id,
            act=act,
            tournament_id=tournament_id,
            subject=subject[:SUBJECT_CHARS],
            details=details,
            action_id=action_id,
            address=actor.address[:64],
        ),
    )


def read_log(
    session: Session, count: int, *, tournament_id: int | None = None, before: int | None = None
) -> Sequence[AuditLine]:
    """Return at most `count` entries of the log, newest first; `before`: only entries with a lower id."""
    query = select(AuditEntry, User.name).join(User, col(User.id) == AuditEntry.actor_id, isouter=True)
    if tournament_id is not None:
        query = query.where(AuditEntry.tournament_id == tournament_id)
    if before is not None:
        query = query.where(col(AuditEntry.id) < before)
    rows = session.exec(query.order_by(col(AuditEntry.id).desc()).limit(count)).all()
    return [AuditLine(entry, name) for entry, name in rows]


# Moderation: administrators' actions against users and bots, which can be undone.


class ModerationKind(StrEnum):
    """The kinds of moderation actions.

    Hidden, retired and suspended bots leave the ladders.  The names of hidden bots and users are not shown on pages, a
    suspended user cannot sign in, and new versions of a hidden or suspended bot cannot be uploaded.
    """

    RENAME = "rename"
    HIDE = "hide"
    RETIRE = "retire"
    SUSPEND = "suspend"


class Moderation(Table, table=True):
    """A moderation action, which is in force until it is undone.

    `reason` is shown to the owner.  `details` has the data needed to undo the action.
    """

    __tablename__ = "moderations"
    __table_args__ = (
        one_of("kind", ModerationKind, "kind"),
        CheckConstraint("(user_id IS NULL) <> (bot_id IS NULL)", name="of_one"),
        CheckConstraint("(undone_at IS NULL) = (undone_by IS NULL)", name="undone"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str = Field(max_length=16)
    user_id: int | None = Field(default=None, foreign_key="users.id", index=True)
    bot_id: int | None = Field(default=None, foreign_key="bots.id", index=True)
    reason: str = Field(sa_type=Text)
    details: dict[str, Any] = Field(sa_column=json_column())
    ordered_by: int = Field(foreign_key="users.id")
    ordered_at: float
    undone_by: int | None = Field(default=None, foreign_key="users.id")
    undone_at: float | None = Field(default=None)
