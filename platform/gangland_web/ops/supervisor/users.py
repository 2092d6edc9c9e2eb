"""Whom root becomes for each process of `gangland up`: numbers of our own, in no passwd.

Match workers are not in the list: they start as root, prepare what jails are made of, and become
`JAIL_ID` before they take an order.
"""

import grp
import pwd
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from gangland_sandbox.privileges import JAIL_ID, as_other, drop, is_root
from gangland_sandbox.reach import View

Plain = TypeVar("Plain")

DATA_GROUP: Final = 10010
"""The group of those who write the embedded database."""
BROKER_GROUP: Final = JAIL_ID
"""The group of those who reach the broker's socket, match workers among them; it owns nothing else."""


@dataclass(frozen=True, slots=True)
class User:
    """A user of one kind of process; its own group has the same number."""

    name: str
    number: int
    groups: tuple[int, ...]

    def become(self, view: View) -> None:
        """Give root up for good in this process, and see no more of closed folders than it needs.

        Raises:
            SandboxError: root cannot be given up.
            OSError: the kernel refuses the view.
        """
        view.enter()
        drop(self.number, self.number, self.groups)


WEB: Final = User("web", 10011, (DATA_GROUP, BROKER_GROUP))
RECORDS: Final = User("records", 10012, (DATA_GROUP, BROKER_GROUP))
MAIL: Final = User("mail", 10013, (DATA_GROUP, BROKER_GROUP))
BEAT: Final = User("beat", 10014, (BROKER_GROUP,))
BROKER: Final = User("broker", 10015, (BROKER_GROUP,))
ANALYSIS: Final = User("analysis", 10016, (BROKER_GROUP,))
USERS: Final = {user.name: user for user in (WEB, RECORDS, MAIL, BEAT, BROKER, ANALYSIS)}
"""By the name of the child, without the number of one of several."""


def user_of(child: str) -> User | None:
    """Return whom root becomes for a child of this name; None where it starts as whoever starts it."""
    return USERS.get(child.partition("-")[0]) if is_root() else None


def as_user(user: User, view: View, function: Callable[[], Plain]) -> Plain:
    """Return what a function returns, run as this user in a child if this process is root.

    Args:
        function: returns plain JSON values; a database that it uses is opened in it.

    Raises:
        SandboxError: the child failed; the message ends with its traceback.
    """
    return as_other(function, lambda: user.become(view))


def somebody_elses(passwd: Callable[[int], pwd.struct_passwd] = pwd.getpwuid) -> str | None:
    """Return who of this machine has one of our numbers already, in words; None if they are free."""
    for user in USERS.values():
        try:
            name = passwd(user.number).pw_name
        except KeyError:
            continue
        if not name.startswith("gangland"):
            return f"{name} (user {user.number})"
    try:
        group = grp.getgrgid(DATA_GROUP).gr_name
    except KeyError:
        return None
    return None if group.startswith("gangland") else f"{group} (group {DATA_GROUP})"
