"""A screen on an accelerated clock: a day in minutes, and what browser and server keep of it.

`make screen-day` plays as many games as a screen shows in a day and prints what grows.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, Page
from sqlmodel import col, func, select
from tests.browser.chromium import launched
from tests.browser.site import PATIENCE_MS, Town, opened_town

from gangland_web.resources.channels import reels
from gangland_web.site.tv import views
from gangland_web.store.models.channels import ChannelItem

WALL = {"width": 1280, "height": 720}
SHOWN_S = 120.0
"""About so long an item takes on the usual clock."""
_FAST_AHEAD_S = 2.0


@contextmanager
def accelerated(times: float) -> Iterator[None]:
    """Let programmes run so many times as fast; requests take as long as ever, so steps come no later than usual."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("INTRO_S", "PLAY_S", "HOLD_S"):
            patch.setattr(reels, name, getattr(reels, name) / times)
        patch.setattr(reels, "STEP_S", tuple(each / times for each in reels.STEP_S))
        patch.setattr(reels, "AHEAD_S", max(_FAST_AHEAD_S, reels.AHEAD_S / times))
        patch.setattr(views, "LIVE_S", max(1, views.LIVE_S // times))
        reels.reel_of.cache_clear()
        yield
    reels.reel_of.cache_clear()


@dataclass(frozen=True)
class Kept:
    """What is kept after so many results: of the browser after its garbage is collected, and of this process."""

    results: int
    heap_kib: int
    nodes: int
    listeners: int
    rss_kib: int


def kept(page: Page) -> Kept:
    """Measure what browser and server keep."""
    wire = page.context.new_cdp_session(page)
    wire.send("HeapProfiler.collectGarbage")
    wire.send("Performance.enable")
    found = {each["name"]: each["value"] for each in wire.send("Performance.getMetrics")["metrics"]}
    wire.detach()
    gc.collect()
    status = Path("/proc/self/status").read_text()
    rss = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    figures = (int(found["JSHeapUsedSize"]) // 1024, int(found["Nodes"]), int(found["JSEventListeners"]), rss)
    return Kept(results(page), *figures)


def results(page: Page) -> int:
    """Return how many results the screen has shown."""
    return int(page.evaluate("() => document.querySelector('[data-tv]').dataset.played ?? 0"))


def after(page: Page, count: int, patience_ms: float = PATIENCE_MS) -> Kept:
    """Wait until the screen has shown so many results, and measure."""
    shown = "count => Number(document.querySelector('[data-tv]').dataset.played ?? 0) >= count"
    page.wait_for_function(shown, arg=count, timeout=patience_ms)
    return kept(page)


def aired(town: Town, last: int) -> int:
    """Return how many games the channel of all ladders had in its programme up to this one."""
    with town.app.extensions["gangland_database"].read() as session:
        its = (ChannelItem.channel == "ladders", col(ChannelItem.id) <= last)
        return int(session.exec(select(func.count()).where(*its)).one())


def run(town: Town, browser: Browser, count: int, every: int) -> None:
    """Print what is kept, every so many results."""
    with town.visitor(browser, viewport=WALL) as context:
        page = context.new_page()
        page.goto("/tv")
        began = time.monotonic()
        sys.stdout.write("aired  results  heap KiB  nodes  listeners  server KiB  seconds\n")
        for done in range(every, count + 1, every):
            found = after(page, done, 10 * PATIENCE_MS)
            last = page.evaluate("() => Number(document.querySelector('[data-tv]').dataset.last)")
            line = f"{aired(town, last):5}{found.results:9}{found.heap_kib:10}{found.nodes:7}{found.listeners:11}"
            sys.stdout.write(f"{line}{found.rss_kib:12}{time.monotonic() - began:9.0f}\n")
            sys.stdout.flush()


def main() -> None:
    """Run a screen as long as the arguments say."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--items", type=int, default=int(86_400 / SHOWN_S), help="games to be shown")
    given.add_argument("--times", type=float, default=60.0, help="how many times as fast as usual")
    given.add_argument("--every", type=int, default=20, help="games between two lines")
    asked = given.parse_args()
    with TemporaryDirectory() as folder, launched() as browser:
        (Path(folder) / "own").mkdir()
        with opened_town(Path(folder), Path(folder) / "own") as town, accelerated(asked.times):
            run(town, browser, asked.items, asked.every)


if __name__ == "__main__":
    main()
