"""Who may do what: three roles and one table.

An act is allowed by role, and those on a tournament by whose it is besides: an organiser's hand reaches the
tournaments that they organise, an admin's reaches all.  Whatever is not in the table is refused.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol


class Role(StrEnum):
    """What a person is to the house."""

    AUTHOR = "author"
    ORGANISER = "organiser"
    ADMIN = "admin"


class Act(StrEnum):
    """What takes a role.  Acts of authors on their own bots take none: a signed-in owner is enough."""

    CREATE_TOURNAMENT = "create tournaments"
    EDIT_DRAFT = "edit a draft"
    DELETE_DRAFT = "delete a draft"
    MOVE_TOURNAMENT = "change a tournament's state"
    MOVE_DEADLINE = "postpone a deadline"
    RERUN_MATCH = "have a match played again"
    VOID_MATCH = "void a match"
    DISQUALIFY = "disqualify a bot"
    ENTER_FOR_OTHERS = "enter a bot for its owner"
    SEE_STUCK_WORK = "see delayed matches"
    SEE_AUDIT_LOG = "see the log of a tournament"
    MAKE_ALIASES = "create accounts for a class"
    RESET_PASSWORD = "create a code for a person's new password"  # noqa: S105 (an act, not a password)
    SEE_WHOLE_LOG = "see the whole log"
    SET_ROLES = "set people's roles"
    MODERATE = "rename, hide, retire or suspend people and bots"


ON_A_TOURNAMENT: Final = frozenset(
    {
        Act.EDIT_DRAFT,
        Act.DELETE_DRAFT,
        Act.MOVE_TOURNAMENT,
        Act.MOVE_DEADLINE,
        Act.RERUN_MATCH,
        Act.VOID_MATCH,
        Act.DISQUALIFY,
        Act.ENTER_FOR_OTHERS,
        Act.SEE_STUCK_WORK,
        Act.SEE_AUDIT_LOG,
    }
)
"""Acts that an organiser may do to their own tournaments alone."""
_OF_ORGANISERS: Final = ON_A_TOURNAMENT | {Act.CREATE_TOURNAMENT, Act.MAKE_ALIASES, Act.RESET_PASSWORD}
ROLES: Final[dict[Act, frozenset[Role]]] = {
    **dict.fromkeys(_OF_ORGANISERS, frozenset({Role.ORGANISER, Role.ADMIN})),
    **dict.fromkeys((Act.SEE_WHOLE_LOG, Act.SET_ROLES, Act.MODERATE), frozenset({Role.ADMIN})),
}
"""By act, the roles that allow it."""


class Person(Protocol):
    """Somebody with a role, such as a visitor or a row of users."""

    @property
    def id(self) -> int | None:
        """The number of the account."""

    @property
    def role(self) -> str:
        """One of the roles."""


def organises(role: str) -> bool:
    """Tell whether somebody of this role may organise tournaments at all."""
    return Role(role) in ROLES[Act.CREATE_TOURNAMENT]


class Organised(Protocol):
    """What has an organiser, such as a tournament."""

    @property
    def organiser_id(self) -> int | None:
        """The number of the organiser's account."""


def may(person: Person | None, act: Act, of: Organised | None = None) -> bool:
    """Tell whether somebody may do something.

    Args:
        person: None is a stranger, who may nothing that is in the table.
        of: the tournament, for the acts on one.

    Raises:
        ValueError: an act on a tournament was asked for without one, or another with one.
    """
    if (act in ON_A_TOURNAMENT) != (of is not None):
        raise ValueError(f"{act} is{'' if act in ON_A_TOURNAMENT else ' not'} done to a tournament")
    if person is None or Role(person.role) not in ROLES.get(act, frozenset()):
        return False
    return of is None or person.role == Role.ADMIN or (person.id is not None and person.id == of.organiser_id)
