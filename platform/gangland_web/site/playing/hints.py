"""Asking for a hint at a practice table; the table's page shows it once it is there."""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, abort, redirect, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_ladder.analysis.games import has_reference
from gangland_ladder.playing.standing import NotOpen, Standing
from gangland_web.base.text import whole_number
from gangland_web.models.jobs import HintState, PlayTable
from gangland_web.services.analyses import WhyNotAnalyzed
from gangland_web.services.play import NoHints, ask_hint, check_hint, find_hint, options_of
from gangland_web.site.playing.access import visible_table
from gangland_web.site.playing.broker import request_bots
from gangland_web.site.playing.drawing import DrawnHint, Prompt, hint_of
from gangland_web.web.requests import settings
from gangland_web.web.sessions import database, reading

pages = Blueprint("hints", __name__)


@pages.post("/play/<token>/hint")
def ask(token: str) -> Response:
    """Have the reference asked; nothing happens if the question that is meant is not open any more."""
    if settings().analysis_workers < 1:
        abort(503, WhyNotAnalyzed.OFF.value)
    number = whole_number(request.form.get("number", ""), digits=6) or 0
    with suppress(NotOpen):
        with reading() as db:
            try:
                check_hint(db, visible_table(db, token), number)
            except NoHints as refused:
                abort(422, str(refused))
        with database().write() as db:
            ask_hint(db, visible_table(db, token), number)
    request_bots()
    chosen = request.form.getlist("part")[:200]
    return redirect(url_for("play.table", token=token, part=chosen, _anchor="question"), 303)


def can_practise(game: str) -> bool:
    """Whether tables of a game can be opened at which hints are given."""
    return settings().analysis_workers > 0 and has_reference(game)


def hint_at(db: Session, table: PlayTable, standing: Standing, prompt: Prompt) -> DrawnHint | None:
    """Return what is shown of a hint at a question, None where none is given."""
    if not table.practice:
        return None
    hint = find_hint(db, table, prompt.question.number)
    if hint is None:
        return DrawnHint(None)
    return hint_of(standing, prompt, HintState(hint.state), options_of(hint))
