"""Tournaments that take bots written in the browser alone, such as a class's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlmodel import Session, col, or_, select

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.models.accounts import User
from gangland_web.models.bots import OPEN, Bot, Version, VersionState
from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Entrant, Tournament

BEFORE_FREEZE: Final = (State.DRAFT.value, State.ANNOUNCED.value, State.OPEN.value)


def closed_to_files(session: Session, bot: Bot) -> Tournament | None:
    """Return a tournament in which a bot is entered, and for which it may not be uploaded from a file now."""
    chosen = select(Tournament).join(Entrant, col(Entrant.tournament_id) == Tournament.id)
    open_ones = (col(Tournament.browser_only).is_(True), col(Tournament.state).in_(BEFORE_FREEZE))
    return session.exec(chosen.where(Entrant.bot_id == bot.id, *open_ones).order_by(col(Tournament.id))).first()


def closed_tournaments_of(session: Session, user_id: int) -> list[Tournament]:
    """Return the tournaments that take nothing by the upload page, and in which somebody's bots play or may come to.

    They are those of the class (`class_of`), and those in which a bot of theirs is entered.
    """
    entered = select(Entrant.tournament_id).join(Bot, col(Bot.id) == Entrant.bot_id).where(Bot.owner_id == user_id)
    open_ones = (col(Tournament.browser_only).is_(True), col(Tournament.state).in_(BEFORE_FREEZE))
    theirs = or_(
        col(Tournament.id).in_(entered), col(Tournament.id).in_([each.id for each in class_of(session, user_id)])
    )
    return list(session.exec(select(Tournament).where(theirs, *open_ones).order_by(col(Tournament.id))).all())


def from_files(session: Session, bot_ids: Sequence[int]) -> list[tuple[Bot, Version]]:
    """Return those of these bots, the house's left out, of which a version that plays or may come to is from a file."""
    plays = col(Version.state).in_([VersionState.ACTIVE.value, *(state.value for state in OPEN)])
    chosen = select(Bot, Version).join(Version, col(Version.bot_id) == Bot.id)
    chosen = chosen.where(col(Bot.id).in_(bot_ids), col(Bot.is_house).is_(False), plays)
    return list(session.exec(chosen.where(col(Version.in_browser).is_(False)).order_by(col(Version.id))).all())


def entered_from_files(session: Session, tournament: Tournament) -> list[tuple[Bot, Version]]:
    """Return what `from_files` does, of the bots that are entered in a tournament."""
    entered = select(Entrant.bot_id).where(Entrant.tournament_id == stored(tournament.id))
    return from_files(session, session.exec(entered).all())


def class_of(session: Session, user_id: int) -> list[Tournament]:
    """Return the tournaments to which somebody's slip leads: those of whoever made the account, not frozen yet.

    The one that freezes first comes first.
    """
    made_by = select(User.made_by).where(User.id == user_id).scalar_subquery()
    coming = (State.ANNOUNCED.value, State.OPEN.value)
    chosen = select(Tournament).where(
        Tournament.kind == "tournament",
        col(Tournament.organiser_id) == made_by,
        col(Tournament.state).in_(coming),
        col(Tournament.rehearsal_of).is_(None),
    )
    return list(session.exec(chosen.order_by(col(Tournament.freezes_at), col(Tournament.id))).all())
