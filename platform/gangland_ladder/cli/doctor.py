"""`gangland doctor`: is this machine fit to play strangers' bots?"""

from __future__ import annotations

import sys
from typing import Any

from gangland_ladder.cli import report
from gangland_ladder.tables import Tables
from gangland_sandbox.doctor import facts, probe
from gangland_sandbox.errors import SandboxError
from gangland_sandbox.pool import Pool


def doctor(as_json: report.Json = False) -> None:
    """Try the jail from all sides and say how to mend what does not hold; exit 1 if anything fails.

    Example: gangland doctor
    """
    machine = facts()
    try:
        with Tables(workers=1) as tables:
            (probes,) = tables.run(_probe, [()])
    except SandboxError as failure:
        probes = [{"name": "the jail", "ok": False, "detail": str(failure), "mend": ""}]
    if as_json:
        report.print_json(
            {
                "schema": "gangland/doctor/1",
                "ok": all(found["ok"] for found in probes),
                "machine": machine,
                "probes": probes,
            }
        )
    else:
        _print(machine, probes)
    if not all(found["ok"] for found in probes):
        sys.exit(report.FINDINGS)


def _probe(_pool: Pool) -> list[dict[str, Any]]:
    return [{"name": p.name, "ok": p.ok, "detail": p.detail, "mend": p.mend} for p in probe()]


def _print(machine: dict[str, str], probes: list[dict[str, Any]]) -> None:
    for name, value in machine.items():
        sys.stdout.write(f"{name}: {value}\n")
    for found in probes:
        sys.stdout.write(f"  {'ok  ' if found['ok'] else 'FAIL'}  {found['name']}: {report.cleaned(found['detail'])}\n")
        if not found["ok"] and found["mend"]:
            sys.stdout.write(f"        mend: {found['mend']}\n")
    good = sum(found["ok"] for found in probes)
    sys.stdout.write(f"{good} of {len(probes)} probes hold\n")
