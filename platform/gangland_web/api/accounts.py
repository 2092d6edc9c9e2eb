"""API calls for users: the caller's account, search, authors and teams."""

from typing import Annotated

from flask import url_for
from msgspec import Meta
from sqlmodel import Session

from gangland_web.api.declared import ANY_TOKEN, Example, call
from gangland_web.models.accounts import Team, Token
from gangland_web.models.columns import row_id
from gangland_web.queries import authors, following
from gangland_web.queries import bots as bot_queries
from gangland_web.queries import teams as team_queries
from gangland_web.queries.challenges import Challenge, challenge_rows, challenges_of
from gangland_web.queries.tables import BASE, PLAIN, Model, Moment, Number, Path, model_from
from gangland_web.services import accounts, challenges, teams
from gangland_web.services.tokens import Bearer, Scope, revoke_token, tokens_of
from gangland_web.web.requests import Problem, allowance, settings

# Challenges, and revoking tokens.

BotName = Annotated[str, Meta(min_length=1, max_length=80, pattern=PLAIN)]


class ChallengeRequest(Model):
    """A challenge: your active bot, and the names of its opponents."""

    bot: Number
    opponents: Annotated[list[BotName], Meta(min_length=1, max_length=challenges.MAX_OPPONENTS)]


@call("POST", "/challenges", subject="own", needs=Scope.WRITE, status=201, problems=(404,), example=Example(
    body='{\\"bot\\": $MY_BOT, \\"opponents\\": [\\"house1\\"]}'))  # fmt: skip
def challenge(db: Session, who: Bearer, body: ChallengeRequest) -> Challenge:
    """Start an unrated match of your bot against others of its game."""
    match_id = challenges.create_challenge(db, who.owner_id, body.bot, body.opponents, allowance())
    (row,) = challenge_rows(db, [match_id], who.owner_id)
    return row


@call("DELETE", "/me/tokens/{token_id}", subject="own", needs=Scope.WRITE, example=Example(
    path={"token_id": "$OLD_TOKEN"}))  # fmt: skip
def revoke(db: Session, who: Bearer, token_id: Number) -> authors.TokenDetail:
    """Revoke one of your tokens, immediately and permanently."""
    return _revoke(db, who, token_id)


@call("DELETE", "/token", subject="own", needs=ANY_TOKEN)
def revoke_this(db: Session, who: Bearer) -> authors.TokenDetail:
    """Revoke the token of the request, immediately and permanently; any token may revoke itself."""
    return _revoke(db, who, who.token_id)


def _revoke(db: Session, who: Bearer, token_id: int | None) -> authors.TokenDetail:
    token = None if token_id is None else db.get(Token, token_id)
    if token is None or token.owner_id != who.owner_id:
        raise Problem(404, "E310", f"You have no token {token_id}.")
    revoke_token(db, who.owner_id, row_id(token.id))
    db.refresh(token)
    return authors.token_detail(token)


# The caller's account, bots, challenges and tokens.

MAX_CHALLENGES = 30


class TokenSent(Model):
    """The token of the request."""

    name: str
    owner: str
    scopes: list[Scope]
    expires_at: Moment | None


class Me(Model):
    """The owner of the token, and the number of their team."""

    id: Number
    name: str
    role: str
    team: Number | None


class OwnBots(Model):
    """Your bots, in order of game and name."""

    bots: list[bot_queries.OwnBot]


class Challenges(Model):
    """The latest challenges, newest first."""

    challenges: list[Challenge]


class Tokens(Model):
    """Your tokens, newest first; expired and revoked ones are listed for 30 days."""

    tokens: list[authors.TokenDetail]


@call("GET", "/token", subject="own", needs=ANY_TOKEN)
def token(who: Bearer) -> TokenSent:
    """Get the token of the request: its name, scopes and expiry."""
    return model_from(TokenSent, who, scopes=sorted(who.scopes))


@call("GET", "/me", subject="own", needs=ANY_TOKEN)
def me(who: Bearer) -> Me:
    """Get the owner of the token."""
    return Me(id=who.owner_id, name=who.owner, role=who.role, team=who.team_id)


@call("GET", "/me/bots", subject="own", needs=Scope.READ)
def my_bots(db: Session, who: Bearer) -> OwnBots:
    """List your bots."""
    return OwnBots(bots=[bot_queries.own_bot(page) for page in bot_queries.bots_of(db, who.owner_id)])


@call("GET", "/me/challenges", subject="own", needs=Scope.READ)
def my_challenges(db: Session, who: Bearer) -> Challenges:
    """List the latest challenges with your bots, including those that others requested."""
    return Challenges(challenges=challenges_of(db, who.owner_id, MAX_CHALLENGES))


@call("GET", "/me/tokens", subject="own", needs=Scope.READ)
def my_tokens(db: Session, who: Bearer) -> Tokens:
    """List your tokens, without their secret part."""
    return Tokens(tokens=[authors.token_detail(each) for each in tokens_of(db, who.owner_id)])


@call("GET", "/me/following", subject="own", needs=Scope.READ)
def my_following(db: Session, who: Bearer) -> following.Following:
    """List the bots, users and teams that you follow, with their unread news."""
    return following.unread(db, who.owner_id).shown


# Search, and the pages of authors.


@call("GET", "/search", subject="people", example=Example(query="q=ann"))
def search(db: Session, query: authors.SearchQuery) -> authors.SearchResults:
    """Find bots, users, teams, tournaments and events by parts of their names."""
    return authors.search(db, query.q, query.limit)


@call("GET", "/authors/{author_id}", subject="people")
def author(db: Session, author_id: Number) -> authors.AuthorDetail:
    """Get a user with bots: their ranks on the ladders, best results, tournaments and events."""
    return authors.author_detail(db, author_id)


# Teams.

_OWN = "/me/team"


class TeamResponse(authors.AuthorResults):
    """A team: its members, bots, best results and latest tournaments."""

    id: Number
    name: str
    page: Path
    members: list[team_queries.TeamMember]


class OwnTeam(Model):
    """Your team as its members see it; `invitations` are only for its captain."""

    id: Number
    url: Path
    name: str
    captain: bool
    members: list[team_queries.OwnMember]
    bots: list[bot_queries.BotSummary]
    uploads: list[team_queries.TeamUpload]
    invitations: list[team_queries.InvitationDetail]


class InvitationMade(Model):
    """An invitation with its code; the code is null if the response is repeated."""

    url: Path
    invitation: team_queries.InvitationDetail
    invite_code: str | None


class InvitationRevoked(Model):
    """A revoked invitation."""

    id: Number
    revoked: bool


class TeamLeft(Model):
    """A team that you left."""

    id: Number
    name: str


class TeamNamed(Model):
    """The name of a team; no other team or user may have it."""

    name: Annotated[str, Meta(min_length=accounts.NAME_CHARS[0], max_length=4 * accounts.NAME_CHARS[1], pattern=PLAIN)]


class InvitationRequest(Model):
    """How many people may join with an invitation, and how long it is valid."""

    places: Annotated[int, Meta(ge=1, le=1000)] = 1
    days: Annotated[int, Meta(ge=teams.DAYS[0], le=teams.DAYS[1])] = 7


class JoinRequest(Model):
    """The code of an invitation; with `retire`, your bots retire in the games in which the team has one."""

    invite_code: Annotated[str, Meta(max_length=teams.CODE_CHARS, pattern=PLAIN)]
    retire: bool = False


@call("GET", "/teams/{team_id}", subject="teams")
def team(db: Session, team_id: Number) -> TeamResponse:
    """Get a team: its members, bots and results."""
    row = db.get(Team, team_id)
    if row is None:
        raise Problem(404, "E310", f"There is no team {team_id}.")
    return model_from(
        TeamResponse,
        authors.author_results(db, bot_queries.bots_of_team(db, team_id)),
        id=team_id,
        name=row.name,
        page=url_for("teams.team", team_id=team_id),
        members=[
            model_from(team_queries.TeamMember, each) for each in team_queries.members_of(db, team_id, row.captain_id)
        ],
    )


@call("GET", _OWN, subject="teams", needs=Scope.READ, problems=(404,))
def my_team(db: Session, who: Bearer) -> OwnTeam:
    """Get your team, with uploads and, for its captain, invitations."""
    return _own(db, who)


@call("POST", _OWN + "/invitations", subject="teams", needs=Scope.WRITE, status=201, example=Example(
    body='{"places": 2, "days": 7}'))  # fmt: skip
def invite_to_team(db: Session, who: Bearer, body: InvitationRequest) -> InvitationMade:
    """Create an invitation to your team; only the captain may."""
    code = teams.invite(db, who.owner_id, body.places, body.days, member_limit=settings().team_members)
    invitation = teams.open_invitations(db, _own(db, who).id)[0]
    return InvitationMade(
        url=BASE + _OWN, invitation=model_from(team_queries.InvitationDetail, invitation), invite_code=code
    )


@call("DELETE", _OWN + "/invitations/{invitation_id}", subject="teams", needs=Scope.WRITE)
def revoke_invite(db: Session, who: Bearer, invitation_id: Number) -> InvitationRevoked:
    """Revoke an invitation; only the captain may."""
    if not teams.revoke_invitation(db, who.owner_id, invitation_id):
        raise Problem(404, "E310", f"Your team has no valid invitation {invitation_id}.")
    return InvitationRevoked(id=invitation_id, revoked=True)


@call("POST", _OWN + "/leave", subject="teams", needs=Scope.WRITE)
def leave_my_team(db: Session, who: Bearer) -> TeamLeft:
    """Leave your team; its bots play on, but you no longer see their sources and logs."""
    left = teams.leave_team(db, who.owner_id)
    return TeamLeft(id=row_id(left.id), name=left.name)


@call("POST", "/teams", subject="teams", needs=Scope.WRITE, status=201, example=Example(body='{"name": "The Queens"}'))
def make_team(db: Session, who: Bearer, body: TeamNamed) -> OwnTeam:
    """Create a team and become its captain."""
    teams.create_team(db, who.owner_id, body.name)
    return _own(db, who)


@call("POST", _OWN + "/join", subject="teams", needs=Scope.WRITE, example=Example(
    body='{\\"invite_code\\": \\"$INVITE_CODE\\"}'))  # fmt: skip
def join_by_code(db: Session, who: Bearer, body: JoinRequest) -> OwnTeam:
    """Join a team with the code of an invitation."""
    teams.join_team(db, who.owner_id, body.invite_code, member_limit=settings().team_members, retire=body.retire)
    return _own(db, who)


def _own(db: Session, who: Bearer) -> OwnTeam:
    team = teams.team_of(db, who.owner_id)
    if team is None:
        raise Problem(404, "E310", "You are not in a team.")
    number = row_id(team.id)
    captain = team.captain_id == who.owner_id
    return OwnTeam(
        id=number,
        url=f"{BASE}/teams/{number}",
        name=team.name,
        captain=captain,
        members=team_queries.members_of(db, number, team.captain_id),
        bots=[bot_queries.bot_summary(page.bot, page.owner) for page in bot_queries.bots_of_team(db, number)],
        uploads=team_queries.uploads_of(db, number),
        invitations=[model_from(team_queries.InvitationDetail, each) for each in teams.open_invitations(db, number)]
        if captain
        else [],
    )
