"""What an organiser is to do next with a tournament, in one sentence."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlmodel import Session, select

from gangland_ladder.common.plurals import counted
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.clock import now_s
from gangland_web.models.matches import OVER
from gangland_web.models.tournaments import Directive, DirectiveState, Tournament
from gangland_web.services.final_tables import is_over
from gangland_web.services.ladder_days import announced_for, awaits_value, is_published
from gangland_web.services.matches import final_match, waits_for_organiser
from gangland_web.services.seating import entered_versions
from gangland_web.services.tournaments import unready


def next_step(db: Session, tournament: Tournament, *, stuck: int, in_event: bool = False) -> str:
    """Return what to do next, or what is waited for.

    Args:
        stuck: how many matches nobody has finished for long.
        in_event: said on the console of its event, which leads to the tournament's own.
    """
    waiting = select(Directive.id).where(
        Directive.tournament_id == tournament.id, Directive.state == DirectiveState.WAITING.value
    )
    if db.exec(waiting.limit(1)).first() is not None:
        return "An action is being carried out. This takes a few seconds."
    state, place = State(tournament.state), "on its page" if in_event else "below"
    if state is State.OPEN and tournament.closed_at is not None:
        waited = len(unready(db, tournament, tournament.closed_at))
        return f"Entries are closed. They freeze when {counted(waited, 'check')} {'is' if waited == 1 else 'are'} over."
    if state is State.OPEN:
        return _entries(len(db.exec(entered_versions(tournament)).all()), tournament)
    if state in (State.PLAYING, State.FINISHED) and (at_end := _end(db, tournament)):
        return at_end
    if state is State.PLAYING:
        over = f"{tournament.matches_over} of {tournament.matches_planned} matches are played"
        if stuck:
            return f"{over}, and {stuck} are delayed: see Matches {place}."
        return f"{over}. You need not do anything: the standings follow automatically."
    if state is State.FROZEN and awaits_value(tournament):
        return _value(tournament, place)
    return {
        State.DRAFT: "Rehearse it with house bots if you like, then announce it.",
        State.ANNOUNCED: f"Open the entries{_or_wait(tournament.opens_at)}.",
        State.FROZEN: f"Entries are closed. Start play{_or_wait(tournament.starts_at)}.",
        State.PAUSED: "Paused: no new match starts until you start play again.",
        State.FINISHED: f"Print the standings, then publish the secret{_or_wait(tournament.reveals_at)}.",
        State.REVEALED: "Finished. You can print the standings, and everybody can verify them.",
        State.CANCELLED: "It was cancelled. Duplicate it to try again.",
    }[state]


def _end(db: Session, tournament: Tournament) -> str:
    """Return what to do or to wait for where a tournament ends with a final table; nothing anywhere else."""
    if tournament.state == State.FINISHED.value:
        if tournament.has_premiere and not is_over(tournament):
            return "Everything is played. Show the premiere step by step; then publish the secret."
        return ""
    final = final_match(db, tournament)
    if final is None:
        return ""
    if waits_for_organiser(db, final):
        return f"The final table could not be played. Have match {final.number} played again, or void it."
    if final.state in OVER:
        return "The final table is over. The tournament is finished when its audits are."
    return "The final table is being played. You need not do anything: the standings follow automatically."


def _entries(bots: int, tournament: Tournament) -> str:
    there = f"{counted(bots, 'bot')} would play{', house bots included' if tournament.house_bots else ''}"
    if bots < tournament.seats:
        return f"{there}, and a table needs {tournament.seats}: ask people to enter their bots."
    return f"{there}. When everybody is in, freeze the entries{_or_wait(tournament.freezes_at)}."


def _value(tournament: Tournament, place: str) -> str:
    announced = announced_for(tournament)
    if announced is not None and not is_published(tournament):
        return f"Entries are frozen. The public value for the dice is published at {announced.published_at}."
    return f"The public value for the dice is published: read it at its address and enter it {place}."


def _or_wait(at: float | None) -> str:
    if at is None or at <= now_s():
        return ""
    return f", or wait: this happens automatically at {datetime.fromtimestamp(at, UTC).strftime('%Y-%m-%d %H:%M')} UTC"
