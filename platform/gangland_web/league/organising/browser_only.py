"""An organiser's word that bots of a tournament are written in the browser."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import Session

from gangland_web.league.organising.results import DirectiveRefused
from gangland_web.league.tournaments.browser_only import BEFORE_FREEZE, entered_from_files
from gangland_web.models.locks import hold_versions
from gangland_web.models.log import Actor, note_act
from gangland_web.models.tournaments import Tournament


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
