"""Directives: what an organiser orders is written by the web, and carried out or refused by the record worker."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, select

from gangland_ladder.common.plurals import counted
from gangland_ladder.pairing.tables import NoTables
from gangland_ladder.tournaments.deadlines import check_change
from gangland_ladder.tournaments.lifecycle import MoveRefused, State
from gangland_web.base.clock import now_s
from gangland_web.base.text import is_invisible
from gangland_web.league.organising.moves import moves_from
from gangland_web.league.organising.results import DirectiveRefused, disqualify, held, rerun_match, void_match
from gangland_web.league.tournaments.premiere import PREMIERE, show_next
from gangland_web.league.tournaments.public_values import ValueRefused, announced_for, enter_value, need_freeze_first
from gangland_web.league.tournaments.running import EntryRefused, close_entries, deadlines_of, move_tournament
from gangland_web.league.tournaments.settle import SETTLE, start_settling
from gangland_web.models.columns import stored
from gangland_web.models.log import HOUSE, Actor, note_act
from gangland_web.models.matches import Match
from gangland_web.models.tournaments import Directive, DirectiveKind, DirectiveState, Entry, Tournament
from gangland_web.settings.logs import about

log = logging.getLogger("gangland_web.directives")

REASON_CHARS: Final = 500
_REFUSALS: Final = (DirectiveRefused, MoveRefused, EntryRefused, NoTables, ValueRefused)
_WITH_REASON: Final = frozenset({DirectiveKind.RERUN, DirectiveKind.VOID, DirectiveKind.DISQUALIFY})
_PUT_OFF: Final = {
    "opens_at": "the opening of the entries",
    "freezes_at": "the freeze",
    "starts_at": "the start of play",
    "embargo_until": "the end of the embargo",
    "reveals_at": "the publication of the secret",
}
_MOMENT: Final = "%Y-%m-%d %H:%M UTC"
_OUR_MISTAKE: Final = "an internal error occurred. Nothing was changed; the server log has the details"
Outcome = tuple[str, bytes | None]


def give(
    session: Session,
    actor: Actor,
    kind: DirectiveKind,
    tournament: Tournament,
    *,
    match: Match | None = None,
    entry: Entry | None = None,
    reason: str = "",
    **details: Any,
) -> Directive:
    """Write an order and its line in the log; whether the actor may, the caller has asked.

    Raises:
        DirectiveRefused: no reason where one is public, one that is too long, or a match or entry of another
            tournament.
    """
    reason = " ".join(reason.split())
    if kind in _WITH_REASON and all(char == " " or is_invisible(char) for char in reason):
        raise DirectiveRefused("give a reason; everybody can read it")
    if len(reason) > REASON_CHARS:
        raise DirectiveRefused(f"a reason has at most {REASON_CHARS} characters, not {len(reason)}")
    for part in (match, entry):
        if part is not None and part.tournament_id != tournament.id:
            raise DirectiveRefused(f"that does not belong to {tournament.name}")
    directive = Directive(
        kind=kind.value,
        tournament_id=stored(tournament.id),
        match_id=match.id if match else None,
        entry_id=entry.id if entry else None,
        details=details,
        reason=reason,
        ordered_by=stored(actor.id),
        ordered_at=now_s(),
    )
    session.add(directive)
    session.flush()
    note_act(
        session,
        actor,
        f"ordered: {kind.value}",
        tournament_id=tournament.id,
        subject=_subject(tournament, match, entry),
        directive_id=directive.id,
        reason=reason,
        **details,
    )
    with about(directive=directive.id, tournament=tournament.id, match=match.id if match else None):
        log.debug("ordered: %s", kind.value)
    return directive


def move_all(
    session: Session,
    actor: Actor,
    tournaments: Sequence[Tournament],
    state: State,
    reason: str = "",
    *,
    wait: bool = False,
) -> list[Directive]:
    """Order a move of all tournaments of an event that may make it.

    Args:
        wait: whether a freeze waits for checks that are not over.

    Raises:
        DirectiveRefused: none of them may, or the reason is too long.
    """
    moving = [tournament for tournament in tournaments if state in moves_from(session, tournament)]
    if not moving:
        raise DirectiveRefused(f"none of these tournaments may become {state.value} now")
    details: dict[str, Any] = {"state": state.value} | ({"wait": True} if wait else {})
    return [give(session, actor, DirectiveKind.MOVE, tournament, reason=reason, **details) for tournament in moving]


def carry_out_all(session: Session) -> int:
    """Carry out every directive that waits, oldest first; return how many there were."""
    waiting = select(Directive.id).where(Directive.state == DirectiveState.WAITING.value).order_by(col(Directive.id))
    ids = session.exec(waiting).all()
    for directive_id in ids:
        _carry_out(session, stored(directive_id))
    return len(ids)


def _carry_out(session: Session, directive_id: int) -> None:
    found = session.get_one(Directive, directive_id)
    tournament = held(session, found.tournament_id)
    session.refresh(found)
    if found.state != DirectiveState.WAITING.value:
        return
    try:
        with session.begin_nested():
            message, before = _ACTS[DirectiveKind(found.kind)](session, tournament, found)
        state = DirectiveState.DONE
    except _REFUSALS as refusal:
        message, before, state = str(refusal), None, DirectiveState.REFUSED
    except OperationalError:
        raise  # a database that is away says nothing about an order
    except Exception:
        log.exception("directive %d failed for a mistake of ours", directive_id)
        message, before, state = _OUR_MISTAKE, None, DirectiveState.REFUSED
    found.state, found.message, found.before, found.done_at = state.value, message, before, now_s()
    session.add(found)
    note_act(
        session,
        HOUSE,
        f"{state.value}: {found.kind}",
        tournament_id=tournament.id,
        subject=message,
        directive_id=directive_id,
    )
    with about(directive=directive_id, tournament=tournament.id, match=found.match_id):
        log.info("directive %d, %s: %s", directive_id, state.value, message)


def _move(session: Session, tournament: Tournament, directive: Directive) -> Outcome:
    if directive.details["state"] == SETTLE:
        start_settling(session, tournament)
        return f"{tournament.name} plays more matches to settle its first places", None
    if directive.details["state"] == PREMIERE:
        return f"{tournament.name} shows {show_next(session, tournament, directive.details['after'])}", None
    after = State(directive.details["state"])
    if after is State.FROZEN and directive.details.get("wait"):
        waited = close_entries(session, tournament)
        if directive.reason:
            tournament.note = directive.reason
        if waited:
            return f"{tournament.name} is closed, and freezes when {counted(len(waited), 'check')} are over", None
        return f"{tournament.name} is {after.value}", None
    move_tournament(session, tournament, after, note=directive.reason or None)
    return f"{tournament.name} is {after.value}", None


def _deadline(session: Session, tournament: Tournament, directive: Directive) -> Outcome:
    name, at = directive.details["name"], directive.details["at"]
    if tournament.has_premiere and name == "reveals_at":
        raise DirectiveRefused("the secret is published by hand, once the premiere is over")
    old = deadlines_of(tournament)
    try:
        new = replace(old, **{name: at})
        check_change(State(tournament.state), old, new, now_s())
        if (announced := announced_for(tournament)) is not None:
            need_freeze_first(new, announced)
    except ValueError as mistake:
        raise DirectiveRefused(_in_words(str(mistake))) from mistake
    tournament.sqlmodel_update(asdict(new))
    if directive.reason:
        tournament.note = directive.reason
    session.add(tournament)
    session.flush()
    return f"{tournament.name}: {_PUT_OFF[name]} is postponed", None


def _in_words(mistake: str) -> str:
    """Return what is wrong with a deadline, its name and its times as pages show them."""
    for name, words in _PUT_OFF.items():
        mistake = mistake.replace(name, words)
    return re.sub(r"\b\d{9,10}\.\d+\b", lambda at: f"{datetime.fromtimestamp(float(at[0]), UTC):{_MOMENT}}", mistake)


def _disqualify(session: Session, tournament: Tournament, directive: Directive) -> Outcome:
    entry = session.get_one(Entry, stored(directive.entry_id))
    session.refresh(entry)
    return disqualify(session, tournament, entry, directive.reason)


def _randomness(session: Session, tournament: Tournament, directive: Directive) -> Outcome:
    value = enter_value(session, tournament, directive.details["value"])
    return f"{tournament.name}: the public value for the dice is {value}", None


def _match(session: Session, directive: Directive) -> Match:
    match = session.get_one(Match, stored(directive.match_id))
    session.refresh(match)
    return match


def _subject(tournament: Tournament, match: Match | None, entry: Entry | None) -> str:
    if match is not None:
        return f"match {match.number} of {tournament.name}"
    return f"entry {entry.id} of {tournament.name}" if entry is not None else tournament.name


_ACTS: Final[dict[DirectiveKind, Callable[[Session, Tournament, Directive], Outcome]]] = {
    DirectiveKind.MOVE: _move,
    DirectiveKind.DEADLINE: _deadline,
    DirectiveKind.RERUN: lambda session, its, order: rerun_match(session, its, _match(session, order)),
    DirectiveKind.VOID: lambda session, its, order: void_match(session, its, _match(session, order), order.reason),
    DirectiveKind.DISQUALIFY: _disqualify,
    DirectiveKind.RANDOMNESS: _randomness,
}
