"""Calls about the site, and what is the caller's own: accounts, teams, tokens, and search."""

from __future__ import annotations

import json
from typing import Annotated

from flask import current_app, request, url_for
from msgspec import Meta
from sqlmodel import Session

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.errors import entries
from gangland_web.api.bots import own_bot, own_version, taken_in
from gangland_web.api.declared import ANY_TOKEN, CALLS, Example, Stored, call
from gangland_web.api.openapi import openapi
from gangland_web.models.accounts import Team, Token
from gangland_web.models.columns import stored
from gangland_web.models.log import Actor
from gangland_web.queries.accounts import TokenDetail, token_detail
from gangland_web.queries.authors import AuthorDetail, AuthorRecord, author_detail, author_record
from gangland_web.queries.bots import (
    BotSummary,
    OwnBot,
    VersionDetail,
    bot_page,
    bot_summary,
    bots_of,
    bots_of_team,
    source_of,
)
from gangland_web.queries.bots import own_bot as own_bot_model
from gangland_web.queries.challenges import Challenge, challenge_rows, challenges_of
from gangland_web.queries.following import Following, following
from gangland_web.queries.search import SearchQuery, SearchResults
from gangland_web.queries.search import search as found_by
from gangland_web.queries.status import health_now
from gangland_web.queries.tables import BASE, PLAIN, Code, Count, File, Game, Model, Moment, Number, Path, model_from
from gangland_web.queries.teams import (
    UPLOADS,
    InvitationDetail,
    OwnMember,
    TeamMember,
    TeamUpload,
    members_of,
    uploads_of,
)
from gangland_web.queries.tournaments import found_tournament
from gangland_web.services.accounts import NAME_CHARS
from gangland_web.services.challenges import OPPONENTS
from gangland_web.services.challenges import challenge as ask_for
from gangland_web.services.teams import (
    CODE_CHARS,
    DAYS,
    create_team,
    invite,
    join_team,
    leave_team,
    open_invitations,
    revoke_invitation,
    team_of,
)
from gangland_web.services.tokens import Bearer, Scope, revoke_token, tokens_of
from gangland_web.services.tournaments import JOIN_CODE_CHARS, enter_bot, withdraw_bot
from gangland_web.services.uploads import NotDeletable, delete_version, retire_bot
from gangland_web.web.requests import Problem, allowance, settings
from gangland_web.web.sessions import current_user, database

# The site, its games and the errors.


class CallResponse(Model):
    """A call."""

    name: str
    method: str
    path: str
    token: bool
    scope: str | None
    what: str


class Index(Model):
    """All calls."""

    name: str
    version: str
    docs: Path
    openapi: Path
    calls: list[CallResponse]


class Queue(Model):
    """Matches of one purpose: how many wait, how many are given out, and since when the first waits."""

    purpose: str
    waiting: Count
    playing: Count
    since: Moment | None


class AnalysisQueue(Model):
    """Games that are to be analyzed, that are being analyzed, and whose latest analysis ended without a result."""

    waiting: Count
    leased: Count
    failed: Count


class Status(Model):
    """Whether the site can do all its work, and what waits; null where it could not be asked."""

    ok: bool
    database: bool
    broker: bool
    slots: Count | None
    queues: list[Queue] | None
    analyses: AnalysisQueue | None


class Option(Model):
    """An option of a game: one of some words, or a number or a list where there are none."""

    name: str
    label: str
    values: list[str]
    default: str


class GameRules(Model):
    """A game."""

    name: Game
    title: str
    seats: list[int]
    options: list[Option]
    rules: Path


class GameKinds(Model):
    """The games of the house."""

    games: list[GameRules]


class ErrorResponse(Model):
    """A code: what happened, why it is so, and what to do about it."""

    code: Code
    title: str
    what: str
    why: str
    mend: str
    example: str
    page: str


class Errors(Model):
    """The catalogue of errors and warnings."""

    errors: list[ErrorResponse]


@call("GET", "", subject="about")
def index() -> Index:
    """List the calls."""
    rows = [
        model_from(
            CallResponse,
            each,
            path=BASE + each.path,
            token=each.needs is not None,
            scope=each.needs.value if isinstance(each.needs, Scope) else None,
            what=each.summary,
        )
        for each in CALLS.values()
    ]
    rows.sort(key=lambda each: (each.path, each.method))
    return Index(name="Gangland", version="v1", docs="/docs/api.html", openapi=f"{BASE}/openapi.json", calls=rows)


@call("GET", "/openapi.json", subject="about")
def document() -> Stored:
    """Return the whole API as an OpenAPI 3.1 document."""
    if "gangland_openapi" not in current_app.extensions:
        current_app.extensions["gangland_openapi"] = json.dumps(openapi())
    return Stored(current_app.extensions["gangland_openapi"], "openapi")


@call("GET", "/status", subject="about")
def status() -> Status:
    """Tell whether the site can do its work, and what waits."""
    found = health_now(database(), settings().redis_url)
    queues = None if found.queues is None else [model_from(Queue, each) for each in found.queues]
    analyses = None if found.analyses is None else model_from(AnalysisQueue, found.analyses)
    return model_from(Status, found, queues=queues, analyses=analyses)


@call("GET", "/games", subject="about")
def games() -> GameKinds:
    """List the games with their table sizes and options."""
    return GameKinds(games=[_game(name) for name in GAME_NAMES])


def _game(name: str) -> GameRules:
    game = game_named(name)
    options = [model_from(Option, each) for each in game.choices_of_options]
    seats = list(game.table_sizes)
    return GameRules(name=name, title=game.title, seats=seats, options=options, rules=f"/docs/rules-{name}.html")


@call("GET", "/errors", subject="about")
def errors() -> Errors:
    """List all codes of errors and warnings, with what to do about each."""
    return Errors(errors=[model_from(ErrorResponse, each) for each in entries().values()])


# Acts of the caller: challenges, entries, retiring bots, and revoking tokens.


class Deleted(Model):
    """Which version is deleted."""

    bot: Number
    number: Number


BotName = Annotated[str, Meta(min_length=1, max_length=80, pattern=PLAIN)]


class ChallengeRequest(Model):
    """A challenge: a bot of one's own that is active, and the names of those that it is to meet."""

    bot: Number
    opponents: Annotated[list[BotName], Meta(min_length=1, max_length=OPPONENTS)]


class EntryRequest(Model):
    """A bot to be entered, with the code that the organiser gives out where one is asked for."""

    bot: Number
    join_code: Annotated[str, Meta(max_length=JOIN_CODE_CHARS)] = ""


class EntryResponse(Model):
    """Whether a bot is entered in a tournament."""

    tournament: Number
    bot: Number
    entered: bool


class Retired(Model):
    """A bot that is out of play; `was_in_play` tells whether it was not so before."""

    bot: BotSummary
    was_in_play: bool


@call("POST", "/challenges", subject="own", needs=Scope.WRITE, status=201, also=(404,), example=Example(
    body='{\\"bot\\": $MY_BOT, \\"opponents\\": [\\"house1\\"]}'))  # fmt: skip
def challenge(db: Session, who: Bearer, body: ChallengeRequest) -> Challenge:
    """Ask for an unrated match of one's own bot against others of its game."""
    match_id = ask_for(db, who.owner_id, body.bot, body.opponents, allowance())
    (row,) = challenge_rows(db, [match_id], who.owner_id)
    return row


@call("POST", "/tournaments/{tournament_id}/entries", subject="tournaments", needs=Scope.WRITE, example=Example(
    path={"tournament_id": "$OPEN"}, body='{\\"bot\\": $MY_BOT}'))  # fmt: skip
def enter(db: Session, who: Bearer, tournament_id: Number, body: EntryRequest) -> EntryResponse:
    """Enter a bot of one's own; which version plays is settled when the tournament freezes."""
    found = found_tournament(db, tournament_id, current_user())
    enter_bot(db, found, own_bot(db, who, body.bot), body.join_code)
    return EntryResponse(tournament=tournament_id, bot=body.bot, entered=True)


@call("DELETE", "/tournaments/{tournament_id}/entries/{bot_id}", subject="tournaments", needs=Scope.WRITE,
      example=Example(path={"tournament_id": "$OPEN", "bot_id": "$MY_BOT"}))  # fmt: skip
def withdraw(db: Session, who: Bearer, tournament_id: Number, bot_id: Number) -> EntryResponse:
    """Take a bot of one's own out again while the tournament is open."""
    found = found_tournament(db, tournament_id, current_user())
    withdraw_bot(db, found, own_bot(db, who, bot_id))
    return EntryResponse(tournament=tournament_id, bot=bot_id, entered=False)


@call("POST", "/bots/{bot_id}/retire", subject="bots", needs=Scope.WRITE, example=Example(path={"bot_id": "$OLD_BOT"}))
def retire(db: Session, who: Bearer, bot_id: Number) -> Retired:
    """Take a bot of one's own out of ladders and open tournaments."""
    bot = own_bot(db, who, bot_id)
    was = retire_bot(db, bot)
    page = bot_page(db, bot_id)
    return Retired(bot=bot_summary(bot, page.owner if page else None), was_in_play=was)


@call("POST", "/bots/{bot_id}/versions/{number}/restore", subject="bots", needs=Scope.UPLOAD, status=201,
      example=Example(path={"bot_id": "$OLD_BOT", "number": "1"}))  # fmt: skip
def restore(db: Session, who: Bearer, bot_id: Number, number: Number) -> VersionDetail:
    """Go back to a version: the same source is sent in again, and takes the newest's place once it passes."""
    page = own_version(db, who, bot_id, number)
    file = File(page.version.filename, source_of(db, page.version))
    return taken_in(db, who, page.bot, file, f"Version {number} again")


@call("DELETE", "/bots/{bot_id}/versions/{number}", subject="bots", needs=Scope.WRITE, name="delete_version",
    example=Example(path={"bot_id": "$OLD_BOT", "number": "2"}))  # fmt: skip
def delete_version_of(db: Session, who: Bearer, bot_id: Number, number: Number) -> Deleted:
    """Delete a version of one's own that never played; with its only version a bot goes too."""
    page = own_version(db, who, bot_id, number)
    actor = Actor(who.owner_id, f"{request.remote_addr or 'unknown'}, token {who.token_id}")
    try:
        delete_version(db, page.version, actor)
    except NotDeletable as kept:
        raise Problem(422, "E312", str(kept)) from kept
    return Deleted(bot=bot_id, number=number)


@call("DELETE", "/me/tokens/{token_id}", subject="own", needs=Scope.WRITE, example=Example(
    path={"token_id": "$OLD_TOKEN"}))  # fmt: skip
def revoke(db: Session, who: Bearer, token_id: Number) -> TokenDetail:
    """Revoke a token of one's own, at once and for good."""
    return _revoked(db, who, token_id)


@call("DELETE", "/token", subject="own", needs=ANY_TOKEN)
def revoke_this(db: Session, who: Bearer) -> TokenDetail:
    """Revoke the token that is sent, at once and for good; any token may end itself."""
    return _revoked(db, who, who.token_id)


def _revoked(db: Session, who: Bearer, token_id: int) -> TokenDetail:
    revoke_token(db, who.owner_id, token_id)
    token = db.get(Token, token_id, populate_existing=True)
    if token is None or token.owner_id != who.owner_id:
        raise Problem(404, "E310", f"You have no token {token_id}.")
    return token_detail(token)


# The caller: who they are, their bots, challenges and tokens.


LISTED = 30


class TokenSent(Model):
    """The token that was sent."""

    name: str
    owner: str
    scopes: list[Scope]
    expires_at: Moment | None


class Me(Model):
    """Whose token it is, and the number of the team that they are in."""

    id: Number
    name: str
    role: str
    team: Number | None


class OwnBots(Model):
    """Bots of one's own, in order of game and name."""

    bots: list[OwnBot]


class Challenges(Model):
    """The latest challenges, the newest first."""

    challenges: list[Challenge]


class Tokens(Model):
    """One's tokens, the newest first; one that has ended is listed for 30 days."""

    tokens: list[TokenDetail]


@call("GET", "/token", subject="own", needs=ANY_TOKEN)
def token(who: Bearer) -> TokenSent:
    """Tell of the token that was sent: its name, scopes and end."""
    return model_from(TokenSent, who, scopes=sorted(who.scopes))


@call("GET", "/me", subject="own", needs=ANY_TOKEN)
def me(who: Bearer) -> Me:
    """Tell whose token it is."""
    return Me(id=who.owner_id, name=who.owner, role=who.role, team=who.team_id)


@call("GET", "/me/bots", subject="own", needs=Scope.READ)
def my_bots(db: Session, who: Bearer) -> OwnBots:
    """List bots of one's own."""
    return OwnBots(bots=[own_bot_model(page) for page in bots_of(db, who.owner_id)])


@call("GET", "/me/challenges", subject="own", needs=Scope.READ)
def my_challenges(db: Session, who: Bearer) -> Challenges:
    """List the latest challenges in which bots of one's own sit, whoever asked for them."""
    return Challenges(challenges=challenges_of(db, who.owner_id, LISTED))


@call("GET", "/me/tokens", subject="own", needs=Scope.READ)
def my_tokens(db: Session, who: Bearer) -> Tokens:
    """List one's tokens, without what they are."""
    return Tokens(tokens=[token_detail(each) for each in tokens_of(db, who.owner_id)])


@call("GET", "/me/following", subject="own", needs=Scope.READ)
def my_following(db: Session, who: Bearer) -> Following:
    """List whom one follows, and what happened there since one marked it as read."""
    return following(db, who.owner_id)


# Search, and records of authors.


@call("GET", "/search", subject="people", example=Example(query="q=ann"))
def search(db: Session, query: SearchQuery) -> SearchResults:
    """Find bots, people, teams, tournaments and events by parts of their names."""
    return found_by(db, query.q, query.limit)


@call("GET", "/authors/{author_id}", subject="people")
def author(db: Session, author_id: Number) -> AuthorDetail:
    """Tell of a person with bots: their places on the ladders, best results, tournaments and events."""
    return author_detail(db, author_id)


# Teams.


_OWN = "/me/team"


class TeamResponse(AuthorRecord):
    """A team: who is in it, its bots, their best results, and the latest tournaments in which they were entered."""

    id: Number
    name: str
    page: Path
    members: list[TeamMember]


class OwnTeam(Model):
    """One's team as its members see it; `invitations` are there for its captain alone."""

    id: Number
    url: Path
    name: str
    captain: bool
    members: list[OwnMember]
    bots: list[BotSummary]
    uploads: list[TeamUpload]
    invitations: list[InvitationDetail]


class InvitationMade(Model):
    """An invitation with its code, which is told this once: null when the same call is answered again."""

    url: Path
    invitation: InvitationDetail
    invite_code: str | None


class InvitationRevoked(Model):
    """An invitation by which nobody joins any more."""

    id: Number
    revoked: bool


class TeamLeft(Model):
    """A team that one is in no more."""

    id: Number
    name: str


class TeamNamed(Model):
    """The name of a team, which is nobody else's, person or team."""

    name: Annotated[str, Meta(min_length=NAME_CHARS[0], max_length=4 * NAME_CHARS[1], pattern=PLAIN)]


class InvitationRequest(Model):
    """How many people may join by an invitation, and for how many days."""

    places: Annotated[int, Meta(ge=1, le=1000)] = 1
    days: Annotated[int, Meta(ge=DAYS[0], le=DAYS[1])] = 7


class JoinRequest(Model):
    """An invitation's code, and whether one's own bots retire where the team has one in the same game."""

    invite_code: Annotated[str, Meta(max_length=CODE_CHARS, pattern=PLAIN)]
    retire: bool = False


@call("GET", "/teams/{team_id}", subject="teams")
def team(db: Session, team_id: Number) -> TeamResponse:
    """Tell of a team: its members, its bots and where they played."""
    found = db.get(Team, team_id)
    if found is None:
        raise Problem(404, "E310", f"There is no team {team_id}.")
    return model_from(
        TeamResponse,
        author_record(db, bots_of_team(db, team_id)),
        id=team_id,
        name=found.name,
        page=url_for("teams.team", team_id=team_id),
        members=[model_from(TeamMember, each) for each in members_of(db, team_id, found.captain_id)],
    )


@call("GET", _OWN, subject="teams", needs=Scope.READ, also=(404,))
def my_team(db: Session, who: Bearer) -> OwnTeam:
    """Tell of one's own team, with who sent in what and, to its captain, its invitations."""
    return _own(db, who)


@call("POST", _OWN + "/invitations", subject="teams", needs=Scope.WRITE, status=201, example=Example(
    body='{"places": 2, "days": 7}'))  # fmt: skip
def invite_to_team(db: Session, who: Bearer, body: InvitationRequest) -> InvitationMade:
    """Make an invitation to the team whose captain one is."""
    code = invite(db, who.owner_id, body.places, body.days, most=settings().team_members)
    made = open_invitations(db, _own(db, who).id)[0]
    return InvitationMade(url=BASE + _OWN, invitation=model_from(InvitationDetail, made), invite_code=code)


@call("DELETE", _OWN + "/invitations/{invitation_id}", subject="teams", needs=Scope.WRITE)
def revoke_invite(db: Session, who: Bearer, invitation_id: Number) -> InvitationRevoked:
    """Revoke an invitation, as the captain."""
    if not revoke_invitation(db, who.owner_id, invitation_id):
        raise Problem(404, "E310", f"Your team has no valid invitation {invitation_id}.")
    return InvitationRevoked(id=invitation_id, revoked=True)


@call("POST", _OWN + "/leave", subject="teams", needs=Scope.WRITE)
def leave_my_team(db: Session, who: Bearer) -> TeamLeft:
    """Leave one's team; its bots play on, and one sees their sources and logs no more."""
    left = leave_team(db, who.owner_id)
    return TeamLeft(id=stored(left.id), name=left.name)


@call("POST", "/teams", subject="teams", needs=Scope.WRITE, status=201, example=Example(body='{"name": "The Queens"}'))
def make_team(db: Session, who: Bearer, body: TeamNamed) -> OwnTeam:
    """Found a team, as its captain."""
    create_team(db, who.owner_id, body.name)
    return _own(db, who)


@call("POST", _OWN + "/join", subject="teams", needs=Scope.WRITE, example=Example(
    body='{\\"invite_code\\": \\"$INVITE_CODE\\"}'))  # fmt: skip
def join_by_code(db: Session, who: Bearer, body: JoinRequest) -> OwnTeam:
    """Join a team by an invitation's code."""
    join_team(db, who.owner_id, body.invite_code, most=settings().team_members, retire=body.retire)
    return _own(db, who)


def _own(db: Session, who: Bearer) -> OwnTeam:
    found = team_of(db, who.owner_id)
    if found is None:
        raise Problem(404, "E310", "You are in no team.")
    number = stored(found.id)
    captain = found.captain_id == who.owner_id
    return OwnTeam(
        id=number,
        url=f"{BASE}/teams/{number}",
        name=found.name,
        captain=captain,
        members=members_of(db, number, found.captain_id),
        bots=[bot_summary(page.bot, page.owner) for page in bots_of_team(db, number)],
        uploads=uploads_of(db, number, UPLOADS),
        invitations=[model_from(InvitationDetail, each) for each in open_invitations(db, number)] if captain else [],
    )
