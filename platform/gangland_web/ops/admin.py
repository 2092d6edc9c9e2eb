"""`gangland admin`: what organizers do from a shell on the server (`python -m gangland_web.ops.admin`)."""

import json
import logging
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile, gettempdir
from typing import IO, Annotated, Any
from urllib.parse import urlsplit

import typer
from msgspec import structs
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlmodel import Session, col, func, select

from gangland_ladder.cli import output
from gangland_ladder.cli.output import careful_output, say
from gangland_ladder.cli.reproduce import play_and_tell
from gangland_ladder.documents import installations
from gangland_ladder.local.processes import TableFailed
from gangland_ladder.matches.judging import ResultRefused, judge, match_digest
from gangland_ladder.matches.match_orders import GameRecord, Order, Result
from gangland_ladder.proof.archives import ArchiveError
from gangland_sandbox.errors import SandboxError
from gangland_web.base.formats import now_s, timestamp
from gangland_web.base.secrecy import keep_private
from gangland_web.base.text import name_key, shown
from gangland_web.broker.access import host_address
from gangland_web.broker.server import platform_address, private_address
from gangland_web.models.accounts import Membership, Role, User, is_in
from gangland_web.models.bots import Code
from gangland_web.models.columns import stored
from gangland_web.models.database import Database
from gangland_web.models.matches import MOST_SLOTS, Match, MatchState, WorkerHost
from gangland_web.models.organizing import COMMAND_LINE
from gangland_web.models.site import Fact, begin_maintenance, end_maintenance, fact, keep_fact
from gangland_web.models.tournaments import Tournament
from gangland_web.ops import admin_shell as shell
from gangland_web.ops.admin_tournaments import ladder_app, season_app, tournament_app
from gangland_web.ops.backup import BackupRefused, Header, Restored, Results, results_digest, take_backup
from gangland_web.ops.backup import examine as examine_backup
from gangland_web.ops.backup import restore as restore_backup
from gangland_web.queries.matches import seats_of
from gangland_web.services import worker_hosts
from gangland_web.services.archives import ImportRefused, NotFrozen, import_archive
from gangland_web.services.ladder_days import ValueRefused
from gangland_web.services.orders import played_order, recorded_games
from gangland_web.services.organizing import PutOff, put_off_missed
from gangland_web.services.retention import NOT_KEPT, Trimmed
from gangland_web.services.seasons import SeasonRefused
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.settings import ConfigError, read_settings

# `gangland admin import`: a tournament that was played on another installation.


_HEX = re.compile(r"[0-9a-f]{64}")


def import_(
    archive: Annotated[Path, typer.Argument(help="A tournament's archive, or that of a ladder's day.")],
    commitment: Annotated[
        str | None, typer.Option(metavar="HEX", help="The SHA-256 of its secret, as it was announced.")
    ] = None,
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Take in a tournament that was played elsewhere, if its archive proves itself; exit 1 if it does not.

    It is examined as `gangland verify` does it, then written as a tournament that is over, whole or not at all.

    Example: gangland admin import spring-cup.tar
    """
    if commitment is not None and not _HEX.fullmatch(commitment):
        raise shell.Refused(f"--commitment is 64 hexadecimal digits, not {commitment!r}")
    try:
        imported = import_archive(shell.open_database(data), archive, announced=commitment)
    except ImportRefused as why:
        if why.findings:
            shell.refuse(str(why), shell.FINDINGS)
        raise shell.Refused(str(why)) from why
    except ArchiveError as error:
        raise shell.Refused(f"{archive.name} cannot be imported, see `gangland verify`: {error}") from error
    except OSError as error:
        raise shell.Refused(f"cannot read {archive}: {error.strerror}") from error
    document = installations.Import(
        tournament=imported.tournament_id,
        name=imported.name,
        sha256=imported.sha256,
        entries=imported.entries,
        matches=imported.proof.matches,
        games=imported.proof.games,
        unproven=imported.proof.unproven,
    )
    lines = [
        f"{imported.name} is tournament {imported.tournament_id} here",
        f"{imported.entries} entries, {imported.proof.matches} matches, {imported.proof.games} games, all proven",
        f"SHA-256 of the archive: {imported.sha256}",
        "not proven by the archive:",
        *[f"  - {each}" for each in imported.proof.unproven],
    ]
    shell.tell(document, lines, as_json=as_json)


# `gangland admin backup`, `examine`, `restore` and `digest`: everything that the database holds, as one file.


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; - is stdout.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Overwrite an existing file.")] = False,
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Write everything that the database holds at one moment into a file, while the site plays on.

    The file holds password hashes and the secrets of tournaments: nobody else can read it, and so it should stay.
    What goes to stdout may end nowhere: the site knows of it once `gangland admin examine` has read it.

    Example: gangland admin backup gangland-monday.backup
    """
    database = shell.open_database(data)
    try:
        header = _to_stdout(database) if file == shell.STDOUT else _to_file(database, file, overwrite=overwrite)
    except BackupRefused as why:
        raise shell.Refused(str(why)) from why
    if file == shell.STDOUT:
        return
    _note(database, header)
    size = file.stat().st_size
    document = installations.Backup(**_header_facts(header), file=str(file), bytes=size)
    shell.tell(document, [f"{file}: {size} bytes", *_result_lines(header.results)], as_json=as_json)


def examine(
    file: Annotated[Path, typer.Argument(help="A backup; - is stdin.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Read a backup from end to end, compare its digest of results with this site's, and have the site know of it.

    Exit 1 if it is whole and its results are not those that this site had then.

    Example: gangland admin examine - < gangland-monday.backup
    """
    database = shell.open_database(data)
    try:
        header = examine_backup(_from_stdin() if file == shell.STDOUT else file)
    except BackupRefused as why:
        raise shell.Refused(f"{file.name} cannot be trusted: {why}") from why
    except OSError as error:
        raise shell.Refused(f"cannot read {file}: {error.strerror}") from error
    same = header.results.up_to is None or _results_here(database, header) == header.results
    if same:
        _note(database, header)
    document = installations.Examined(**_header_facts(header), file=str(file), same=same)
    compared = "the digest is that of this site" if same else "the digest is NOT that of this site"
    summary = f"a whole backup of {timestamp(header.made_at)}, taken by release {header.release}"
    shell.tell(document, [summary, *_result_lines(header.results), compared], as_json=as_json)
    if not same:
        shell.refuse("the backup is of another site, or results were changed since", shell.FINDINGS)


def restore(
    file: Annotated[Path, typer.Argument(help="A backup; - is stdin.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Write a backup into an empty database, all of it or nothing, and bring that up to this release.

    The database is the one that DATABASE_URL names, or a new one in the data folder; it may be of the other kind than
    the one that the backup was taken of.  Exit 1 if the digest of results is not the backup's.

    Example: gangland admin restore gangland-monday.backup --data ./restored
    """
    try:
        if file != shell.STDOUT and file.exists() and not file.is_file():
            raise shell.Refused(f"{file} cannot be read twice: pipe it into  gangland admin restore -")
        with _stdin() if file == shell.STDOUT else nullcontext(file) as source:
            done = restore_backup(shell.new_database(data), source)
    except BackupRefused as why:
        raise shell.Refused(f"{file.name} cannot be restored: {why}") from why
    except OSError as error:
        raise shell.Refused(f"cannot read {file}: {error.strerror}") from error
    document = installations.Restore(
        **_header_facts(done.header),
        file=str(file),
        rows=done.rows,
        same=done.same,
        returned=done.returned,
        signed_out=done.ended,
        maintenance=done.maintenance,
    )
    shell.tell(document, _restored(done), as_json=as_json)
    if not done.same:
        shell.refuse(
            f"the results are not those of the backup: {done.header.results} there, {done.results} here", shell.FINDINGS
        )


def digest(
    up_to: Annotated[
        int | None, typer.Option("--up-to", min=1, metavar="MATCH", help="The last match in it, as in its address.")
    ] = None,
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Print the digest of all results, or of those that were there when a match was recorded.

    Two databases with the same digest up to the same match hold the same results, whatever was played since.

    Example: gangland admin digest --up-to 4711
    """
    with shell.open_database(data).read() as session:
        try:
            results = results_digest(session.connection(), up_to)
        except BackupRefused as why:
            raise shell.Refused(str(why)) from why
    shell.tell(
        installations.Digest(results.sha256, results.matches, results.up_to), _result_lines(results), as_json=as_json
    )


def _results_here(database: Database, header: Header) -> Results | None:
    """Return this site's results up to the last match of a backup; None if that match is not over here."""
    with database.read() as session:
        try:
            return results_digest(session.connection(), header.results.up_to)
        except BackupRefused:
            return None


def _note(database: Database, header: Header) -> None:
    """Note the newest backup in the site's database; failing to do so does not spoil the backup."""
    facts = {"results": header.results.sha256, "up_to": header.results.up_to, "restored": False}
    try:
        with database.write() as session:
            known = fact(session, Fact.BACKUP)
            if known is not None and known.at > header.made_at:
                return
            keep_fact(session, Fact.BACKUP, facts, at=header.made_at)
    except DBAPIError as error:
        shell.warn(
            "the backup is complete, but could not be recorded in the database, so the site still shows the age of"
            f" the one before: {str(error.orig).strip()}"
        )


def _from_stdin() -> IO[bytes]:
    if sys.stdin.isatty():
        raise shell.Refused("a backup is not read from a terminal: name a file, or send one with < or |")
    return sys.stdin.buffer


@contextmanager
def _stdin() -> Iterator[IO[bytes]]:
    """Yield stdin as a private, temporary file.  Raises Refused: stdin is a terminal, or there is no room."""
    sent = _from_stdin()
    with TemporaryFile() as stored_input:
        try:
            copyfileobj(sent, stored_input)
            stored_input.flush()
        except OSError as error:
            raise shell.Refused(
                f"the input cannot be stored in {gettempdir()}: {error.strerror}; TMPDIR names another folder"
            ) from error
        yield stored_input


def _to_stdout(database: Database) -> Header:
    if sys.stdout.isatty():
        raise shell.Refused("a backup is not written to a terminal: name a file, or send it on with > or |")
    header = take_backup(database, sys.stdout.buffer)
    sys.stdout.buffer.flush()
    return header


def _to_file(database: Database, file: Path, *, overwrite: bool) -> Header:
    if file.exists() and not overwrite:
        raise shell.Refused(f"{file} exists already: --overwrite replaces it")
    with shell.whole_file(file, 0o600) as stream:
        return take_backup(database, stream)


def _header_facts(header: Header) -> dict[str, Any]:
    return {
        "release": header.release,
        "revision": header.revision,
        "made_at": timestamp(header.made_at),
        "results": installations.Results(**asdict(header.results)),
    }


def _result_lines(results: Results) -> list[str]:
    if results.up_to is None:
        return ["no match is finished yet"]
    return [
        f"results of {results.matches} matches, the last of them match {results.up_to}",
        f"digest: {results.sha256}",
    ]


def _restored(done: Restored) -> list[str]:
    under = "the site is under maintenance, as it was then; `gangland admin maintenance off` ends it: "
    return [
        f"restored {done.rows} rows of {timestamp(done.header.made_at)}, taken by release {done.header.release}",
        *_result_lines(done.results),
        "the digest is that of the backup" if done.same else "the digest is NOT that of the backup",
        f"{done.returned} matches that were under way are played again; {done.ended} sign-ins were ended",
        *([] if done.maintenance is None else [under + done.maintenance]),
    ]


# `gangland admin maintenance`: no writes and no matches until it ends.


maintenance_app = typer.Typer(
    cls=shell.WholeHelp, help="Maintenance: reads are answered, writes are not.", no_args_is_help=True
)


@maintenance_app.command()
def on(
    reason: Annotated[str, typer.Argument(help="What visitors read, for example: The database moves until 18:00.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Answer no writes any more, and give out no match; those under way are finished and recorded.

    Example: gangland admin maintenance on "The database moves until 18:00 UTC."
    """
    database = shell.open_database(data)
    try:
        with database.write() as session:
            begin_maintenance(session, reason)
    except ValueError as wrong:
        raise shell.Refused(str(wrong)) from wrong
    _tell_maintenance(database, as_json=as_json)


@maintenance_app.command()
def off(data: shell.Data = None, as_json: shell.Json = False) -> None:
    """Let everything go on; entries that were to close meanwhile stay open for as long as it lasted."""
    database = shell.open_database(data)
    with database.write() as session:
        known = fact(session, Fact.MAINTENANCE)
        put_off = [] if known is None else put_off_missed(session, shell.ACTOR, known.at)
        end_maintenance(session)
    _tell_maintenance(database, put_off, as_json=as_json)


@maintenance_app.command()
def status(data: shell.Data = None, as_json: shell.Json = False) -> None:
    """Say whether it is on, since when and why, and how many matches are still under way."""
    _tell_maintenance(shell.open_database(data), as_json=as_json)


def _tell_maintenance(database: Database, put_off: Sequence[PutOff] = (), *, as_json: bool) -> None:
    with database.read() as session:
        known = fact(session, Fact.MAINTENANCE)
        query = select(func.count()).select_from(Match).where(Match.state == MatchState.LEASED.value)
        under_way = session.exec(query).one()
    document = installations.Maintenance(
        on=known is not None,
        reason=None if known is None else known.value["reason"],
        since=None if known is None else timestamp(known.at),
        under_way=under_way,
        put_off=[
            installations.Postponed(each.tournament, each.name, timestamp(each.before), timestamp(each.after))
            for each in put_off
        ],
    )
    line = "no maintenance" if known is None else f"under maintenance since {document.since}: {document.reason}"
    moved = [
        f"{each.name}: entries close at {timestamp(each.after)} and not at {timestamp(each.before)}" for each in put_off
    ]
    shell.tell(document, [line, f"matches under way: {under_way}", *moved], as_json=as_json)


# `gangland admin reproduce`: a recorded match, played again in the jail by all of its bots.


@dataclass(frozen=True, slots=True)
class _Recorded:
    """A match as recorded: available codes by SHA-256, names by entry."""

    order: Order
    games: list[GameRecord]
    digest: str
    codes: dict[str, bytes]
    names: dict[int, str]
    python: str | None


def reproduce(
    match: Annotated[int, typer.Argument(min=1, help="The match, as in its page's address: /matches/12 is 12.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Play a recorded match again, all seats in the jail; name the first decision that differs, and exit 1.

    Where something differs the match is played twice, so that a bot that is not deterministic is told so.  A bot
    whose code is not here (of an imported match) gives what is recorded.

    Example: gangland admin reproduce 12
    """
    database = shell.open_database(data)
    with database.read() as session:
        recorded = _recorded(session, match)
    database.close()
    try:
        judged = judge(recorded.order, Result(recorded.games))
    except ResultRefused as refused:
        shell.refuse(f"the record of match {match} does not hold: {refused}", shell.FINDINGS)
    if match_digest(recorded.order, judged) != recorded.digest:
        shell.refuse(f"the record of match {match} does not hold: its games do not give its digest", shell.FINDINGS)
    missing = [recorded.names[seat.entry] for seat in recorded.order.seats if seat.code not in recorded.codes]
    if len(missing) == len(recorded.order.seats):
        raise shell.Refused(f"match {match} was played elsewhere, and no code of its bots is here")
    if missing:
        say(f"not here, so they give what is recorded: {', '.join(missing)}")
    play_and_tell(
        match, recorded.order, recorded.games, recorded.codes, recorded.names, recorded.python, as_json=as_json
    )


def _recorded(session: Session, number: int) -> _Recorded:
    match = session.get(Match, number)
    if match is None or match.audit_of is not None or match.key is not None:
        raise shell.Refused(f"there is no match {number}; a match's number is the one in its page's address")
    if match.state != MatchState.DONE.value:
        raise shell.Refused(f"match {number} is {match.state}: there is nothing to play again")
    if match.trimmed >= Trimmed.REPLAYS:
        raise shell.Refused(f"match {number} cannot be played again: {NOT_KEPT}")
    order = played_order(session, match, session.get_one(Tournament, match.tournament_id))
    games = recorded_games(session, number)
    query = select(Code).where(col(Code.sha256).in_([seat.code for seat in order.seats]))
    codes = {code.sha256: code.source for code in session.exec(query) if code.source is not None}
    names = {row.seat.entry_id: shown(row.label) for row in seats_of(session, [number])[number]}
    return _Recorded(order, games, match.digest or "", codes, names, match.python)


# `gangland admin worker`: the machines that play matches, and their credentials.


worker_app = typer.Typer(
    cls=shell.WholeHelp, help="Worker hosts: each plays matches under a credential of its own.", no_args_is_help=True
)

PASSWORD_BYTES = 32
Name = Annotated[str, typer.Argument(help="The host's name: small letters, digits and hyphens. People see it.")]
Slots = Annotated[int, typer.Option("--slots", help="The most matches that it may play at the same time.")]
Broker = Annotated[
    str | None, typer.Option("--broker", help="The broker as the host reaches it, such as redis://10.0.0.1:6379/0.")
]


@worker_app.command()
def create(
    name: Name, slots: Slots = MOST_SLOTS, broker: Broker = None, data: shell.Data = None, as_json: shell.Json = False
) -> None:
    """Make a credential for a host and print its WORKER_REDIS_URL, which is shown this once.

    Example: gangland admin worker create play-2 --broker redis://10.0.0.1:6379/0
    """
    address, password = _broker_address(broker, data), secrets.token_urlsafe(PASSWORD_BYTES)
    _change_host(
        lambda session: worker_hosts.create_host(session, name, password, slot_limit=slots),
        data,
        as_json,
        address,
        password,
    )


@worker_app.command()
def renew(name: Name, broker: Broker = None, data: shell.Data = None, as_json: shell.Json = False) -> None:
    """Give a host another password in place of its own, and let it play again if it was revoked."""
    address, password = _broker_address(broker, data), secrets.token_urlsafe(PASSWORD_BYTES)
    _change_host(lambda session: worker_hosts.renew_host(session, name, password), data, as_json, address, password)


@worker_app.command("list")
def list_(data: shell.Data = None, as_json: shell.Json = False) -> None:
    """List all hosts: their limits, when they were last seen, what they play and have played."""
    with shell.open_database(data).read() as session:
        query = select(WorkerHost).order_by(col(WorkerHost.name))
        hosts = [_host(session, host) for host in session.exec(query).all()]
    shell.tell(
        installations.Workers(hosts), [_host_line(host) for host in hosts] or ["no worker host"], as_json=as_json
    )


@worker_app.command()
def limit(
    name: Name,
    slots: Annotated[int, typer.Argument(help="The most matches that it may play at the same time.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Set how many matches a host may be given at a time; it holds within seconds."""
    _change_host(lambda session: worker_hosts.limit_host(session, name, slots), data, as_json)


@worker_app.command()
def revoke(name: Name, data: shell.Data = None, as_json: shell.Json = False) -> None:
    """Shut a host out within seconds: it is cut off, and its matches are played by others. What it played stays."""
    _change_host(lambda session: worker_hosts.revoke_host(session, name), data, as_json)


@worker_app.command()
def resume(name: Name, data: shell.Data = None, as_json: shell.Json = False) -> None:
    """Let a host play again that was stopped by an audit."""
    _change_host(lambda session: worker_hosts.resume_host(session, name), data, as_json)


def _change_host(
    act: Callable[[Session], WorkerHost],
    data: Path | None,
    as_json: bool,
    broker: str | None = None,
    password: str | None = None,
) -> None:
    try:
        with shell.open_database(data).write() as session:
            host = act(session)
            session.flush()
            described = _host(session, host)
    except worker_hosts.HostRefused as wrong:
        raise shell.Refused(str(wrong)) from wrong
    document, lines = installations.Worker(**structs.asdict(described)), [_host_line(described)]
    if broker is not None and password is not None:
        address = host_address(broker, described.name, password)
        document = structs.replace(document, worker_redis_url=address)
        lines.append(f"WORKER_REDIS_URL={address}")
    shell.tell(document, lines, as_json=as_json)


def _host(session: Session, host: WorkerHost) -> installations.Host:
    query = select(Match.state, func.count()).where(Match.host_id == stored(host.id)).group_by(col(Match.state))
    counts = dict(session.exec(query).all())
    return installations.Host(
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


def _host_line(host: installations.Host) -> str:
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


def _broker_address(typed: str | None, data: Path | None) -> str:
    """Return the broker's address without a user: the argument, REDIS_URL's, or that of `gangland up` here."""
    settings = read_settings()
    address = typed or settings.redis_url or private_address(data if data is not None else settings.data)
    if address is None or urlsplit(address).scheme not in ("redis", "rediss", "unix"):
        raise shell.Refused("--broker says where the host reaches the broker, such as redis://10.0.0.1:6379/0")
    return address


# `gangland admin call` and `calls`: everything that the API can do, from a shell on the server.


def calls(
    word: Annotated[str, typer.Argument(help="List only calls with this in their line, and their fields.")] = "",
) -> None:
    """List the calls of the API.

    Example: gangland admin calls "POST /organize/tournaments"
    """
    sys.stdout.writelines(f"{line}\n" for line in _routes().listed(" ".join(word.split())))


def call(
    method: Annotated[str, typer.Argument(help="GET, POST, PUT or DELETE.")],
    path: Annotated[str, typer.Argument(help="The call's path, without /api/v1.")],
    fields: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME=VALUE]...",
            help="What is sent; OUTER.NAME=VALUE for a part, NAME=@FILE in a form, a list's NAME once for each item.",
        ),
    ] = None,
    body: Annotated[str | None, typer.Option(metavar="JSON", help="The body, in place of fields.")] = None,
    account: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="The account that acts; by default the first administrator's."),
    ] = None,
    data: shell.Data = None,
) -> None:
    """Make a call of the API, on the database itself, as an account, and print its answer; the log says who acted.

    Example: gangland admin call POST /organize/tournaments/7/orders kind=move state=announced
    """
    database = shell.open_database(data)
    with database.read() as session:
        who = _bearer(session, account)
    settings = replace(read_settings(), secret_key=secrets.token_hex(), database_url=database.url)
    app = import_module("gangland_web.app").create_app(replace(settings, redis_url=None), database=database)
    # Calls may ask the broker, but this process counts nothing there: it is no web server and has no visitors.
    broker = settings.redis_url or platform_address(data if data is not None else settings.data)
    app.extensions["gangland_settings"] = replace(settings, redis_url=broker)
    try:
        with _routes().answered(app, who, method, path, fields or [], body) as answer:
            _print(answer)
    except (ValueError, OSError) as mistake:
        raise shell.Refused(str(mistake)) from mistake


def _routes() -> Any:
    """Return the declared calls; imported late, since only these commands need them."""
    return import_module("gangland_web.api.routes")


def _bearer(session: Session, name: str | None) -> Bearer:
    query = select(User, Membership.team_id).outerjoin(Membership, is_in(User.id))
    query = query.where(User.role == Role.ADMIN.value if name is None else User.name_key == name_key(name))
    query = query.where(col(User.deleted_at).is_(None), col(User.suspended_for).is_(None))
    row = session.exec(query.order_by(col(User.id)).limit(1)).first()
    if row is None:
        none = "there is no administrator yet: /setup makes one, by the code that `gangland up` prints"
        raise shell.Refused(none if name is None else f"there is no account {name!r} that may act")
    user, team = row
    return Bearer(None, stored(user.id), user.name, COMMAND_LINE, frozenset(Scope), now_s(), user.role, team)


def _print(answer: Any) -> None:
    if answer.status_code >= 400:
        problem = answer.get_json(force=True)
        reasons = [each["message"] for each in problem.get("findings", ())]
        shell.refuse(problem["detail"], shell.SERVER if answer.status_code >= 500 else shell.USAGE, *reasons)
    if answer.mimetype == "application/json" and "Content-Disposition" not in answer.headers:
        sys.stdout.write(json.dumps(answer.get_json(), indent=2) + "\n")
    else:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(answer.iter_encoded())
        sys.stdout.buffer.flush()


# The program.


REFUSALS = (shell.Refused, SeasonRefused, ValueRefused, NotFrozen)

app = typer.Typer(
    name="gangland admin",
    cls=shell.WholeHelp,
    help="Run an installation from a shell on its server.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(tournament_app, name="tournament")
app.add_typer(ladder_app, name="ladder")
app.add_typer(season_app, name="season")
app.add_typer(maintenance_app, name="maintenance")
app.add_typer(worker_app, name="worker")
app.command()(call)
app.command()(calls)
app.command("import")(import_)
app.command()(reproduce)
app.command()(backup)
app.command()(examine)
app.command()(restore)
app.command()(digest)


@app.callback()
def _together() -> None:
    """Run an installation from a shell on its server."""


def main() -> None:
    """Run a command and exit with its code."""
    keep_private()
    output.PROGRAM[:] = ["gangland", "admin"]
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    try:
        with careful_output():
            app(prog_name="gangland admin")
    except (*REFUSALS, ArchiveError, ConfigError) as refused:
        shell.refuse(str(refused), shell.USAGE)
    except SandboxError as failure:
        shell.refuse(
            f"platform fault: {failure}", shell.USAGE, "No bot is to blame. `gangland doctor` says how to fix it."
        )
    except TableFailed as failure:
        shell.refuse(f"platform fault: {failure}", shell.USAGE)
    except OperationalError as error:
        shell.refuse(f"the database is not reachable, and nothing was changed: {error.orig}", shell.SERVER)
    finally:
        shell.OPENED.close()


if __name__ == "__main__":
    main()
