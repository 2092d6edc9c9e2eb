"""Pages of bots and their versions, and comparisons of two bots."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from msgspec.structs import asdict
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_sandbox.errors import UploadRejected
from gangland_web.base.formats import Format
from gangland_web.base.text import name_key, sentence
from gangland_web.models.accounts import User
from gangland_web.models.bots import Bot, Version, VersionState
from gangland_web.models.columns import row_id
from gangland_web.queries import authors, bot_analysis, bot_figures, bots, match_lists, matches, sources, tables
from gangland_web.queries.bot_overview import MAX_OPPONENTS, overview
from gangland_web.queries.comparison import SCORES, caption_of, compare
from gangland_web.queries.tournaments import tournaments_of
from gangland_web.services import following, uploads
from gangland_web.services.entries import notes_of_bot
from gangland_web.services.matches import inconsistent_versions
from gangland_web.site import serving
from gangland_web.site.authors import is_followed
from gangland_web.web.address import next_page
from gangland_web.web.caching import cached_page, source_file
from gangland_web.web.requests import analyzes_games
from gangland_web.web.sessions import database, is_own, reading, require_sign_in, signed_in

pages = Blueprint("bots", __name__)


# Seconds between two updates of an open page: of a bot, of a version that is being checked, and of one that is done.
LIVE_S, VERSION_LIVE_S, SETTLED_LIVE_S = 5, 2, 10


@pages.get("/my-bots.<any(csv,json):form>")
@require_sign_in
@serving.as_file("my-bots")
def my_bots_file(db: Session) -> tables.TableData:
    """Return the list of the visitor's bots as a file."""
    return bots.own_bots_table(db, signed_in().id)


# A bot's page: each tab has its own URL and loads only the data it shows.

# The tabs by the names of their templates, with their titles and endpoints; only the owner sees the last tab.
TABS: Final = {
    "overview": ("Overview", "bots.bot"),
    "games": ("Games", "bots.games"),
    "analysis": ("Analysis", "bots.analysis"),
    "versions": ("Versions", "bots.versions"),
    "settings": ("Settings", "bots.settings"),
}


@pages.get("/bots/<number:bot_id>")
@pages.get("/bots/<number:bot_id>/live", endpoint="bot_live")
def bot(bot_id: int) -> Response:
    """Show an overview of a bot: its progress, its costliest mistakes, and its latest games."""
    with reading() as db:
        page = serving.row_or_404(bots.bot_page(db, bot_id))
        summary = overview(db, page, serving.requested_seats())
        values = {"summary": summary, "sizes": summary.sizes, "subject": summary.subject}
        return _tab(
            "overview",
            page,
            values,
            lambda: {
                "rivals": summary.subject and bot_figures.rivals(db, summary.subject, MAX_OPPONENTS).table,
                "recent": _match_lines(bot_id, summary.matches),
            },
        )


@pages.get("/bots/<number:bot_id>/games")
@pages.get("/bots/<number:bot_id>/games/live", endpoint="games_live")
def games(bot_id: int) -> Response:
    """List a bot's finished ladder matches, newest first, and its latest errors."""
    before = serving.requested_before()
    with reading() as db:
        page = serving.row_or_404(bots.bot_page(db, bot_id))
        entries, notes = bots.entries_of(db, [bot_id]), notes_of_bot(db, bot_id)
        listed = match_lists.matches_by_time(db, entries, match_lists.PAGE_SIZE, before=before)
        values: dict[str, Any] = {
            "errors": bots.latest_errors(db, page, bots.ratings_of(db, bot_id)),
            "older": listed.next_key and url_for("bots.games", bot_id=bot_id, before=listed.next_key),
            "tournaments": [(t.id, t.name, t.state, notes.get(row_id(t.id), "")) for t in tournaments_of(db, [bot_id])],
        }
        return _tab(
            "games",
            page,
            values | {"rows": listed.rows},
            lambda: {
                "table": _match_lines(bot_id, listed.rows),
                "failures": bots.errors_table(bot_id, values["errors"]),
            },
        )


@pages.get("/bots/<number:bot_id>/matches.<any(csv,json):form>")
@serving.as_file("bot-{bot_id}-matches")
def matches_file(db: Session, bot_id: int) -> tables.TableData:
    """Return a page of a bot's finished ladder matches as a file."""
    before, _ = serving.requested_before(), serving.row_or_404(db.get(Bot, bot_id))
    listed = match_lists.matches_of_entries(db, bots.entries_of(db, [bot_id]), match_lists.PAGE_SIZE, before=before)
    return match_lists.matches_table(listed.rows, next_page(before=listed.next_key))


@pages.get("/bots/<number:bot_id>/versions")
@pages.get("/bots/<number:bot_id>/versions/live", endpoint="versions_live")
def versions(bot_id: int) -> Response:
    """Show the ratings of a bot's versions at each table size, and their ranks in seasons."""
    with reading() as db:
        page = serving.row_or_404(bots.bot_page(db, bot_id))
        ratings = bots.ratings_of(db, bot_id)
        subject = bot_figures.subject_of(page.bot, ratings, serving.requested_seats())
        values = {"ratings": ratings, "subject": subject, "sizes": bots.played_sizes(ratings)}
        return _tab(
            "versions",
            page,
            values,
            lambda: {
                "drawn": _figures(db, subject, "history", "faults"),
                "rated": bots.ratings_table(bot_id, ratings),
                "uploads": bots.versions_table(bot_id, page.versions),
            },
        )


@pages.get("/bots/<number:bot_id>/analysis")
def analysis(bot_id: int) -> Response:
    """Show the cost of a bot's decisions, in total and by kind, and figures about its play."""
    choice = _analysis_choice()
    with reading() as db:
        page = serving.row_or_404(bots.bot_page(db, bot_id))
        selected, analysis = _analysis_of_bot(db, page.bot, choice)
        subject = bot_figures.subject_of(page.bot, selected.rows, selected.seats)
        query = {name: value for name, value in asdict(choice).items() if value is not None}
        comparison = analysis.compared and analysis.compared.comparison
        values = {"analysis": analysis, "chosen": selected, "query": query, "subject": subject, "sizes": selected.sizes}
        return _tab(
            "analysis",
            page,
            values,
            lambda: {
                "tables": bot_analysis.page_tables(analysis, query),
                "differences": comparison and bot_analysis.comparison_table(comparison),
                "drawn": _figures(db, subject, "places", "luck", "thinking"),
            },
        )


@pages.get("/bots/<number:bot_id>/analysis.json")
def analysis_json(bot_id: int) -> Response:
    """Return the analysis in the API's format; 304 if it has not changed."""
    with reading() as db:
        bot = serving.row_or_404(db.get(Bot, bot_id))
        return serving.document("bot-analysis", _analysis_of_bot(db, bot, _analysis_choice())[1])


@pages.get("/bots/<number:bot_id>/analysis.csv")
def analysis_csv(bot_id: int) -> Response:
    """Return the costs of each kind of decision as a file."""
    with reading() as db:
        analysis = _analysis_of_bot(db, serving.row_or_404(db.get(Bot, bot_id)), _analysis_choice())[1]
    return serving.table_file(bot_analysis.rows_table(analysis), Format.CSV, f"bot-{bot_id}-analysis")


@pages.get("/bots/<number:bot_id>/settings")
@require_sign_in
def settings(bot_id: int) -> Response:
    """Show the settings of a bot."""
    with reading() as db:
        _own_bot(db, bot_id)
        page = serving.row_or_404(bots.bot_page(db, bot_id))
    return _tab("settings", page, {})


def _tab(
    name: str, page: bots.BotPage, content: dict[str, Any], lists: Callable[[], dict[str, Any]] = dict
) -> Response:
    """Return a tab that shows `content`; `lists` computes extra template values if the page is not cached."""
    bot_id, seats = row_id(page.bot.id), serving.requested_seats()
    values = content | {"page": page, "followed": is_followed(following.FollowKind.BOT, bot_id)}
    own = is_own(page.bot)
    pages = [
        (tab, title, url_for(endpoint, bot_id=bot_id, seats=seats))
        for tab, (title, endpoint) in TABS.items()
        if own or tab != "settings"
    ]

    def render() -> str:
        extra = {"tab": name, "tabs": pages, "own": own, "endpoint": TABS[name][1], **lists()}
        return render_template(f"bots/{name}.html", live_s=None if name in _STATIC_TABS else LIVE_S, **values, **extra)

    return cached_page(repr(values), render)


_STATIC_TABS: Final = ("analysis", "settings")  # tabs without updates while they are open


def _figures(db: Session, subject: bot_figures.Subject | None, *names: str) -> dict[str, bot_figures.Figure]:
    return {} if subject is None else {name: bot_figures.figure(db, subject, name) for name in names}


def _match_lines(bot_id: int, rows: Sequence[match_lists.ListedMatch]) -> tables.TableData:
    # The files start with the highest number, not with the match that ended last, so they have another order of pages.
    files = tables.file_urls("bots.matches_file", bot_id=bot_id)
    return match_lists.MATCH_LINES.of(rows, match_lists.LIST_CAPTION, **files)


def _analysis_choice() -> bot_analysis.AnalysisChoice:
    numbers = {name: serving.requested_number(name) for name in ("version", "opponent", "compare", "compare_bot")}
    return bot_analysis.AnalysisChoice(seats=serving.requested_seats(), **numbers)  # type: ignore[arg-type]


def _analysis_of_bot(
    db: Session, bot: Bot, choice: bot_analysis.AnalysisChoice
) -> tuple[bot_analysis.ChosenVersion, bot_analysis.BotAnalysis]:
    try:
        selected = bot_analysis.chosen_version(db, bot, choice.seats, choice.version)
        return selected, bot_analysis.bot_analysis(db, selected, choice, is_on=analyzes_games())
    except bot_analysis.NoAnalysis as error:
        abort(404, str(error))


@pages.get("/bots/<number:bot_id>.json")
def bot_json(bot_id: int) -> Response:
    """Return the bot in the API's format; 304 if it has not changed."""
    with reading() as db:
        page = serving.row_or_404(bots.bot_page(db, bot_id))
    return serving.document("bot-page", bots.bot_detail(page))


@pages.get("/bots/<number:bot_id>/versions/<number:number>")
@pages.get("/bots/<number:bot_id>/versions/<number:number>/live", endpoint="version_live")
def version(bot_id: int, number: int) -> Response:
    """Show a version's progress.  Its owner also sees its source, its changes, and why it was rejected."""
    with reading() as db:
        page = serving.row_or_404(bots.version_page(db, bot_id, number))
        own = is_own(page.bot)
        detail = bots.version_detail(db, page, private=own)
        values: dict[str, Any] = {"page": page, "own": own, "detail": detail}
        values["trial"] = None if detail.terminal else bots.running_trial(db, page)
        failed = own and page.version.state == VersionState.REJECTED
        values["fault"] = matches.trial_fault(db, row_id(page.version.id), page.version.number) if failed else None
        values["kept"] = uploads.deletion_obstacle(db, page.version) if own else ""
        values["unsteady"] = own and bool(inconsistent_versions(db, [row_id(page.version.id)]))

        def render() -> str:
            code = _code(db, page.version) if own else None
            live_s = SETTLED_LIVE_S if detail.terminal else VERSION_LIVE_S
            return render_template("bots/version.html", **values, code=code, live_s=live_s)

        return cached_page(repr(values), render)


@pages.get("/bots/<number:bot_id>/versions/<number:number>.json")
def version_json(bot_id: int, number: int) -> Response:
    """Return the version in the API's format; 304 if it has not changed."""
    with reading() as db:
        page = serving.row_or_404(bots.version_page(db, bot_id, number))
        return serving.document("version-page", bots.version_detail(db, page, private=is_own(page.bot)))


@pages.get("/bots/<number:bot_id>/versions/<number:number>/source.<any(py, zip):kind>")
@require_sign_in
def source(bot_id: int, number: int, kind: str) -> Response:
    """Send a version's source to its owner, byte for byte."""
    with reading() as db:
        page = _own_version(db, bot_id, number)
        if not page.version.filename.endswith(f".{kind}"):
            abort(404)
        return source_file(bots.source_of(db, page.version), page.version.filename)


@pages.post("/bots/<number:bot_id>/versions/<number:number>/restore")
@require_sign_in
def restore(bot_id: int, number: int) -> Response:
    """Upload the source of a version as a new version, which replaces the newest one once it passes its check."""
    with reading() as db:
        page = _own_version(db, bot_id, number)
        bot, version, source = page.bot, page.version, bots.source_of(db, page.version)
        team = page.owner or "" if bot.team_id is not None else ""
    note = f"Restored version {number}"
    form = uploads.UploadForm(bot.game, bot.name, version.filename, source, note=note, team=team)
    restored = submit_bot(form)
    if restored is None:
        flash(" ".join(form.errors.values()))
    return redirect(url_for("bots.version", bot_id=bot_id, number=number if restored is None else restored.number), 303)


@pages.post("/bots/<number:bot_id>/versions/<number:number>/delete")
@require_sign_in
def delete(bot_id: int, number: int) -> Response:
    """Delete one of the visitor's versions that never played."""
    with database().write() as db:
        page = _own_version(db, bot_id, number)
        name = page.bot.name
        try:
            uploads.delete_version(db, page.version, serving.actor())
        except uploads.NotDeletable as error:
            return serving.flash_redirect(str(error), "bots.version", bot_id=bot_id, number=number)
    return serving.flash_redirect(f"Version {number} of {name} has been deleted.", "accounts.account")


@pages.post("/bots/<number:bot_id>/retire")
@require_sign_in
def retire(bot_id: int) -> Response:
    """Retire one of the visitor's bots from ladders and open tournaments."""
    with database().write() as db:
        bot = _own_bot(db, bot_id)
        retired = uploads.retire_bot(db, bot)
    message = f"{bot.name} has been retired." if retired else f"{bot.name} was not active."
    return serving.flash_redirect(message, "bots.settings", bot_id=bot_id)


@pages.post("/bots/<number:bot_id>/persons")
@require_sign_in
def set_plays_people(bot_id: int) -> Response:
    """Set whether people may choose one of the visitor's bots as an opponent."""
    with database().write() as db:
        bot = _own_bot(db, bot_id)
        bot.plays_persons = request.form.get("plays") == "1"
        db.add(bot)
    message = f"{bot.name} can {'now' if bot.plays_persons else 'no longer'} be chosen as an opponent."
    return serving.flash_redirect(message, "bots.settings", bot_id=bot_id)


@dataclass(frozen=True, slots=True)
class _Code:
    """A version's source, and its changes since the previous version; None if they cannot be shown."""

    source: sources.SourceText | None
    before: int | None
    diff: sources.Diff | None


def _code(db: Session, version: Version) -> _Code:
    source = sources.source_text(bots.source_of(db, version), version.filename)
    earlier = bots.previous_version(db, version)
    if source is None or earlier is None:
        return _Code(source, None, None)
    before = sources.source_text(bots.source_of(db, earlier), earlier.filename)
    return _Code(source, earlier.number, None if before is None else sources.diff_of(before.text, source.text))


def _own_bot(db: Session, bot_id: int) -> Bot:
    bot = serving.row_or_404(db.get(Bot, bot_id))
    if not is_own(bot):
        abort(404)
    return bot


def _own_version(db: Session, bot_id: int, number: int) -> bots.VersionPage:
    page = serving.row_or_404(bots.version_page(db, bot_id, number))
    if not is_own(page.bot):
        abort(404)
    return page


# Submitting a bot through a form, here or in the editor.  If it is rejected, the reason is shown at the form field.

# Form fields of errors that are not about the source.
_FIELDS: Final = {"bot_name": "name", "name_taken": "name", "not_your_team": "team", "team_has_one": "team"}


def submit_bot(form: uploads.UploadForm, *, in_browser: bool = False) -> Version | None:
    """Submit an upload and return its version; if rejected, return None and add the reason to the form's errors."""
    if form.errors:
        return None
    try:
        with database().write() as db:
            owner = db.get_one(User, signed_in().id)
            fields = (form.game, form.name, form.filename, form.source, form.note)
            return uploads.submit_version(db, owner, *fields, team=form.team, in_browser=in_browser)
    except UploadRejected as rejected:
        refused = rejected
    except IntegrityError:
        refused = UploadRejected("at_once", "Another upload arrived at the same time. Upload this file again.")
    form.errors[_FIELDS.get(refused.code, "source")] = sentence(uploads.rejection_text(refused))
    return None


# Downloads of the tables on a bot's page, for one table size or for all.


@pages.get(f"/bots/<number:bot_id>/<any({','.join(bot_figures.SIZE_TABLES)}):what>.<any(csv,json):form>")
@serving.as_file("bot-{bot_id}-{what}")
def size_table(db: Session, bot_id: int, what: str) -> tables.TableData:
    """Return, as a file, a table from a bot's page for one table size."""
    bot = serving.row_or_404(db.get(Bot, bot_id))
    subject = bot_figures.subject_of(bot, bots.ratings_of(db, bot_id), serving.requested_seats())
    if subject is None:
        abort(404, "This bot has not played a rated match at this table size.")
    return bot_figures.figure(db, subject, what).table


@pages.get(f"/bots/<number:bot_id>/<any({','.join(bots.BOT_TABLES)}):what>.<any(csv,json):form>")
@serving.as_file("bot-{bot_id}-{what}")
def whole_table(db: Session, bot_id: int, what: str) -> tables.TableData:
    """Return, as a file, a table from a bot's page that covers all table sizes."""
    return bots.bot_table(db, serving.row_or_404(bots.bot_page(db, bot_id)), what)


# Comparing two bots, and choosing the opponent on a bot's page.


@pages.app_template_filter()
def describe_lead(lead: str) -> str:
    """Return a plainer description of a lead over another bot (`tables.Lead.text`)."""
    labels = {"clearly ahead": "stronger", "likely ahead": "probably stronger"}
    labels |= {"likely behind": "probably weaker", "clearly behind": "weaker"}
    return labels.get(lead, "too close to call")


@pages.get("/bots/<number:bot_id>/against/<number:other_id>")
def comparison(bot_id: int, other_id: int) -> Response:
    """Compare two bots at a table size."""
    with reading() as db:
        compared, picture = compare(db, bot_id, other_id, serving.requested_seats())
    parameters: dict[str, Any] = {"bot_id": bot_id, "other_id": other_id, "seats": compared.seats}
    files = {"csv": url_for("bots.comparison_csv", **parameters), "json": url_for("bots.comparison_json", **parameters)}
    scores = SCORES.renamed({"Seat": f"Seat of {compared.bot.name}"}).of(compared.scores, caption_of(compared), **files)
    values = {"compared": compared, "picture": picture, "scores": scores, "duration": bot_figures.duration}
    return cached_page(repr((compared, picture)), lambda: render_template("bots/against.html", **values))


@pages.get("/bots/<number:bot_id>/against/<number:other_id>.json")
def comparison_json(bot_id: int, other_id: int) -> Response:
    """Return the comparison in the API's format; 304 if it has not changed."""
    with reading() as db:
        return serving.document("bot-against", compare(db, bot_id, other_id, serving.requested_seats())[0])


@pages.get("/bots/<number:bot_id>/against/<number:other_id>.csv")
def comparison_csv(bot_id: int, other_id: int) -> Response:
    """Return the results of the games between two bots by seat, as CSV."""
    with reading() as db:
        compared = compare(db, bot_id, other_id, serving.requested_seats())[0]
    return serving.table_file(SCORES.of(compared.scores), Format.CSV, f"bot-{bot_id}-against-{other_id}")


@pages.get("/bots/<number:bot_id>/against")
def choose_opponent(bot_id: int) -> Response | str:
    """Redirect to the comparison with the bot of this name, or list bots with similar names."""
    query = request.args.get("with", "")[: authors.QUERY_CHARS]
    with reading() as db:
        bot = serving.row_or_404(db.get(Bot, bot_id))
        similar_bots = [other for other in authors.bots_of_game(db, bot.game, query) if other.id != bot_id]
    exact_matches = [other for other in similar_bots if name_key(other.name) == name_key(query)]
    if len(exact_matches) == 1:
        return redirect(url_for("bots.comparison", bot_id=bot_id, other_id=exact_matches[0].id), 303)
    return render_template("bots/against.html", compared=None, bot=bot, query=query, similar_bots=similar_bots)
