"""Access to the broker: credentials in URLs, the access list, and the worker hosts that may connect."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import redis

from gangland_ladder.common.release import this_release
from gangland_web.broker import names
from gangland_web.broker.link import CAUSES

# Credentials of worker hosts and analysis workers in the broker's URLs.


def credential_of(url: str) -> tuple[str, str]:
    """Return a worker host's name and password from its broker URL.

    Raises ValueError: the URL is not for a worker host.
    """
    parts = urlsplit(url)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    host = user.removeprefix(names.HOST_USER_PREFIX)
    if host == user or not host or not password:
        raise ValueError(
            f"WORKER_REDIS_URL is for the user {user!r}: expected a worker host's URL, for the user"
            f" {names.host_user('NAME')!r}, as printed by `gangland admin worker create NAME`"
        )
    return host, password


def host_url(url: str, host: str, password: str) -> str:
    """Return a worker host's URL for the broker at `url`."""
    return _address(url, names.host_user(host), password)


def analysis_url(url: str, password: str) -> str:
    """Return the analysis workers' URL for the broker at `url`."""
    return _address(url, names.ANALYSIS_USER, password)


def analysis_password(url: str) -> str:
    """Return the password from the analysis workers' broker URL.

    Raises ValueError: the URL is not for the analysis workers.
    """
    parts = urlsplit(url)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if user != names.ANALYSIS_USER or not password:
        raise ValueError(f"ANALYSIS_REDIS_URL is for the user {user!r}: expected the user {names.ANALYSIS_USER!r}")
    return password


def _address(url: str, user: str, password: str) -> str:
    parts = urlsplit(url)
    server = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{quote(user, safe='')}:{quote(password, safe='')}@{server}"))


# The access list: the platform may do everything; a worker host may only run the commands it needs, on its own keys.

PLATFORM_USER = "gangland"

# Commands without keys, for connecting, comparing clocks, and transactions. `client|setinfo` is left out, because Redis
# 7.0 does not support it, and clients ignore the error.
CONNECTION_COMMANDS = ("auth", "exec", "hello", "multi", "ping", "time")


def host_permissions(host: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return pairs of commands and the keys on which a host may use them; no other combination is allowed.

    With one list of commands for all keys, a worker could replace the list of results with a hash, which would break
    all readers.  The commands were found by experiment: a Celery 5.7 worker needs them to receive and send messages
    (llen to declare a queue), and to put back unprocessed messages on a warm shutdown.  All keys except those for code
    and for the release contain the host's name.  Hosts cannot choose the names of keys, because such keys would never
    be deleted.
    """
    return (
        (("brpop", "lpush", "llen"), tuple(f"~{queue}" for queue in names.job_queues(host))),
        (("llen", "lpush"), (f"%W~{names.queue_of(names.QUEUE_RECORDS, host)}",)),
        (
            ("zadd", "zrem"),
            tuple(f"%W~{key_of(host)}" for key_of in (names.slots_key, names.checkers_key, names.table_workers_key)),
        ),
        (("zadd", "zrem"), tuple(f"%W~{names.stopped_key(cause, host)}" for cause in CAUSES)),
        (("get",), (f"%R~{names.CODE_PREFIX}*", f"%R~{names.RELEASE_KEY}")),
    )


def host_rules(host: str, password_sha256: str) -> list[str]:
    """Return a host's permissions as the arguments of ACL SETUSER after the user name."""
    return _rules(password_sha256, host_permissions(host))


def analysis_rules(password_sha256: str) -> list[str]:
    """Return the analysis workers' permissions: to take jobs from their queues, put jobs back, and push results."""
    job_queues = (("brpop", "lpush", "llen"), (f"~{names.QUEUE_SOON}", f"~{names.QUEUE_ANALYSIS}"))
    results = (("llen", "lpush"), (f"%W~{names.QUEUE_ANALYZED}",))
    return _rules(password_sha256, (job_queues, results))


def access_list(platform_password: str, analysis_workers_password: str, hosts: Mapping[str, str]) -> str:
    """Return an ACL file for the platform, the analysis workers and the hosts, with only the SHA-256 of each password.

    `hosts`: the passwords of the hosts, by name.
    """
    lines = [
        # No client can sign in as `default`, but Redis replays its own log as this user, and drops commands that the
        # user may not run.
        "user default off resetpass ~* &* +@all",
        f"user {PLATFORM_USER} on #{stored_hash(platform_password)} ~* &* +@all",
        f"user {names.ANALYSIS_USER} {' '.join(analysis_rules(stored_hash(analysis_workers_password)))}",
        *(f"user {names.host_user(name)} {' '.join(host_rules(name, stored_hash(hosts[name])))}" for name in hosts),
    ]
    return "\n".join(lines) + "\n"


def stored_hash(password: str) -> str:
    """Return the stored form of a password: its SHA-256 in hexadecimal digits."""
    return hashlib.sha256(password.encode()).hexdigest()


def _rules(password_sha256: str, pairs: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]) -> list[str]:
    """Return ACL rules that allow connecting, and using each pair's commands on its keys."""
    connection = [f"+{command}" for command in CONNECTION_COMMANDS]
    selectors = [f"({' '.join([*(f'+{command}' for command in commands), *keys])})" for commands, keys in pairs]
    return ["on", f"#{password_sha256}", "resetchannels", "-@all", *connection, *selectors]


# Worker hosts, which are added and removed while the broker is running.


class HostAccess(NamedTuple):
    """The broker's credential and slot limit for a host that may play."""

    name: str
    password_sha256: str
    slot_limit: int


@dataclass(frozen=True, slots=True)
class UserChanges:
    """The hosts that were added to a broker and the hosts that were removed."""

    added: tuple[str, ...]
    removed: tuple[str, ...]


class BrokerUsers:
    """Keeps the broker's users in sync with the hosts that may play; a restarted broker may have lost its users."""

    def __init__(self, client: "redis.Redis", analysis_sha256: str | None = None) -> None:
        """Use a client that is signed in as the platform.

        `analysis_sha256`: the hash of the analysis workers' password, or None if this object does not add their user.
        """
        self._client = client
        self._analysis_sha256 = analysis_sha256
        self._admitted: set[str] = set()

    def admit(self, hosts: Iterable[HostAccess]) -> UserChanges:
        """Allow only these hosts, and return the changes; removed hosts lose their connections, queues and slots."""
        hosts_by_name = {host.name: host for host in hosts}
        lines: Any = self._client.acl_list()
        users = {fields[1]: set(fields[2:]) for fields in (line.split() for line in lines)}
        if self._analysis_sha256 is not None and f"#{self._analysis_sha256}" not in users.get(names.ANALYSIS_USER, ()):
            self._set(names.ANALYSIS_USER, analysis_rules(self._analysis_sha256))
        rules_by_host = {
            user.removeprefix(names.HOST_USER_PREFIX): rules
            for user, rules in users.items()
            if user.startswith(names.HOST_USER_PREFIX)
        }
        added = tuple(name for name, host in hosts_by_name.items() if self._add(host, rules_by_host.get(name)))
        removed = tuple(sorted(set(rules_by_host) - set(hosts_by_name)))
        for name in removed:
            self._client.acl_deluser(names.host_user(name))
            self.clear(name)
        self._admitted = set(hosts_by_name)
        self._publish(hosts_by_name)
        return UserChanges(added, removed)

    def clear(self, host: str) -> None:
        """Delete a host's queues and announcements."""
        stopped_keys = (names.stopped_key(cause, host) for cause in CAUSES)
        slot_keys = (names.slots_key(host), names.checkers_key(host), names.table_workers_key(host))
        queues = (*names.job_queues(host), names.queue_of(names.QUEUE_RECORDS, host))
        self._client.delete(*queues, *slot_keys, *stopped_keys)

    def _set(self, user: str, rules: Iterable[str]) -> None:
        set_user: Any = self._client.execute_command
        set_user("ACL SETUSER", user, "reset", *rules)

    def _add(self, host: HostAccess, rules: set[str] | None) -> bool:
        """Allow a host; return whether the host or its password is new."""
        is_known = rules is not None and f"#{host.password_sha256}" in rules
        # Each process writes a known host's rules once, since an older release may have written them.
        if is_known and host.name in self._admitted:
            return False
        if rules is not None and not is_known:
            self._client.acl_deluser(names.host_user(host.name))  # closes connections with the old password
        self._set(names.host_user(host.name), host_rules(host.name, host.password_sha256))
        return not is_known

    def _publish(self, hosts: dict[str, HostAccess]) -> None:
        with self._client.pipeline() as pipe:
            pipe.set(names.RELEASE_KEY, this_release())
            pipe.delete(names.HOSTS_KEY)
            if hosts:
                pipe.hset(names.HOSTS_KEY, mapping={name: host.slot_limit for name, host in hosts.items()})
            pipe.execute()
