"""`gangland admin worker`: the machines that play matches, and their credentials."""

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer
from msgspec.structs import asdict, replace
from sqlmodel import Session, col, func, select

from gangland_ladder.documents.admin import Host, Worker, Workers
from gangland_web.base.clock import timestamp
from gangland_web.broker.access import host_address
from gangland_web.broker.server import private_address
from gangland_web.models.columns import stored
from gangland_web.models.matches import MOST_SLOTS, Match, MatchState, WorkerHost
from gangland_web.ops.admin.shell import Data, Json, Refused, WholeHelp, open_database, tell
from gangland_web.services.worker_hosts import (
    HostRefused,
    create_host,
    limit_host,
    renew_host,
    resume_host,
    revoke_host,
)
from gangland_web.settings import read_settings

app = typer.Typer(
    cls=WholeHelp, help="Worker hosts: each plays matches under a credential of its own.", no_args_is_help=True
)

PASSWORD_BYTES = 32
Name = Annotated[str, typer.Argument(help="The host's name: small letters, digits and hyphens. People see it.")]
Slots = Annotated[int, typer.Option("--slots", help="The most matches that it may play at the same time.")]
Broker = Annotated[
    str | None, typer.Option("--broker", help="The broker as the host reaches it, such as redis://10.0.0.1:6379/0.")
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
    with open_database(data).read() as session:
        chosen = select(WorkerHost).order_by(col(WorkerHost.name))
        hosts = [_described(session, host) for host in session.exec(chosen).all()]
    tell(Workers(hosts), [_line(host) for host in hosts] or ["no worker host"], as_json=as_json)


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
    """Do something to a host, and say what it is then; with a password that is new, how it gets to the broker."""
    try:
        with open_database(data).write() as session:
            host = act(session)
            session.flush()
            described = _described(session, host)
    except HostRefused as wrong:
        raise Refused(str(wrong)) from wrong
    document, lines = Worker(**asdict(described)), [_line(described)]
    if broker is not None and password is not None:
        address = host_address(broker, described.name, password)
        document = replace(document, worker_redis_url=address)
        lines.append(f"WORKER_REDIS_URL={address}")
    tell(document, lines, as_json=as_json)


def _described(session: Session, host: WorkerHost) -> Host:
    chosen = select(Match.state, func.count()).where(Match.host_id == stored(host.id)).group_by(col(Match.state))
    counts = dict(session.exec(chosen).all())
    return Host(
        name=host.name,
        slots=host.slot_limit,
        created=timestamp(host.created_at),
        last_seen=timestamp(host.last_seen_at),
        revoked=timestamp(host.revoked_at),
        stopped=timestamp(host.stopped_at),
        stopped_for=host.stopped_for,
        playing=counts.get(MatchState.LEASED.value, 0),
        played=counts.get(MatchState.DONE.value, 0),
    )


def _line(host: Host) -> str:
    state = "may play"
    if host.revoked:
        state = f"revoked {host.revoked}"
    elif host.stopped:
        state = f"stopped {host.stopped}: {host.stopped_for}"
    last = f"seen {host.last_seen}" if host.last_seen else "never seen"
    return (
        f"{host.name}: {state}; {host.slots} matches at a time at most; {last};"
        f" {host.playing} under way, {host.played} played"
    )


def _broker(given: str | None, data: Path | None) -> str:
    """Return the broker's address without anybody's name: as given, REDIS_URL's, or that of `gangland up` here."""
    settings = read_settings()
    address = given or settings.redis_url or private_address(data if data is not None else settings.data)
    if address is None or urlsplit(address).scheme not in ("redis", "rediss", "unix"):
        raise Refused("--broker says where the host reaches the broker, such as redis://10.0.0.1:6379/0")
    return address
