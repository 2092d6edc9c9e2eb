"""API calls for bots: their statistics, uploads and versions."""

from io import BytesIO
from typing import Annotated, Any, Literal

from msgspec import Meta
from sqlmodel import Session, col, select
from werkzeug.datastructures import FileStorage

from gangland_ladder.local.bots import named_games, no_game_error
from gangland_ladder.matches.match_jobs import HIGHEST_ID
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import BOT_NAME_CHARS, unpack
from gangland_web.api.declared import Archive, Example, call
from gangland_web.api.matches import MatchesPage, MatchList
from gangland_web.models.accounts import Team, User
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import row_id
from gangland_web.queries import bots as bot_queries
from gangland_web.queries.bot_analysis import AnalysisChoice, BotAnalysis, NoAnalysis, bot_analysis, chosen_version
from gangland_web.queries.bot_figures import SIZE_TABLES, figure, subject_of
from gangland_web.queries.comparison import BotComparison, compare
from gangland_web.queries.match_lists import matches_of_entries, matches_table
from gangland_web.queries.tables import PLAIN, File, Game, Limit, Model, Name, Number, Path, Seats, table
from gangland_web.services import uploads
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.web.address import next_page
from gangland_web.web.caching import source_file
from gangland_web.web.requests import Problem, analyzes_games
from gangland_web.web.sessions import actor_of, is_own

# Bots, and the figures on their pages.


class Bots(Model):
    """Bots, in order of their numbers."""

    bots: list[bot_queries.BotSummary]
    next: Path | None


class BotsPage(Model):
    """Filters and paging for the list of bots."""

    game: Game | None = None
    name: Name | None = None
    after: Annotated[int, Meta(ge=0, le=HIGHEST_ID, description="Only bots with higher numbers.")] = 0
    limit: Limit = 50


class TableSizeQuery(Model):
    """The table size, by default the one with the most games."""

    seats: Seats | None = None


@call("GET", "/bots", subject="bots", example=Example(query="game=gang-of-dice&limit=10"))
def bots(db: Session, query: BotsPage) -> Bots:
    """List bots, optionally of one game, or with this name, ignoring case."""
    rows = bot_queries.listed_bots(db, query.limit + 1, game=query.game, name=query.name, after=query.after)
    more = row_id(rows[query.limit - 1][0].id) if len(rows) > query.limit else None
    return Bots(
        bots=[bot_queries.bot_summary(bot, owner) for bot, owner in rows[: query.limit]], next=next_page(after=more)
    )


@call("GET", "/bots/{bot_id}", subject="bots")
def bot(db: Session, bot_id: Number) -> bot_queries.BotDetail:
    """Get a bot and its versions."""
    return bot_queries.bot_detail(_page(db, bot_id))


@call("GET", "/bots/{bot_id}/versions/{number}", subject="bots", example=Example(path={"number": "1"}))
def bot_version(db: Session, bot_id: Number, number: Number) -> bot_queries.VersionDetail:
    """Get the progress of a version; owners also see reasons and trials."""
    page = bot_queries.version_page(db, bot_id, number)
    if page is None:
        raise Problem(404, "E310", f"Bot {bot_id} has no version {number}.")
    return bot_queries.version_detail(db, page, private=is_own(page.bot))


@call(
    "GET",
    "/bots/{bot_id}/versions/{number}/source",
    subject="bots",
    needs=Scope.READ,
    kinds=("text/plain", "application/zip"),
    example=Example(path={"bot_id": "$MY_BOT", "number": "1"}),
)
def source(db: Session, bot_id: Number, number: Number) -> Archive:
    """Get the source of one of your versions: the uploaded file or zip."""
    page = bot_queries.version_page(db, bot_id, number)
    if page is None or not is_own(page.bot):
        raise Problem(404, "E310", f"You have no version {number} of a bot {bot_id}.")
    return Archive(source_file(bot_queries.source_of(db, page.version), page.version.filename))


@call("GET", "/bots/{bot_id}/matches", subject="bots", answer=MatchList)
def bot_matches(db: Session, bot_id: Number, query: MatchesPage) -> Any:
    """List the finished ladder matches of all versions of a bot, the highest number first."""
    _page(db, bot_id)
    page = matches_of_entries(db, bot_queries.entries_of(db, [bot_id]), query.limit, before=query.before)
    return table(matches_table(page.rows, next_page(before=page.next_key)))


@call("GET", "/bots/{bot_id}/analysis", subject="bots")
def bot_costs(db: Session, bot_id: Number, query: AnalysisChoice) -> BotAnalysis:
    """Get the cost of a bot's decisions in its analyzed ladder games."""
    page = _page(db, bot_id)
    try:
        choice = chosen_version(db, page.bot, query.seats, query.version)
        return bot_analysis(db, choice, query, is_on=analyzes_games())
    except NoAnalysis as error:
        raise Problem(404, "E310", str(error)) from error


@call("GET", "/bots/{bot_id}/against/{other_id}", subject="bots")
def bot_against(db: Session, bot_id: Number, other_id: Number, query: TableSizeQuery) -> BotComparison:
    """Compare two bots at a table size: ratings, play, and their ladder games against each other."""
    return compare(db, bot_id, other_id, query.seats)[0]


def _page(db: Session, bot_id: int) -> bot_queries.BotPage:
    page = bot_queries.bot_page(db, bot_id)
    if page is None:
        raise Problem(404, "E310", f"There is no bot {bot_id}.")
    return page


def _declare_table(name: str) -> None:
    def at_a_size(db: Session, bot_id: Number, query: TableSizeQuery) -> Any:
        subject = subject_of(_page(db, bot_id).bot, bot_queries.ratings_of(db, bot_id), query.seats)
        if subject is None:
            raise Problem(404, "E310", "This bot has not played a rated match at this table size.")
        return table(figure(db, subject, name).table)

    def whole(db: Session, bot_id: Number) -> Any:
        return table(bot_queries.bot_table(db, _page(db, bot_id), name))

    is_by_size = name in SIZE_TABLES
    rows: Any = at_a_size if is_by_size else whole
    listed = (SIZE_TABLES if is_by_size else bot_queries.BOT_TABLES)[name]
    rows.__doc__ = listed.about.partition(" (`?")[0]
    call("GET", f"/bots/{{bot_id}}/{name}", subject="bots", name=f"bot_{name}", answer=listed.model)(rows)


for _name in (*SIZE_TABLES, "ratings", "errors"):
    _declare_table(_name)


# Uploads, versions, and retiring bots.

Note = Annotated[str, Meta(max_length=uploads.NOTE_CHARS, pattern=PLAIN)]


class Upload(Model):
    """A bot: a Python file, or a zip with `bot.py`.

    By default `name` is the name of the file, and `game` the game that it imports.  `team` is the name of your team,
    if the bot belongs to a team.
    """

    file: File
    game: Game | Literal[""] = ""
    name: Annotated[str, Meta(max_length=4 * BOT_NAME_CHARS)] = ""
    note: Note = ""
    team: Annotated[str, Meta(max_length=4 * uploads.TEAM_CHARS)] = ""


class NewVersion(Model):
    """The next version of a bot."""

    file: File
    note: Note = ""


class Deleted(Model):
    """The deleted version."""

    bot: Number
    number: Number


class Retired(Model):
    """A retired bot; `was_in_play` is false if it was already retired."""

    bot: bot_queries.BotSummary
    was_in_play: bool


@call("POST", "/bots", subject="bots", needs=Scope.UPLOAD, status=201, example=Example(
    form=("game=gang-of-dice", "file=@my_bot.py")))  # fmt: skip
def upload(db: Session, who: Bearer, form: Upload) -> bot_queries.VersionDetail:
    """Upload a bot."""
    fields = {"game": form.game, "name": form.name, "note": form.note, "team": form.team}
    return _submit(db, who, fields, form.file)


@call("POST", "/bots/{bot_id}/versions", subject="bots", needs=Scope.UPLOAD, status=201, example=Example(
    path={"bot_id": "$MY_BOT"}, form=("file=@my_bot.py", "note=braver")))  # fmt: skip
def new_version(db: Session, who: Bearer, bot_id: Number, form: NewVersion) -> bot_queries.VersionDetail:
    """Upload the next version of your bot, or of your team's bot."""
    return _next_version(db, who, own_bot(db, who, bot_id), form.file, form.note)


@call("GET", "/versions/{version_id}", subject="bots", needs=Scope.READ)
def version(db: Session, who: Bearer, version_id: Number) -> bot_queries.VersionDetail:
    """Get the progress of a version; owners also see reasons and trials."""
    row = db.exec(select(Version.bot_id, Version.number).where(col(Version.id) == version_id)).one_or_none()
    page = None if row is None else bot_queries.version_page(db, *row)
    if page is None:
        raise Problem(404, "E310", f"There is no version {version_id}.")
    return bot_queries.version_detail(db, page, private=who.party.acts_for(page.bot))


@call("POST", "/bots/{bot_id}/retire", subject="bots", needs=Scope.WRITE, example=Example(path={"bot_id": "$OLD_BOT"}))
def retire(db: Session, who: Bearer, bot_id: Number) -> Retired:
    """Retire your bot from ladders and open tournaments."""
    bot = own_bot(db, who, bot_id)
    was_in_play = uploads.retire_bot(db, bot)
    page = bot_queries.bot_page(db, bot_id)
    return Retired(bot=bot_queries.bot_summary(bot, page.owner if page else None), was_in_play=was_in_play)


@call("POST", "/bots/{bot_id}/versions/{number}/restore", subject="bots", needs=Scope.UPLOAD, status=201,
      example=Example(path={"bot_id": "$OLD_BOT", "number": "1"}))  # fmt: skip
def restore(db: Session, who: Bearer, bot_id: Number, number: Number) -> bot_queries.VersionDetail:
    """Upload the source of a version as a new version, which replaces the newest one once it passes its check."""
    page = _own_version(db, who, bot_id, number)
    file = File(page.version.filename, bot_queries.source_of(db, page.version))
    return _next_version(db, who, page.bot, file, f"Restored version {number}")


@call("DELETE", "/bots/{bot_id}/versions/{number}", subject="bots", needs=Scope.WRITE, name="delete_version",
    example=Example(path={"bot_id": "$OLD_BOT", "number": "2"}))  # fmt: skip
def delete_version_of(db: Session, who: Bearer, bot_id: Number, number: Number) -> Deleted:
    """Delete one of your versions that never played.  Deleting a bot's only version also deletes the bot."""
    page = _own_version(db, who, bot_id, number)
    try:
        uploads.delete_version(db, page.version, actor_of(who))
    except uploads.NotDeletable as error:
        raise Problem(422, "E312", str(error)) from error
    return Deleted(bot=bot_id, number=number)


def own_bot(db: Session, who: Bearer, bot_id: int) -> Bot:
    """Return a bot that the caller may act for.  Raises Problem: 404 for any other bot."""
    bot = db.get(Bot, bot_id)
    if bot is None or not who.party.acts_for(bot):
        raise Problem(404, "E310", f"You have no bot {bot_id}.")
    return bot


def _own_version(db: Session, who: Bearer, bot_id: int, number: int) -> bot_queries.VersionPage:
    page = bot_queries.version_page(db, bot_id, number)
    if page is None or not who.party.acts_for(page.bot):
        raise Problem(404, "E310", f"You have no version {number} of a bot {bot_id}.")
    return page


def _next_version(db: Session, who: Bearer, bot: Bot, file: File, note: str) -> bot_queries.VersionDetail:
    team = "" if bot.team_id is None else db.get_one(Team, bot.team_id).name
    return _submit(db, who, {"game": bot.game, "name": bot.name, "note": note, "team": team}, file)


def _submit(db: Session, who: Bearer, fields: dict[str, str], file: File) -> bot_queries.VersionDetail:
    if not file.name:
        raise Problem(422, "E309", "Send the file with a file name.")
    form = uploads.read_upload(fields, FileStorage(BytesIO(file.content), file.name))
    if form.errors:
        raise _problem_of(form)
    owner = db.get_one(User, who.owner_id)
    upload = (form.game, form.name, form.filename, form.source, form.note)
    version = uploads.submit_version(db, owner, *upload, team=form.team)
    page = bot_queries.version_page(db, version.bot_id, version.number)
    if page is None:
        raise LookupError(f"version {version.id} is missing although it was just stored")
    return bot_queries.version_detail(db, page, private=True)


def _problem_of(form: uploads.UploadForm) -> Exception:
    if "name" in form.errors:
        return UploadRejected("bot_name", form.errors["name"])
    if "source" in form.errors:
        try:
            unpack(form.source, form.filename)
        except UploadRejected as error:
            return error
        return UploadRejected("too_large", form.errors["source"])
    if form.source.strip() and not form.game and not named_games(form.source):
        return no_game_error()
    (problem, *_) = form.errors.values()
    return Problem(422, "E309", problem)
