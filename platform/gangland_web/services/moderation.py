"""Moderation actions against users and bots: rename, hide, retire or suspend with a reason; they can be undone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session, col, select

from gangland_web.base.formats import now_s
from gangland_web.base.text import look_key, name_key, normal_name, problem_with_name, search_key
from gangland_web.models.accounts import Role, User
from gangland_web.models.bots import Bot, name_is_taken
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.database import in_transaction
from gangland_web.models.organizing import Actor, Moderation, ModerationKind, log_action
from gangland_web.models.tournaments import lock_versions
from gangland_web.services.accounts import NAME_TAKEN, name_problem, revoke_sign_ins
from gangland_web.services.uploads import bot_name_problem, put_back_into_play, take_out_of_play

REASON_CHARS: Final = 500
OUT_REASON: Final = "an administrator took the bot out of play"
_EXCLUDING_KINDS: Final = (ModerationKind.HIDE, ModerationKind.RETIRE, ModerationKind.SUSPEND)


class ModerationRefused(ValueError):
    """A moderation action is not possible; the message explains why, and what would help."""


@dataclass(frozen=True, slots=True)
class Target:
    """The user or the bot that a moderation action applies to."""

    row: User | Bot

    @property
    def is_bot(self) -> bool:
        """Whether the target is a bot."""
        return isinstance(self.row, Bot)

    @property
    def column(self) -> dict[str, int]:
        """The target's id, keyed by its column in the moderation table."""
        return {"bot_id" if self.is_bot else "user_id": row_id(self.row.id)}


@in_transaction
def moderate(db: Session, actor: Actor, target: Target, kind: ModerationKind, reason: str, *, name: str = "") -> None:
    """Apply an action to a user or a bot, and log it; `name`: the new name, if any.  Raises ModerationRefused."""
    reason = normal_name(reason)
    if not 1 <= len(reason) <= REASON_CHARS or problem_with_name(reason):
        raise ModerationRefused(f"Write a reason for the owner: one line of 1 to {REASON_CHARS} characters.")
    lock_versions(db)
    db.refresh(db.merge(target.row, load=False), with_for_update=True)
    row: User | Bot = db.get_one(Bot, target.row.id) if target.is_bot else db.get_one(User, target.row.id)
    target = Target(row)
    if isinstance(row, User) and (row.role == Role.ADMIN or row.deleted_at is not None):
        raise ModerationRefused(
            f"{row.name} is an administrator. Set another role first."
            if row.deleted_at is None
            else "This account has been deleted."
        )
    if isinstance(row, Bot) and row.is_house:
        raise ModerationRefused(f"{row.name} is a house bot.")
    kinds = {action.kind for action in actions_in_force(db, **target.column)}
    if (ModerationKind.HIDE if kind is ModerationKind.RENAME else kind) in kinds:
        raise ModerationRefused(
            f"This already applies to {row.name}." if kind in kinds else f"{row.name} is hidden: undo that first."
        )
    details: dict[str, Any] = {"name": row.name}
    if kind is ModerationKind.RENAME:
        _rename(db, row, normal_name(name))
        details["now"] = row.name
    elif kind is ModerationKind.HIDE:
        row.name = f"(hidden {row.id})"
        row.search_key = search_key(row.name)
    elif kind is ModerationKind.SUSPEND and isinstance(row, User):
        row.suspended_for = reason
        revoke_sign_ins(db, row_id(row.id))
    if kind in _EXCLUDING_KINDS:
        details["versions"] = list(_exclude_bots(db, row))
    db.add(row)
    db.add(
        Moderation(
            **target.column,
            kind=kind.value,
            reason=reason,
            details=details,
            ordered_by=row_id(actor.id),
            ordered_at=now_s(),
        )
    )
    log_action(db, actor, f"moderation: {kind.value}", subject=_subject_of(target, details["name"]), reason=reason)


@in_transaction
def undo_moderation(db: Session, actor: Actor, moderation_id: int) -> str:
    """Undo an action, log it, and return the target's name; bots keep their ratings.  Raises ModerationRefused."""
    lock_versions(db)
    action = db.get(Moderation, moderation_id, with_for_update=True)
    if action is None or action.undone_at is not None:
        raise ModerationRefused("This action does not exist or has already been undone.")
    row: User | Bot = db.get_one(Bot, action.bot_id) if action.bot_id is not None else db.get_one(User, action.user_id)
    if isinstance(row, User) and row.deleted_at is not None:
        raise ModerationRefused("This account has been deleted.")
    target = Target(row)
    others = [other for other in actions_in_force(db, **target.column) if other.id != action.id]
    hidden = next((other for other in others if other.kind == ModerationKind.HIDE), None)
    if action.kind == ModerationKind.RENAME and any(
        other.kind == ModerationKind.RENAME and row_id(other.id) > moderation_id for other in others
    ):
        raise ModerationRefused("Undo the later rename first.")
    if action.kind == ModerationKind.RENAME and hidden is not None:
        raise ModerationRefused("Unhide it first: a hidden name is not shown.")
    if action.kind == ModerationKind.RENAME:
        _rename(db, row, action.details["name"], former=True)
    elif action.kind == ModerationKind.HIDE:
        row.name = action.details["name"]
        row.search_key = search_key(row.name)
    elif action.kind == ModerationKind.SUSPEND and isinstance(row, User):
        row.suspended_for = None
    action.undone_by, action.undone_at = actor.id, now_s()
    db.add_all([row, action])
    db.flush()
    excluding = [other for other in others if other.kind in _EXCLUDING_KINDS]
    for version_id in action.details.get("versions", ()):
        if not excluding:
            put_back_into_play(db, version_id)
    if excluding:  # bots taken out by this action return when the last action is undone
        versions = [*excluding[0].details["versions"], *action.details.get("versions", ())]
        excluding[0].details = excluding[0].details | {"versions": versions}
        db.add(excluding[0])
    log_action(
        db, actor, f"undid a moderation: {action.kind}", subject=_subject_of(target, row.name), reason=action.reason
    )
    return row.name


def actions_in_force(db: Session, *, user_id: int | None = None, bot_id: int | None = None) -> Sequence[Moderation]:
    """Return the actions in force for a user, for a bot, or for all of them, newest first."""
    query = select(Moderation).where(col(Moderation.undone_at).is_(None))
    if user_id is not None:
        query = query.where(Moderation.user_id == user_id)
    if bot_id is not None:
        query = query.where(Moderation.bot_id == bot_id)
    return db.exec(query.order_by(col(Moderation.id).desc())).all()


def _exclude_bots(db: Session, row: User | Bot) -> Iterator[int]:
    bots = (
        [row]
        if isinstance(row, Bot)
        else db.exec(select(Bot).where(Bot.owner_id == row.id).order_by(col(Bot.id))).all()
    )
    for bot in bots:
        version_id = bot.active_version_id
        take_out_of_play(db, bot, OUT_REASON)
        if version_id is not None:
            yield version_id


def _rename(db: Session, row: User | Bot, name: str, *, former: bool = False) -> None:
    """Rename a user or a bot; `former`: whether the name is a former name of the target."""
    same = name_key(name) == row.name_key
    if isinstance(row, User):
        problem = name_problem(name) or (NAME_TAKEN if not same and name_is_taken(db, name) and not former else None)
    else:
        problem = bot_name_problem(name)
        query = select(Bot.id).where(Bot.game == row.game, Bot.look_key == look_key(name), col(Bot.id) != row.id)
        query = query.where(col(Bot.import_id).is_(None))  # imported bots do not reserve their names
        problem = problem or (NAME_TAKEN if db.exec(query).first() is not None else None)
    if problem:
        raise ModerationRefused(f"{name or 'No name'}: {problem}")
    row.name, row.name_key, row.search_key, row.look_key = name, name_key(name), search_key(name), look_key(name)
    add_row(db, row)


def _subject_of(target: Target, name: str) -> str:
    return f"{'bot' if target.is_bot else 'user'} {name}"
