"""A worker host's credential, as it stands in its address of the broker."""

from urllib.parse import quote, unquote, urlsplit, urlunsplit

from gangland_web.broker.names import HOST_USER_PREFIX, host_user


def credential_of(url: str) -> tuple[str, str]:
    """Return the name and the password of the worker host whose address of the broker this is.

    Raises:
        ValueError: it is not a host's.
    """
    parts = urlsplit(url)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    host = user.removeprefix(HOST_USER_PREFIX)
    if host == user or not host or not password:
        raise ValueError(
            f"WORKER_REDIS_URL is an address for the user {user!r}: expected one of a worker host,"
            f" {host_user('NAME')!r}, as `gangland admin worker create NAME` prints it"
        )
    return host, password


def host_address(url: str, host: str, password: str) -> str:
    """Return the address of the same broker for a worker host."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{quote(host_user(host), safe='')}:{quote(password, safe='')}@{place}"))
