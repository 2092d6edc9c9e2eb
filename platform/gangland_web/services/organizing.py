"""Organizers' actions: corrections, lifecycle moves, entries for other users, and postponed deadlines."""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from math import inf
from typing import Any, Final

from sqlalchemy.exc import OperationalError
from sqlmodel import Session, col, or_, select

from gangland_ladder.common.texts import counted
from gangland_ladder.pairing.permitted_tables import TablesError
from gangland_ladder.tournaments.lifecycle import MOVES, MoveRefused, State, check_change
from gangland_web.base.formats import now_s, state_label
from gangland_web.base.text import is_invisible
from gangland_web.models.accounts import User
from gangland_web.models.bots import Bot, open_version_exists, shown_owner
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.matches import Match
from gangland_web.models.organizing import RECORD_WORKER, ActionKind, ActionState, Actor, OrganizerAction, log_action
from gangland_web.models.tournaments import Entrant, Entry, Tournament, lock_versions
from gangland_web.process import log_ids
from gangland_web.services import entries, final_tables, ladder_days, settling, tournaments
from gangland_web.services.corrections import ActionRefused, disqualify, locked_tournament, rerun_match, void_match

# Actions, which the site stores, and the record worker carries out or refuses.

log = logging.getLogger("gangland_web.actions")

REASON_CHARS: Final = 500
_WITH_REASON: Final = frozenset({ActionKind.RERUN, ActionKind.VOID, ActionKind.DISQUALIFY})


def send_action(
    session: Session,
    actor: Actor,
    kind: ActionKind,
    tournament: Tournament,
    *,
    match: Match | None = None,
    entry: Entry | None = None,
    reason: str = "",
    **details: Any,
) -> OrganizerAction:
    """Store and log an action; the caller has checked the actor's permission.  Raises ActionRefused."""
    reason = " ".join(reason.split())
    if kind in _WITH_REASON and all(char == " " or is_invisible(char) for char in reason):
        raise ActionRefused("give a reason; everyone can read it")
    if len(reason) > REASON_CHARS:
        raise ActionRefused(f"a reason must have at most {REASON_CHARS} characters, not {len(reason)}")
    for row in (match, entry):
        if row is not None and row.tournament_id != tournament.id:
            raise ActionRefused(f"that does not belong to {tournament.name}")
    action = OrganizerAction(
        kind=kind.value,
        tournament_id=row_id(tournament.id),
        match_id=match.id if match else None,
        entry_id=entry.id if entry else None,
        details=details,
        reason=reason,
        ordered_by=row_id(actor.id),
        ordered_at=now_s(),
    )
    add_row(session, action)
    log_action(
        session,
        actor,
        f"ordered: {kind.value}",
        tournament_id=tournament.id,
        subject=_subject(tournament, match, entry),
        action_id=action.id,
        reason=reason,
        **details,
    )
    with log_ids(action=action.id, tournament=tournament.id, match=match.id if match else None):
        log.debug("ordered: %s", kind.value)
    return action


def _subject(tournament: Tournament, match: Match | None, entry: Entry | None) -> str:
    if match is not None:
        return f"match {match.number} of {tournament.name}"
    return f"entry {entry.id} of {tournament.name}" if entry is not None else tournament.name


def move_all(
    session: Session,
    actor: Actor,
    tournaments: Sequence[Tournament],
    state: State,
    reason: str = "",
    *,
    wait: bool = False,
) -> list[OrganizerAction]:
    """Store a move for each tournament that may make it; a freeze can `wait` for checks.  Raises ActionRefused."""
    moving = [tournament for tournament in tournaments if state in allowed_moves(session, tournament)]
    if not moving:
        raise ActionRefused(f"none of these tournaments can change to {state_label(state.value)!r} now")
    details: dict[str, Any] = {"state": state.value} | ({"wait": True} if wait else {})
    return [send_action(session, actor, ActionKind.MOVE, tournament, reason=reason, **details) for tournament in moving]


def allowed_moves(session: Session, tournament: Tournament) -> list[State]:
    """Return the states to which an organizer may move a tournament now."""
    # Tournaments finish automatically, and play has to wait for an announced public value.
    excluded = {State.FINISHED, *((State.PLAYING,) if ladder_days.awaits_value(tournament) else ())}
    excluded |= set() if tournaments.may_cancel(session, tournament) else {State.CANCELED}
    if tournament.has_premiere and not final_tables.premiere_is_over(tournament):
        excluded.add(State.REVEALED)
    return [state for state in MOVES[State(tournament.state)] if state not in excluded]


def carry_out_actions(session: Session) -> int:
    """Carry out or refuse all waiting actions, oldest first, and return their number."""
    waiting = (
        select(OrganizerAction.id)
        .where(OrganizerAction.state == ActionState.WAITING.value)
        .order_by(col(OrganizerAction.id))
    )
    ids = session.exec(waiting).all()
    for action_id in ids:
        _carry_out(session, row_id(action_id))
    return len(ids)


def _carry_out(session: Session, action_id: int) -> None:
    action = session.get_one(OrganizerAction, action_id)
    tournament = locked_tournament(session, action.tournament_id)
    session.refresh(action)
    if action.state != ActionState.WAITING.value:
        return
    try:
        with session.begin_nested():
            message, before = _HANDLERS[ActionKind(action.kind)](session, tournament, action)
        state = ActionState.DONE
    except _REFUSALS as error:
        message, before, state = str(error), None, ActionState.REFUSED
    except OperationalError:
        raise  # the database is not reachable, so the action keeps waiting
    except Exception:
        log.exception("action %d failed because of a bug", action_id)
        message, before, state = _INTERNAL_ERROR, None, ActionState.REFUSED
    action.state, action.message = state.value, message
    action.before, action.done_at = before, now_s()
    session.add(action)
    log_action(
        session,
        RECORD_WORKER,
        f"{state.value}: {action.kind}",
        tournament_id=tournament.id,
        subject=message,
        action_id=action_id,
    )
    with log_ids(action=action_id, tournament=tournament.id, match=action.match_id):
        log.info("action %d, %s: %s", action_id, state.value, message)


_REFUSALS: Final = (ActionRefused, MoveRefused, entries.EntryRefused, TablesError, ladder_days.ValueRefused)
_INTERNAL_ERROR: Final = "an internal error occurred. Nothing was changed; the server log has the details"
_Outcome = tuple[str, bytes | None]


def _carry_out_move(session: Session, tournament: Tournament, action: OrganizerAction) -> _Outcome:
    if action.details["state"] == settling.SETTLE:
        settling.start_settling(session, tournament)
        return f"{tournament.name} plays more matches to settle its first places", None
    if action.details["state"] == final_tables.PREMIERE:
        return f"{tournament.name} shows {final_tables.show_step(session, tournament, action.details['after'])}", None
    after = State(action.details["state"])
    if after is State.FROZEN and action.details.get("wait"):
        pending = tournaments.close_entries(session, tournament)
        if action.reason:
            tournament.note = action.reason
        if pending:
            return f"{tournament.name} is closed, and will freeze when {counted(len(pending), 'check')} are over", None
        return f"{tournament.name}: {state_label(after.value)}", None
    tournaments.move_tournament(session, tournament, after, note=action.reason or None)
    return f"{tournament.name}: {state_label(after.value)}", None


def _carry_out_deadline(session: Session, tournament: Tournament, action: OrganizerAction) -> _Outcome:
    name, time = action.details["name"], action.details["at"]
    if tournament.has_premiere and name == "reveals_at":
        raise ActionRefused("publish the secret after the premiere")
    old = tournaments.deadlines_of(tournament)
    try:
        new = replace(old, **{name: time})
        check_change(State(tournament.state), old, new, now_s())
        if (announced := ladder_days.announcement_of(tournament)) is not None:
            ladder_days.check_freeze_first(new, announced)
    except ValueError as error:
        raise ActionRefused(_readable_text(str(error))) from error
    tournament.sqlmodel_update(asdict(new))
    if action.reason:
        tournament.note = action.reason
    add_row(session, tournament)
    return f"{tournament.name}: {_DEADLINE_NAMES[name]} is postponed", None


_DEADLINE_NAMES: Final = {
    "opens_at": "the opening of the entries",
    "freezes_at": "the freeze",
    "starts_at": "the start of play",
    "embargo_until": "the end of the embargo",
    "reveals_at": "the publication of the secret",
}
_FORMAT: Final = "%Y-%m-%d %H:%M UTC"


def _readable_text(message: str) -> str:
    for name, text in _DEADLINE_NAMES.items():
        message = message.replace(name, text)
    return re.sub(r"\b\d{9,10}\.\d+\b", lambda at: f"{datetime.fromtimestamp(float(at[0]), UTC):{_FORMAT}}", message)


def _carry_out_disqualification(session: Session, tournament: Tournament, action: OrganizerAction) -> _Outcome:
    entry = session.get_one(Entry, row_id(action.entry_id))
    session.refresh(entry)
    return disqualify(session, tournament, entry, action.reason)


def _carry_out_randomness(session: Session, tournament: Tournament, action: OrganizerAction) -> _Outcome:
    value = ladder_days.enter_value(session, tournament, action.details["value"])
    return f"{tournament.name}: the public value for the dice is {value}", None


def _match_of(session: Session, action: OrganizerAction) -> Match:
    match = session.get_one(Match, row_id(action.match_id))
    session.refresh(match)
    return match


_HANDLERS: Final[dict[ActionKind, Callable[[Session, Tournament, OrganizerAction], _Outcome]]] = {
    ActionKind.MOVE: _carry_out_move,
    ActionKind.DEADLINE: _carry_out_deadline,
    ActionKind.RERUN: lambda db, tournament, action: rerun_match(db, tournament, _match_of(db, action)),
    ActionKind.VOID: lambda db, tournament, action: void_match(db, tournament, _match_of(db, action), action.reason),
    ActionKind.DISQUALIFY: _carry_out_disqualification,
    ActionKind.RANDOMNESS: _carry_out_randomness,
}


# Entries for other users: bots of accounts that the organizer created, and house bots.

MAX_LISTED: Final = 400  # maximum number of people or bots in a list


def bots_to_enter(db: Session, tournament: Tournament, organizer_id: int | None) -> list[tuple[Bot, str]]:
    """Return the bots that an organizer may enter, with the names of their owners.

    These are the bots, active or being checked, of accounts that the organizer created (of all users, without an
    organizer), and house bots unless they take part anyway.  Bots that `enter_bot` refuses as files are left out.
    """
    entered = select(Entrant.bot_id).where(Entrant.tournament_id == tournament.id)
    own = select(User.id).where(User.made_by == organizer_id) if organizer_id is not None else select(User.id)
    is_of_author = col(Bot.owner_id).in_(own) & (col(Bot.active_version_id).is_not(None) | open_version_exists())
    is_house = col(Bot.is_house).is_(True) & col(Bot.active_version_id).is_not(None)
    query = select(Bot, shown_owner()).where(Bot.game == tournament.game, col(Bot.id).not_in(entered))
    query = query.where(is_of_author if tournament.house_bots else or_(is_of_author, is_house))
    rows: Any = db.exec(query.order_by(col(Bot.is_house), Bot.name_key, col(Bot.id)).limit(MAX_LISTED)).all()
    refused = entries.file_versions(db, [row_id(bot.id) for bot, _ in rows]) if tournament.browser_only else []
    refused_ids = {bot.id for bot, _ in refused}
    return [(bot, owner or "Gangland") for bot, owner in rows if bot.id not in refused_ids]


def enter_bot_for(db: Session, actor: Actor, tournament: Tournament, bot_id: int) -> Bot:
    """Enter one of `bots_to_enter`, without the join code, and return it.  Raises EntryRefused."""
    bot = next((bot for bot, _ in bots_to_enter(db, tournament, tournament.organizer_id) if bot.id == bot_id), None)
    if bot is None:
        raise entries.EntryRefused("choose a bot from the list")
    entries.enter_bot(db, tournament, bot, by_organizer=True)
    log_action(db, actor, "entered a bot", tournament_id=tournament.id, subject=bot.name)
    return bot


def withdraw_bot_for(db: Session, actor: Actor, tournament: Tournament, bot_id: int) -> Bot:
    """Withdraw a bot and return it.  Raises EntryRefused: the bot is not entered, or the tournament is not open."""
    bot = db.get(Bot, bot_id)
    if bot is None or not entries.withdraw_bot(db, tournament, bot):
        raise entries.EntryRefused("choose an entered bot")
    log_action(db, actor, "withdrew a bot", tournament_id=tournament.id, subject=bot.name)
    return bot


# Tournaments that accept only bots written in the browser.


def set_browser_only(session: Session, actor: Actor, tournaments: Sequence[Tournament], *, on: bool) -> str:
    """Make tournaments accept only bots written in the browser, or any bots; return a sentence about the result.

    Raises ActionRefused: entries are frozen, or bots from files are entered.  Then nothing changes.
    """
    lock_versions(session)
    for tournament in tournaments:
        if tournament.state not in entries.BEFORE_FREEZE:
            raise ActionRefused(f"The entries of {tournament.name} are already closed.")
        if on and (from_file := entries.entered_from_files(session, tournament)):
            names = ", ".join(sorted({bot.name for bot, _ in from_file}))
            raise ActionRefused(f"First withdraw the bots that were uploaded as files: {names} in {tournament.name}.")
    for tournament in tournaments:
        if tournament.browser_only is not on:
            tournament.browser_only = on
            session.add(tournament)
            action = "set to bots from the editor" if on else "set to bots from anywhere"
            log_action(session, actor, action, tournament_id=tournament.id, subject=tournament.name)
    session.flush()
    return "Only bots uploaded from the editor can now take part." if on else "Bots may now be uploaded in any way."


# Deadlines after maintenance: entries close later, by the duration of the maintenance.

_ENTRY_STATES = (State.ANNOUNCED.value, State.OPEN.value)


@dataclass(frozen=True, slots=True)
class Postponement:
    """A postponed freeze, with its former and its new Unix time."""

    tournament: int
    name: str
    before: float
    after: float


def postpone_missed(session: Session, actor: Actor, since: float) -> list[Postponement]:
    """Postpone each freeze that came due after `since` by the time since then, and return these freezes.

    A freeze stays before the publication of an announced public value.
    """
    now = now_s()
    missed = select(Tournament).where(
        Tournament.kind == "tournament",
        col(Tournament.state).in_(_ENTRY_STATES),
        col(Tournament.freezes_at) >= since,
        col(Tournament.freezes_at) <= now,
    )
    postponed = []
    for tournament in session.exec(missed.order_by(col(Tournament.id)).with_for_update()).all():
        before = tournament.freezes_at or now
        announced = ladder_days.announcement_of(tournament)
        latest = inf if announced is None else announced.published_s - 1  # just before the public value is published
        after = max(before, min(before + now - since, latest))
        tournament.freezes_at = after
        for name in ("starts_at", "reveals_at"):  # postponed only if they would otherwise be before the freeze
            time = getattr(tournament, name)
            if time is not None:
                setattr(tournament, name, max(time, after))
        session.add(tournament)
        reason = "the site was under maintenance when entries were to close"
        log_action(
            session,
            actor,
            "deadlines postponed",
            tournament_id=tournament.id,
            subject=tournament.name,
            reason=reason,
            before=before,
            after=after,
        )
        postponed.append(Postponement(row_id(tournament.id), tournament.name, before, after))
    return postponed
