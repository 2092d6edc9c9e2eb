"""Drafts of bots, written in the browser and stored with an account for its owner only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlmodel import Session, col, delete, func, select, update

from gangland_web.base.formats import now_s
from gangland_web.models.accounts import User
from gangland_web.models.bots import DRAFT_BYTES, BotDraft, Code, Version
from gangland_web.models.columns import table_of
from gangland_web.models.jobs import DraftRun
from gangland_web.services.uploads import bot_name_problem

MOST_DRAFTS: Final = 30
"""Drafts of an account, of all games."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A draft as it was opened: its id, and its version then."""

    id: int
    version: int


class DraftRefused(ValueError):
    """A draft cannot be saved; the message is for its author, `field` the field of the form that is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class DraftChanged(ValueError):
    """Another tab or browser saved the draft since it was opened; `now` is the saved draft."""

    def __init__(self, now: Opened) -> None:
        super().__init__(f"version {now.version} is saved")
        self.now = now


def drafts_of(session: Session, user_id: int, game: str) -> Sequence[BotDraft]:
    """Return a person's drafts of a game, the last saved first."""
    query = select(BotDraft).where(BotDraft.user_id == user_id, BotDraft.game == game)
    return session.exec(query.order_by(col(BotDraft.saved_at).desc(), col(BotDraft.id).desc())).all()


def draft_of(session: Session, user_id: int, game: str, draft_id: int) -> BotDraft | None:
    """Return a draft if it is this person's and of this game, else None."""
    query = select(BotDraft).where(BotDraft.id == draft_id, BotDraft.user_id == user_id, BotDraft.game == game)
    return session.exec(query).first()


def newest_text(session: Session, bot_id: int) -> str | None:
    """Return the source of a bot's newest version from the editor, None if there is none."""
    query = select(Code.source).join(Version, col(Version.code_sha256) == Code.sha256)
    query = query.where(Version.bot_id == bot_id, col(Version.in_browser).is_(True))
    source = session.exec(query.order_by(col(Version.number).desc())).first()
    return None if source is None else source.decode(errors="replace")


def save_draft(session: Session, user_id: int, game: str, name: str, text: str, *, opened: Opened | None) -> BotDraft:
    """Save a text as a new draft, or in place of one that was opened.

    Args:
        opened: the draft, which is this person's; None for a new one.

    Raises:
        DraftRefused: the name or the text is not allowed, or there are too many drafts.
        DraftChanged: another version was saved since.
    """
    session.get_one(User, user_id, with_for_update=True)  # another request that saves waits
    _check(session, user_id, game, name, text, opened)
    if opened is None:
        draft = BotDraft(user_id=user_id, game=game, name=name, text=text, saved_at=now_s())
        session.add(draft)
        session.flush()
        return draft
    same = (col(BotDraft.id) == opened.id, col(BotDraft.user_id) == user_id, col(BotDraft.version) == opened.version)
    values = {"name": name, "text": text, "version": opened.version + 1, "saved_at": now_s()}
    updated = session.connection().execute(update(table_of(BotDraft)).where(*same).values(**values))
    draft = session.get_one(BotDraft, opened.id, populate_existing=True)
    if updated.rowcount != 1:
        raise DraftChanged(Opened(opened.id, draft.version))
    return draft


def _check(session: Session, user_id: int, game: str, name: str, text: str, opened: Opened | None) -> None:
    if (problem := bot_name_problem(name)) is not None:
        raise DraftRefused("name", problem)
    if "\0" in text or len(text.encode("utf-8", "replace")) > DRAFT_BYTES:
        raise DraftRefused("source", f"A draft is text of at most {DRAFT_BYTES // 1024} KiB.")
    same = select(BotDraft.id).where(BotDraft.user_id == user_id, BotDraft.game == game, BotDraft.name == name)
    taken = session.exec(same).first()
    if taken is not None and (opened is None or taken != opened.id):
        raise DraftRefused("name", f"You have a draft called {name} already: open that one, or choose another name.")
    count = session.exec(select(func.count()).select_from(BotDraft).where(BotDraft.user_id == user_id)).one()
    if opened is None and count >= MOST_DRAFTS:
        raise DraftRefused("name", f"You have {count} drafts, and {MOST_DRAFTS} are the most: delete one first.")


def delete_draft(session: Session, user_id: int, game: str, draft_id: int) -> bool:
    """Delete a person's draft with its runs; False if they have no such draft."""
    if draft_of(session, user_id, game, draft_id) is None:
        return False
    session.exec(delete(DraftRun).where(col(DraftRun.draft_id) == draft_id))
    session.exec(delete(BotDraft).where(col(BotDraft.id) == draft_id))
    return True
