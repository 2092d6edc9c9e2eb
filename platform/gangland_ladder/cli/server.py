"""Commands for a machine on which a site runs: `gangland up`, `gangland doctor` and `gangland admin`."""

import http.client
import sys
import urllib.request
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.cli import output
from gangland_ladder.common import runtime, texts
from gangland_ladder.documents.installations import Doctor, Probe, SiteStatus
from gangland_sandbox.doctor import probe
from gangland_sandbox.machine import facts

# `gangland up`: running the whole site on this machine.


def up(
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port of the site.")] = 8000,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="The address to listen on: this machine's address in a local network, or 0.0.0.0."
        ),
    ] = "127.0.0.1",
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="FOLDER", help="The data folder. ~/.local/share/gangland by default."),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=0, max=64, help="Match workers. One per core by default.")] = None,
    nice: Annotated[
        int | None, typer.Option(min=0, max=19, help="The nice value of match workers. 10 by default.")
    ] = None,
    with_wheels: Annotated[
        bool, typer.Option("--with-wheels", help="First fetch all packages to serve at /download.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per event instead of text.")] = False,
) -> None:
    """Run the whole site on this machine until Ctrl-C.

    It starts its own broker, database and workers. If it is started again, it continues.

    Example: gangland up --port 8123 --data ./data

    Example: gangland up --host 192.168.1.20 --with-wheels
    """
    values = {"--port": port, "--host": host, "--data": data, "--workers": workers, "--nice": nice}
    arguments = [part for name, value in values.items() if value is not None for part in (name, str(value))]
    arguments += [name for name, is_set in (("--with-wheels", with_wheels), ("--json", as_json)) if is_set]
    runtime.run_site("gangland_web.ops.supervisor", arguments)


# `gangland doctor`: testing whether this machine can safely play other people's bots.


DEFAULT_SITE = "http://127.0.0.1:8000"


def doctor(
    site: Annotated[str | None, typer.Option("--site", help=f"Also ask this site. {DEFAULT_SITE} by default.")] = None,
    as_json: output.Json = False,
) -> None:
    """Test the jail and show how to fix what fails.

    Example: gangland doctor
    """
    machine, probes = facts(), _run_probes()
    try:
        status = ask_site(site or DEFAULT_SITE)
    except NoSite as error:
        if site is not None:
            output.say(f"gangland: no site at {site}: {error}")
            sys.exit(runtime.SERVER)
        status = None
    is_sound = all(result.ok for result in probes) and not (status and status.stopped)
    if as_json:
        output.print_json(Doctor(ok=is_sound, machine=machine, probes=probes, site=status))
    else:
        _print(machine, probes, status)
    if not is_sound:
        sys.exit(runtime.FINDINGS)


def _run_probes() -> list[Probe]:
    for name in GAME_NAMES:
        game_named(name)  # imported in advance: the probes run unprivileged, and may be unable to read Python's files
    return [Probe(result.name, result.ok, result.detail, result.fix) for result in probe()]


def _print(machine: dict[str, str], probes: list[Probe], status: SiteStatus | None) -> None:
    for name, value in machine.items():
        sys.stdout.write(f"{name}: {output.clean(value)}\n")
    for result in probes:
        sys.stdout.write(f"  {'ok  ' if result.ok else 'FAIL'}  {result.name}: {output.clean(result.detail)}\n")
        if not result.ok and result.fix:
            sys.stdout.write(f"        fix: {result.fix}\n")
    passed = sum(result.ok for result in probes)
    sys.stdout.write(f"{passed} of {len(probes)} probes passed\n")
    if status is not None:
        slots = "no answer from the broker" if status.slots is None else texts.counted(status.slots, "match slot")
        sys.stdout.write(f"site {output.clean(status.address)}: {slots}\n")
        for stopped in status.stopped:
            line = f"{texts.counted(stopped.workers, 'worker')} stopped, {stopped.probe}: {stopped.fix}"
            sys.stdout.write(f"  FAIL  {output.clean(line)}\n")


# Asking a running site for the status of its match workers over HTTP.


ANSWER_TIMEOUT_S = 2.0
MAX_BYTES = 64 * 1024
_NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # The site is usually on this machine.


class NoSite(RuntimeError):
    """There is no answer from a Gangland site at the address; the message explains why."""


def ask_site(address: str) -> SiteStatus:
    """Return the status of the site at an address. Raises NoSite: there is no answer from a Gangland site."""
    url = address.rstrip("/") + "/status.json"
    if not url.startswith(("http://", "https://")):
        raise NoSite("expected a URL with http:// or https://")
    try:
        with _NO_PROXY.open(url, timeout=ANSWER_TIMEOUT_S) as answer:  # the scheme is checked above
            text = answer.read(MAX_BYTES)
        return msgspec.structs.replace(msgspec.json.decode(text, type=SiteStatus), address=address)
    except (OSError, ValueError, http.client.HTTPException, msgspec.MsgspecError) as error:
        reason = getattr(error, "reason", error)
        raise NoSite(str(getattr(reason, "strerror", None) or reason)) from error


# `gangland admin`: commands for organizers in a shell on the server.


def admin(context: typer.Context) -> None:
    """Manage an installation from a shell on its server.

    `gangland admin --help` lists the commands.

    Example: gangland admin call GET /ladders --data ./data
    """
    runtime.run_site("gangland_web.ops.admin", context.args)
