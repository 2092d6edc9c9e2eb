"""Load a whole site over HTTP on loopback while bots play, and print its responses and the cost for the matches.

    python -m benchmarks.traffic                                    500 pollers, 50 readers, for a minute
    python -m benchmarks.traffic --pollers 100 --readers 10 --seconds 30
    python -m benchmarks.traffic --soak 3600 --pollers 50 --readers 5
    python -m benchmarks.traffic --into benchmarks/results/speed.md               into the tables of that page

The site is `gangland up` in its own data folder.  Matches are counted without visitors, with them, and without them
after that.  Ends with status 1 if a limit is broken.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from benchmarks.harness import exit_on_sigterm, parser, publish, say
from benchmarks.site import CORES
from benchmarks.traffic import figures, soak
from benchmarks.traffic.client import Tally
from benchmarks.traffic.crowd import Crowd, Size
from benchmarks.traffic.site import Shape, Stretch, Visited, now, since, together, visited
from gangland_web.ops.children import NICE

SETTLE_S = 5.0
"""The time between a change of the number of visitors and the measurement."""
MATCHES_A_CORE_S = 8.0
"""Matches per second to create for each core: more than a core can play, so that they last for the whole run."""


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    line = parser("benchmarks.traffic", "A whole site with people on it while bots play.")
    line.add_argument("--pollers", type=int, help="people with a live page open (500; 50 in a soak)")
    line.add_argument("--readers", type=int, help="people who read (50; 5 in a soak)")
    line.add_argument("--uploads", type=float, default=4.0, help="bots sent in a minute (4)")
    line.add_argument("--seconds", type=float, default=60.0, help="with visitors, and as long without them (60)")
    line.add_argument("--slots", type=int, default=CORES, help="match workers (one a core)")
    line.add_argument("--nice", type=int, default=NICE, help=f"how far match workers stand back ({NICE})")
    line.add_argument("--bots", type=int, default=300, help="on the ladder as it was before (300)")
    line.add_argument("--played", type=int, default=5000, help="its matches (5000)")
    line.add_argument("--seed", type=int, default=1, help="who opens what")
    line.add_argument(
        "--soak",
        type=float,
        metavar="SECONDS",
        help="a long stay instead, after a quarter of it to warm up: what grows?",
    )
    return line.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Run, print, and return the exit status."""
    options = arguments(words)
    exit_on_sigterm()
    long = options.soak is not None
    size = Size(
        pollers=options.pollers if options.pollers is not None else 50 if long else 500,
        readers=options.readers if options.readers is not None else 5 if long else 50,
        uploads_a_minute=options.uploads,
    )
    lasts_s = options.soak * (1 + soak.WARM_UP) if long else 2 * options.seconds + 4 * SETTLE_S
    shape = Shape(options.bots, options.played, int(MATCHES_A_CORE_S * CORES * lasts_s) + 200)
    with (
        tempfile.TemporaryDirectory(prefix="gangland-traffic-") as folder,
        visited(Path(folder), shape, options.slots, "--nice", str(options.nice)) as site,
    ):
        rng = Random(options.seed)
        crowd = Crowd(site.up.port, size, site.tournament, site.cookies, site.tokens, rng, site.waiting)
        return soaked(site, crowd, options) if long else measured(site, crowd, options)


def measured(site: Visited, crowd: Crowd, options: argparse.Namespace) -> int:
    """Measure without visitors, with them and without them after that; print, and return the exit status."""
    settles_s = min(SETTLE_S, options.seconds / 4)
    say("no visitors")
    before = _alone(site, options.seconds / 2, settles_s)
    say(f"{crowd.size.pollers} pollers, {crowd.size.readers} readers")
    busy = asyncio.run(_visit(site, crowd, options.seconds, settles_s))
    say("no visitors again")
    after = _alone(site, options.seconds / 2, settles_s)
    if not site.left():
        raise SystemExit("the tournament was over before the run was: nothing can be told from it")
    run = figures.Run(crowd.size, options.nice, crowd.tally, together(before, after), busy, site.void())
    publish(options, [figures.section(run)], figures.document(run))
    return 1 if run.broken else 0


def _alone(site: Visited, seconds: float, settles_s: float) -> Stretch:
    time.sleep(settles_s)
    first = now(site)
    time.sleep(seconds)
    return since(site, first)


async def _visit(site: Visited, crowd: Crowd, seconds: float, settles_s: float) -> Stretch:
    """Let all visitors arrive; count from the time when all have arrived until they leave."""
    staying = asyncio.create_task(crowd.stay(settles_s + seconds))
    await asyncio.sleep(settles_s)
    crowd.tally = Tally()
    first = now(site)
    await staying
    return since(site, first)


def soaked(site: Visited, crowd: Crowd, options: argparse.Namespace) -> int:
    """Measure growth over a long time; print, and return the exit status."""
    stay, began = soak.Stay(), time.monotonic()
    rush = replace(crowd, size=replace(crowd.size, readers=soak.RUSH * crowd.size.readers), tally=Tally())
    asyncio.run(_stay(site, rush, stay, soak.WARM_UP * options.soak, began))
    stay.warm_at_s, crowd.uploads = time.monotonic() - began, rush.uploads
    warm_at = time.time()
    asyncio.run(_stay(site, crowd, stay, options.soak, began))
    lines = crowd.tally.lines(options.soak)
    problems = [*rush.tally.problems(), *crowd.tally.problems(), *stay.ended(), *stay.broken(), *site.void()]
    parts = (stay, lines, problems, site.done(warm_at, time.time()))
    publish(options, [soak.section(*parts)], soak.document(*parts))
    return 1 if problems else 0


async def _stay(site: Visited, crowd: Crowd, stay: soak.Stay, seconds: float, began: float) -> None:
    """Take a sample of all processes every few seconds while the visitors are there."""
    staying = asyncio.create_task(crowd.stay(seconds))
    every_s = min(soak.SAMPLE_EVERY_S, seconds / 8)
    due = time.monotonic()
    while not staying.done():
        await asyncio.to_thread(stay.take, site.up.pid, began)
        say(f"{time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.1f}")
        due += every_s
        await asyncio.wait([staying], timeout=max(0.0, due - time.monotonic()))
    await staying


if __name__ == "__main__":
    sys.exit(main())
