"""Settings of the platform's processes, read once from the environment."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Final, Literal
from urllib.parse import parse_qs, unquote, urlsplit

from gangland_ladder.local.salt import data_folder
from gangland_web.base.text import address_problem
from gangland_web.broker.access import analysis_password, credential_of

# The site, its workers, database and broker.

LOOPBACK = tuple(ip_network(text) for text in ("127.0.0.0/8", "::1"))  # this machine
SECRET_KEY_CHARS = 16  # minimum length of the key that signs sessions, and of the token for metrics


class ConfigError(ValueError):
    """A setting is missing or invalid; the message names it and the expected value."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a process.  A process gets only the settings that it may have; all others have their defaults."""

    data: Path
    database_url: str | None = field(repr=False)
    redis_url: str | None = field(repr=False)  # for the platform's own user of the broker
    worker_redis_url: str | None = field(repr=False)  # for a match worker's user of the broker
    secret_key: str | None = field(repr=False)
    analysis_redis_url: str | None = field(default=None, repr=False)  # for the analysis workers' user of the broker
    trusted_proxies: int = 0
    # networks of these proxies; forwarded headers of other clients are ignored
    proxies: tuple[IPv4Network | IPv6Network, ...] = LOOPBACK
    secure_cookies: bool = False
    rounds: int = 10  # per day for one set of entries of a ladder
    blocks: int = 12  # per match in new ladders
    team_members: int = 8
    keep_replays_days: int = 0  # 0 means forever
    keep_logs_days: int = 0  # logs of bots; 0 means forever
    audit_percent: int = 2  # of rated matches, unless a tournament has its own
    analysis_workers: int = 1  # number of processes; 0 disables analysis
    analysis_cpu_s: int = 30  # per game; after that, the analysis so far is kept and the rest of the game is left out
    analysis_sample: int = 12  # games analyzed without a request, per active version, game and table size
    analysis_budget_s: int = 7200  # CPU seconds for analyses without a request in 24 hours
    mail_from: str | None = None  # None if no mail is sent
    site_url: str | None = None  # such as `https://bots.example`; None if any host name is accepted
    metrics_token: str | None = field(default=None, repr=False)  # required by /metrics; None if that page is closed

    def need_database_url(self) -> str:
        """Return the URL of the database.  Raises ConfigError: it is not set."""
        return _need(self.database_url, "DATABASE_URL")

    def need_redis_url(self) -> str:
        """Return the broker's URL for the platform.  Raises ConfigError: it is not set."""
        return _need(self.redis_url, "REDIS_URL")

    def need_worker_redis_url(self) -> str:
        """Return the broker's URL for a match worker.  Raises ConfigError: it is not set."""
        return _need(self.worker_redis_url, "WORKER_REDIS_URL")

    def need_analysis_redis_url(self) -> str:
        """Return the broker's URL for the analysis workers.  Raises ConfigError: it is not set."""
        return _need(self.analysis_redis_url, "ANALYSIS_REDIS_URL")

    def need_secret_key(self) -> str:
        """Return the key that signs sessions.  Raises ConfigError: it is not set."""
        return _need(self.secret_key, "SECRET_KEY or SECRET_KEY_FILE")


def read_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings, by default from the process environment.  Raises ConfigError: one of them is invalid."""
    env = os.environ if environ is None else environ
    return Settings(
        data=data_folder(env),
        database_url=_database(env),
        redis_url=_broker(env, "REDIS_URL"),
        worker_redis_url=_broker_for(env, "WORKER_REDIS_URL", credential_of),
        secret_key=_secret_key(env),
        trusted_proxies=_whole_number(env, "TRUSTED_PROXIES", 0),
        proxies=_networks(env, "PROXY_ADDRESSES", LOOPBACK),
        secure_cookies=_whole_number(env, "SECURE_COOKIES", 0) > 0,
        rounds=_whole_number(env, "GANGLAND_ROUNDS", 10),
        blocks=max(1, _whole_number(env, "GANGLAND_BLOCKS", 12)),
        team_members=max(1, _whole_number(env, "GANGLAND_TEAM_MEMBERS", 8)),
        keep_replays_days=_whole_number(env, "KEEP_REPLAYS_DAYS", 0),
        keep_logs_days=_whole_number(env, "KEEP_LOGS_DAYS", 0),
        audit_percent=min(100, _whole_number(env, "GANGLAND_AUDIT_PERCENT", 2)),
        analysis_redis_url=_broker_for(env, "ANALYSIS_REDIS_URL", analysis_password),
        analysis_workers=_whole_number(env, "GANGLAND_ANALYSIS_WORKERS", 1),
        analysis_cpu_s=max(1, _whole_number(env, "GANGLAND_ANALYSIS_CPU_S", 30)),
        analysis_sample=_whole_number(env, "GANGLAND_ANALYSIS_SAMPLE", 12),
        analysis_budget_s=_whole_number(env, "GANGLAND_ANALYSIS_BUDGET_S", 7200),
        mail_from=env.get("SMTP_FROM") or None,
        site_url=site_address(env["SITE_URL"]) if env.get("SITE_URL") else None,
        metrics_token=_metrics_token(env),
    )


SQLITE_FILE = "gangland.sqlite3"


def sqlite_url(data: Path) -> str:
    """Return the URL of the SQLite database in a data folder."""
    return f"sqlite:///{data / SQLITE_FILE}"


def read_setting(env: Mapping[str, str], name: str) -> str | None:
    """Return a setting, or the content of the file that NAME_FILE names; None if neither is set.

    Raises ConfigError: the file cannot be read or is empty.
    """
    if value := env.get(name):
        return value
    path = env.get(f"{name}_FILE")
    if not path:
        return None
    try:
        value = Path(path).read_text(encoding="utf-8").removeprefix("\ufeff").strip()
    except OSError as error:
        raise ConfigError(f"{name}_FILE names {path!r}, which cannot be read: {error.strerror}") from error
    if not value:
        raise ConfigError(f"{name}_FILE names {path!r}, which is empty")
    return value


def site_address(url: str | None) -> str:
    """Return SITE_URL without a final slash.  Raises ConfigError: it is missing, or more than scheme, host and port."""
    form = "expected the URL that people type to reach the site, such as https://bots.example"
    if not url:
        raise ConfigError(f"SITE_URL is not set: {form}")
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_valid = False
        parts = urlsplit("")
    if not is_valid or parts.path not in ("", "/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise ConfigError(f"SITE_URL is not a site's URL: {form}")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise ConfigError(f"SITE_URL has characters that are not allowed in a URL: {form}")
    return f"{parts.scheme}://{parts.netloc}"


def _database(env: Mapping[str, str]) -> str | None:
    url = read_setting(env, "DATABASE_URL")
    if url is None:
        return None
    # Checked here, since the message of a driver may quote the password.
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        is_valid = make_url(url).get_backend_name() in ("sqlite", "postgresql", "postgres")
    except (ArgumentError, ValueError):
        is_valid = False
    if not is_valid:
        raise ConfigError(
            "DATABASE_URL is not a database URL: expected postgresql://USER@HOST/NAME or sqlite:////FILE,"
            " with special characters in a password escaped (%40 for @)"
        )
    return url


def _broker(env: Mapping[str, str], name: str) -> str | None:
    url = read_setting(env, name)
    try:
        parts = urlsplit(url or "redis://")
        number = parse_qs(parts.query).get("db", ["" if parts.scheme == "unix" else parts.path.removeprefix("/")])
        is_valid = parts.scheme in ("redis", "rediss", "unix") and (parts.port or 1) > 0 and number in ([""], ["0"])
    except ValueError:
        is_valid = False
    if not is_valid:
        raise ConfigError(
            f"{name} is not a broker URL: expected redis://USER:PASSWORD@HOST:6379/0 or unix://USER:PASSWORD@FILE,"
            " with database 0, and special characters in a password escaped (%40 for @)"
        )
    return url


def _broker_for(env: Mapping[str, str], name: str, credential: Callable[[str], object]) -> str | None:
    url = _broker(env, name)
    if url is not None:
        try:
            credential(url)
        except ValueError as error:
            raise ConfigError(str(error)) from error
    return url


def _secret_key(env: Mapping[str, str]) -> str | None:
    key = read_setting(env, "SECRET_KEY")
    if key is not None and len(key) < SECRET_KEY_CHARS:
        raise ConfigError(
            f"SECRET_KEY has {len(key)} characters, but it signs sessions and needs at least {SECRET_KEY_CHARS}:"
            " use the output of `openssl rand -hex 32`"
        )
    return key


def _metrics_token(env: Mapping[str, str]) -> str | None:
    token = read_setting(env, "METRICS_TOKEN")
    if token is not None and (len(token) < SECRET_KEY_CHARS or not token.isascii() or not token.isprintable()):
        raise ConfigError(
            f"METRICS_TOKEN needs at least {SECRET_KEY_CHARS} printable ASCII characters:"
            " use the output of `openssl rand -hex 32`"
        )
    return token


def _whole_number(env: Mapping[str, str], name: str, default: int) -> int:
    text = env.get(name, str(default))
    if not text.isascii() or not text.isdigit():
        raise ConfigError(f"{name} must be a whole number, not {text!r}")
    return int(text)


def _networks(
    env: Mapping[str, str], name: str, default: tuple[IPv4Network | IPv6Network, ...]
) -> tuple[IPv4Network | IPv6Network, ...]:
    text = env.get(name, "").replace(",", " ")
    try:
        return tuple(ip_network(word) for word in text.split()) or default
    except ValueError as error:
        raise ConfigError(f"{name} must be addresses or networks such as 10.0.0.1 or 10.0.0.0/24: {error}") from error


def _need(value: str | None, name: str) -> str:
    if value is None:
        raise ConfigError(f"{name} is not set")
    return value


# Mail: the server, and the URL that links in emails start with. Only the mailer gets all of these settings.

Security = Literal["starttls", "tls", "none"]

_SCHEMES: Final[dict[str, tuple[Security, int]]] = {
    "smtp": ("starttls", 587),
    "smtps": ("tls", 465),
    "smtp+plain": ("none", 25),
}
_SMTP_FORMS: Final = (
    "expected smtp://USER@HOST:587 (STARTTLS), smtps://USER@HOST:465 (TLS) or smtp+plain://HOST:25 (neither)"
)


@dataclass(frozen=True, slots=True)
class Smtp:
    """An SMTP server and the sender of emails; `user` and `password` are empty without authentication."""

    host: str
    port: int
    security: Security
    sender: str
    site: str  # the URL that links start with, such as `https://bots.example`; never taken from a request
    user: str = ""
    password: str = field(default="", repr=False)


def read_smtp(env: Mapping[str, str]) -> Smtp | None:
    """Return the mail settings, or None if mail is not set up.  Error messages never show a password.

    Raises ConfigError: only some of SMTP_URL, SMTP_FROM and SITE_URL are set, or one of them is invalid.
    """
    url, sender, site = read_setting(env, "SMTP_URL"), env.get("SMTP_FROM"), env.get("SITE_URL")
    if not url and not sender:
        return None
    if not url:
        raise ConfigError(f"SMTP_FROM is set, but SMTP_URL is not: {_SMTP_FORMS}")
    if not sender:
        raise ConfigError("SMTP_URL is set, but SMTP_FROM is not: expected the sender's email address")
    if problem := address_problem(sender):
        raise ConfigError(f"SMTP_FROM is not an email address such as house@bots.example: {problem}")
    host, port, security, user, password = _server(url)
    password = read_setting(env, "SMTP_PASSWORD") or password
    if bool(user) != bool(password):
        raise ConfigError("SMTP_URL needs a user and SMTP_PASSWORD (or SMTP_PASSWORD_FILE) a password, or neither")
    if user and security == "none" and not is_loopback(host):
        raise ConfigError("SMTP_URL would send a password unencrypted: use smtp:// or smtps://")
    return Smtp(host, port, security, sender, site_address(site), user, password)


def _server(url: str) -> tuple[str, int, Security, str, str]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ConfigError(f"SMTP_URL is not a URL: {_SMTP_FORMS}") from error
    if parts.scheme not in _SCHEMES or not parts.hostname or parts.path not in ("", "/") or parts.query:
        raise ConfigError(f"SMTP_URL is not supported: {_SMTP_FORMS}")
    security, default_port = _SCHEMES[parts.scheme]
    return parts.hostname, port or default_port, security, unquote(parts.username or ""), unquote(parts.password or "")


def is_loopback(host: str) -> bool:
    """Return whether a host is `localhost` or a loopback address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


# OpenID: the provider that the site trusts, and which of its users may sign in.

OIDC_NAMES = ("OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")
NAME_CHARS = 40


@dataclass(frozen=True, slots=True)
class Oidc:
    """An OpenID provider, and which of its users may sign in."""

    issuer: str  # the provider's URL; its discovery document is below this URL
    client_id: str
    client_secret: str = field(repr=False)
    name: str  # on the sign-in button
    site: str  # this site's URL; never taken from a request
    domains: frozenset[str] = frozenset()  # of confirmed email addresses that may sign in; all if empty
    groups: frozenset[str] = frozenset()  # whose members may sign in; if empty, all users may

    @property
    def scope(self) -> str:
        """Return the scopes to request: only those that are used."""
        scopes = ("openid", "email" if self.domains else "", "groups" if self.groups else "")
        return " ".join(filter(None, scopes))


def read_oidc(env: Mapping[str, str]) -> Oidc | None:
    """Return the provider's settings, or None.

    Raises ConfigError: some are missing or invalid, or authlib is missing.
    """
    values = {name: read_setting(env, name) for name in OIDC_NAMES}
    if not any(values.values()):
        return None
    for name, value in values.items():
        if not value:
            needed = f"{', '.join(OIDC_NAMES)} and SITE_URL"
            raise ConfigError(f"{name} is not set; sign-in with OpenID Connect needs {needed}")
    if find_spec("authlib") is None or find_spec("requests") is None:
        raise ConfigError("OIDC_ISSUER is set, but authlib is not installed: pip install 'gangland[oidc]'")
    name = (env.get("OIDC_NAME") or "your other account").strip()
    if len(name) > NAME_CHARS or not name.isprintable():
        raise ConfigError(f"OIDC_NAME must have at most {NAME_CHARS} printable characters")
    return Oidc(
        _issuer(str(values["OIDC_ISSUER"])),
        str(values["OIDC_CLIENT_ID"]),
        str(values["OIDC_CLIENT_SECRET"]),
        name,
        site_address(env.get("SITE_URL")),
        frozenset(word.lower() for word in _list_items(env.get("OIDC_DOMAINS", ""))),
        frozenset(_list_items(env.get("OIDC_GROUPS", ""))),
    )


def _issuer(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))
        is_valid = is_valid and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_valid = False
    if not is_valid or "@" in url or "?" in url or "#" in url:
        raise ConfigError("OIDC_ISSUER is not an issuer: expected an https URL such as https://accounts.example")
    return url.rstrip("/")


def _list_items(text: str) -> list[str]:
    return [word for word in (part.strip() for part in text.split(",")) if word]
