"""Leaving the site: exporting a user's data, and deleting an account."""

import io
import json
import zipfile
from collections.abc import Iterable
from typing import Any

from sqlmodel import Session, col, delete, select

from gangland_web.base.formats import now_s
from gangland_web.models.accounts import Membership, Role, Team, Token, User
from gangland_web.models.bots import Bot, BotDraft, Code, Version, VersionStep, party_of
from gangland_web.models.columns import Table, row_id
from gangland_web.models.database import Database
from gangland_web.models.jobs import DraftRun, PlayTable, TableState
from gangland_web.models.organizing import Moderation
from gangland_web.models.tournaments import lock_versions
from gangland_web.services import accounts, drafts, following, oidc, play, recovery, teams, uploads
from gangland_web.services.tokens import revoke_tokens

# The export.


SCHEMA = "gangland/account/1"


def export_account(db: Session, user_id: int) -> bytes:
    """Return a ZIP archive with account.json, the source of each version as bots/BOT/vN-FILE, and drafts in drafts/."""
    user = db.get_one(User, user_id)
    own = party_of(db, user_id).own_bots()  # including the bots of the current team, but not of former ones
    bots = db.exec(select(Bot).where(own).order_by(col(Bot.id))).all()
    files = io.BytesIO()
    with zipfile.ZipFile(files, "w", zipfile.ZIP_DEFLATED) as archive:
        document = _account_document(db, user) | {"bots": [_bot_document(db, bot) for bot in bots]}
        archive.writestr("account.json", json.dumps(document, indent=2, ensure_ascii=False) + "\n")
        for bot in bots:
            query = select(Version, Code).join(Code, col(Code.sha256) == Version.code_sha256)
            for version, code in db.exec(query.where(Version.bot_id == bot.id).order_by(col(Version.number))).all():
                if code.source is not None:
                    archive.writestr(f"bots/{bot.id}/v{version.number}-{_safe_name(version.filename)}", code.source)
        for draft in db.exec(select(BotDraft).where(BotDraft.user_id == user_id).order_by(col(BotDraft.id))).all():
            archive.writestr(f"drafts/{draft.game}/{draft.id}-{_safe_name(draft.name)}.py", draft.text)
    return files.getvalue()


def _account_document(db: Session, user: User) -> dict[str, Any]:
    user_id = row_id(user.id)
    runs = db.exec(select(DraftRun).where(DraftRun.user_id == user_id).order_by(col(DraftRun.id))).all()
    query = select(Moderation).where(Moderation.user_id == user_id).order_by(col(Moderation.id))
    moderations = db.exec(query).all()
    tokens = db.exec(select(Token).where(Token.owner_id == user_id).order_by(col(Token.id))).all()
    return {
        "schema": SCHEMA,
        "id": user_id,
        "name": user.name,
        "role": user.role,
        "created_at": user.created_at,
        "identities": _fields(oidc.identities_of(db, user_id), "issuer", "subject", "created_at"),
        "emails": _fields(filter(None, recovery.emails_of(db, user_id)), "address", "created_at", "confirmed_at"),
        "sign_ins": _fields(accounts.sign_ins_of(db, user_id), "begun_at", "last_seen_at", "address", "agent"),
        "teams": _memberships(db, user_id),
        "tables": _play_tables(db, user_id),
        "runs": _fields(runs, "draft_id", "kind", "state", "created_at", "done_at"),
        "tokens": _fields(tokens, "name", "created_at", "last_used_at"),
        "following": following.follow_export(db, user_id),
        "moderations": _fields(moderations, "kind", "reason", "ordered_at", "undone_at"),
    }


def _memberships(db: Session, user_id: int) -> list[dict[str, Any]]:
    query = select(Team, Membership).join(Membership, col(Membership.team_id) == Team.id)
    rows = db.exec(query.where(Membership.user_id == user_id).order_by(col(Membership.id))).all()
    return [
        {"id": team.id, "name": team.name, "joined_at": member.joined_at, "left_at": member.left_at}
        for team, member in rows
    ]


def _play_tables(db: Session, user_id: int) -> list[dict[str, Any]]:
    tables = db.exec(select(PlayTable).where(PlayTable.owner_id == user_id).order_by(col(PlayTable.id))).all()
    documents = []
    for table in tables:
        hidden = () if table.state == TableState.OVER else ("seed", "rng_key")  # the dice stay secret during the game
        setup = {name: value for name, value in table.setup.items() if name not in hidden}
        documents += [row | {"setup": setup} for row in _fields([table], *_TABLE_FIELDS)]
    return documents


_TABLE_FIELDS = ("state", "practice", "opened_at", "active_at", "shared_at", "shared_name")


def _bot_document(db: Session, bot: Bot) -> dict[str, Any]:
    versions = db.exec(select(Version).where(Version.bot_id == bot.id).order_by(col(Version.number))).all()
    steps = select(VersionStep).where(col(VersionStep.version_id).in_([version.id for version in versions]))
    all_steps = db.exec(steps.order_by(col(VersionStep.id))).all()
    return {
        "id": bot.id,
        "game": bot.game,
        "name": bot.name,
        "team": bot.team_id,
        "versions": [
            {
                "number": version.number,
                "filename": version.filename,
                "sha256": version.code_sha256,
                "uploaded_by": version.uploaded_by,
                "state": version.state,
                "created_at": version.created_at,
                "steps": _fields(
                    (step for step in all_steps if step.version_id == version.id), "state", "ok", "message", "at"
                ),
            }
            for version in versions
        ],
    }


def _fields(rows: Iterable[Table], *names: str) -> list[dict[str, Any]]:
    return [{name: getattr(row, name) for name in names} for row in rows]


def _safe_name(filename: str) -> str:
    return "".join(char if char.isalnum() or char in "._-" else "_" for char in filename)[-80:].lstrip(".") or "bot"


# The deletion.


LEFT_REASON = "the owner has left"


class DeletionError(ValueError):
    """An account cannot be deleted yet; the message explains why, and what to do."""


def delete_account(database: Database, user_id: int) -> None:
    """Delete an account; games and sources are kept.  Raises DeletionError for the only admin or a captain."""
    with database.write() as db:
        lock_versions(db)
        user = db.get_one(User, user_id, with_for_update=True)
        admins = db.exec(select(User.id).where(User.role == Role.ADMIN.value)).all()
        if user.role == Role.ADMIN and len(admins) == 1:
            raise DeletionError("You are the only administrator. Make someone else an administrator first.")
        team = teams.team_of(db, user_id)
        if team is not None and team.captain_id == user_id:
            raise DeletionError(f"You are the captain of {team.name}. Make another member captain, or delete the team.")
        if team is not None:
            teams.leave_team(db, user_id)
        for bot in db.exec(select(Bot).where(Bot.owner_id == user_id).order_by(col(Bot.id))).all():
            uploads.take_out_of_play(db, bot, LEFT_REASON)
        play.drop_tables(db, db.exec(select(PlayTable.id).where(PlayTable.owner_id == user_id)).all())
        accounts.revoke_sign_ins(db, user_id)
        recovery.delete_emails(db, user_id)
        oidc.delete_identities(db, user_id)
        revoke_tokens(db, user_id)
        following.delete_follows(db, user_id)
        db.exec(delete(Moderation).where(col(Moderation.user_id) == user_id))
        drafts.drop_drafts(db, db.exec(select(BotDraft.id).where(BotDraft.user_id == user_id)).all())
        user.name = user.name_key = user.search_key = user.look_key = deleted_name(user_id)
        user.password_hash, user.role, user.deleted_at = accounts.NO_PASSWORD, Role.AUTHOR.value, now_s()
        db.add(user)


def deleted_name(user_id: int) -> str:
    """Return the name that an account has after its deletion."""
    return f"(deleted {user_id})"
