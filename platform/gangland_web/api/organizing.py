"""API calls for organizers: drafts, actions and events."""

from functools import partial
from typing import Annotated, Any

from msgspec import Meta
from sqlmodel import Session, select

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.matches.match_jobs import HIGHEST_ID
from gangland_ladder.proof.randomness import VALUE_CHARS
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.api.declared import Example, call
from gangland_web.api.tournaments import EntryResponse, EventResponse, event_response
from gangland_web.base.text import normal_name
from gangland_web.models.accounts import Act, User
from gangland_web.models.columns import row_id
from gangland_web.models.matches import Match
from gangland_web.models.organizing import ActionKind, OrganizerAction, read_log
from gangland_web.models.tournaments import Entry, Event, Tournament
from gangland_web.queries import organizing
from gangland_web.queries.bots import BotSummary, bot_summary
from gangland_web.queries.tables import BASE, PLAIN, Count, Model, Moment, NewestFirst, Number, Path, model_from, table
from gangland_web.queries.tournaments import TournamentDetail, tournament_detail
from gangland_web.services import final_tables, rules, settling
from gangland_web.services import organizing as acts
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.services.tournaments import Rules
from gangland_web.web.address import next_page
from gangland_web.web.requests import Problem
from gangland_web.web.sessions import actor_of, current_user

# Drafts of tournaments, with the same rules as in the console.

_TOURNAMENT = "/organize/tournaments/{tournament_id}"
Name = Annotated[str, Meta(min_length=1, max_length=rules.NAME_CHARS, pattern=PLAIN)]


class CopyRequest(Model):
    """The name of a copy."""

    name: Name


class DraftResponse(Model):
    """A tournament as its organizer sees it."""

    url: Path
    orders: Path
    draft: TournamentDetail


class Organized(Model):
    """Tournaments that you organize, newest first; for an admin, all tournaments."""

    tournaments: list[organizing.OrganizedTournament]
    next: Path | None


class EstimateResponse(Model):
    """The estimated cost of a tournament; `match_at_most_s` is the longest time that its limits allow for a match."""

    bots: Count
    house: Count
    matches: Count
    games: Count
    core_hours: float
    match_at_most_s: float


@call("GET", "/organize/tournaments", subject="organizing", needs=Scope.ORGANIZE)
def organized(db: Session, who: Bearer, query: NewestFirst) -> Organized:
    """List the tournaments that you organize, including drafts and rehearsals."""
    rows = organizing.organized_by(db, who, current_user(), query.limit + 1, before=query.before)
    more = rows[query.limit - 1].id if len(rows) > query.limit else None
    return Organized(tournaments=rows[: query.limit], next=next_page(before=more))


_RULES = '{"name": "Spring Cup", "game": "gang-of-dice", "seats": 2, "blocks": 4}'


@call("POST", "/organize/tournaments", subject="organizing", needs=Scope.ORGANIZE, status=201,
      example=Example(body=_RULES))  # fmt: skip
def create(db: Session, who: Bearer, body: rules.RulesSent) -> DraftResponse:
    """Create a draft."""
    return _draft(db, rules.create_draft(db, actor_of(who), _rules(body)[1]))


@call("PUT", _TOURNAMENT, subject="organizing", needs=Scope.ORGANIZE, example=Example(
    path={"tournament_id": "$DRAFT"}, body=_RULES))  # fmt: skip
def change(db: Session, who: Bearer, tournament_id: Number, body: rules.RulesSent) -> DraftResponse:
    """Change the rules of a draft; it keeps its join code unless a new one is sent."""
    draft = organizing.allowed(db, Act.EDIT_DRAFT, tournament_id, who)
    rules.change_draft(db, actor_of(who), draft, _rules(body)[1])
    return _draft(db, draft)


@call("DELETE", _TOURNAMENT, subject="organizing", needs=Scope.ORGANIZE, example=Example(
    path={"tournament_id": "$OLD_DRAFT"}))  # fmt: skip
def drop(db: Session, who: Bearer, tournament_id: Number) -> DraftResponse:
    """Delete a draft."""
    draft = organizing.allowed(db, Act.DELETE_DRAFT, tournament_id, who)
    rules.delete_draft(db, actor_of(who), draft)
    return _draft(db, draft)


@call("POST", _TOURNAMENT + "/copy", subject="organizing", needs=Scope.ORGANIZE, status=201,
      example=Example(body='{"name": "Autumn Cup"}'))  # fmt: skip
def copy(db: Session, who: Bearer, tournament_id: Number, body: CopyRequest) -> DraftResponse:
    """Create a draft with the rules of a tournament, without its times and its join code."""
    form = rules.form_of(organizing.allowed(db, Act.SEE_AUDIT_LOG, tournament_id, who))
    fields = {name: value for name, value in form.fields.items() if name not in (*rules.DEADLINES, *rules.RANDOMNESS)}
    _, copied = _check_rules(rules.read_rules({**fields, "name": body.name}))
    return _draft(db, rules.create_draft(db, actor_of(who), copied, copied_from=tournament_id))


@call("POST", _TOURNAMENT + "/rehearse", subject="organizing", needs=Scope.ORGANIZE, status=201)
def rehearsal(db: Session, who: Bearer, tournament_id: Number) -> DraftResponse:
    """Rehearse a draft: house bots play once by its rules."""
    return _draft(
        db, rules.rehearse(db, actor_of(who), organizing.allowed(db, Act.MOVE_TOURNAMENT, tournament_id, who))
    )


@call("POST", "/organize/estimate", subject="organizing", needs=Scope.ORGANIZE, example=Example(body=_RULES))
def reckon(db: Session, body: rules.RulesSent) -> EstimateResponse:
    """Estimate a tournament, without creating it."""
    form, draft_rules = _rules(body)
    estimate = rules.estimate(db, draft_rules, form.expected)
    return model_from(EstimateResponse, estimate.cost, bots=estimate.bots, house=estimate.house)


def _draft(db: Session, tournament: Tournament) -> DraftResponse:
    url = f"{BASE}/tournaments/{tournament.id}"
    return DraftResponse(
        url=url,
        orders=f"{BASE}/organize/tournaments/{tournament.id}/orders",
        draft=tournament_detail(db, tournament, current_user()),
    )


def _rules(body: rules.EventRulesSent) -> tuple[rules.RulesForm, Rules]:
    read = rules.read_rules(rules.form_fields(body), events="game" not in body.__struct_fields__)
    return _check_rules(read, set(body.options))


def _check_rules(
    read: rules.RulesForm, named: frozenset[str] | set[str] = frozenset()
) -> tuple[rules.RulesForm, Rules]:
    game = read.fields.get("game", "")
    games = [game_named(name) for name in GAME_NAMES if game in (name, rules.EVERY_GAME)]
    known = {option.name for each in games for option in each.choices_of_options}
    if unknown := sorted(named - known):
        raise Problem(422, "E309", f"The game has no option {unknown[0]!r}; it has {', '.join(sorted(known))}.")
    if read.errors or read.rules is None:
        reasons = "; ".join(f"{where}: {what}" for where, what in read.errors.items())
        raise Problem(422, "E312", reasons or "These rules cannot be combined.")
    return read, read.rules


# Actions, which the record worker carries out, with their results; the log; and delayed matches.

Reason = Annotated[str, Meta(max_length=acts.REASON_CHARS)]
PublicReason = Annotated[str, Meta(min_length=1, max_length=acts.REASON_CHARS, pattern=r"\S", description="Public.")]


class Move(Model, tag="move", tag_field="kind"):
    """Move a tournament to another state: announce, open, freeze, start, pause, resume, cancel or reveal it.

    With `wait`, freezing closes the entries now and happens once the versions received until then are checked.
    """

    state: State
    wait: bool = False
    reason: Reason = ""


class Settle(Model, tag="settle", tag_field="kind"):
    """Play more matches between the first bots that are too close to call, by the announced rules."""

    reason: Reason = ""


class ShowNext(Model, tag="premiere", tag_field="kind"):
    """Show the next step of a premiere; `after`: the number of steps shown, so that a repeated call shows only one."""

    after: Annotated[int, Meta(ge=0, le=HIGHEST_ID)]
    reason: Reason = ""


class Deadline(Model, tag="deadline", tag_field="kind"):
    """Move a deadline, with a notice."""

    name: Annotated[str, Meta(pattern=f"^({'|'.join(rules.DEADLINES)})$")]
    at: Moment
    reason: Reason = ""


class Rerun(Model, tag="rerun", tag_field="kind"):
    """Replay a match with the same dice; `match` is its number in the tournament."""

    match: Number
    reason: PublicReason


class VoidMatch(Model, tag="void", tag_field="kind"):
    """Void a match; `match` is its number in the tournament."""

    match: Number
    reason: PublicReason


class Disqualify(Model, tag="disqualify", tag_field="kind"):
    """Disqualify a bot; `entry` is its number among the tournament's entries."""

    entry: Number
    reason: PublicReason


class EnterValue(Model, tag="randomness", tag_field="kind"):
    """Enter the public value for the dice once it is published; it cannot be changed."""

    value: Annotated[str, Meta(min_length=1, max_length=VALUE_CHARS, pattern=PLAIN)]


Action = Move | Settle | ShowNext | Deadline | Rerun | VoidMatch | Disqualify | EnterValue


class Actions(Model):
    """The latest actions, and the states that the tournament may move to now."""

    orders: list[organizing.ActionDetail]
    moves: list[State]


class Log(Model):
    """Entries of the log, newest first."""

    lines: list[organizing.LogLine]
    next: Path | None


class Stuck(Model):
    """Delayed matches, longest delay first."""

    matches: list[organizing.StuckMatch]


@call(
    "POST",
    _TOURNAMENT + "/orders",
    subject="organizing",
    needs=Scope.ORGANIZE,
    status=202,
    example=Example(
        path={"tournament_id": "$PLAYING"}, body='{"kind": "move", "state": "paused", "reason": "Fire drill"}'
    ),
)
def order(db: Session, who: Bearer, tournament_id: Number, body: Action) -> organizing.ActionDetail:
    """Send an action; the record worker carries it out or refuses it within seconds."""
    action = _send_action(db, who, tournament_id, body)
    return organizing.actions_in(db, tournament_id, 1, only=action.id)[0]


@call("GET", _TOURNAMENT + "/orders", subject="organizing", needs=Scope.ORGANIZE)
def orders(db: Session, who: Bearer, tournament_id: Number) -> Actions:
    """List the latest actions, and the states that the tournament may move to now."""
    tournament = organizing.allowed(db, Act.SEE_STUCK_WORK, tournament_id, who)
    return Actions(orders=organizing.actions_in(db, tournament_id, 100), moves=acts.allowed_moves(db, tournament))


@call("GET", _TOURNAMENT + "/orders/{action_id}", subject="organizing", needs=Scope.ORGANIZE, example=Example(
    path={"tournament_id": "$PLAYING"}))  # fmt: skip
def one_order(db: Session, who: Bearer, tournament_id: Number, action_id: Number) -> organizing.ActionDetail:
    """Get an action with its result."""
    organizing.allowed(db, Act.SEE_STUCK_WORK, tournament_id, who)
    rows = organizing.actions_in(db, tournament_id, 1, only=action_id)
    if not rows:
        raise Problem(404, "E310", f"Tournament {tournament_id} has no order {action_id}.")
    return rows[0]


@call("GET", _TOURNAMENT + "/log", subject="organizing", needs=Scope.ORGANIZE)
def log(db: Session, who: Bearer, tournament_id: Number, query: NewestFirst) -> Log:
    """Get the log of a tournament."""
    organizing.allowed(db, Act.SEE_AUDIT_LOG, tournament_id, who)
    lines = read_log(db, query.limit + 1, tournament_id=tournament_id, before=query.before)
    more = row_id(lines[query.limit - 1].entry.id) if len(lines) > query.limit else None
    return Log(lines=[organizing.log_line(line) for line in lines[: query.limit]], next=next_page(before=more))


@call("GET", _TOURNAMENT + "/stuck", subject="organizing", needs=Scope.ORGANIZE)
def stuck(db: Session, who: Bearer, tournament_id: Number) -> Stuck:
    """List the delayed matches."""
    tournament = organizing.allowed(db, Act.SEE_STUCK_WORK, tournament_id, who)
    return Stuck(matches=organizing.stuck_in(db, tournament))


_ACTS: dict[type[Action], Act] = {
    Move: Act.MOVE_TOURNAMENT,
    Settle: Act.MOVE_TOURNAMENT,
    ShowNext: Act.MOVE_TOURNAMENT,
    EnterValue: Act.MOVE_TOURNAMENT,
    Deadline: Act.MOVE_DEADLINE,
    Disqualify: Act.DISQUALIFY,
    Rerun: Act.RERUN_MATCH,
    VoidMatch: Act.VOID_MATCH,
}


def _send_action(db: Session, who: Bearer, tournament_id: int, body: Action) -> OrganizerAction:
    tournament = organizing.allowed(db, _ACTS[type(body)], tournament_id, who)
    send = partial(acts.send_action, db, actor_of(who))
    match body:
        case Move():
            wait: dict[str, Any] = {"wait": True} if body.wait and body.state is State.FROZEN else {}
            return send(ActionKind.MOVE, tournament, reason=body.reason, state=body.state.value, **wait)
        case Settle():
            return send(ActionKind.MOVE, tournament, reason=body.reason, state=settling.SETTLE)
        case ShowNext():
            return send(ActionKind.MOVE, tournament, reason=body.reason, state=final_tables.PREMIERE, after=body.after)
        case Deadline():
            return send(ActionKind.DEADLINE, tournament, reason=body.reason, name=body.name, at=_moment(body.at))
        case EnterValue():
            return send(ActionKind.RANDOMNESS, tournament, value=body.value)
        case Disqualify():
            entry = db.get(Entry, body.entry)
            if entry is None or entry.tournament_id != tournament_id:
                raise Problem(422, "E312", f"Tournament {tournament_id} has no entry {body.entry}.")
            return send(ActionKind.DISQUALIFY, tournament, entry=entry, reason=body.reason)
        case Rerun() | VoidMatch():
            kind = ActionKind.VOID if isinstance(body, VoidMatch) else ActionKind.RERUN
            query = select(Match).where(Match.tournament_id == tournament_id, Match.number == body.match)
            played = db.exec(query).first()
            if played is None:
                raise Problem(422, "E312", f"Tournament {tournament_id} has no match {body.match}.")
            return send(kind, tournament, match=played, reason=body.reason)


def _moment(text: str) -> float:
    try:
        return rules.read_moment(text, "UTC")
    except ValueError as error:
        raise Problem(422, "E309", str(error)) from error


# Events: state changes of all their tournaments, entries for others, and free places.

_EVENT = "/organize/events/{event_id}"


class OrganizedEvent(Model):
    """An event as its organizer sees it, and the states that its tournaments may move to now."""

    url: Path
    event: EventResponse
    moves: list[State]


class EventMove(Model):
    """A change of state for all tournaments of an event that allow it."""

    state: State
    reason: Reason = ""


class EventActions(Model):
    """The actions, one for each tournament that moves."""

    url: Path
    orders: list[organizing.ActionDetail]


class EntryForOthers(Model):
    """A bot to enter: a house bot, or one of an account that you created."""

    bot: Number


class Enterable(Model):
    """The bots that you may enter for others, including house bots that do not take part anyway."""

    bots: list[BotSummary]


@call("POST", "/organize/events", subject="organizing", needs=Scope.ORGANIZE, status=201, example=Example(
    body='{"name": "Dice Night", "seats": 2, "blocks": 4}'))  # fmt: skip
def create_event_of_all(db: Session, who: Bearer, body: rules.EventRulesSent) -> OrganizedEvent:
    """Create an event with a draft for each game, by the same rules."""
    form, first = _rules(body)
    all_rules = [first, *form.others]
    event = rules.create_event(db, actor_of(who), normal_name(form.fields["name"]), all_rules)
    return _organized_event(db, *organizing.allowed_event(db, Act.MOVE_TOURNAMENT, row_id(event.id), who))


@call("GET", _EVENT, subject="organizing", needs=Scope.ORGANIZE)
def organized_event(db: Session, who: Bearer, event_id: Number) -> OrganizedEvent:
    """Get an event that you organize, with its drafts and the states that it may move to."""
    return _organized_event(db, *organizing.allowed_event(db, Act.SEE_STUCK_WORK, event_id, who))


@call("POST", _EVENT + "/moves", subject="organizing", needs=Scope.ORGANIZE, status=202, example=Example(
    body='{"state": "frozen", "reason": "All are here"}'))  # fmt: skip
def move_event(db: Session, who: Bearer, event_id: Number, body: EventMove) -> EventActions:
    """Change the state of all tournaments of an event that allow it."""
    _, tournaments = organizing.allowed_event(db, Act.MOVE_TOURNAMENT, event_id, who)
    author = db.get_one(User, who.owner_id).name
    actions = acts.move_all(db, actor_of(who), tournaments, body.state, body.reason)
    orders = [organizing.action_detail(action, author, None) for action in actions]
    return EventActions(url=f"{BASE}/organize/events/{event_id}", orders=orders)


@call("GET", _EVENT + "/people", subject="organizing", needs=Scope.ORGANIZE, answer=organizing.PARTICIPANTS.model)
def event_people(db: Session, who: Bearer, event_id: Number) -> Any:
    """List the people of an event, and whether each has entered a bot."""
    event, tournaments = organizing.allowed_event(db, Act.SEE_STUCK_WORK, event_id, who)
    return table(organizing.participants_table(organizing.participants_in(db, tournaments, event.organizer_id)))


@call("GET", _TOURNAMENT + "/people", subject="organizing", needs=Scope.ORGANIZE, answer=organizing.PARTICIPANTS.model)
def tournament_people(db: Session, who: Bearer, tournament_id: Number) -> Any:
    """List the people of a tournament, and whether each has entered a bot."""
    tournament = organizing.allowed(db, Act.SEE_STUCK_WORK, tournament_id, who)
    return table(organizing.participants_table(organizing.participants_in(db, [tournament], tournament.organizer_id)))


@call("GET", _TOURNAMENT + "/enterable", subject="organizing", needs=Scope.ORGANIZE)
def bots_to_enter(db: Session, who: Bearer, tournament_id: Number) -> Enterable:
    """List the bots that you may enter for others, including house bots."""
    tournament = organizing.allowed(db, Act.ENTER_FOR_OTHERS, tournament_id, who)
    offered = acts.bots_to_enter(db, tournament, tournament.organizer_id)
    return Enterable(bots=[bot_summary(bot, None if bot.is_house else owner) for bot, owner in offered])


@call("POST", _TOURNAMENT + "/entries", subject="organizing", needs=Scope.ORGANIZE, example=Example(
    path={"tournament_id": "$FREE"}, body='{\\"bot\\": $BOT}'))  # fmt: skip
def enter_for_others(db: Session, who: Bearer, tournament_id: Number, body: EntryForOthers) -> EntryResponse:
    """Enter a bot of an account that you created, or a house bot, without the join code."""
    tournament = organizing.allowed(db, Act.ENTER_FOR_OTHERS, tournament_id, who)
    acts.enter_bot_for(db, actor_of(who), tournament, body.bot)
    return EntryResponse(tournament=tournament_id, bot=body.bot, entered=True)


@call("DELETE", _TOURNAMENT + "/entries/{bot_id}", subject="organizing", needs=Scope.ORGANIZE, example=Example(
    path={"tournament_id": "$FREE"}))  # fmt: skip
def take_out(db: Session, who: Bearer, tournament_id: Number, bot_id: Number) -> EntryResponse:
    """Withdraw any bot while the tournament is open."""
    acts.withdraw_bot_for(db, actor_of(who), organizing.allowed(db, Act.ENTER_FOR_OTHERS, tournament_id, who), bot_id)
    return EntryResponse(tournament=tournament_id, bot=bot_id, entered=False)


def _organized_event(db: Session, event: Event, tournaments: list[Tournament]) -> OrganizedEvent:
    return OrganizedEvent(
        url=f"{BASE}/organize/events/{event.id}",
        event=event_response(event, tournaments),
        moves=organizing.moves_of(db, tournaments),
    )
