"""Taking in a bot that a program sends: by the intake, the names and the rules of the upload page."""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from gangland_ladder.catalogue import rejection
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import unpack
from gangland_web.accounts.models import User
from gangland_web.api.documents import finding_document, version_document
from gangland_web.api.idempotency import Answer, Call, keep, kept
from gangland_web.bots.forms import UploadForm
from gangland_web.bots.page_queries import version_page
from gangland_web.bots.submit import submit_version
from gangland_web.db import Database
from gangland_web.web.problems import Problem, problem_document


def upload(database: Database, call: Call, form: UploadForm) -> Answer:
    """Take in a bot, or refuse it; a call that was made before gets its answer again.

    Raises:
        Problem: another call came at the same moment, or another body was sent under the key.
    """
    try:
        with database.write() as db:
            return kept(db, call) or _taken_in(db, call, form)
    except UploadRejected as refused:
        return _refused(database, call, refused)
    except IntegrityError as error:
        with database.read() as db:
            if (answer := kept(db, call)) is not None:
                return answer
        raise Problem(409, "E140", "Another upload came in at the same moment; send it again.") from error


def _taken_in(db: Session, call: Call, form: UploadForm) -> Answer:
    if form.errors:
        raise _problem_of(form)
    owner = db.get_one(User, call.owner_id)
    version = submit_version(db, owner, form.game, form.name, form.filename, form.source)
    page = version_page(db, version.bot_id, version.number)
    if page is None:
        raise LookupError(f"version {version.id} is not there although it was just written")
    answer = Answer(201, version_document(db, page, private=True))
    keep(db, call, answer)
    return answer


def _problem_of(form: UploadForm) -> UploadRejected:
    """Return the first thing that is wrong with a form, by the code of what finds it."""
    if "name" in form.errors:
        return UploadRejected("bot_name", form.errors["name"])
    if "source" in form.errors:
        try:
            unpack(form.source, form.filename)
        except UploadRejected as refused:
            return refused
        return UploadRejected("too_large", form.errors["source"])
    raise Problem(422, "E309", form.errors["game"])


def _refused(database: Database, call: Call, refused: UploadRejected) -> Answer:
    finding = rejection(refused)
    document = problem_document(422, finding.code, finding.message, findings=[finding_document(finding)])
    answer = Answer(422, document)
    try:
        with database.write() as db:
            if (before := kept(db, call)) is not None:
                return before
            keep(db, call, answer)
    except IntegrityError as error:
        raise Problem(409, "E140", "The same call came in at the same moment; send it again.") from error
    return answer
