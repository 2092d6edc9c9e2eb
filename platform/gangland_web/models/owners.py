"""Owners of bots: who may act for a bot, who counts as its owner, and what pages and exports call that owner.

Only this module knows.  A bot belongs to a person or to a team.  A team and all who are in it count as
one owner, by the `owner_group` of their bots, which joining and leaving keep.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import case, func, literal, or_
from sqlmodel import Session, col, select

from gangland_web.base.text import look_key, name_key
from gangland_web.models.accounts import Membership, OwnerName, Team, User, is_in
from gangland_web.models.bots import OPEN, Bot, Version
from gangland_web.models.tournaments import SeasonPlace


class Owned(Protocol):
    """Something that belongs to a person or a team: a bot, or a row about one."""

    @property
    def owner_id(self) -> int | None:
        """The number of the person's account."""

    @property
    def team_id(self) -> int | None:
        """The number of the team."""


@dataclass(frozen=True, slots=True)
class Party:
    """A person with their present team."""

    person_id: int
    team_id: int | None = None

    @property
    def group(self) -> str:
        """Who counts as the owner of their bots: the team if they are in one."""
        return person_group(self.person_id) if self.team_id is None else team_group(self.team_id)

    def acts_for(self, bot: Owned) -> bool:
        """Return whether they may act for a bot, and see its logs and sources: its owner, or a member of its team.

        No other user may, not even an admin.  `theirs` is the same rule for queries.
        """
        own = bot.owner_id is not None and bot.owner_id == self.person_id
        return own or (bot.team_id is not None and bot.team_id == self.team_id)

    def theirs(self) -> Any:
        """Return the condition under which `acts_for` holds of a bot in a query."""
        own = col(Bot.owner_id) == self.person_id
        return own if self.team_id is None else or_(own, col(Bot.team_id) == self.team_id)


def party_of(session: Session, person_id: int) -> Party:
    """Return a person with the team that they are in."""
    return Party(person_id, session.exec(select(Membership.team_id).where(is_in(person_id))).first())


def person_group(person_id: int) -> str:
    """Return the owner group of a person without a team."""
    return f"p{person_id}"


def team_group(team_id: int) -> str:
    """Return the owner group of a team and all its members."""
    return f"t{team_id}"


def numbered(groups: Sequence[str | None]) -> list[int | None]:
    """Return a number for each owner group, one for all that are the same, as pairing wants owners; None for none."""
    numbers: dict[str, int] = {}
    return [None if group is None else numbers.setdefault(group, len(numbers)) for group in groups]


def on_its_way(session: Session, bot: Bot) -> bool:
    """Return whether a version of a bot waits for its verdict."""
    return session.exec(_open_versions().where(Version.bot_id == bot.id).limit(1)).first() is not None


def _open_versions() -> Any:
    return select(Version.id).where(col(Version.state).in_([state.value for state in OPEN]))


def may_come() -> Any:
    """Return the condition that a version of a bot in a query waits for its verdict."""
    return _open_versions().where(Version.bot_id == Bot.id).correlate(Bot).exists()


def in_play(session: Session, group: str, game: str | None = None) -> Sequence[Bot]:
    """Return the bots of an owner group that are active or on their way, of one game or of all, in order of game."""
    playing = col(Bot.active_version_id).is_not(None) | may_come()
    chosen = select(Bot).where(Bot.owner_group == group, playing)
    if game is not None:
        chosen = chosen.where(Bot.game == game)
    return session.exec(chosen.order_by(Bot.game, col(Bot.id))).all()


def name_is_taken(session: Session, name: str) -> bool:
    """Return whether a person or a team has a name, in any spelling, or one that looks like it."""
    looks = look_key(name)
    has = col(OwnerName.name_key) == name_key(name)
    alike = [select(owner.id).where(col(owner.look_key) == looks).exists() for owner in (User, Team)]
    return (
        session.exec(select(literal(1)).where(or_(select(OwnerName).where(has).exists(), *alike))).first() is not None
    )


def owner_label(session: Session, bot: Bot) -> str:
    """Return what to call a bot's owner in a sentence, such as "team Aces"."""
    if bot.team_id is not None:
        return f"team {session.get_one(Team, bot.team_id).name}"
    return "Gangland" if bot.owner_id is None else session.get_one(User, bot.owner_id).name


def owner_name(of: type[Bot] | type[SeasonPlace] = Bot) -> Any:
    """Return the column with the name of an owner, for queries on `of`; NULL for a house or an imported bot.

    For a place in a season's standings it is the owner at that time, by their present name.
    """
    person = select(User.name).where(col(User.id) == col(of.owner_id)).correlate(of).scalar_subquery()
    team = select(Team.name).where(col(Team.id) == col(of.team_id)).correlate(of).scalar_subquery()
    return func.coalesce(person, team)


HOUSE = "house"
"""The owner of house bots for programs; no user may have this name."""


def owner_shown() -> Any:
    """Return the column with what pages call a bot's owner, for queries on `Bot`; NULL for a house bot.

    The owner of an imported bot is no user here, and is marked as being from elsewhere.
    """
    whose = case((col(Bot.foreign_owner) == "", literal("a site")), else_=col(Bot.foreign_owner))
    return case((col(Bot.import_id).is_not(None), whose + literal(" (elsewhere)")), else_=owner_name())
