"""Letting worker hosts in to the broker and shutting them out, while it runs."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import redis

from gangland_ladder.common.release import this_release
from gangland_web.broker.acl import analysis_rules, host_rules
from gangland_web.broker.names import (
    ANALYSIS_USER,
    HOST_USER_PREFIX,
    HOSTS_KEY,
    QUEUE_RECORDS,
    RELEASE_KEY,
    checkers_key,
    host_user,
    order_queues,
    queue_of,
    slots_key,
    stopped_key,
    table_workers_key,
)
from gangland_web.broker.stopped import CAUSES


class HostAccess(NamedTuple):
    """What the broker has to know of a host that may play."""

    name: str
    password_sha256: str
    slot_limit: int


@dataclass(frozen=True, slots=True)
class UserChanges:
    """Which hosts a broker was found to lack, and which it knew that may not play any more."""

    opened: tuple[str, ...]
    shut: tuple[str, ...]


class BrokerUsers:
    """Keeps the broker's users equal to the hosts that may play.

    The broker is looked at every time, for one that restarts may have forgotten its users.
    """

    def __init__(self, client: "redis.Redis", analysis_sha256: str | None = None) -> None:
        """Speak through a connection of the platform.

        Args:
            analysis_sha256: of the password of those who analyse games; None where somebody else lets them in.
        """
        self._client = client
        self._analysis_sha256 = analysis_sha256
        self._let_in: set[str] = set()

    def admit(self, hosts: Iterable[HostAccess]) -> UserChanges:
        """Let these hosts in and nobody else: whoever is shut out loses its connections, its queues and its slots."""
        wanted = {host.name: host for host in hosts}
        users = self._users()
        if self._analysis_sha256 is not None and f"#{self._analysis_sha256}" not in users.get(ANALYSIS_USER, ()):
            self._set(ANALYSIS_USER, analysis_rules(self._analysis_sha256))
        known = {
            user.removeprefix(HOST_USER_PREFIX): rules
            for user, rules in users.items()
            if user.startswith(HOST_USER_PREFIX)
        }
        opened = tuple(name for name, host in wanted.items() if self._open(host, known.get(name)))
        shut = tuple(sorted(set(known) - set(wanted)))
        for name in shut:
            self._client.acl_deluser(host_user(name))
            self.clear(name)
        self._let_in = set(wanted)
        self._tell(wanted)
        return UserChanges(opened, shut)

    def clear(self, host: str) -> None:
        """Throw away what lies in a host's queues and what it said."""
        stopped = (stopped_key(cause, host) for cause in CAUSES)
        announced = (slots_key(host), checkers_key(host), table_workers_key(host))
        self._client.delete(*order_queues(host), queue_of(QUEUE_RECORDS, host), *announced, *stopped)

    def _users(self) -> dict[str, set[str]]:
        """Return the words of each user's rights, by its name."""
        listed: Any = self._client.acl_list()
        return {words[1]: set(words[2:]) for words in (line.split() for line in listed)}

    def _set(self, user: str, rules: Iterable[str]) -> None:
        set_user: Any = self._client.execute_command
        set_user("ACL SETUSER", user, "reset", *rules)

    def _open(self, host: HostAccess, rules: set[str] | None) -> bool:
        """Let a host in; whether it was not, by this password.  Rules of an older release are replaced once."""
        same = rules is not None and f"#{host.password_sha256}" in rules
        if same and host.name in self._let_in:
            return False
        if rules is not None and not same:
            self._client.acl_deluser(host_user(host.name))  # who came with the former password is cut off
        self._set(host_user(host.name), host_rules(host.name, host.password_sha256))
        return not same

    def _tell(self, wanted: dict[str, HostAccess]) -> None:
        with self._client.pipeline() as pipe:
            pipe.set(RELEASE_KEY, this_release())
            pipe.delete(HOSTS_KEY)
            if wanted:
                pipe.hset(HOSTS_KEY, mapping={name: host.slot_limit for name, host in wanted.items()})
            pipe.execute()
