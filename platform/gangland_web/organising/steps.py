"""What an organiser is to do next with a tournament, in one sentence."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlmodel import Session, select

from gangland_ladder.lifecycle import State
from gangland_ladder.plurals import counted
from gangland_web.clock import now_s
from gangland_web.organising.models import Directive, DirectiveState
from gangland_web.tournaments.models import Tournament
from gangland_web.tournaments.tables import entered_versions


def next_step(db: Session, cup: Tournament, *, stuck: int) -> str:
    """Return what to do next, or what is waited for.

    Args:
        stuck: how many matches nobody has finished for long.
    """
    waiting = select(Directive.id).where(
        Directive.tournament_id == cup.id, Directive.state == DirectiveState.WAITING.value
    )
    if db.exec(waiting.limit(1)).first() is not None:
        return "Your order is being carried out; that takes some seconds."
    state = State(cup.state)
    if state is State.OPEN:
        return _entries(len(db.exec(entered_versions(cup)).all()), cup)
    if state is State.PLAYING:
        over = f"{cup.matches_over} of {cup.matches_planned} matches are over"
        if stuck:
            return f"{over}, and {stuck} wait for long: see below why."
        return f"Nothing to do: {over}, and the standings come by themselves."
    return {
        State.DRAFT: "Rehearse it with the house's bots if you like, then announce it.",
        State.ANNOUNCED: f"Open the entries{_or_wait(cup.opens_at)}.",
        State.FROZEN: f"All is fixed: have it played{_or_wait(cup.starts_at)}.",
        State.PAUSED: "It stands still until you have it played on.",
        State.FINISHED: f"Print the standings, and publish the secret{_or_wait(cup.reveals_at)}.",
        State.REVEALED: "All is done. The standings can be printed, and everybody can prove them.",
        State.CANCELLED: "It was given up. Make another like it if you want to try again.",
    }[state]


def _entries(bots: int, cup: Tournament) -> str:
    there = f"{counted(bots, 'bot')} would play"
    if bots < cup.seats:
        return f"{there}, and a table needs {cup.seats}: have people enter their bots."
    return f"{there}. When all are in, freeze the entries{_or_wait(cup.freezes_at)}."


def _or_wait(at: float | None) -> str:
    if at is None or at <= now_s():
        return ""
    return f", or wait: it happens by itself at {datetime.fromtimestamp(at, UTC).strftime('%Y-%m-%d %H:%M')} UTC"
