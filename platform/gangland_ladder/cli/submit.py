"""`gangland submit`: upload a bot, and follow its progress until it plays or is rejected."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from msgspec.structs import replace as with_fields

from gangland_ladder.cli import options, output
from gangland_ladder.cli.check import CheckedBot, print_finding
from gangland_ladder.common.runtime import FINDINGS, INTERRUPTED, NOT_SIGNED_IN, SERVER, USAGE
from gangland_ladder.common.texts import counted
from gangland_ladder.errors import entries, rejection
from gangland_ladder.local.bots import InvalidArgument, LocalBot, game_of, read_bot
from gangland_ladder.matches.match_jobs import Problem
from gangland_ladder.submitting import client as site_client
from gangland_ladder.submitting import tokens
from gangland_ladder.submitting.client import Client, Finding, SubmittedVersion, Version
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import BOT_NAME_CHARS, NUMERIC, PLAIN, unpack

# The command.


CAPS = replace(NUMERIC, zip_bytes=PLAIN.zip_bytes)  # Limits of the intake that apply on any site and to any profile.
NEEDED_SCOPES = ("upload", "read")
TEAM_CHARS = 64


def submit(
    bots: Annotated[
        list[Path] | None, typer.Argument(metavar="[BOT]...", help="The bot's file, folder or zip.")
    ] = None,
    site: Annotated[str | None, typer.Option("--site", metavar="ADDRESS", help="The site's address.")] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="The bot's name on the site. The file's name by default.")
    ] = None,
    team: Annotated[
        str | None, typer.Option("--team", metavar="NAME", help="Upload it for this team. Your own bot by default.")
    ] = None,
    game: output.Game = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until the bot is accepted or rejected.")] = True,
    follow: Annotated[
        int | None, typer.Option("--follow", metavar="ID", min=1, help="Upload nothing, follow this version.")
    ] = None,
    token_stdin: Annotated[bool, typer.Option("--token-stdin", help="Read the token from stdin.")] = False,
    stores_token: Annotated[
        bool, typer.Option("--keep-token", help="Read a token from stdin and store it in the keyring.")
    ] = False,
    as_json: output.Json = False,
    quiet: output.Quiet = False,
) -> None:
    """Upload a bot to a site and follow it until it plays.

    The file is checked here first. The token comes from stdin, GANGLAND_TOKEN or the system's keyring.

    Example: gangland submit my_bot.py --site https://gangland.example
    """
    if sum((bool(bots), follow is not None, stores_token)) != 1:
        raise InvalidArgument("expected one of: BOT, --follow ID, --keep-token")
    if name is not None and len(bots or ()) > 1:
        raise InvalidArgument("--name cannot be combined with several bots")
    try:
        if site is None:
            raise InvalidArgument("expected --site https://..., GANGLAND_CLI_SITE, or `site` in your own settings file")
        target = tokens.site_of(site)
        if stores_token:
            _store_token(target, as_json=as_json)
            return
        token = cache(lambda: tokens.token_for(target, from_stdin=token_stdin))
        exit_codes = []
        local_bots: list[LocalBot | None] = [read_bot(bot) for bot in bots or ()] or [None]
        for local_bot in local_bots:
            submission = Submission(target, local_bot, follow, as_json=as_json, quiet=quiet)
            exit_codes.append(_run(submission, token, game, name, team, wait=wait))
            if exit_codes[-1] not in (0, FINDINGS):
                break  # the next bot would fail the same way
        sys.exit(max(exit_codes))
    except tokens.WrongSite as error:
        raise InvalidArgument(str(error)) from error


def _store_token(site: tokens.Site, *, as_json: bool) -> None:
    if as_json:
        raise InvalidArgument("--keep-token cannot be combined with --json")
    try:
        tokens.store_token(site)
    except tokens.NotSignedIn as error:
        _stop(str(error), NOT_SIGNED_IN)
    except tokens.NoKeyring as error:
        _stop(f"{error}. Or set {tokens.VARIABLE}.", USAGE)
    sys.stdout.write(f"token for {site.address} stored in the keyring\n")


def _run(
    submission: Submission,
    token: Callable[[], str],
    game: str | None,
    name: str | None,
    team: str | None,
    *,
    wait: bool,
) -> int:
    game_name = ""
    if submission.bot is not None:
        try:
            unpack(submission.bot.source, submission.bot.filename, CAPS)
        except UploadRejected as error:
            problem = rejection(error)
            return submission.reject([Finding(problem.message, problem.code, line=problem.line)], is_local=True)
        game_name = game_of([submission.bot], game, options.default_game())
    try:
        client = Client(submission.site, token())
        _require_scopes(client, submission.bot)
        if submission.bot is not None:
            _send(submission, client, submission.bot, game_name, name, team)
        if submission.version_id is not None and (wait or submission.version is None):
            site_client.follow(client, submission.version_id, submission.update)
        return submission.finish()
    except tokens.NotSignedIn as error:
        return submission.fail(str(error), NOT_SIGNED_IN)
    except site_client.SiteFailure as error:
        return submission.fail(str(error), SERVER)
    except site_client.CallRefused as error:
        return _report_refusal(submission, error)
    except KeyboardInterrupt:
        return submission.fail("interrupted", INTERRUPTED)


def _require_scopes(client: Client, bot: LocalBot | None) -> None:
    token = site_client.token_info(client)
    missing = [scope for scope in NEEDED_SCOPES if scope not in token.scopes and (bot is not None or scope == "read")]
    if missing:
        page = f"{client.site.address}/account/tokens"
        raise tokens.NotSignedIn(f"E305: the token lacks {' and '.join(missing)}. Create another at {page}")


def _send(submission: Submission, client: Client, bot: LocalBot, game: str, name: str | None, team: str | None) -> None:
    if name is not None and not (1 <= len(name) <= BOT_NAME_CHARS and name.isprintable()):
        raise InvalidArgument(f"--name expects 1 to {BOT_NAME_CHARS} printable characters, not {name[:80]!r}")
    if team is not None and not (1 <= len(team) <= TEAM_CHARS and team.isprintable()):
        raise InvalidArgument(f"--team expects 1 to {TEAM_CHARS} printable characters, not {team[:80]!r}")
    submission.has_begun = True
    submission.update(site_client.send(client, bot, game, name, team))


def _report_refusal(submission: Submission, error: site_client.CallRefused) -> int:
    problem = error.problem
    if submission.version is None and submission.bot is not None and problem.findings:
        return submission.reject(problem.findings, is_local=False)
    if error.status == 404:
        return submission.fail(f"{submission.site.address} says: {error}", USAGE)
    code = f"{problem.code}: " if problem.code else ""
    return submission.fail(f"{submission.site.address} refused the request: {code}{error}", SERVER)


def _stop(message: str, code: int) -> NoReturn:
    output.say(f"gangland: {message}")
    sys.exit(code)


# The report: a version's progress on stderr, and its final state on stdout.


END_STATES = ("active", "rejected", "retired")


class Submission:
    """One run of the command: its version, and how its progress is reported."""

    def __init__(
        self, site: tokens.Site, bot: LocalBot | None, version_id: int | None, *, as_json: bool, quiet: bool
    ) -> None:
        self.site, self.bot, self.version_id = site, bot, version_id  # without a bot, this version is only followed
        self.version: Version | None = None
        self.has_begun = False  # whether the upload may already have started
        self._as_json, self._quiet = as_json, quiet
        self._printed: set[str] = set()

    def update(self, version: Version) -> None:
        """Record the state of a version, and print its new steps."""
        if self.version is None:
            self._say(f"{_label(version)}: {self.site.page(version.page)}")
        self.version, self.version_id = version, version.id
        for step in version.steps:
            if step.status != "waiting" and step.state not in self._printed:
                self._printed.add(step.state)
                duration = f"  {step.seconds:.1f} s" if step.seconds else ""
                self._say(f"  {'ok  ' if step.status == 'done' else 'FAIL'}  {output.one_line(step.label)}{duration}")
        queue_text = _queue_text(version)
        if queue_text and queue_text not in self._printed:
            self._printed.add(queue_text)
            self._say(f"  ...   {queue_text}")

    def finish(self) -> int:
        """Print the verdict on a version, or its progress; return the exit code."""
        version = self.version
        if version is None:
            raise LookupError("the site has not sent the state of the version")
        outcome = version.state if version.terminal and version.state in END_STATES else "waiting"
        if self._as_json:
            self._document(outcome, version.findings)
        elif outcome == "waiting":
            sys.stdout.write(f"{_label(version)} is being checked: {self._command()}\n")
        else:
            self._print_findings(version.findings)
            sys.stdout.write(f"{_label(version)}: {output.one_line(version.headline)} {self.site.page(version.page)}\n")
        return 0 if outcome in ("active", "waiting") else FINDINGS

    def reject(self, findings: Sequence[Finding], *, is_local: bool) -> int:
        """Print why the local check, or else the site, refused a bot; return the exit code."""
        if self._as_json:
            self._document("refused", findings)
        else:
            self._print_findings(findings)
            result = "Nothing was uploaded." if is_local else f"{self.site.address} refused the upload."
            sys.stdout.write(f"refused: {result}\n")
        return FINDINGS

    def fail(self, reason: str, code: int) -> int:
        """Print why the command stops and how to continue; return the exit code."""
        if self._as_json and self.version is not None:
            self._document("waiting", self.version.findings)
        output.say(f"gangland: {reason}")
        if self.version_id is not None and code != USAGE:
            output.say(f"continue: {self._command()}")
        elif self.has_begun and code in (SERVER, INTERRUPTED):
            output.say(f"Check at {self.site.address}/account whether the bot arrived. If not, upload it again.")
        return code

    def _command(self) -> str:
        return f"gangland submit --follow {self.version_id} --site {self.site.address}"

    def _say(self, text: str) -> None:
        if not self._quiet:
            output.say(text)

    def _print_findings(self, findings: Sequence[Finding]) -> None:
        for finding in findings:
            if self.bot is not None and finding.code in entries():
                problem = Problem(str(finding.code), finding.message[:3000], finding.line or None)
                print_finding(CheckedBot(self.bot, "", None, {}, [], b""), problem)
            else:
                _print_site_finding(finding)
        if findings:
            sys.stdout.write("\n")

    def _document(self, outcome: str, findings: Sequence[Finding]) -> None:
        version = self.version
        is_waiting = outcome == "waiting" and version is not None
        output.print_json(
            site_client.Submit(
                site=self.site.address,
                file=self.bot.filename if self.bot is not None else None,
                outcome=outcome,
                version=None if version is None else self._printed_version(version),
                problems=[_with_explanation(finding) for finding in findings],
                follow=self._command() if is_waiting else None,
            )
        )

    def _printed_version(self, version: Version) -> SubmittedVersion:
        printed = SubmittedVersion(*(getattr(version, name) for name in SubmittedVersion.__struct_fields__))
        return with_fields(printed, page=self.site.page(version.page))


def _with_explanation(finding: Finding) -> Finding:
    """Return a finding with the catalog entry for its code: this program's entry, or else the site's."""
    entry = entries().get(finding.code or "")
    return finding if entry is None else with_fields(finding, title=entry.title, fix=entry.fix, page=entry.page)


def _print_site_finding(finding: Finding) -> None:
    """Print a finding for which there is no local file, or whose code this version does not know."""
    head, _, rest = output.clean_lines(finding.message).partition("\n")
    place = f"line {finding.line}  " if finding.line else ""
    code = output.clean(f"{finding.code}  " if finding.code else "")
    sys.stdout.write(f"\n{code}{place}{head}\n" + "".join(f"  {line}\n" for line in rest.split("\n") if line))
    if finding.fix:
        sys.stdout.write(f"  {output.one_line(finding.fix)}\n")


def _label(version: Version) -> str:
    return f"{output.one_line(version.bot)} v{version.version}"


def _queue_text(version: Version) -> str:
    queue = version.queue
    if version.terminal or queue is None:
        return ""
    if queue.trials_done:
        return f"{queue.trials_done} of {queue.trials_all} trial matches played"
    if queue.check != "done":
        return f"{counted(queue.ahead, 'check')} ahead" if queue.ahead else ""
    if not queue.trials_all:
        return "waiting for house bots as opponents"
    return f"{counted(queue.ahead, 'trial')} ahead" if queue.ahead else ""
