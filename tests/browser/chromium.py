"""The machine's own Chromium, found by name: nothing is downloaded.

The shell without windows comes first: the same engine draws and runs pages in it, for two thirds of the CPU.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import which

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_SCRIPTS = "--js-flags=--no-opt --no-maglev --single-threaded"
"""No script runs long enough for its compilation to be worth its CPU."""
ARGUMENTS = ("--disable-dev-shm-usage", "--disable-gpu", _SCRIPTS) + (("--no-sandbox",) if os.geteuid() == 0 else ())
"""Chromium's own jail is not to be had as root; it opens nothing but our pages."""


class NoBrowser(RuntimeError):
    """No Chromium is installed; the message says how to get one."""


def find_chromium() -> str:
    """Return the path that CHROMIUM names, or of the first browser on the PATH.  Raises NoBrowser: there is none."""
    for name in filter(None, (os.environ.get("CHROMIUM"), *NAMES)):
        if found := which(name):
            return found
    raise NoBrowser(
        "these tests need a Chromium, and PATH has none of " + ", ".join(NAMES) + ". Install it with `make test-system`"
        " (Debian: apt-get install chromium-headless-shell; Fedora: dnf install chromium; Arch: pacman -S chromium),"
        " or name one: CHROMIUM=/path/to/chromium"
    )


@contextmanager
def launched() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(ARGUMENTS), handle_sigint=False, timeout=180_000
        )
        try:
            yield browser
        finally:
            browser.close()
