"""What organizers order: directives, moves, entries for others, and later deadlines."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from math import inf
from typing import Any, Final

from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, or_, select

from gangland_ladder.common.plurals import counted
from gangland_ladder.pairing.tables import NoTables
from gangland_ladder.tournaments.deadlines import check_change
from gangland_ladder.tournaments.lifecycle import MOVES, MoveRefused, State
from gangland_web.base.clock import now_s
from gangland_web.base.text import is_invisible
from gangland_web.models.accounts import User
from gangland_web.models.bots import Bot
from gangland_web.models.columns import stored
from gangland_web.models.locks import hold_versions
from gangland_web.models.log import HOUSE, Actor, note_act
from gangland_web.models.matches import Match
from gangland_web.models.owners import may_come, owner_shown
from gangland_web.models.tournaments import Directive, DirectiveKind, DirectiveState, Entrant, Entry, Tournament
from gangland_web.process import about
from gangland_web.services.corrections import DirectiveRefused, disqualify, held, rerun_match, void_match
from gangland_web.services.final_tables import PREMIERE, is_over, show_next
from gangland_web.services.ladder_days import ValueRefused, announced_for, awaits_value, enter_value, need_freeze_first
from gangland_web.services.settling import SETTLE, start_settling
from gangland_web.services.tournaments import (
    BEFORE_FREEZE,
    EntryRefused,
    close_entries,
    deadlines_of,
    enter_bot,
    entered_from_files,
    from_files,
    may_cancel,
    move_tournament,
    withdraw_bot,
)

# Bots written only in the browser: an organizer's confirmation.


def set_browser_only(session: Session, actor: Actor, tournaments: Sequence[Tournament], *, on: bool) -> str:
    """Have tournaments take bots written in the browser alone, or any again, and return what holds now.

    Raises:
        DirectiveRefused: entries are frozen, or bots from files are entered; then nothing has changed.
    """
    hold_versions(session)
    for tournament in tournaments:
        if tournament.state not in BEFORE_FREEZE:
            raise DirectiveRefused(f"The entries of {tournament.name} are frozen: what it takes cannot be changed.")
        if on and (found := entered_from_files(session, tournament)):
            names = ", ".join(sorted({bot.name for bot, _ in found}))
            raise DirectiveRefused(f"Entered in {tournament.name} with a version from a file: {names}. Withdraw first.")
    for tournament in tournaments:
        if tournament.browser_only is not on:
            tournament.browser_only = on
            session.add(tournament)
            act = "set to bots from the editor" if on else "set to bots from anywhere"
            note_act(session, actor, act, tournament_id=tournament.id, subject=tournament.name)
    session.flush()
    return "Only bots uploaded from the editor take part now." if on else "Bots may be uploaded in any way now."


# Entries for others: bots of accounts that the organizer made, and house bots for free places.


MOST: Final = 400
"""So many people and bots are listed at most."""


def enter_for(db: Session, actor: Actor, tournament: Tournament, bot_id: int) -> Bot:
    """Enter a bot that is offered, without the join code, and return it.

    Raises:
        EntryRefused: it is not offered, or cannot be entered now.
    """
    bot = next((bot for bot, _ in enterable(db, tournament, tournament.organiser_id) if bot.id == bot_id), None)
    if bot is None:
        raise EntryRefused("choose a bot from the list")
    enter_bot(db, tournament, bot, by_organiser=True)
    note_act(db, actor, "entered a bot", tournament_id=tournament.id, subject=bot.name)
    return bot


def take_out_for(db: Session, actor: Actor, tournament: Tournament, bot_id: int) -> Bot:
    """Take a bot out again while the tournament is open, and return it.

    Raises:
        EntryRefused: it is not in, or the tournament is not open.
    """
    bot = db.get(Bot, bot_id)
    if bot is None or not withdraw_bot(db, tournament, bot):
        raise EntryRefused("choose an entered bot")
    note_act(db, actor, "withdrew a bot", tournament_id=tournament.id, subject=bot.name)
    return bot


def enterable(db: Session, tournament: Tournament, organiser_id: int | None) -> list[tuple[Bot, str]]:
    """Return the bots that an organizer may enter, with whose they are: the house's, and their own people's.

    Without those that `enter_bot` would refuse because they are from files.
    """
    entered = select(Entrant.bot_id).where(Entrant.tournament_id == tournament.id)
    own = select(User.id).where(User.made_by == organiser_id) if organiser_id is not None else select(User.id)
    theirs = col(Bot.owner_id).in_(own) & (col(Bot.active_version_id).is_not(None) | may_come())
    house = col(Bot.is_house).is_(True) & col(Bot.active_version_id).is_not(None)
    chosen = select(Bot, owner_shown()).where(Bot.game == tournament.game, col(Bot.id).not_in(entered))
    chosen = chosen.where(theirs if tournament.house_bots else or_(theirs, house))
    rows: Any = db.exec(chosen.order_by(col(Bot.is_house), Bot.name_key, col(Bot.id)).limit(MOST)).all()
    refused = from_files(db, [stored(bot.id) for bot, _ in rows]) if tournament.browser_only else []
    closed = {bot.id for bot, _ in refused}
    return [(bot, owner or "Gangland") for bot, owner in rows if bot.id not in closed]


# Moves of a tournament that an organizer may order.


def moves_from(session: Session, tournament: Tournament) -> list[State]:
    """Return the moves that an organizer may order; it is finished by itself when all is played.

    Play does not begin before the public value for the dice is there, if one was announced.  What has begun to end, by
    settling or its final table, is not cancelled, and the secret is not published before the premiere is over.
    """
    never = {State.FINISHED, *((State.PLAYING,) if awaits_value(tournament) else ())}
    never |= set() if may_cancel(session, tournament) else {State.CANCELLED}
    if tournament.has_premiere and not is_over(tournament):
        never.add(State.REVEALED)
    return [state for state in MOVES[State(tournament.state)] if state not in never]


# Deadlines after a maintenance: entries close later by as long as it lasted.


_TAKES_ENTRIES = (State.ANNOUNCED.value, State.OPEN.value)


@dataclass(frozen=True, slots=True)
class PutOff:
    """A freeze that was put off, in Unix seconds."""

    tournament: int
    name: str
    before: float
    after: float


def put_off_missed(session: Session, actor: Actor, since: float) -> list[PutOff]:
    """Put off each freeze that came due since then, by the time that has gone by; return what was, by tournament.

    What comes after a freeze moves only as far as it has to, so as not to come before.  A freeze stays before the
    time at which a public value for the dice is published.
    """
    now = now_s()
    missed = select(Tournament).where(
        Tournament.kind == "tournament",
        col(Tournament.state).in_(_TAKES_ENTRIES),
        col(Tournament.freezes_at) >= since,
        col(Tournament.freezes_at) <= now,
    )
    done = []
    for tournament in session.exec(missed.order_by(col(Tournament.id)).with_for_update()).all():
        before = tournament.freezes_at or now
        after = max(before, min(before + now - since, _latest(tournament)))
        tournament.freezes_at = after
        for name in ("starts_at", "reveals_at"):
            later = getattr(tournament, name)
            if later is not None:
                setattr(tournament, name, max(later, after))
        session.add(tournament)
        why = "the site was under maintenance when entries were to close"
        note_act(
            session,
            actor,
            "deadlines postponed",
            tournament_id=tournament.id,
            subject=tournament.name,
            reason=why,
            before=before,
            after=after,
        )
        done.append(PutOff(stored(tournament.id), tournament.name, before, after))
    return done


def _latest(tournament: Tournament) -> float:
    """When its entries may close at the latest: a second before its public value is published."""
    announced = announced_for(tournament)
    return inf if announced is None else announced.published_s - 1


# Directives: written by the site, carried out or refused by the record worker.


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
