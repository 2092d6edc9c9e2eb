"""Orders of organisers, which the record worker carries out, and what became of them; the log and what is stuck."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta
from sqlmodel import Session, select

from gangland_ladder.matches.orders import HIGHEST_ID
from gangland_ladder.proof.randomness import VALUE_CHARS
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.api.calls.drafts import actor
from gangland_web.api.framework.declared import Example, call
from gangland_web.models.accounts import Act
from gangland_web.models.columns import stored
from gangland_web.models.log import read_log
from gangland_web.models.matches import Match
from gangland_web.models.tournaments import Directive, DirectiveKind, Entry
from gangland_web.queries.organising import LogLine, OrderDetail, StuckMatch, allowed, log_line, ordered_in, stuck_in
from gangland_web.queries.tables import PLAIN, Model, Moment, NewestFirst, Number, Path
from gangland_web.services.final_tables import PREMIERE
from gangland_web.services.organising import REASON_CHARS, give_directive, moves_from
from gangland_web.services.rules import DEADLINES, read_moment
from gangland_web.services.settling import SETTLE
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.web.address import next_page
from gangland_web.web.requests import Problem

Reason = Annotated[str, Meta(max_length=REASON_CHARS)]
Why = Annotated[str, Meta(min_length=1, max_length=REASON_CHARS, pattern=r"\S", description="Everybody reads it.")]
_WHERE = "/organise/tournaments/{tournament_id}"


class Move(Model, tag="move", tag_field="kind"):
    """Move a tournament to another state: announce, open, freeze, start, pause, resume, cancel or reveal it.

    With `wait` a freeze closes the entries, and comes when the versions received so far are checked.
    """

    state: State
    wait: bool = False
    reason: Reason = ""


class Settle(Model, tag="settle", tag_field="kind"):
    """Play more matches between the first bots that are not separated, by the terms that were announced."""

    reason: Reason = ""


class ShowNext(Model, tag="premiere", tag_field="kind"):
    """Show the next step of a premiere; `after` is how many were shown, so that an order sent twice shows one."""

    after: Annotated[int, Meta(ge=0, le=HIGHEST_ID)]
    reason: Reason = ""


class Deadline(Model, tag="deadline", tag_field="kind"):
    """Move a deadline, with a notice."""

    name: Annotated[str, Meta(pattern=f"^({'|'.join(DEADLINES)})$")]
    at: Moment
    reason: Reason = ""


class Rerun(Model, tag="rerun", tag_field="kind"):
    """Have a match played again with the same dice; `match` is its number in the tournament."""

    match: Number
    reason: Why


class VoidMatch(Model, tag="void", tag_field="kind"):
    """Void a match; `match` is its number in the tournament."""

    match: Number
    reason: Why


class Disqualify(Model, tag="disqualify", tag_field="kind"):
    """Disqualify a bot; `entry` is that of the tournament's entries."""

    entry: Number
    reason: Why


class EnterValue(Model, tag="randomness", tag_field="kind"):
    """Enter the public value for the dice: after the time at which it is published, once and for all."""

    value: Annotated[str, Meta(min_length=1, max_length=VALUE_CHARS, pattern=PLAIN)]


Order = Move | Settle | ShowNext | Deadline | Rerun | VoidMatch | Disqualify | EnterValue


class Orders(Model):
    """The latest orders, and the states that the tournament may be moved to now."""

    orders: list[OrderDetail]
    moves: list[State]


class Log(Model):
    """Acts, the newest first; nobody can change it."""

    lines: list[LogLine]
    next: Path | None


class Stuck(Model):
    """Delayed matches, the longest first."""

    matches: list[StuckMatch]


@call(
    "POST",
    _WHERE + "/orders",
    subject="organising",
    needs=Scope.ORGANISE,
    status=202,
    example=Example(
        path={"tournament_id": "$PLAYING"}, body='{"kind": "move", "state": "paused", "reason": "Fire drill"}'
    ),
)
def order(db: Session, who: Bearer, tournament_id: Number, body: Order) -> OrderDetail:
    """Order what organisers order; the record worker carries it out or refuses it within seconds."""
    given = _given(db, who, tournament_id, body)
    return ordered_in(db, tournament_id, 1, only=given.id)[0]


@call("GET", _WHERE + "/orders", subject="organising", needs=Scope.ORGANISE)
def orders(db: Session, who: Bearer, tournament_id: Number) -> Orders:
    """List what was ordered lately, and what may be ordered now."""
    found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, who)
    return Orders(orders=ordered_in(db, tournament_id, 100), moves=moves_from(db, found))


@call("GET", _WHERE + "/orders/{directive_id}", subject="organising", needs=Scope.ORGANISE, example=Example(
    path={"tournament_id": "$PLAYING"}))  # fmt: skip
def one_order(db: Session, who: Bearer, tournament_id: Number, directive_id: Number) -> OrderDetail:
    """Tell what became of an order."""
    allowed(db, Act.SEE_STUCK_WORK, tournament_id, who)
    found = ordered_in(db, tournament_id, 1, only=directive_id)
    if not found:
        raise Problem(404, "E310", f"Tournament {tournament_id} has no order {directive_id}.")
    return found[0]


@call("GET", _WHERE + "/log", subject="organising", needs=Scope.ORGANISE)
def log(db: Session, who: Bearer, tournament_id: Number, query: NewestFirst) -> Log:
    """Read the log of a tournament."""
    allowed(db, Act.SEE_AUDIT_LOG, tournament_id, who)
    found = read_log(db, query.limit + 1, tournament_id=tournament_id, before=query.before)
    more = stored(found[query.limit - 1].entry.id) if len(found) > query.limit else None
    return Log(lines=[log_line(line) for line in found[: query.limit]], next=next_page(before=more))


@call("GET", _WHERE + "/stuck", subject="organising", needs=Scope.ORGANISE)
def stuck(db: Session, who: Bearer, tournament_id: Number) -> Stuck:
    """List the matches that nobody has finished for long."""
    found = allowed(db, Act.SEE_STUCK_WORK, tournament_id, who)
    return Stuck(matches=stuck_in(db, found))


def _given(db: Session, who: Bearer, tournament_id: int, body: Order) -> Directive:
    """Write an order, if the caller may give it."""
    by = actor(who)
    if isinstance(body, Move):
        found = allowed(db, Act.MOVE_TOURNAMENT, tournament_id, who)
        wait: dict[str, Any] = {"wait": True} if body.wait and body.state is State.FROZEN else {}
        return give_directive(db, by, DirectiveKind.MOVE, found, reason=body.reason, state=body.state.value, **wait)
    if isinstance(body, Settle):
        found = allowed(db, Act.MOVE_TOURNAMENT, tournament_id, who)
        return give_directive(db, by, DirectiveKind.MOVE, found, reason=body.reason, state=SETTLE)
    if isinstance(body, ShowNext):
        found = allowed(db, Act.MOVE_TOURNAMENT, tournament_id, who)
        return give_directive(db, by, DirectiveKind.MOVE, found, reason=body.reason, state=PREMIERE, after=body.after)
    if isinstance(body, Deadline):
        found = allowed(db, Act.MOVE_DEADLINE, tournament_id, who)
        return give_directive(
            db, by, DirectiveKind.DEADLINE, found, reason=body.reason, name=body.name, at=_moment(body.at)
        )
    if isinstance(body, Disqualify):
        found = allowed(db, Act.DISQUALIFY, tournament_id, who)
        entry = db.get(Entry, body.entry)
        if entry is None or entry.tournament_id != tournament_id:
            raise Problem(422, "E312", f"Tournament {tournament_id} has no entry {body.entry}.")
        return give_directive(db, by, DirectiveKind.DISQUALIFY, found, entry=entry, reason=body.reason)
    if isinstance(body, EnterValue):
        found = allowed(db, Act.MOVE_TOURNAMENT, tournament_id, who)
        return give_directive(db, by, DirectiveKind.RANDOMNESS, found, value=body.value)
    act, kind = Act.RERUN_MATCH, DirectiveKind.RERUN
    if isinstance(body, VoidMatch):
        act, kind = Act.VOID_MATCH, DirectiveKind.VOID
    found = allowed(db, act, tournament_id, who)
    match = db.exec(select(Match).where(Match.tournament_id == tournament_id, Match.number == body.match)).first()
    if match is None:
        raise Problem(422, "E312", f"Tournament {tournament_id} has no match {body.match}.")
    return give_directive(db, by, kind, found, match=match, reason=body.reason)


def _moment(text: str) -> float:
    try:
        return read_moment(text, "UTC")
    except ValueError as mistake:
        raise Problem(422, "E309", str(mistake)) from mistake
