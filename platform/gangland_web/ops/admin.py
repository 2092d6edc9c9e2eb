"""The commands of `gangland admin`, for a shell on the server (`python -m gangland_web.ops.admin`)."""

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
from gangland_ladder.cli.reproduce import replay_and_print
from gangland_ladder.common.runtime import accept_interrupt
from gangland_ladder.common.texts import counted
from gangland_ladder.documents import installations
from gangland_ladder.local.processes import TableFailure
from gangland_ladder.matches.judging import ResultRefused, judge, match_digest
from gangland_ladder.matches.match_jobs import GameRecord, MatchJob, Result
from gangland_ladder.proof.archives import ArchiveError
from gangland_sandbox.errors import SandboxError
from gangland_web.base.formats import now_s, timestamp
from gangland_web.base.secrecy import keep_private
from gangland_web.base.text import name_key, shown
from gangland_web.broker.access import host_url
from gangland_web.broker.server import platform_url, private_url
from gangland_web.models.accounts import Membership, Role, User, is_member
from gangland_web.models.bots import Code
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database
from gangland_web.models.matches import MAX_SLOTS, Match, MatchState, WorkerHost
from gangland_web.models.organizing import COMMAND_LINE
from gangland_web.models.site import Fact, begin_maintenance, end_maintenance, fact, store_fact
from gangland_web.models.tournaments import Tournament
from gangland_web.ops import admin_shell as shell
from gangland_web.ops import backup as backups
from gangland_web.ops.admin_tournaments import ladder_app, season_app, tournament_app
from gangland_web.queries.matches import seats_of
from gangland_web.services import archives, ladder_days, match_jobs, organizing, retention, seasons, worker_hosts
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.settings import ConfigError, read_settings

# `gangland admin import`: a tournament that was played on another installation.

_HEX = re.compile(r"[0-9a-f]{64}")


def import_(
    archive: Annotated[Path, typer.Argument(help="The archive of a tournament, or of a day of a ladder.")],
    commitment: Annotated[str | None, typer.Option(metavar="HEX", help="The announced SHA-256 of its secret.")] = None,
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Import a finished tournament of another site from its archive.

    The archive is first checked, as with `gangland verify`. Exit code 1: a check failed, and nothing was imported.

    Example: gangland admin import spring-cup.tar
    """
    if commitment is not None and not _HEX.fullmatch(commitment):
        raise shell.Refused(f"--commitment expects 64 hexadecimal digits, not {commitment!r}")
    try:
        imported = archives.import_archive(shell.open_database(data), archive, announced=commitment)
    except archives.ImportRefused as error:
        if error.findings:
            shell.refuse(str(error), shell.FINDINGS)
        raise shell.Refused(str(error)) from error
    except ArchiveError as error:
        raise shell.Refused(f"{archive.name} is damaged: {error}. `gangland verify` lists all findings.") from error
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
        f"imported {imported.name} as tournament {imported.tournament_id}",
        ", ".join(
            counted(number, noun)
            for number, noun in (
                (imported.entries, "entry"),
                (imported.proof.matches, "match"),
                (imported.proof.games, "game"),
            )
        ),
        f"SHA-256 of the archive: {imported.sha256}",
        "Not proven by the archive:",
        *[f"  - {each}" for each in imported.proof.unproven],
    ]
    shell.print_result(document, lines, as_json=as_json)


# `gangland admin backup`, `examine`, `restore` and `digest`: the whole database as one file.


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write. - is stdout.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Overwrite an existing file.")] = False,
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Write the whole database to a backup file while the site runs.

    The file has password hashes and secrets of tournaments: keep it private. A backup to stdout counts for the site
    once `gangland admin examine` has read it.

    Example: gangland admin backup gangland-monday.backup
    """
    database = shell.open_database(data)
    try:
        header = _write_stdout(database) if file == shell.STDOUT else _write_file(database, file, overwrite=overwrite)
    except backups.BackupRefused as error:
        raise shell.Refused(str(error)) from error
    if file == shell.STDOUT:
        return
    _record_backup(database, header)
    size = file.stat().st_size
    document = installations.Backup(**_header_facts(header), file=str(file), bytes=size)
    shell.print_result(document, [f"{file}: {size} bytes", *_result_lines(header.results)], as_json=as_json)


def examine(
    file: Annotated[Path, typer.Argument(help="The backup. - is stdin.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Read a whole backup and compare its results with this site's.

    The site then shows the age of this backup. Exit code 1: its results differ from this site's at that time.

    Example: gangland admin examine - < gangland-monday.backup
    """
    database = shell.open_database(data)
    try:
        header = backups.examine(_from_stdin() if file == shell.STDOUT else file)
    except backups.BackupRefused as error:
        raise shell.Refused(f"{file.name} is damaged: {error}") from error
    except OSError as error:
        raise shell.Refused(f"cannot read {file}: {error.strerror}") from error
    same = header.results.up_to is None or _local_results(database, header) == header.results
    if same:
        _record_backup(database, header)
    document = installations.BackupCheck(**_header_facts(header), file=str(file), same=same)
    compared = "same digest as this site" if same else "NOT the digest of this site"
    summary = f"complete backup of {timestamp(header.made_at)}, release {header.release}"
    shell.print_result(document, [summary, *_result_lines(header.results), compared], as_json=as_json)
    if not same:
        shell.refuse("the backup is of another site, or results have changed since", shell.FINDINGS)


def restore(
    file: Annotated[Path, typer.Argument(help="The backup. - is stdin.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Restore a backup into an empty database.

    The database is that of DATABASE_URL, or a new one in the data folder. A backup of SQLite can be restored into
    PostgreSQL, and vice versa. The database is upgraded to this release. Exit code 1: the restored results differ from
    the backup's.

    Example: gangland admin restore gangland-monday.backup --data ./restored
    """
    try:
        if file != shell.STDOUT and file.exists() and not file.is_file():
            raise shell.Refused(f"{file} is not a plain file: pipe it into `gangland admin restore -`")
        with _stdin() if file == shell.STDOUT else nullcontext(file) as source:
            copy = backups.restore(shell.new_database(data), source)
    except backups.BackupRefused as error:
        raise shell.Refused(f"{file.name} cannot be restored: {error}") from error
    except OSError as error:
        raise shell.Refused(f"cannot read {file}: {error.strerror}") from error
    document = installations.Restore(
        **_header_facts(copy.header),
        file=str(file),
        rows=copy.rows,
        same=copy.same,
        returned=copy.returned,
        signed_out=copy.ended,
        maintenance=copy.maintenance,
    )
    shell.print_result(document, _restored_lines(copy), as_json=as_json)
    if not copy.same:
        shell.refuse(
            f"the results differ from the backup's: expected {copy.header.results}, not {copy.results}", shell.FINDINGS
        )


def digest(
    up_to: Annotated[
        int | None, typer.Option("--up-to", min=1, metavar="MATCH", help="The number of the last match to include.")
    ] = None,
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Print the digest of all results, or of those up to a match.

    Databases with the same digest up to a match have the same results up to it.

    Example: gangland admin digest --up-to 4711
    """
    with shell.open_database(data).read() as session:
        try:
            results = backups.results_digest(session.connection(), up_to)
        except backups.BackupRefused as error:
            raise shell.Refused(str(error)) from error
    shell.print_result(
        installations.Digest(results.sha256, results.matches, results.up_to), _result_lines(results), as_json=as_json
    )


def _local_results(database: Database, header: backups.Header) -> backups.Results | None:
    """Return this site's results up to the last match of a backup, if that match is over here."""
    with database.read() as session:
        try:
            return backups.results_digest(session.connection(), header.results.up_to)
        except backups.BackupRefused:
            return None


def _record_backup(database: Database, header: backups.Header) -> None:
    """Record the newest backup in the site's database; a failure does not affect the backup."""
    facts = {"results": header.results.sha256, "up_to": header.results.up_to, "restored": False}
    try:
        with database.write() as session:
            known = fact(session, Fact.BACKUP)
            if known is not None and known.at > header.made_at:
                return
            store_fact(session, Fact.BACKUP, facts, at=header.made_at)
    except DBAPIError as error:
        shell.warn(
            "the backup is complete, but the site could not record it and shows the age of the previous one: "
            f"{str(error.orig).strip()}"
        )


def _from_stdin() -> IO[bytes]:
    if sys.stdin.isatty():
        raise shell.Refused("stdin is a terminal: name a file, or redirect a backup with < or |")
    return sys.stdin.buffer


@contextmanager
def _stdin() -> Iterator[IO[bytes]]:
    """Yield stdin as a private, temporary file.  Raises Refused."""
    sent = _from_stdin()
    with TemporaryFile() as stored_input:
        try:
            copyfileobj(sent, stored_input)
            stored_input.flush()
        except OSError as error:
            raise shell.Refused(
                f"cannot store the input in {gettempdir()}: {error.strerror}; set TMPDIR to another folder"
            ) from error
        yield stored_input


def _write_stdout(database: Database) -> backups.Header:
    if sys.stdout.isatty():
        raise shell.Refused("stdout is a terminal: name a file, or redirect the backup with > or |")
    header = backups.take_backup(database, sys.stdout.buffer)
    sys.stdout.buffer.flush()
    return header


def _write_file(database: Database, file: Path, *, overwrite: bool) -> backups.Header:
    if file.exists() and not overwrite:
        raise shell.Refused(f"{file} already exists; replace it with --overwrite")
    with shell.atomic_file(file, 0o600) as stream:
        return backups.take_backup(database, stream)


def _header_facts(header: backups.Header) -> dict[str, Any]:
    return {
        "release": header.release,
        "revision": header.revision,
        "made_at": timestamp(header.made_at),
        "results": installations.Results(**asdict(header.results)),
    }


def _result_lines(results: backups.Results) -> list[str]:
    if results.up_to is None:
        return ["no match is finished yet"]
    return [f"results of {counted(results.matches, 'match')}, up to match {results.up_to}", f"digest: {results.sha256}"]


def _restored_lines(copy: backups.Restored) -> list[str]:
    notice = "the site is under maintenance, as at the backup; end it with `gangland admin maintenance off`: "
    return [
        f"restored {counted(copy.rows, 'row')} of {timestamp(copy.header.made_at)}, release {copy.header.release}",
        *_result_lines(copy.results),
        "same digest as the backup" if copy.same else "NOT the digest of the backup",
        f"{counted(copy.returned, 'match')} to be played again; {counted(copy.ended, 'sign-in')} ended",
        *([] if copy.maintenance is None else [notice + copy.maintenance]),
    ]


# `gangland admin maintenance`: no writes and no matches until it ends.

maintenance_app = shell.Commands("Start and end maintenance, during which the site is read-only.")


@maintenance_app.command()
def on(
    reason: Annotated[str, typer.Argument(help="The reason, which is shown to visitors.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Make the site read-only and start no new matches; running ones are finished.

    Example: gangland admin maintenance on "The database moves until 18:00 UTC."
    """
    database = shell.open_database(data)
    try:
        with database.write() as session:
            begin_maintenance(session, reason)
    except ValueError as error:
        raise shell.Refused(str(error)) from error
    _print_maintenance(database, as_json=as_json)


@maintenance_app.command()
def off(data: shell.Data = None, as_json: shell.Json = False) -> None:
    """End maintenance; deadlines that passed in the meantime move by its duration."""
    database = shell.open_database(data)
    with database.write() as session:
        known = fact(session, Fact.MAINTENANCE)
        put_off = [] if known is None else organizing.postpone_missed(session, shell.ACTOR, known.at)
        end_maintenance(session)
    _print_maintenance(database, put_off, as_json=as_json)


@maintenance_app.command()
def status(data: shell.Data = None, as_json: shell.Json = False) -> None:
    """Print whether maintenance is on, and the number of running matches."""
    _print_maintenance(shell.open_database(data), as_json=as_json)


def _print_maintenance(database: Database, put_off: Sequence[organizing.Postponement] = (), *, as_json: bool) -> None:
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
            installations.PostponedTournament(each.tournament, each.name, timestamp(each.before), timestamp(each.after))
            for each in put_off
        ],
    )
    line = "no maintenance" if known is None else f"under maintenance since {document.since}: {document.reason}"
    moved = [
        f"{each.name}: entries close at {timestamp(each.after)}, not at {timestamp(each.before)}" for each in put_off
    ]
    shell.print_result(document, [line, f"running matches: {under_way}", *moved], as_json=as_json)


# `gangland admin reproduce`: replays a recorded match in the jail with all its bots.


@dataclass(frozen=True, slots=True)
class _Recorded:
    """A match as recorded."""

    match_job: MatchJob
    games: list[GameRecord]
    digest: str
    codes: dict[str, bytes]  # available sources by SHA-256
    names: dict[int, str]  # by entry
    python: str | None


def reproduce(
    match: Annotated[int, typer.Argument(min=1, help="The number of the match: /matches/12 is 12.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Play a recorded match again and compare every decision.

    After a difference (exit code 1) the match is played a second time, to find bots that are not deterministic. Bots
    whose code is not on this site repeat their recorded decisions.

    Example: gangland admin reproduce 12
    """
    database = shell.open_database(data)
    with database.read() as session:
        recorded = _find_recorded(session, match)
    database.close()
    try:
        judged = judge(recorded.match_job, Result(recorded.games))
    except ResultRefused as error:
        shell.refuse(f"the record of match {match} is not valid: {error}", shell.FINDINGS)
    if match_digest(recorded.match_job, judged) != recorded.digest:
        shell.refuse(f"the record of match {match} is not valid: its games have another digest", shell.FINDINGS)
    missing = [recorded.names[seat.entry] for seat in recorded.match_job.seats if seat.code not in recorded.codes]
    if len(missing) == len(recorded.match_job.seats):
        raise shell.Refused(f"match {match} was played elsewhere, and this site does not have its bots' code")
    if missing:
        say(f"not on this site, so they repeat their recorded decisions: {', '.join(missing)}")
    replay_and_print(
        match, recorded.match_job, recorded.games, recorded.codes, recorded.names, recorded.python, as_json=as_json
    )


def _find_recorded(session: Session, number: int) -> _Recorded:
    match = session.get(Match, number)
    if match is None or match.audit_of is not None or match.key is not None:
        raise shell.Refused(f"no match {number}: expected the number in the URL of its page")
    if match.state != MatchState.DONE.value:
        raise shell.Refused(f"match {number} is {match.state}: expected one that was played")
    if match.trimmed >= retention.Trim.REPLAYS:
        raise shell.Refused(f"match {number} cannot be played again: {retention.DELETED_TEXT}")
    match_job = match_jobs.played_match_job(session, match, session.get_one(Tournament, match.tournament_id))
    games = match_jobs.recorded_games(session, number)
    query = select(Code).where(col(Code.sha256).in_([seat.code for seat in match_job.seats]))
    codes = {code.sha256: code.source for code in session.exec(query) if code.source is not None}
    names = {row.seat.entry_id: shown(row.label) for row in seats_of(session, [number])[number]}
    return _Recorded(match_job, games, match.digest or "", codes, names, match.python)


# `gangland admin worker`: the machines that play matches, and their credentials.

worker_app = shell.Commands("Manage worker hosts, which play matches on other machines.")

PASSWORD_BYTES = 32
Name = Annotated[str, typer.Argument(help="The host's name: lowercase letters, digits and hyphens. Visitors see it.")]
Slots = Annotated[int, typer.Option("--slots", help="Maximum number of matches at the same time.")]
Broker = Annotated[
    str | None,
    typer.Option(
        "--broker", metavar="ADDRESS", help="The broker's address for the host, such as redis://10.0.0.1:6379/0."
    ),
]


@worker_app.command()
def create(
    name: Name, slots: Slots = MAX_SLOTS, broker: Broker = None, data: shell.Data = None, as_json: shell.Json = False
) -> None:
    """Add a host and print its WORKER_REDIS_URL, which is shown only once.

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
    """Replace a host's password, and allow a revoked host to play again."""
    address, password = _broker_address(broker, data), secrets.token_urlsafe(PASSWORD_BYTES)
    _change_host(lambda session: worker_hosts.renew_host(session, name, password), data, as_json, address, password)


@worker_app.command("list")
def list_(data: shell.Data = None, as_json: shell.Json = False) -> None:
    """List all hosts with their limits, matches and last contact."""
    with shell.open_database(data).read() as session:
        query = select(WorkerHost).order_by(col(WorkerHost.name))
        hosts = [_host(session, host) for host in session.exec(query).all()]
    shell.print_result(
        installations.Workers(hosts), [_host_line(host) for host in hosts] or ["no worker hosts"], as_json=as_json
    )


@worker_app.command()
def limit(
    name: Name,
    slots: Annotated[int, typer.Argument(help="Maximum number of matches at the same time.")],
    data: shell.Data = None,
    as_json: shell.Json = False,
) -> None:
    """Set the maximum number of matches of a host, effective within seconds."""
    _change_host(lambda session: worker_hosts.limit_host(session, name, slots), data, as_json)


@worker_app.command()
def revoke(name: Name, data: shell.Data = None, as_json: shell.Json = False) -> None:
    """Disconnect a host within seconds; other hosts play its matches, and its results are kept."""
    _change_host(lambda session: worker_hosts.revoke_host(session, name), data, as_json)


@worker_app.command()
def resume(name: Name, data: shell.Data = None, as_json: shell.Json = False) -> None:
    """Allow a host that was stopped by an audit to play again."""
    _change_host(lambda session: worker_hosts.resume_host(session, name), data, as_json)


def _change_host(
    change: Callable[[Session], WorkerHost],
    data: Path | None,
    as_json: bool,
    broker: str | None = None,
    password: str | None = None,
) -> None:
    try:
        with shell.open_database(data).write() as session:
            host = change(session)
            session.flush()
            described = _host(session, host)
    except worker_hosts.HostRefused as error:
        raise shell.Refused(str(error)) from error
    document, lines = installations.Worker(**structs.asdict(described)), [_host_line(described)]
    if broker is not None and password is not None:
        address = host_url(broker, described.name, password)
        document = structs.replace(document, worker_redis_url=address)
        lines.append(f"WORKER_REDIS_URL={address}")
    shell.print_result(document, lines, as_json=as_json)


def _host(session: Session, host: WorkerHost) -> installations.Host:
    query = select(Match.state, func.count()).where(Match.host_id == row_id(host.id)).group_by(col(Match.state))
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
        f"{host.name}: {state}; at most {counted(host.slots, 'match')} at a time; {last};"
        f" {host.playing} running, {host.played} played"
    )


def _broker_address(option: str | None, data: Path | None) -> str:
    settings = read_settings()
    address = option or settings.redis_url or private_url(data if data is not None else settings.data)
    if address is None or urlsplit(address).scheme not in ("redis", "rediss", "unix"):
        raise shell.Refused("expected --broker with the address of the broker, such as redis://10.0.0.1:6379/0")
    return address


# `gangland admin call` and `calls`: calls of the API from a shell on the server.


def calls(
    word: Annotated[str, typer.Argument(help="List only calls that contain this text, with their fields.")] = "",
) -> None:
    """List the calls of the API.

    Example: gangland admin calls "POST /organize/tournaments"
    """
    sys.stdout.writelines(f"{line}\n" for line in _routes().call_lines(" ".join(word.split())))


def call(
    method: Annotated[str, typer.Argument(help="GET, POST, PUT or DELETE.")],
    path: Annotated[str, typer.Argument(help="The path, without /api/v1.")],
    fields: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME=VALUE]...",
            help="Fields to send: NAME=VALUE, OUTER.NAME=VALUE, NAME=@FILE. Repeat NAME for a list.",
        ),
    ] = None,
    body: Annotated[str | None, typer.Option(metavar="JSON", help="The body, instead of fields.")] = None,
    account: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="The account that acts. The first administrator by default."),
    ] = None,
    data: shell.Data = None,
) -> None:
    """Make a call of the API as an account, directly on the database.

    The log shows this account.

    Example: gangland admin call POST /organize/tournaments/7/orders kind=move state=announced
    """
    database = shell.open_database(data)
    with database.read() as session:
        bearer = _bearer(session, account)
    settings = replace(read_settings(), secret_key=secrets.token_hex(), database_url=database.url)
    app = import_module("gangland_web.app").create_app(replace(settings, redis_url=None), database=database)
    # Calls may query the broker, but this process sends no counts, since it is not a web server and has no visitors.
    broker = settings.redis_url or platform_url(data if data is not None else settings.data)
    app.extensions["gangland_settings"] = replace(settings, redis_url=broker)
    try:
        with _routes().answer_call(app, bearer, method, path, fields or [], body) as answer:
            _print_response(answer)
    except (ValueError, OSError) as error:
        raise shell.Refused(str(error)) from error


def _routes() -> Any:
    return import_module("gangland_web.api.routes")


def _bearer(session: Session, name: str | None) -> Bearer:
    query = select(User, Membership.team_id).outerjoin(Membership, is_member(User.id))
    query = query.where(User.role == Role.ADMIN.value if name is None else User.name_key == name_key(name))
    query = query.where(col(User.deleted_at).is_(None), col(User.suspended_for).is_(None))
    row = session.exec(query.order_by(col(User.id)).limit(1)).first()
    if row is None:
        no_admin = "no administrator yet: at /setup, enter the code that `gangland up` prints"
        raise shell.Refused(no_admin if name is None else f"no active account {name!r}")
    user, team = row
    return Bearer(None, row_id(user.id), user.name, COMMAND_LINE, frozenset(Scope), now_s(), user.role, team)


def _print_response(answer: Any) -> None:
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

REFUSALS = (shell.Refused, seasons.SeasonRefused, ladder_days.ValueRefused, archives.NotExportable)

app = shell.Commands(
    "Manage an installation from a shell on its server.",
    name="gangland admin",
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
def _start() -> None:
    """Manage an installation from a shell on its server."""
    accept_interrupt()


def main() -> None:
    """Run a command and exit with its code."""
    keep_private()
    output.PROGRAM[:] = ["gangland", "admin"]
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    try:
        with careful_output():
            app(prog_name="gangland admin")
    except (*REFUSALS, ArchiveError, ConfigError) as error:
        shell.refuse(str(error), shell.USAGE)
    except SandboxError as failure:
        shell.refuse(
            f"platform fault: {failure}", shell.USAGE, "No bot is to blame. Run `gangland doctor` to find the cause."
        )
    except TableFailure as failure:
        shell.refuse(f"platform fault: {failure}", shell.USAGE)
    except OperationalError as error:
        shell.refuse(f"the database is not reachable; nothing was changed: {error.orig}", shell.SERVER)
    finally:
        shell.OPEN_RESOURCES.close()


if __name__ == "__main__":
    main()
