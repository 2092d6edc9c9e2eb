"""What an organiser does with all of an event, and for whom they wait: moves, entries for others, places filled."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.api.calls.acts import EntryResponse
from gangland_web.api.calls.drafts import EventRulesSent, actor, read_event_rules
from gangland_web.api.calls.events import EventResponse, event_response
from gangland_web.api.calls.orders import Reason
from gangland_web.api.framework.declared import Example, call
from gangland_web.models.accounts import Act, User
from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Event, Tournament
from gangland_web.queries.bots import BotSummary, bot_summary
from gangland_web.queries.organising import (
    WATCHED,
    OrderDetail,
    allowed,
    allowed_event,
    moves_of,
    order_detail,
    watched_in,
    watched_table,
)
from gangland_web.queries.tables import BASE, Model, Number, Path, table, table_model
from gangland_web.services.organising import enter_for, enterable, move_all, withdraw_for
from gangland_web.services.rules import create_event
from gangland_web.services.tokens import Bearer, Scope

_EVENT = "/organise/events/{event_id}"
_TOURNAMENT = "/organise/tournaments/{tournament_id}"


class OrganisedEvent(Model):
    """An event as its organiser has it, and the states that its tournaments may be moved to now."""

    url: Path
    event: EventResponse
    moves: list[State]


class EventMove(Model):
    """The state to which all tournaments of an event are moved that may go there now."""

    state: State
    reason: Reason = ""


class EventOrders(Model):
    """The orders that were given, one for each tournament that moves; each has its own address."""

    url: Path
    orders: list[OrderDetail]


class EntryForOthers(Model):
    """A bot to be entered: of somebody whose account one made, or the house's."""

    bot: Number


class Enterable(Model):
    """The bots that one may enter for others, and the house's where they do not all take part."""

    bots: list[BotSummary]


_PEOPLE: Any = table_model("EventPeople", "Where somebody stands in a tournament.", WATCHED)


@call("POST", "/organise/events", subject="organising", needs=Scope.ORGANISE, status=201, example=Example(
    body='{"name": "Dice Night", "seats": 2, "blocks": 4}'))  # fmt: skip
def create_event_of_all(db: Session, who: Bearer, body: EventRulesSent) -> OrganisedEvent:
    """Make an event of one's own with a draft for each game, by the same rules."""
    name, rules = read_event_rules(body)
    made = create_event(db, actor(who), name, rules)
    return _organised(db, *allowed_event(db, Act.MOVE_TOURNAMENT, stored(made.id), who))


@call("GET", _EVENT, subject="organising", needs=Scope.ORGANISE)
def organised_event(db: Session, who: Bearer, event_id: Number) -> OrganisedEvent:
    """Tell of an event that one organises, drafts and all, and what may be ordered now."""
    return _organised(db, *allowed_event(db, Act.SEE_STUCK_WORK, event_id, who))


@call("POST", _EVENT + "/moves", subject="organising", needs=Scope.ORGANISE, status=202, example=Example(
    body='{"state": "frozen", "reason": "All are here"}'))  # fmt: skip
def move_event(db: Session, who: Bearer, event_id: Number, body: EventMove) -> EventOrders:
    """Order a move of all tournaments of an event that may make it."""
    _, tournaments = allowed_event(db, Act.MOVE_TOURNAMENT, event_id, who)
    by = db.get_one(User, who.owner_id).name
    given = move_all(db, actor(who), tournaments, body.state, body.reason)
    orders = [order_detail(each, by, None) for each in given]
    return EventOrders(url=f"{BASE}/organise/events/{event_id}", orders=orders)


@call("GET", _EVENT + "/people", subject="organising", needs=Scope.ORGANISE, answer=_PEOPLE)
def event_people(db: Session, who: Bearer, event_id: Number) -> Any:
    """List who has a bot in an event's tournaments, and who has not."""
    found, tournaments = allowed_event(db, Act.SEE_STUCK_WORK, event_id, who)
    return table(watched_table(watched_in(db, tournaments, found.organiser_id)))


@call("GET", _TOURNAMENT + "/people", subject="organising", needs=Scope.ORGANISE, answer=_PEOPLE)
def tournament_people(db: Session, who: Bearer, tournament_id: Number) -> Any:
    """List who has a bot in a tournament, and who has not."""
    found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, who)
    return table(watched_table(watched_in(db, [found], found.organiser_id)))


@call("GET", _TOURNAMENT + "/enterable", subject="organising", needs=Scope.ORGANISE)
def enterable_bots(db: Session, who: Bearer, tournament_id: Number) -> Enterable:
    """List the bots that you may enter for others, and house bots."""
    found = allowed(db, Act.ENTER_FOR_OTHERS, tournament_id, who)
    offered = enterable(db, found, found.organiser_id)
    return Enterable(bots=[bot_summary(bot, None if bot.is_house else owner) for bot, owner in offered])


@call("POST", _TOURNAMENT + "/entries", subject="organising", needs=Scope.ORGANISE, example=Example(
    path={"tournament_id": "$FREE"}, body='{\\"bot\\": $BOT}'))  # fmt: skip
def enter_for_others(db: Session, who: Bearer, tournament_id: Number, body: EntryForOthers) -> EntryResponse:
    """Enter a bot of a person whose account you created, or a house bot, without the join code."""
    found = allowed(db, Act.ENTER_FOR_OTHERS, tournament_id, who)
    enter_for(db, actor(who), found, body.bot)
    return EntryResponse(tournament=tournament_id, bot=body.bot, entered=True)


@call("DELETE", _TOURNAMENT + "/entries/{bot_id}", subject="organising", needs=Scope.ORGANISE, example=Example(
    path={"tournament_id": "$FREE"}))  # fmt: skip
def take_out(db: Session, who: Bearer, tournament_id: Number, bot_id: Number) -> EntryResponse:
    """Take anybody's bot out again while the tournament is open."""
    withdraw_for(db, actor(who), allowed(db, Act.ENTER_FOR_OTHERS, tournament_id, who), bot_id)
    return EntryResponse(tournament=tournament_id, bot=bot_id, entered=False)


def _organised(db: Session, found: Event, tournaments: list[Tournament]) -> OrganisedEvent:
    return OrganisedEvent(
        url=f"{BASE}/organise/events/{found.id}",
        event=event_response(found, tournaments),
        moves=moves_of(db, tournaments),
    )
