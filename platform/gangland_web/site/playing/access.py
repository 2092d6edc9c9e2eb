"""Whose tables these are, and who may see one."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import Final

from flask import abort, session
from sqlmodel import Session, select

from gangland_web.models.jobs import PlayTable
from gangland_web.services.play import Person
from gangland_web.web.sessions import visitor

_COOKIE: Final = "player"


def person_here(*, make: bool = False) -> Person:
    """Return whose tables these are: the account's, else this browser's, which is given a cookie for its first one."""
    found = visitor()
    if found is not None:
        return Person(found.id, None)
    key = session.get(_COOKIE)
    if key is None and make:
        key = session[_COOKIE] = secrets.token_urlsafe(16)
        session.permanent = True
    return Person(None, None if key is None else sha256(str(key).encode()).hexdigest())


def visible_table(db: Session, token: str, *, shared: bool = False) -> PlayTable:
    """Return a table of this person; ends in 404 for anybody else, as if there were none."""
    found = db.exec(select(PlayTable).where(PlayTable.token == token)).first() if "\0" not in token else None
    if found is None or not (person_here().owns(found) or (shared and found.shared_at is not None)):
        abort(404, "There is no such game, or it is private.")
    return found
