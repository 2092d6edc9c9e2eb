"""`gangland submit`: send a bot in and follow it until it plays, or it is known why not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from gangland_ladder.cli import report
from gangland_ladder.cli.submit_report import Submission
from gangland_ladder.errors import rejection
from gangland_ladder.local.bots import LocalBot, NoSuchBot, game_of, read_bot
from gangland_ladder.submitting.client import CallRefused, Client, Finding, SiteFailed, send, who
from gangland_ladder.submitting.client import follow as follow_version
from gangland_ladder.submitting.tokens import (
    VARIABLE,
    NoKeyring,
    NotSignedIn,
    Site,
    WrongSite,
    keep_token,
    site_of,
    token_for,
)
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import NUMERIC, PLAIN, unpack

CAPS = replace(NUMERIC, zip_bytes=PLAIN.zip_bytes)
"""What intake refuses at any site, whatever profile its ladders have."""
NEEDED = ("upload", "read")
NAME_CHARS, TEAM_CHARS = 64, 32


def submit(
    bots: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[BOT]...", help="A bot's file, or its zip; or several."),
    ] = None,
    site: Annotated[
        str | None, typer.Option("--site", metavar="ADDRESS", help="The site, such as https://gangland.example.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="The bot's name on the site; if left out, the file's name.")
    ] = None,
    team: Annotated[
        str | None,
        typer.Option("--team", metavar="NAME", help="The team to upload it for; if left out, it is your own bot."),
    ] = None,
    game: report.Game = None,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Follow the bot until it is accepted or rejected.")
    ] = True,
    follow: Annotated[
        int | None, typer.Option("--follow", metavar="ID", min=1, help="Upload nothing; follow this version.")
    ] = None,
    token_stdin: Annotated[bool, typer.Option("--token-stdin", help="Read the token from stdin.")] = False,
    keep: Annotated[
        bool, typer.Option("--keep-token", help="Read a token from stdin and store it in the keyring.")
    ] = False,
    as_json: report.Json = False,
    quiet: report.Quiet = False,
) -> None:
    """Upload a bot to a site and follow it until it plays there; exit 1 if it is refused, rejected or withdrawn.

    Intake looks at the file here first, so that a plain mistake costs no upload; all else is checked there.
    The token comes from GANGLAND_TOKEN, the system's keyring or stdin.

    Example: gangland submit my_bot.py --site https://gangland.example
    """
    if sum((bool(bots), follow is not None, keep)) != 1:
        raise NoSuchBot("give one of these: a BOT to upload, --follow ID, or --keep-token")
    if name is not None and len(bots or ()) > 1:
        raise NoSuchBot(
            "--name is the name of one bot: upload the others separately, or leave --name out to use the files' names"
        )
    try:
        chosen = _site(site)
        if keep:
            _keep(chosen, as_json=as_json)
            return
        token = cache(lambda: token_for(chosen, from_stdin=token_stdin))
        ends = []
        chosen_bots: list[LocalBot | None] = [read_bot(bot) for bot in bots or ()] or [None]
        for local in chosen_bots:
            submission = Submission(chosen, local, follow, as_json=as_json, quiet=quiet)
            ends.append(_sent(submission, token, local, game, name, team, wait=wait))
            if ends[-1] not in (0, report.FINDINGS):
                break  # what came between would come between again
        sys.exit(max(ends))
    except WrongSite as wrong:
        raise NoSuchBot(str(wrong)) from wrong


def _sent(
    submission: Submission,
    token: Callable[[], str],
    local: LocalBot | None,
    game: str | None,
    name: str | None,
    team: str | None,
    *,
    wait: bool,
) -> int:
    """Look at one bot here, send and follow it; return the exit code."""
    try:
        plays = "" if local is None else _looked_at(submission, local, game)
    except SystemExit as refused:
        return int(refused.code or 0)
    return _run(submission, token, plays, name, team, wait=wait)


def _site(given: str | None) -> Site:
    if given is None:
        raise NoSuchBot(
            "which site? Give --site https://..., set GANGLAND_CLI_SITE, or `site` in your own file of settings"
        )
    return site_of(given)


def _keep(site: Site, *, as_json: bool) -> None:
    if as_json:
        raise NoSuchBot("--keep-token prints no document: leave --json out")
    try:
        keep_token(site)
    except NotSignedIn as refused:
        _stop(str(refused), report.NOT_SIGNED_IN)
    except NoKeyring as missing:
        _stop(f"{missing}; without it set {VARIABLE}", report.USAGE)
    sys.stdout.write(f"the token for {site.address} is in the system's keyring\n")


def _looked_at(submission: Submission, local: LocalBot, game: str | None) -> str:
    """Return the game of a bot that intake takes; end with what is wrong with any other."""
    try:
        unpack(local.source, local.filename, CAPS)
    except UploadRejected as refused:
        found = rejection(refused)
        sys.exit(submission.refused([Finding(found.message, found.code, line=found.line)], here=True))
    return game_of([local], game)


def _run(
    submission: Submission,
    token: Callable[[], str],
    game: str,
    name: str | None,
    team: str | None,
    *,
    wait: bool,
) -> int:
    """Send or follow; return the exit code."""
    try:
        client = Client(submission.site, token())
        _may(client, submission.bot)
        if submission.bot is not None:
            _send(submission, client, submission.bot, game, name, team)
        if submission.version_id is not None and (wait or submission.version is None):
            follow_version(client, submission.version_id, submission.take)
        return submission.ended()
    except NotSignedIn as refused:
        return submission.broken(str(refused), report.NOT_SIGNED_IN)
    except SiteFailed as failed:
        return submission.broken(str(failed), report.SERVER)
    except CallRefused as refused:
        return _refused(submission, refused)
    except KeyboardInterrupt:
        return submission.broken("interrupted", report.INTERRUPTED)


def _may(client: Client, bot: LocalBot | None) -> None:
    """Ask whether the token is good for all that is to come, before a bot is sent."""
    token = who(client)
    lacking = [scope for scope in NEEDED if scope not in token.scopes and (bot is not None or scope == "read")]
    if lacking:
        where = f"{client.site.address}/account/tokens"
        raise NotSignedIn(f"E305: this token may not {' nor '.join(lacking)}. Create one that may, at {where}")


def _send(submission: Submission, client: Client, bot: LocalBot, game: str, name: str | None, team: str | None) -> None:
    if name is not None and not (1 <= len(name) <= NAME_CHARS and name.isprintable()):
        raise NoSuchBot(f"a bot's name has 1 to {NAME_CHARS} printable characters, not {name[:80]!r}")
    if team is not None and not (1 <= len(team) <= TEAM_CHARS and team.isprintable()):
        raise NoSuchBot(f"a team's name has at most {TEAM_CHARS} printable characters, not {team[:80]!r}")
    submission.begun = True
    submission.take(send(client, bot, game, name, team))


def _refused(submission: Submission, refused: CallRefused) -> int:
    problem = refused.problem
    if submission.version is None and submission.bot is not None and problem.findings:
        return submission.refused(problem.findings, here=False)
    if refused.status == 404:
        return submission.broken(f"{submission.site.address} says: {refused}", report.USAGE)
    code = f"{problem.code}: " if problem.code else ""
    return submission.broken(f"{submission.site.address} refuses the call: {code}{refused}", report.SERVER)


def _stop(message: str, code: int) -> NoReturn:
    report.say(f"gangland: {message}")
    sys.exit(code)
