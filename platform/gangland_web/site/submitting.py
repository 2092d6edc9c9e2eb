"""Sending in a bot from a form: whoever is signed in, to intake, and why it was refused beside the form's fields."""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import IntegrityError

from gangland_sandbox.errors import UploadRejected
from gangland_web.base.text import sentence
from gangland_web.models.accounts import User
from gangland_web.models.bots import Version
from gangland_web.services.uploads import UploadForm, refused_text, submit_version
from gangland_web.web.sessions import database, signed_in

_FIELDS: Final = {"bot_name": "name", "name_taken": "name", "not_your_team": "team", "team_has_one": "team"}
"""Which field of the form a refusal is about, where it is not the source."""


def submitted(form: UploadForm, *, in_browser: bool = False) -> Version | None:
    """Hand an upload to intake and return its version; None if it is refused: the form's errors then say why."""
    if form.errors:
        return None
    try:
        return _taken_in(form, in_browser=in_browser)
    except UploadRejected as refused:
        form.errors[_FIELDS.get(refused.code, "source")] = sentence(refused_text(refused))
        return None


def _taken_in(form: UploadForm, *, in_browser: bool) -> Version:
    """Hand the upload to intake.  Raises UploadRejected; then nothing is kept."""
    try:
        with database().write() as db:
            owner = db.get_one(User, signed_in().id)
            what = (form.game, form.name, form.filename, form.source, form.note)
            return submit_version(db, owner, *what, team=form.team, in_browser=in_browser)
    except IntegrityError as error:
        raise UploadRejected("at_once", "Another upload arrived at the same moment. Upload this file again.") from error
