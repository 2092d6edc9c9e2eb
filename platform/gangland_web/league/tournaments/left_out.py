"""Which entered bots the freeze leaves out, or takes in an older version, because a check is not over.

Before the freeze the console lists them; afterwards each entrant keeps a line with the reason, as does the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from gangland_web.models.bots import OPEN, Bot, Version, VersionState
from gangland_web.models.columns import stored
from gangland_web.models.log import HOUSE, note_act
from gangland_web.models.tournaments import Entrant, Tournament

NO_VERSION: Final = "it had no active version when the entries froze"


class Unready(NamedTuple):
    """An entered bot with a version that is still being checked; `plays` is the version that plays without it."""

    bot_id: int
    bot: str
    version: int
    state: str
    plays: int | None

    @property
    def words(self) -> str:
        """What happens to the bot if the entries freeze now."""
        instead = "left out" if self.plays is None else f"version {self.plays} plays instead"
        return f"version {self.version} is {_words(self.state)}: {instead}"


def unready(session: Session, tournament: Tournament, until: float | None = None) -> list[Unready]:
    """Return the entered bots whose newest version is still being checked, by name.

    Args:
        until: count only versions that were received by then.
    """
    chosen = _entered(tournament).where(col(Version.state).in_([state.value for state in OPEN]))
    if until is not None:
        chosen = chosen.where(col(Version.created_at) <= until)
    newest = {bot.id: (bot, version, active) for bot, version, active, _ in session.exec(chosen).all()}
    return [
        Unready(stored(bot.id), bot.name, version.number, version.state, active)
        for bot, version, active in newest.values()
    ]


def note_left_out(session: Session, tournament: Tournament) -> None:
    """Write down why an entered bot is not among the frozen entries, or plays in an older version than its newest."""
    rows: dict[int | None, Any] = {row[0].id: row for row in session.exec(_entered(tournament)).all()}
    for bot, newest, active, entrant in rows.values():
        if active is None:
            note = f"version {newest.number} was {_words(newest.state)}" if newest is not None else NO_VERSION
            if newest is not None and newest.state == VersionState.RETIRED.value:
                note = NO_VERSION
            act = "left out a bot at the freeze"
        elif newest.number > active and newest.state in OPEN:
            note = f"version {newest.number} was still {_words(newest.state)}, so version {active} plays"
            act = "froze an older version of a bot"
        else:
            continue
        entrant.note = note
        session.add(entrant)
        note_act(session, HOUSE, act, tournament_id=tournament.id, subject=bot.name, reason=note)
    session.flush()


def left_out_of(session: Session, tournament: Tournament) -> Sequence[tuple[Bot, str]]:
    """Return the bots with such a line, by name."""
    chosen = select(Bot, Entrant.note).join(Entrant, col(Entrant.bot_id) == Bot.id)
    chosen = chosen.where(Entrant.tournament_id == tournament.id, col(Entrant.note) != "")
    return session.exec(chosen.order_by(Bot.name_key, col(Bot.id))).all()


def notes_of_bot(session: Session, bot_id: int) -> dict[int, str]:
    """Return a bot's lines by tournament."""
    chosen = select(Entrant.tournament_id, Entrant.note).where(Entrant.bot_id == bot_id, col(Entrant.note) != "")
    return dict(session.exec(chosen).all())


def _words(state: str) -> str:
    return {VersionState.TRIAL.value: "in its trial", VersionState.REJECTED.value: "rejected"}.get(
        state, "being checked"
    )


def _entered(tournament: Tournament) -> Any:
    """Return the query for entered bots with each of their versions upward, the active one's number and the entrant."""
    active = aliased(Version)
    return (
        select(Bot, Version, active.number, Entrant)
        .join(Entrant, col(Entrant.bot_id) == Bot.id)
        .outerjoin(Version, col(Version.bot_id) == Bot.id)
        .outerjoin(active, col(active.id) == Bot.active_version_id)
        .where(Entrant.tournament_id == tournament.id)
        .order_by(Bot.name_key, col(Bot.id), col(Version.number))
    )
