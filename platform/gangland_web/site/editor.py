"""The editor for bots in the browser: drafts, uploads, and runs of a draft."""

from collections.abc import Sequence
from itertools import chain, count
from typing import Any

import msgspec
from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask import Response as FlaskResponse
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland.games import FIRST_GAME
from gangland_ladder.common.bot_api import api_of
from gangland_sandbox.intake import PLAIN
from gangland_web.base.formats import GAME_TITLES
from gangland_web.base.text import named_line, normal_name, whole_number
from gangland_web.models.bots import Bot, BotDraft, Version
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import DraftRun, RunKind
from gangland_web.queries.bots import BotPage, bots_of
from gangland_web.queries.draft_runs import RunPage, run_page
from gangland_web.queries.editor import FIRST_NAME, Starter, completions, html_of, starters
from gangland_web.services import drafts, entries, teams
from gangland_web.services.uploads import NOTE_CHARS, UploadForm, read_upload
from gangland_web.site.bots import submit_bot
from gangland_web.site.play import possible_opponents, read_form
from gangland_web.site.serving import flash_redirect, form_page, known_game, part, requested_number
from gangland_web.web.caching import make_conditional
from gangland_web.web.limits import client_key
from gangland_web.web.sessions import database, reading, require_sign_in, signed_in, visitor

pages = Blueprint("editor", __name__)


# The editor: save, run and upload drafts.


@pages.get("/write/<game>")
def page(game: str) -> Response:
    """Show the editor with the requested draft, the latest draft, or a bot to start from."""
    draft_id, bot_id = requested_number("draft"), requested_number("bot")
    return _for_bot(game, bot_id) if draft_id is None and bot_id is not None else _show(known_game(game), draft_id)


def _show(game: str, draft_id: int | None = None, *, file: UploadForm | None = None) -> Response:
    """Return the editor with a draft or a bot to start from.  `file` is the form of a rejected file."""
    if file is not None and file.pasted:
        return _editor_page(UploadForm(game, file.name, pasted=file.pasted), file=file)
    own_drafts, requested = _drafts(game), request.args.get("start")
    candidates = [draft for draft in own_drafts if draft_id in (None, draft.id)]
    if draft_id is not None and not candidates:
        abort(404, "You have no such draft.")
    if candidates and (draft_id is not None or requested is None):
        return _editor_page(_form_of(candidates[0]), draft=_opened_draft(candidates[0]), file=file)
    choices = [starter for starter in starters(game) if requested in (None, starter.name)]
    if requested is not None and not choices:
        abort(404, "There is no bot with that name to start from.")
    names = chain([FIRST_NAME], (f"{FIRST_NAME}_{number}" for number in count(2)))
    name = next(name for name in names if name not in {draft.name for draft in own_drafts})
    starter = choices[0] if choices else None
    return _editor_page(UploadForm(game, name, pasted=starter.source if starter else ""), started=starter, file=file)


def _drafts(game: str) -> Sequence[BotDraft]:
    current = visitor()
    with reading() as db:
        return [] if current is None else drafts.drafts_of(db, current.id, game)


def _form_of(draft: BotDraft) -> UploadForm:
    return UploadForm(draft.game, draft.name, pasted=draft.text)


def _for_bot(game: str, bot_id: int) -> Response:
    """Redirect to the draft of one of the visitor's bots, or show the newest version uploaded from the editor."""
    current = visitor()
    with reading() as db:
        bot = None if current is None else db.get(Bot, bot_id)
        if current is None or bot is None or (bot.owner_id, bot.game) != (current.id, game):
            abort(404, "You have no such bot.")
        text = drafts.newest_text(db, bot_id)
    draft = next((draft for draft in _drafts(game) if draft.name == bot.name), None)
    if draft is not None:
        return redirect(url_for("editor.page", game=game, draft=draft.id))
    if text is None:
        abort(404, "No version of this bot was uploaded from the editor.")
    return _editor_page(UploadForm(game, bot.name, pasted=text))


@pages.post("/write/<game>/drafts")
@require_sign_in
def save(game: str) -> Response:
    """Save the editor's text as a draft; 422 if it is refused, 409 if another tab has saved the draft since."""
    form = _editor_form(game)
    saved = _save(form)
    if not isinstance(saved, drafts.DraftRef):
        return saved
    if _is_script():
        return _json(saved)
    return flash_redirect(f"The draft {form.name} has been saved.", "editor.page", game=game, draft=saved.id)


@pages.post("/write/<game>/run")
@require_sign_in
def run(game: str) -> Response:
    """Save the editor's text, run a check and the requested games, and redirect to the result."""
    form = _editor_form(game)
    kind = request.form.get("run", "")
    if kind not in set(RunKind):
        abort(400, f"run must be {' or '.join(RunKind)}.")
    saved = _save(form)
    if not isinstance(saved, drafts.DraftRef):
        return saved
    bots = read_form(game).opponents
    try:
        with database().write() as db:
            draft = db.get_one(BotDraft, saved.id)
            run_id = row_id(drafts.start_run(db, draft, RunKind(kind), bots, address=client_key()).id)
    except drafts.RunRefused as refused:
        form.errors["run"] = str(refused)
        return _refusal_page(form, saved, is_saved=True)
    parameters: dict[str, Any] = {"game": game, "run_id": run_id}
    if _is_script():
        return _json(saved, run=url_for("editor.run_live", **parameters))
    return redirect(url_for("editor.run_result", **parameters), 303)


def _editor_form(game: str) -> UploadForm:
    known_game(game)
    return UploadForm(
        game, normal_name(request.form.get("name", "")), pasted=request.form.get("source", "").replace("\r\n", "\n")
    )


def _save(form: UploadForm) -> drafts.DraftRef | Response:
    """Save the form as a draft; if that is refused, return the response with the reason."""
    draft_id, version = (whole_number(request.form.get(field, "")) for field in ("draft", "version"))
    owner, game = signed_in().id, form.game
    try:
        with database().write() as db:
            opened = None
            if draft_id is not None and version is not None and drafts.draft_of(db, owner, game, draft_id) is not None:
                opened = drafts.DraftRef(draft_id, version)
            return _opened_draft(drafts.save_draft(db, owner, game, form.name, form.pasted, opened=opened))
    except drafts.DraftRefused as refused:
        form.errors[refused.field] = str(refused)
        return _refusal_page(form, drafts.DraftRef(draft_id or 0, version or 0))
    except drafts.DraftChanged as changed:
        form.errors["source"] = (
            "This draft was saved elsewhere since you opened it. Your text is not saved yet: save it again to replace"
            " what was saved there."
        )
        return _refusal_page(form, changed.current, status=409)


@pages.post("/write/<game>/drafts/<number:draft_id>/delete")
@require_sign_in
def delete(game: str, draft_id: int) -> Response:
    """Delete one of the visitor's drafts."""
    known_game(game)
    with database().write() as db:
        if not drafts.delete_draft(db, signed_in().id, game, draft_id):
            abort(404, "You have no such draft.")
    return flash_redirect("The draft has been deleted.", "editor.page", game=game)


@pages.post("/write/<game>/upload")
@require_sign_in
def upload(game: str) -> Response:
    """Save the editor's text as a draft and upload it; redirect to its version, or show a refusal."""
    saved = _save(_editor_form(game))
    if not isinstance(saved, drafts.DraftRef):
        return saved
    form = read_upload({**request.form, "game": game}, None)
    version = submit_bot(form, in_browser=True)
    if version is None:
        return _refusal_page(form, saved, is_saved=True)
    parameters: dict[str, Any] = {"bot_id": version.bot_id, "number": version.number}
    if _is_script():
        return _json(
            saved, page=url_for("bots.version", **parameters), progress=url_for("bots.version_json", **parameters)
        )
    return redirect(url_for("bots.version", **parameters), 303)


@pages.get("/upload")
def upload_page() -> Response:
    """Redirect to the upload form on the editor's page."""
    game = _game_or_first(request.args.get("game"))
    values: dict[str, Any] = {name: request.args.get(name) for name in ("name", "team")}
    return redirect(url_for("editor.page", game=game, _anchor="upload", **values), 301)


@pages.post("/upload")
@require_sign_in
def upload_file() -> Response:
    """Upload a file; redirect to its version, or show a refusal in the form."""
    form = read_upload(request.form, request.files.get("file"))
    version = submit_bot(form)
    if version is not None:
        return redirect(url_for("bots.version", bot_id=version.bot_id, number=version.number), 303)
    response = _show(_game_or_first(form.game), file=form)
    response.status_code = 422
    return response


def _game_or_first(game: str | None) -> str:
    return game if game in GAME_TITLES else FIRST_GAME


@pages.get("/write/<game>/completions.json")
def completions_json(game: str) -> Response:
    """Return the editor's completions, with docstrings."""
    known_game(game)
    response = FlaskResponse(msgspec.json.encode(completions(game)), mimetype="application/json")
    response.headers["Cache-Control"] = "no-cache"
    return make_conditional(response)


def _opened_draft(draft: BotDraft) -> drafts.DraftRef:
    return drafts.DraftRef(row_id(draft.id), draft.version)


def _is_script() -> bool:
    return request.accept_mimetypes.best == "application/json"


def _refusal_page(form: UploadForm, draft: drafts.DraftRef, *, is_saved: bool = False, status: int = 422) -> Response:
    """Return the page with the text and its problems; for a script, only the problems.

    `draft`: as saved now, with the id 0 if there is none.  `is_saved`: this request saved it before it was refused.
    """
    if _is_script():
        line = named_line(form.errors.get("source", ""))
        return _json(draft, status, errors=form.errors, line=line, is_saved=is_saved)
    response = _editor_page(form, draft=draft if draft.id else None)
    response.status_code = status
    return response


def _editor_page(
    form: UploadForm,
    *,
    started: Starter | None = None,
    draft: drafts.DraftRef | None = None,
    run: DraftRun | None = None,
    file: UploadForm | None = None,
) -> Response:
    """Return the page with a text and its problems, or with those of an uploaded file.

    `run`: the run to show; by default the draft's latest run, or an upload that is newer than it.
    """
    current, match, own = visitor(), read_form(form.game), dict[str, Any]()
    with reading() as db:
        latest = run or (drafts.latest_run(db, draft.id) if draft is not None else None)
        if current is not None:
            bots = bots_of(db, current.id)
            own["bots"] = possible_opponents(db, match)
            own["of_class"] = [event for event in entries.class_tournaments(db, current.id) if event.game == form.game]
            own["playing"] = [bot for bot in bots if bot.active]
            if run is None and draft is not None:
                own["uploaded"] = uploaded = _uploaded_after(bots, form, latest)
                latest = latest if uploaded is None else None
            own["team"] = teams.team_of(db, current.id)
            own["editor_only"] = entries.browser_only_tournaments(db, current.id)
        page = None if latest is None else run_page(db, latest)
    return form_page(
        "editor/editor.html",
        form,
        game=form.game,
        started=started,
        draft=draft,
        drafts=_drafts(form.game),
        starters=starters(form.game),
        parts=(*api_of(form.game), *api_of(None)),
        html=html_of,
        source_bytes=PLAIN.source_bytes,
        match=match,
        page=page,
        tab=None if page is None else _tab(page),
        shown_run=run is not None,
        file=file or UploadForm(name=request.args.get("name", ""), team=request.args.get("team", "")),
        typed=request.form if file else {},
        note_chars=NOTE_CHARS,
        **own,
    )


def _uploaded_after(bots: Sequence[BotPage], form: UploadForm, run: DraftRun | None) -> Version | None:
    """Return the newest version of the form's bot if it was uploaded from the editor after the run."""
    newest = next((bot.versions[0] for bot in bots if (bot.bot.game, bot.bot.name) == (form.game, form.name)), None)
    is_newer = newest is not None and newest.in_browser and (run is None or newest.created_at > run.created_at)
    return newest if is_newer else None


def _json(draft: drafts.DraftRef, status: int = 200, **more: Any) -> Response:
    body = msgspec.json.encode({"id": draft.id, "version": draft.version, **more})
    return FlaskResponse(body, status, mimetype="application/json")


# Runs of a draft: the check and the games of a run, for the author only.


@pages.get("/write/<game>/runs/<number:run_id>")
def run_result(game: str, run_id: int) -> Response:
    """Show the editor with the draft of a run, and its progress or its result."""
    with reading() as db:
        run = _own_run(db, game, run_id)
        draft = db.get_one(BotDraft, run.draft_id)
    response = _editor_page(_form_of(draft), draft=_opened_draft(draft), run=run)
    response.headers["Cache-Control"] = "no-store"
    return response


@pages.get("/write/<game>/runs/<number:run_id>/live")
def run_live(game: str, run_id: int) -> Response:
    """Return the progress of a run, or its result, next to the code."""
    with reading() as db:
        page = run_page(db, _own_run(db, game, run_id))
    return part(render_template("editor/run.html", game=game, page=page, tab=_tab(page)))


def _tab(page: RunPage) -> str:
    """Return the name of the tab that shows a run."""
    return "problems" if page.run.kind == RunKind.CHECK or page.findings else "game"


def _own_run(db: Session, game: str, run_id: int) -> DraftRun:
    current = visitor()
    run = None if current is None else drafts.run_for(db, current.id, game, run_id)
    if run is None:
        abort(404, "You have no such run; runs are kept for a day.")
    return run
