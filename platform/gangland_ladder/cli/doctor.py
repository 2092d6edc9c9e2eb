"""`gangland doctor`: is this machine fit to play strangers' bots?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.cli import report
from gangland_ladder.cli.site_status import NoSite, ask_site
from gangland_ladder.documents.installations import Doctor, Probe, SiteStatus
from gangland_sandbox.doctor import probe
from gangland_sandbox.machine import facts

USUAL_SITE = "http://127.0.0.1:8000"


def doctor(
    site: Annotated[
        str | None, typer.Option("--site", help=f"Also ask the site at this address; {USUAL_SITE} if left out.")
    ] = None,
    as_json: report.Json = False,
) -> None:
    """Test the jail and say how to fix what does not work; exit 1 if anything fails.

    Example: gangland doctor
    """
    machine, probes = facts(), _tried()
    try:
        status = ask_site(site or USUAL_SITE)
    except NoSite as failure:
        if site is not None:
            report.say(f"gangland: no site answers at {site}: {failure}")
            sys.exit(report.SERVER)
        status = None
    sound = all(found.ok for found in probes) and not (status and status.stopped)
    if as_json:
        report.print_json(Doctor(ok=sound, machine=machine, probes=probes, site=status))
    else:
        _print(machine, probes, status)
    if not sound:
        sys.exit(report.FINDINGS)


def _tried() -> list[Probe]:
    """Return what the probes saw."""
    for name in GAME_NAMES:
        game_named(name)  # imported while the host's Python can be read: the probes run without root
    return [Probe(found.name, found.ok, found.detail, found.mend) for found in probe()]


def _print(machine: dict[str, str], probes: list[Probe], status: SiteStatus | None) -> None:
    for name, value in machine.items():
        sys.stdout.write(f"{name}: {report.cleaned(value)}\n")
    for found in probes:
        sys.stdout.write(f"  {'ok  ' if found.ok else 'FAIL'}  {found.name}: {report.cleaned(found.detail)}\n")
        if not found.ok and found.mend:
            sys.stdout.write(f"        fix: {found.mend}\n")
    good = sum(found.ok for found in probes)
    sys.stdout.write(f"{good} of {len(probes)} probes hold\n")
    if status is not None:
        sys.stdout.write(f"site {report.cleaned(status.address)}: {status.slots} match slots\n")
        for stopped in status.stopped:
            line = f"not playing: {stopped.probe} ({stopped.workers} workers): {stopped.mend}"
            sys.stdout.write(f"  FAIL  {report.cleaned(line)}\n")
