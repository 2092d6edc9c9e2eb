"""What the caller does with their own: challenges, entries, bots that go, and tokens that end."""

from __future__ import annotations

from typing import Annotated

from flask import request
from msgspec import Meta
from sqlmodel import Session

from gangland_web.api.calls.uploads import own_bot, own_version, taken_in
from gangland_web.api.framework.declared import ANY_TOKEN, Example, call
from gangland_web.models.accounts import Token
from gangland_web.models.log import Actor
from gangland_web.queries.accounts import TokenDetail, token_detail
from gangland_web.queries.bots import BotSummary, VersionDetail, bot_page, bot_summary, source_of
from gangland_web.queries.challenges import Challenge, challenge_rows
from gangland_web.queries.tables import PLAIN, File, Model, Number
from gangland_web.queries.tournaments import found_tournament
from gangland_web.services.challenges import OPPONENTS
from gangland_web.services.challenges import challenge as ask_for
from gangland_web.services.tokens import Bearer, Scope, revoke_token
from gangland_web.services.tournaments import JOIN_CODE_CHARS, enter_bot, withdraw_bot
from gangland_web.services.uploads import NotDeletable, delete_version, retire_bot
from gangland_web.web.requests import Problem, allowance
from gangland_web.web.sessions import current_user


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
