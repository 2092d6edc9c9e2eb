"""A screen on an accelerated clock: a day in minutes, and what browser and server keep of it.

`make screen-day` plays as many games as a screen shows in a day and prints what grows.
"""

import argparse
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, Page
from tests.browser import chromium, site
from tests.kits.models import ChannelItem, col, select

from gangland_ladder.viewer import timeline_data
from gangland_web.site import tv

WALL = {"width": 1280, "height": 720}
SHOWN_S = 120.0  # about the time of an item on the usual clock
GAME_S = 100.0  # about the time of a game on the usual clock
_FAST_AHEAD_S = 2.0
STEP_S = 0.5  # one step of a moved clock: requests are sent and answered between steps
_MAX_STEPS = 2_000


@contextmanager
def accelerated(times: float) -> Iterator[None]:
    """Divide the programs' waits by a factor; requests take their normal time."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("INTRO_S", "STEP_S", "HOLD_S"):
            patch.setattr(timeline_data, name, getattr(timeline_data, name) / times)
        patch.setattr(timeline_data, "PACE", tuple((steps, step_s / times) for steps, step_s in timeline_data.PACE))
        patch.setattr(timeline_data, "AHEAD_S", max(_FAST_AHEAD_S, timeline_data.AHEAD_S / times))
        patch.setattr(tv, "LIVE_S", max(1, tv.LIVE_S // times))
        timeline_data.broadcast_of.cache_clear()
        yield
    timeline_data.broadcast_of.cache_clear()


_COUNTS_REQUESTS = """() => {
  const send = window.fetch, underWay = new Set();
  window.fetch = async (...given) => {
    const answer = send(...given), body = answer.then(each => each.clone().text());
    underWay.add(body);
    body.catch(() => {}).finally(() => underWay.delete(body));
    return answer;
  };
  const turn = () => new Promise(done => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); done(); };
    port2.postMessage(null);
  });
  window.allAnswered = async () => {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      if (underWay.size) quiet = 0;
      await Promise.allSettled(underWay);
      await turn();
    }
  };
}"""


class MovedClock:
    """A clock of programs and pages that only tests move, so that a busy machine delays no screen."""

    def __init__(self) -> None:
        self.at_s = time.time()

    def watch(self, page: Page) -> None:
        page.clock.install(time=self.at_s - 3600)  # it runs until it is paused, and cannot be paused in the past
        page.clock.pause_at(self.at_s)
        page.add_init_script(f"({_COUNTS_REQUESTS})()")

    def move(self, seconds: float, *pages: Page) -> None:
        """Move the clock, and wait until the pages have their answers."""
        self.at_s += seconds
        for page in pages:
            page.clock.run_for(round(1000 * seconds))
            page.evaluate("() => allAnswered()")

    def move_until(self, script: str, *pages: Page, arg: object = None) -> None:
        """Move the clock until a script returns true; AssertionError after the time of many games."""
        for _ in range(_MAX_STEPS):
            if pages[0].evaluate(script, arg):
                return
            self.move(STEP_S, *pages)
        raise AssertionError(f"not true after {_MAX_STEPS * STEP_S} s: {script} of {arg!r}")


@contextmanager
def moved_clock(play_s: float) -> Iterator[MovedClock]:
    """Programs on a moved clock, with games of about this number of its seconds, which draw few steps."""
    with pytest.MonkeyPatch.context() as patch:
        clock = MovedClock()
        patch.setattr(tv, "now_s", lambda: clock.at_s)
        patch.setattr(tv, "LIVE_S", 5 * STEP_S)
        times = GAME_S / play_s
        patch.setattr(timeline_data, "PACE", tuple((steps, step_s / times) for steps, step_s in timeline_data.PACE))
        patch.setattr(timeline_data, "STEP_S", timeline_data.STEP_S / times)
        for name, seconds in (("INTRO_S", STEP_S), ("HOLD_S", 3 * STEP_S), ("AHEAD_S", 2.0)):
            patch.setattr(timeline_data, name, seconds)
        timeline_data.broadcast_of.cache_clear()
        yield clock
    timeline_data.broadcast_of.cache_clear()


@dataclass(frozen=True)
class Kept:
    results: int
    heap_kib: int
    nodes: int
    listeners: int
    rss_kib: int


def kept(page: Page) -> Kept:
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
    return int(page.evaluate("() => document.querySelector('[data-tv]').dataset.played ?? 0"))


_HAS_SHOWN = "count => Number(document.querySelector('[data-tv]').dataset.played ?? 0) >= count"


def after(page: Page, count: int, patience_ms: float = site.PATIENCE_MS) -> Kept:
    page.wait_for_function(_HAS_SHOWN, arg=count, timeout=patience_ms)
    return kept(page)


def move_on(clock: MovedClock, count: int, *pages: Page) -> None:
    clock.move_until(_HAS_SHOWN, *pages, arg=count)


_TELLS = """() => {
  const root = document.querySelector("[data-tv]");
  const tell = new MutationObserver(() => window.tellShown(Number(root.dataset.last)));
  tell.observe(root, { attributeFilter: ["data-played"] });
}"""


def told(page: Page) -> list[int]:
    items: list[int] = []
    page.expose_function("tellShown", lambda item: items.append(item))
    page.evaluate(_TELLS)
    return items


def missed(filled: site.FilledSite, shown: list[int]) -> set[int]:
    """Return the items between the first and the last shown item that the screen left out."""
    with filled.app.extensions["gangland_database"].read() as session:
        chosen = select(ChannelItem.id).where(ChannelItem.channel == "ladders", col(ChannelItem.id) <= max(shown))
        items = session.exec(chosen.where(col(ChannelItem.id) >= min(shown))).all()
    return set(items) - set(shown)


@contextmanager
def unwatched(folder: Path, address: str) -> Iterator[int]:
    """Open an address in a browser without a debugger, whose answers use memory; yield its process id."""
    size = f"--window-size={WALL['width']},{WALL['height']}"
    own = [f"--user-data-dir={folder}", "--remote-debugging-port=0", size, "--no-first-run"]
    quiet = subprocess.DEVNULL
    command = [chromium.find_chromium(), *chromium.ARGUMENTS, *own, address]
    browser = subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)
    try:
        yield browser.pid
    finally:
        os.killpg(browser.pid, signal.SIGKILL)
        browser.wait()


def page_kib(browser: int) -> int:
    """Return the private memory of the processes that render pages."""
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if int((process / "stat").read_text().rpartition(")")[2].split()[2]) != browser:  # of its process group
                continue
            if b"--type=renderer" in (process / "cmdline").read_bytes():
                lines = (process / "smaps_rollup").read_text().splitlines()
                total += sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return total


def run(filled: site.FilledSite, browser: Browser, folder: Path, count: int, every: int) -> None:
    """Print memory use every few results; `page KiB` is of a second browser without a debugger."""
    with filled.visitor(browser, viewport=WALL) as context, unwatched(folder, f"{filled.address}/tv") as other:
        page = context.new_page()
        page.goto("/tv")
        shown, began = told(page), time.monotonic()
        sys.stdout.write("results  missed  heap KiB  nodes  listeners  page KiB  server KiB  seconds\n")
        for done in range(every, count + 1, every):
            found = after(page, done, 10 * site.PATIENCE_MS)
            line = f"{found.results:7}{len(missed(filled, shown)):8}{found.heap_kib:10}{found.nodes:7}"
            line += f"{found.listeners:11}{page_kib(other):10}{found.rss_kib:12}{time.monotonic() - began:9.0f}\n"
            sys.stdout.write(line)
            sys.stdout.flush()


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--items", type=int, default=int(86_400 / SHOWN_S), help="games to be shown")
    given.add_argument("--times", type=float, default=60.0, help="how many times as fast as usual")
    given.add_argument("--every", type=int, default=20, help="games between two lines")
    asked = given.parse_args()
    with TemporaryDirectory(ignore_cleanup_errors=True) as kept_in, chromium.launched() as browser:
        folder = Path(kept_in)
        (folder / "own").mkdir()
        with site.opened_filled_site(folder, folder / "own") as filled, accelerated(asked.times):
            run(filled, browser, folder / "browser", asked.items, asked.every)


if __name__ == "__main__":
    main()
