"""Credentials of a worker host and of analysis, as they stand in addresses of the broker."""

from urllib.parse import quote, unquote, urlsplit, urlunsplit

from gangland_web.broker.names import ANALYSIS_USER, HOST_USER_PREFIX, host_user


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
    return _address(url, host_user(host), password)


def analysis_address(url: str, password: str) -> str:
    """Return the address of the same broker for those who analyse games."""
    return _address(url, ANALYSIS_USER, password)


def analysis_password(url: str) -> str:
    """Return the password in the address of the broker for those who analyse games.

    Raises:
        ValueError: it is not theirs.
    """
    parts = urlsplit(url)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if user != ANALYSIS_USER or not password:
        raise ValueError(f"ANALYSIS_REDIS_URL is an address for the user {user!r}: expected {ANALYSIS_USER!r}")
    return password


def _address(url: str, user: str, password: str) -> str:
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{quote(user, safe='')}:{quote(password, safe='')}@{place}"))
