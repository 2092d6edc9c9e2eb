"""Sending bots in and following their versions."""

from __future__ import annotations

from io import BytesIO
from typing import Annotated, Literal

from msgspec import Meta
from sqlmodel import Session, col, select
from werkzeug.datastructures import FileStorage

from gangland_ladder.local.bots import named_games, no_game
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import unpack
from gangland_web.api.framework.declared import Example, call
from gangland_web.models.accounts import Team, User
from gangland_web.models.bots import Bot, Version
from gangland_web.queries.bots import VersionDetail, VersionPage, version_detail, version_page
from gangland_web.queries.tables import PLAIN, File, Game, Model, Number
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.services.uploads import NAME_CHARS, NOTE_CHARS, TEAM_CHARS, UploadForm, read_upload, submit_version
from gangland_web.web.requests import Problem

Note = Annotated[str, Meta(max_length=NOTE_CHARS, pattern=PLAIN)]


class Upload(Model):
    """A bot: a Python file, or a zip with bot.py in it; its name is the file's stem if none is given.

    `team` is the name of the team that one is in, if it is the team's bot.  Without a `game` it is the one that the
    file imports.
    """

    file: File
    game: Game | Literal[""] = ""
    name: Annotated[str, Meta(max_length=4 * NAME_CHARS)] = ""
    note: Note = ""
    team: Annotated[str, Meta(max_length=4 * TEAM_CHARS)] = ""


class NewVersion(Model):
    """The next version of a bot."""

    file: File
    note: Note = ""


@call("POST", "/bots", subject="bots", needs=Scope.UPLOAD, status=201, example=Example(
    form=("game=gang-of-dice", "file=@my_bot.py")))  # fmt: skip
def upload(db: Session, who: Bearer, form: Upload) -> VersionDetail:
    """Send in a bot, by the rules of the upload page."""
    fields = {"game": form.game, "name": form.name, "note": form.note, "team": form.team}
    return _taken_in(db, who, fields, form.file)


@call("POST", "/bots/{bot_id}/versions", subject="bots", needs=Scope.UPLOAD, status=201, example=Example(
    path={"bot_id": "$MY_BOT"}, form=("file=@my_bot.py", "note=braver")))  # fmt: skip
def new_version(db: Session, who: Bearer, bot_id: Number, form: NewVersion) -> VersionDetail:
    """Send in the next version of a bot of one's own or of one's team."""
    return taken_in(db, who, own_bot(db, who, bot_id), form.file, form.note)


@call("GET", "/versions/{version_id}", subject="bots", needs=Scope.READ)
def version(db: Session, who: Bearer, version_id: Number) -> VersionDetail:
    """Tell how far a version has come; to its owner also why, and its trials."""
    found = db.exec(select(Version.bot_id, Version.number).where(col(Version.id) == version_id)).one_or_none()
    page = None if found is None else version_page(db, *found)
    if page is None:
        raise Problem(404, "E310", f"There is no version {version_id}.")
    return version_detail(db, page, private=who.party.acts_for(page.bot))


def own_bot(db: Session, who: Bearer, bot_id: int) -> Bot:
    """Return a bot that the caller acts for.

    Raises:
        Problem: 404, it is none of theirs.
    """
    bot = db.get(Bot, bot_id)
    if bot is None or not who.party.acts_for(bot):
        raise Problem(404, "E310", f"You have no bot {bot_id}.")
    return bot


def own_version(db: Session, who: Bearer, bot_id: int, number: int) -> VersionPage:
    """Return a version of a bot that the caller acts for.

    Raises:
        Problem: 404, it is none of theirs.
    """
    page = version_page(db, bot_id, number)
    if page is None or not who.party.acts_for(page.bot):
        raise Problem(404, "E310", f"You have no version {number} of a bot {bot_id}.")
    return page


def taken_in(db: Session, who: Bearer, bot: Bot, file: File, note: str) -> VersionDetail:
    """Take in a file as the next version of a bot."""
    team = "" if bot.team_id is None else db.get_one(Team, bot.team_id).name
    return _taken_in(db, who, {"game": bot.game, "name": bot.name, "note": note, "team": team}, file)


def _taken_in(db: Session, who: Bearer, fields: dict[str, str], file: File) -> VersionDetail:
    if not file.name:
        raise Problem(422, "E309", "Send the file with its name.")
    form = read_upload(fields, FileStorage(BytesIO(file.content), file.name))
    if form.errors:
        raise _problem_of(form)
    owner = db.get_one(User, who.owner_id)
    what = (form.game, form.name, form.filename, form.source, form.note)
    version = submit_version(db, owner, *what, team=form.team)
    page = version_page(db, version.bot_id, version.number)
    if page is None:
        raise LookupError(f"version {version.id} is not there although it was just written")
    return version_detail(db, page, private=True)


def _problem_of(form: UploadForm) -> Exception:
    """Return the first thing that is wrong with a form, by the code of what finds it."""
    if "name" in form.errors:
        return UploadRejected("bot_name", form.errors["name"])
    if "source" in form.errors:
        try:
            unpack(form.source, form.filename)
        except UploadRejected as refused:
            return refused
        return UploadRejected("too_large", form.errors["source"])
    if form.source.strip() and not form.game and not named_games(form.source):
        return no_game()
    (problem, *_) = form.errors.values()
    return Problem(422, "E309", problem)
