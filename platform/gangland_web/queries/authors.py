"""Read authors (users and teams with bots) and their public results, search results, and a user's own account."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, Protocol

from flask import url_for
from msgspec import Meta
from sqlalchemy import and_, case
from sqlmodel import Session, col, func, select

from gangland_web.base.formats import now_s, timestamp
from gangland_web.base.text import is_invisible, search_key, shown
from gangland_web.models.accounts import Membership, SignIn, Team, Token, User, is_member
from gangland_web.models.bots import Bot, Owned, Version
from gangland_web.models.columns import row_id
from gangland_web.models.tournaments import Entry, Event, Tournament
from gangland_web.queries import tables, visibility
from gangland_web.queries.bots import BotPage, BotSummary, active_ratings_of, bot_summary, bots_of_person, bots_with_ids
from gangland_web.queries.seasons import SeasonResult, season_results
from gangland_web.queries.standings import visible_standings
from gangland_web.queries.tournaments import TournamentSummary, tournament_summary, tournaments_of, visible_conditions
from gangland_web.services.tokens import Scope, is_valid, scopes_of

MAX_RESULTS: Final = 10  # the maximum number of best results listed, and of seasons


class Named(tables.Model):
    """An object with a page: its number, URLs and name."""

    id: tables.Number
    url: tables.Path
    page: tables.Path
    name: str


class AuthorSummary(Named):
    """A user or a team; `since` is the time when the oldest of their current bots was created."""

    kind: Literal["person", "team"]
    bot_count: tables.Count
    since: tables.Moment | None


class LadderRank(tables.Model):
    """The rank and rating of a bot's active version on a ladder; null before its first match."""

    seats: tables.Seats
    rank: tables.Count | None
    rating: float | None


class AuthorBot(BotSummary):
    """A bot with its ranks on the ladders, by table size."""

    ranks: list[LadderRank]


class AuthorResult(tables.Model):
    """The best place of one author's bots in a tournament, among `bots` bots."""

    tournament: TournamentSummary
    bot_id: tables.Number
    bot: str
    rank: tables.Number
    bots: tables.Count


class AuthorResults(tables.Model):
    """The results of an author's bots: ranks, best results, and the latest tournaments with their events."""

    bots: list[AuthorBot]
    results: list[AuthorResult]
    seasons: list[SeasonResult]
    tournaments: list[TournamentSummary]
    events: list[Named]


class AuthorDetail(AuthorResults):
    """A user who has bots or is in a team with bots."""

    id: tables.Number
    url: tables.Path
    page: tables.Path
    name: str
    since: tables.Moment | None
    team: Named | None


class OwnedRow(Owned, Protocol):
    """A row about a bot, with its owner."""

    @property
    def owner(self) -> str | None:
        """The owner's name, or None for a house bot."""


def author_page(row: OwnedRow) -> str | None:
    """Return the URL of the owner's page; None for house bots, imported bots, and deleted or hidden owners."""
    if row.team_id is not None:
        return f"{tables.address_before('teams.team', 'team_id')}{row.team_id}"
    if row.owner_id is None or row.owner is None or row.owner.startswith("("):  # no listed user has such a name
        return None
    return f"{tables.address_before('authors.author', 'author_id')}{row.owner_id}"


# Lists: the condition that selects listed people, and summaries of people, teams and events.


def listed_people() -> Any:
    """Return the condition for listed people: neither deleted nor hidden, with bots of their own or of their team."""
    # One subquery for all bots' owners, instead of one per user, takes a third of the time on PostgreSQL for 10,000
    # users.
    owners = select(Bot.owner_id)
    members = select(Membership.user_id).join(Bot, col(Bot.team_id) == Membership.team_id)
    members = members.where(col(Membership.left_at).is_(None))
    is_visible = col(User.deleted_at).is_(None) & ~col(User.name).startswith("(hidden ")
    return is_visible & (col(User.id).in_(owners) | col(User.id).in_(members))


def _summaries(db: Session, table: type[User] | type[Team], ids: Sequence[int]) -> list[AuthorSummary]:
    kind: Literal["person", "team"] = "person" if table is User else "team"
    owner: Any = Bot.owner_id if table is User else Bot.team_id
    columns = select(table.id, table.name, func.count(col(Bot.id)), func.min(Bot.created_at))
    query = columns.outerjoin(Bot, owner == table.id).where(col(table.id).in_(ids)).group_by(col(table.id))
    rows_by_id = {row_id(number): (name, bots, since) for number, name, bots, since in db.exec(query).all()}
    return [
        AuthorSummary(**_address(kind, number), name=name, kind=kind, bot_count=bots, since=timestamp(since))
        for number in ids
        for name, bots, since in [rows_by_id[number]]
    ]


def _address(kind: Literal["person", "team"], number: int) -> dict[str, Any]:
    if kind == "team":
        return {"id": number, "url": f"{tables.BASE}/teams/{number}", "page": url_for("teams.team", team_id=number)}
    return {"id": number, "url": f"{tables.BASE}/authors/{number}", "page": url_for("authors.author", author_id=number)}


def named_event(number: int, name: str) -> Named:
    """Return the number, URLs and name of an event."""
    return Named(
        id=number, url=f"{tables.BASE}/events/{number}", page=url_for("tournaments.event", event_id=number), name=name
    )


# A person's page.


def get_author(db: Session, author_id: int) -> User:
    """Return a listed person.  Raises NotVisible."""
    user = db.exec(select(User).where(User.id == author_id, listed_people())).one_or_none()
    if user is None:
        raise visibility.NotVisible
    return user


def author_detail(db: Session, author_id: int) -> AuthorDetail:
    """Return the content of a person's page.  Raises NotVisible."""
    user = get_author(db, author_id)
    team = db.exec(select(Team).join(Membership).where(is_member(author_id))).first()
    pages = bots_of_person(db, author_id)
    return tables.model_from(
        AuthorDetail,
        author_results(db, pages),
        **_address("person", author_id),
        name=user.name,
        since=timestamp(min((page.bot.created_at for page in pages), default=None)),
        team=None if team is None else Named(**_address("team", row_id(team.id)), name=team.name),
    )


def author_results(db: Session, pages: Sequence[BotPage]) -> AuthorResults:
    """Return the public results of an author's bots."""
    bots = [row_id(page.bot.id) for page in pages]
    ratings = active_ratings_of(db, pages)
    tournaments = tournaments_of(db, bots)
    return AuthorResults(
        bots=[
            tables.model_from(
                AuthorBot,
                bot_summary(page.bot, page.owner),
                ranks=[
                    LadderRank(
                        seats=row.seats,  # type: ignore[arg-type]  # a ladder has no other table size
                        rank=row.rank if row.rated else None,
                        rating=row.entry.rating if row.rated else None,
                    )
                    for row in ratings[row_id(page.bot.id)]
                ],
            )
            for page in pages
        ],
        results=_results(db, tournaments, bots),
        seasons=season_results(db, bots, MAX_RESULTS),
        tournaments=[tournament_summary(tournament, None) for tournament in tournaments],
        events=_events(db, tournaments),
    )


def places_of(db: Session, tournaments: Sequence[Tournament], bots: Sequence[int]) -> list[AuthorResult]:
    """Return the places of the bots in tournaments with public standings."""
    ids = [tournament.id for tournament in tournaments]
    query = select(Entry.id, Bot.id, Bot.name).join(Version, col(Version.id) == Entry.version_id)
    query = query.join(Bot, col(Bot.id) == Version.bot_id)
    query = query.where(col(Entry.tournament_id).in_(ids), col(Bot.id).in_(bots))
    bots_by_entry = {entry: (row_id(bot), name) for entry, bot, name in db.exec(query).all()}
    places = []
    for tournament in tournaments:
        standings = visible_standings(db, tournament, None)
        rows = [] if standings is None else standings["rows"]
        summary = tournament_summary(tournament, None)
        for row in rows:
            if row["entry"] in bots_by_entry:
                bot_id, bot = bots_by_entry[row["entry"]]
                places.append(
                    AuthorResult(tournament=summary, bot_id=bot_id, bot=bot, rank=row["rank"], bots=len(rows))
                )
    return places


def _results(db: Session, tournaments: Sequence[Tournament], bots: Sequence[int]) -> list[AuthorResult]:
    best: dict[int, AuthorResult] = {}
    for result in sorted(places_of(db, tournaments, bots), key=lambda result: result.rank):
        best.setdefault(result.tournament.id, result)
    return sorted(best.values(), key=lambda result: (result.rank, -result.tournament.id))[:MAX_RESULTS]


def _events(db: Session, tournaments: Sequence[Tournament]) -> list[Named]:
    ids = {tournament.event_id for tournament in tournaments if tournament.event_id is not None}
    query = select(Event).where(col(Event.id).in_(ids)).order_by(col(Event.id).desc())
    return [named_event(row_id(event.id), event.name) for event in db.exec(query).all()]


# Search for public bots, authors, tournaments and events by parts of their names.

QUERY_CHARS: Final = 64
SEARCH_LIMIT: Final = 20
SCOPE: Final = 1_000  # searches cover this many of the latest tournaments, and of the latest events


class SearchQuery(tables.Model):
    """A search: parts of a name, and the maximum number of results of each kind."""

    q: Annotated[str, Meta(max_length=QUERY_CHARS, pattern=tables.PLAIN, description="Parts of a name.")] = ""
    limit: Annotated[int, Meta(ge=1, le=tables.MAX_ROWS, description="The maximum number of each kind.")] = SEARCH_LIMIT


class SearchResults(tables.Model):
    """The results of each kind, best match first."""

    bots: list[BotSummary]
    people: list[AuthorSummary]
    teams: list[AuthorSummary]
    tournaments: list[TournamentSummary]
    events: list[Named]


def search(db: Session, query: str, limit: int = SEARCH_LIMIT) -> SearchResults:
    """Return the bots, authors, tournaments and events whose names match a query."""
    key = _key(query)
    if not key:
        return SearchResults(bots=[], people=[], teams=[], tournaments=[], events=[])
    people = select(User.id).where(_match(User.search_key, key), listed_people()).order_by(_order(User.search_key, key))
    has_bots = col(Team.id).in_(select(Bot.team_id))
    teams = select(Team.id).where(_match(Team.search_key, key), has_bots).order_by(_order(Team.search_key, key))
    return SearchResults(
        bots=_matching_bots(db, key, limit),
        people=_summaries(db, User, _ids(db, people.order_by(col(User.search_key), col(User.id)).limit(limit))),
        teams=_summaries(db, Team, _ids(db, teams.order_by(col(Team.search_key), col(Team.id)).limit(limit))),
        tournaments=_matching_tournaments(db, key, limit),
        events=_matching_events(db, key, limit),
    )


def bots_of_game(db: Session, game: str, query: str, limit: int = SEARCH_LIMIT) -> list[BotSummary]:
    """Return the bots of a game whose names match a query, best match first."""
    key = _key(query)
    return _matching_bots(db, key, limit, Bot.game == game) if key else []


def _matching_bots(db: Session, key: str, limit: int, *conditions: Any) -> list[BotSummary]:
    bots = select(Bot.id).where(_match(Bot.search_key, key), *conditions).order_by(_order(Bot.search_key, key))
    ids = _ids(db, bots.order_by(col(Bot.active_version_id).is_(None), col(Bot.search_key), col(Bot.id)).limit(limit))
    return [bot_summary(bot, owner) for bot, owner in bots_with_ids(db, ids)]


def _key(query: str) -> str:
    """Return the search key of a query, without invisible characters, because databases reject some of them."""
    return search_key("".join(char for char in query[:QUERY_CHARS] if not is_invisible(char)))


def _ids(db: Session, query: Any) -> list[int]:
    return [row_id(number) for number in db.exec(query).all()]


def _match(column: Any, key: str) -> Any:
    return and_(*(_like(column, "%", word, "%") for word in key.split(" ")))


def _order(column: Any, key: str) -> Any:
    """Return the SQL expression for `_distance`."""
    distances = ((col(column) == key, 0), (_like(column, "", key, "%"), 1), (_like(column, "% ", key, "%"), 2))
    return case(*distances, else_=3)


def _like(column: Any, prefix: str, text: str, suffix: str) -> Any:
    for char in "/%_":
        text = text.replace(char, "/" + char)
    return col(column).like(f"{prefix}{text}{suffix}", escape="/")


def _distance(name: str, key: str) -> int | None:
    """Return the distance of a name from a search key: 0 if equal, None if the name lacks a word of the key."""
    name_key = search_key(name)
    if any(word not in name_key for word in key.split(" ")):
        return None
    return 0 if name_key == key else 1 if name_key.startswith(key) else 2 if f" {key}" in name_key else 3


def _nearest(rows: Iterable[tuple[int | None, str]], key: str, limit: int) -> list[int]:
    """Return the numbers of the best-matching names, newest first among equally good matches."""
    matches = [(distance, -row_id(number)) for number, name in rows if (distance := _distance(name, key)) is not None]
    return [-number for _, number in sorted(matches)[:limit]]


def _matching_tournaments(db: Session, key: str, limit: int) -> list[TournamentSummary]:
    public = [Tournament.kind == "tournament", *visible_conditions(None)]
    query = select(Tournament.id, Tournament.name).where(*public).order_by(col(Tournament.id).desc()).limit(SCOPE)
    ids = _nearest(db.exec(query).all(), key, limit)
    tournaments = db.exec(select(Tournament).where(col(Tournament.id).in_(ids))).all()
    by_id = {tournament.id: tournament for tournament in tournaments}
    return [tournament_summary(by_id[number], None) for number in ids]


def _matching_events(db: Session, key: str, limit: int) -> list[Named]:
    ids = select(Tournament.event_id).where(col(Tournament.event_id).is_not(None), *visible_conditions(None))
    query = select(Event.id, Event.name).where(col(Event.id).in_(ids)).order_by(col(Event.id).desc()).limit(SCOPE)
    rows: Sequence[tuple[int | None, str]] = db.exec(query).all()
    names = {row_id(number): name for number, name in rows}
    return [named_event(number, names[number]) for number in _nearest(rows, key, limit)]


# A user's own account: the browsers where the user is signed in, and the user's tokens.


class TokenDetail(tables.Model):
    """A token, without its secret part."""

    id: tables.Number
    url: tables.Path
    name: str
    begins_with: str
    scopes: list[Scope]
    created_at: tables.Moment | None
    expires_at: tables.Moment | None
    last_used_at: tables.Moment | None
    revoked_at: tables.Moment | None
    good: bool


def token_detail(token: Token) -> TokenDetail:
    """Return the details of a token for its owner."""
    return tables.model_from(
        TokenDetail,
        token,
        url=f"{tables.BASE}/me/tokens/{token.id}",
        begins_with=f"gangland_{token.id}_",
        scopes=sorted(scopes_of(token)),
        good=is_valid(token, now_s()),
    )


class SignInRow(NamedTuple):
    """A sign-in, as the account page lists it."""

    sign_in: SignIn
    is_current: bool  # whether it is the sign-in of this request

    @property
    def agent(self) -> str:
        """The browser's User-Agent header."""
        return shown(self.sign_in.agent, limit=160)

    @property
    def browser(self) -> str:
        """The browser and its operating system, such as "Firefox on Linux"."""
        browser, system = (
            next((name for part, name in names.items() if part in self.agent), "") for names in (_BROWSERS, _SYSTEMS)
        )
        return f"{browser} on {system}" if browser and system else browser or "Unknown browser"


# Names by a part of the User-Agent header. The order matters: a header may also contain parts that are listed later.
_BROWSERS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS: Final = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}
SIGN_INS: Final = tables.table_of(
    *("sign-in-list", SignInRow, "/account/sign-ins", "The browsers in which you are signed in."),
    tables.Column("agent", "Browser", cell="sign_in"),
    tables.Column("address", "Address", of="sign_in.address", css="nowrap"),
    *tables.several(tables.Kind.MOMENT, "sign_in", begun_at="Since", last_seen_at="Last used"),
    tables.Column("this_one", "this one", tables.Kind.FLAG, quiet=True, of="is_current"),
    tables.Column("", "Sign out", cell="sign_out"),
    phone=("Browser", "Sign out"),
)
TOKENS: Final = tables.table_of(
    *("token-list", TokenDetail, "/account/tokens", "Your tokens, without their secret part."),
    *(tables.Column("name", "Name"), tables.Column("begins_with", "Begins with", cell="token_starts")),
    tables.Column("scopes", "Permissions", cell="token_scopes"),
    *tables.several(tables.Kind.MOMENT, created_at="Created", expires_at="Expires"),
    tables.Column("last_used_at", "Last used", tables.Kind.MOMENT, "token_used"),
    tables.Column("revoked_at", "Revoked", tables.Kind.MOMENT, quiet=True),
    tables.Column("good", "State", tables.Kind.FLAG, "token_state"),
    phone=("Name", "Expires", "State"),
)


def sign_ins_table(rows: Sequence[SignIn], current: int) -> tables.TableData:
    """Return a user's sign-ins; `current` is the id of the one of this request."""
    urls = tables.file_urls("accounts.sign_ins_file")
    return SIGN_INS.of([SignInRow(row, row.id == current) for row in rows], **urls)
