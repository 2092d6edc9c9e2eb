"""`gangland admin worker`: the machines that play matches, and their credentials."""

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer
from sqlmodel import Session, col, func, select

from gangland_web.broker.credentials import host_address
from gangland_web.broker.server import private_address
from gangland_web.core.clock import timestamp
from gangland_web.league.hosts import (
    HostRefused,
    all_hosts,
    create_host,
    limit_host,
    renew_host,
    resume_host,
    revoke_host,
)
from gangland_web.ops.admin.shell import Data, Json, Refused, open_database, tell
from gangland_web.settings.config import read_settings
from gangland_web.store.columns import stored
from gangland_web.store.database import Database
from gangland_web.store.lifecycles.matches import MatchState
from gangland_web.store.models.hosts import MOST_SLOTS, WorkerHost
from gangland_web.store.models.matches import Match

app = typer.Typer(help="Worker hosts: each plays matches under a credential of its own.", no_args_is_help=True)

PASSWORD_BYTES = 32
Name = Annotated[str, typer.Argument(help="The host's name: small letters, digits and hyphens. People see it.")]
Slots = Annotated[int, typer.Option("--slots", help="The most matches that it may play at the same time.")]
Broker = Annotated[
    str | None,
    typer.Option("--broker", help="The broker as the host reaches it, such as redis://10.0.0.1:6379/0."),
]


@app.command()
def create(
    name: Name, slots: Slots = MOST_SLOTS, broker: Broker = None, data: Data = None, as_json: Json = False
) -> None:
    """Make a credential for a host and print its WORKER_REDIS_URL, which is shown this once.

    Example: gangland admin worker create play-2 --broker redis://10.0.0.1:6379/0
    """
    address, password = _broker(broker, data), secrets.token_urlsafe(PASSWORD_BYTES)
    _act(lambda session: create_host(session, name, password, slot_limit=slots), data, as_json, address, password)


@app.command()
def renew(name: Name, broker: Broker = None, data: Data = None, as_json: Json = False) -> None:
    """Give a host another password in place of its own, and let it play again if it was revoked."""
    address, password = _broker(broker, data), secrets.token_urlsafe(PASSWORD_BYTES)
    _act(lambda session: renew_host(session, name, password), data, as_json, address, password)


@app.command("list")
def list_(data: Data = None, as_json: Json = False) -> None:
    """List all hosts: their limits, when they were last seen, what they play and have played."""
    database = open_database(data)
    with database.read() as session:
        told = [_told(session, host) for host in all_hosts(session)]
    lines = [_line(one) for one in told] or ["no worker host"]
    tell({"schema": "gangland/workers/1", "hosts": told}, lines, as_json=as_json)


@app.command()
def limit(
    name: Name,
    slots: Annotated[int, typer.Argument(help="The most matches that it may play at the same time.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Set how many matches a host may be given at a time; it holds within seconds."""
    _act(lambda session: limit_host(session, name, slots), data, as_json)


@app.command()
def revoke(name: Name, data: Data = None, as_json: Json = False) -> None:
    """Shut a host out within seconds: it is cut off, and its matches are played by others. What it played stays."""
    _act(lambda session: revoke_host(session, name), data, as_json)


@app.command()
def resume(name: Name, data: Data = None, as_json: Json = False) -> None:
    """Let a host play again that was stopped by an audit."""
    _act(lambda session: resume_host(session, name), data, as_json)


def _act(
    act: Callable[[Session], WorkerHost],
    data: Path | None,
    as_json: bool,
    broker: str | None = None,
    password: str | None = None,
) -> None:
    database = open_database(data)
    told = _done(database, act)
    lines = [_line(told)]
    if broker is not None and password is not None:
        address = host_address(broker, str(told["name"]), password)
        told = {**told, "worker_redis_url": address}
        lines.append(f"WORKER_REDIS_URL={address}")
    tell({"schema": "gangland/worker/1", **told}, lines, as_json=as_json)


def _done(database: Database, act: Callable[[Session], WorkerHost]) -> dict[str, object]:
    try:
        with database.write() as session:
            host = act(session)
            session.flush()
            return _told(session, host)
    except HostRefused as wrong:
        raise Refused(str(wrong)) from wrong


def _told(session: Session, host: WorkerHost) -> dict[str, object]:
    chosen = select(Match.state, func.count()).where(Match.host_id == stored(host.id)).group_by(col(Match.state))
    counts = dict(session.exec(chosen).all())
    return {
        "name": host.name,
        "slots": host.slot_limit,
        "created": timestamp(host.created_at),
        "seen": timestamp(host.seen_at),
        "revoked": timestamp(host.revoked_at),
        "stopped": timestamp(host.stopped_at),
        "stopped_for": host.stopped_for,
        "playing": counts.get(MatchState.LEASED.value, 0),
        "played": counts.get(MatchState.DONE.value, 0),
    }


def _line(told: Mapping[str, object]) -> str:
    state = "may play"
    if told["revoked"]:
        state = f"revoked {told['revoked']}"
    elif told["stopped"]:
        state = f"stopped {told['stopped']}: {told['stopped_for']}"
    seen = f"seen {told['seen']}" if told["seen"] else "never seen"
    return (
        f"{told['name']}: {state}; {told['slots']} matches at a time at most; {seen};"
        f" {told['playing']} under way, {told['played']} played"
    )


def _broker(given: str | None, data: Path | None) -> str:
    """Return the broker's address without anybody's name: as given, REDIS_URL's, or that of `gangland up` here."""
    settings = read_settings()
    address = given or settings.redis_url or private_address(data if data is not None else settings.data)
    if address is None or urlsplit(address).scheme not in ("redis", "rediss", "unix"):
        raise Refused("--broker says where the host reaches the broker, such as redis://10.0.0.1:6379/0")
    return address
