"""Drives a whole site by HTTP on loopback while bots play, and says what it answered and what that cost the matches.

    python -m benchmarks.traffic                                    500 pollers, 50 readers, a minute with them
    python -m benchmarks.traffic --pollers 100 --readers 10 --seconds 30
    python -m benchmarks.traffic --soak 3600 --pollers 50 --readers 5 --chart build/soak.svg
    python -m benchmarks.traffic --into benchmarks/results/speed.md               into the tables of that page

The site is `gangland up` in a data folder of its own.  Matches are counted without visitors, with them, and without
them again.  Ends with status 1 if a limit is broken.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from benchmarks.report import columns, pipes, put
from benchmarks.traffic import figures, soak
from benchmarks.traffic.chart import drawing
from benchmarks.traffic.crowd import Crowd, Size
from benchmarks.traffic.measuring import CORES, Stretch, between, now, together
from benchmarks.traffic.site import Shape, Visited, visited
from benchmarks.traffic.tally import Tally
from gangland_web.ops.supervisor.environment import NICE

SETTLES_S = 5.0
"""So long the visitors are there, or gone, before it counts."""
MATCHES_A_CORE_S = 8.0
"""More than a core plays, so that there are enough for the whole run."""


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.traffic", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pollers", type=int, help="people with a live page open (500; 50 in a soak)")
    parser.add_argument("--readers", type=int, help="people who read (50; 5 in a soak)")
    parser.add_argument("--uploads", type=float, default=4.0, help="bots sent in a minute (4)")
    parser.add_argument("--seconds", type=float, default=60.0, help="with visitors, and as long without them (60)")
    parser.add_argument("--slots", type=int, default=CORES, help="match workers (one a core)")
    parser.add_argument("--nice", type=int, default=NICE, help=f"how far match workers stand back ({NICE})")
    parser.add_argument("--bots", type=int, default=300, help="on the ladder as it was before (300)")
    parser.add_argument("--played", type=int, default=5000, help="its matches (5000)")
    parser.add_argument("--seed", type=int, default=1, help="who opens what")
    parser.add_argument(
        "--soak",
        type=float,
        metavar="SECONDS",
        help="a long stay instead, after a quarter of it to warm up: what grows?",
    )
    parser.add_argument("--chart", type=Path, metavar="FILE", help="of the soak, as SVG")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--into", type=Path, metavar="PAGE", help="put the tables into a page, between its marks")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    """Run, print, and return the exit status."""
    chosen = arguments(given)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that nothing of it is left behind
    long = chosen.soak is not None
    size = Size(
        pollers=chosen.pollers if chosen.pollers is not None else 50 if long else 500,
        readers=chosen.readers if chosen.readers is not None else 5 if long else 50,
        uploads_a_minute=chosen.uploads,
    )
    lasts_s = chosen.soak * (1 + soak.WARM_UP) if long else 2 * chosen.seconds + 4 * SETTLES_S
    shape = Shape(chosen.bots, chosen.played, int(MATCHES_A_CORE_S * CORES * lasts_s) + 200)
    with (
        tempfile.TemporaryDirectory(prefix="gangland-traffic-") as folder,
        visited(Path(folder), shape, chosen.slots, "--nice", str(chosen.nice)) as site,
    ):
        rng = Random(chosen.seed)
        crowd = Crowd(site.port, size, site.tournament, site.cookies, site.tokens, rng, site.waiting)
        return soaked(site, crowd, chosen) if long else measured(site, crowd, chosen)


def measured(site: Visited, crowd: Crowd, chosen: argparse.Namespace) -> int:
    """Measure without visitors, with them and without them again; print, and return the exit status."""
    settles_s = min(SETTLES_S, chosen.seconds / 4)
    _say("no visitors")
    time.sleep(settles_s)
    before = _alone(site, chosen.seconds / 2)
    _say(f"{crowd.size.pollers} pollers, {crowd.size.readers} readers")
    busy = asyncio.run(_visit(site, crowd, chosen.seconds, settles_s))
    _say("no visitors again")
    time.sleep(settles_s)
    after = _alone(site, chosen.seconds / 2)
    if not site.left():
        raise SystemExit("the tournament was over before the run was: nothing can be told from it")
    run = figures.Run(crowd.size, chosen.nice, crowd.tally, together(before, after), busy, site.void())
    if chosen.into:
        put(chosen.into, "traffic", figures.text(run, pipes))
    else:
        sys.stdout.write(
            json.dumps(figures.document(run), indent=2) + "\n" if chosen.json else figures.text(run, columns)
        )
    return 1 if run.broken else 0


def _alone(site: Visited, seconds: float) -> Stretch:
    first = now(site)
    time.sleep(seconds)
    return between(site, first, now(site))


async def _visit(site: Visited, crowd: Crowd, seconds: float, settles_s: float) -> Stretch:
    """Have everybody come, and count once they are all there, until they go."""
    staying = asyncio.create_task(crowd.stay(settles_s + seconds))
    await asyncio.sleep(settles_s)
    crowd.tally = Tally()
    first = now(site)
    await staying
    return between(site, first, now(site))


def soaked(site: Visited, crowd: Crowd, chosen: argparse.Namespace) -> int:
    """Stay for a long time and look at what grows; print, and return the exit status."""
    stay, began = soak.Stay(), time.monotonic()
    rush = replace(crowd, size=replace(crowd.size, readers=soak.RUSH * crowd.size.readers), tally=Tally())
    asyncio.run(_stay(site, rush, stay, soak.WARM_UP * chosen.soak, began))
    stay.warm_at_s, crowd.uploads = time.monotonic() - began, rush.uploads
    since = time.time()
    asyncio.run(_stay(site, crowd, stay, chosen.soak, began))
    lines = crowd.tally.lines(chosen.soak)
    errors = rush.tally.errors + crowd.tally.errors
    problems = [f"{count} x {what} at {kind} ({part})" for (part, kind, what), count in errors.items()]
    problems += [*stay.ended(), *stay.broken()]
    problems += site.void()
    matches = site.done(since, time.time())
    if chosen.chart:
        chosen.chart.parent.mkdir(parents=True, exist_ok=True)
        chosen.chart.write_text(drawing(stay.samples), encoding="utf-8")
    if chosen.into:
        put(chosen.into, "traffic soak", soak.text(stay, lines, problems, matches, pipes))
    elif chosen.json:
        sys.stdout.write(json.dumps(soak.document(stay, lines, problems, matches), indent=2) + "\n")
    else:
        sys.stdout.write(soak.text(stay, lines, problems, matches, columns))
    return 1 if problems else 0


async def _stay(site: Visited, crowd: Crowd, stay: soak.Stay, seconds: float, began: float) -> None:
    """Take a sample of all processes every few seconds while everybody is there."""
    staying = asyncio.create_task(crowd.stay(seconds))
    every_s = min(soak.SAMPLE_EVERY_S, seconds / 8)
    due = time.monotonic()
    while not staying.done():
        await asyncio.to_thread(stay.take, site.up.pid, began)
        _say(f"{time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.1f}")
        due += every_s
        await asyncio.wait([staying], timeout=max(0.0, due - time.monotonic()))
    await staying


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
