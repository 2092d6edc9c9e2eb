"""`make screenshots`: a picture of every page and state, in light and dark, on a phone and at a desk."""

import re
import sys
from html import escape
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser
from tests.browser import chromium, looking, pages, site

INTO = Path("build/screenshots")
WAYS = list(product(("light", "dark"), (looking.PHONE, looking.DESK)))


def photograph(filled: site.FilledSite, browser: Browser, shown: pages.Shown, into: Path) -> list[str]:
    names = []
    with looking.looked_at(filled, browser, shown) as looked:
        looked.page.emulate_media(reduced_motion="reduce")
        for scheme, size in WAYS:
            looked.as_on(size, dark=scheme == "dark")
            slug = re.sub(r"\W+", "-", shown.name).strip("-")
            names.append(f"{slug}-{scheme}-{size['width']}.png")
            looked.page.screenshot(path=into / names[-1], full_page=True)
    return names


def index(pictures: dict[str, list[str]]) -> str:
    """Return a page that shows all pictures, the four of a page in a row."""
    rows = "".join(
        f"<h2>{escape(name)}</h2><p>"
        + "".join(f'<a href="{each}"><img src="{each}" alt="{each}" height="500" loading="lazy"></a> ' for each in four)
        for name, four in pictures.items()
    )
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Every page</title><h1>Every page</h1>{rows}'


def main(words: list[str]) -> None:
    INTO.mkdir(parents=True, exist_ok=True)
    wanted = [shown for shown in pages.PAGES if not words or any(word in shown.name for word in words)]
    pictures: dict[str, list[str]] = {}
    with TemporaryDirectory() as folder, chromium.launched() as browser:
        (Path(folder) / "own").mkdir()
        with site.opened_filled_site(Path(folder), Path(folder) / "own") as filled:
            for shown in wanted:
                pictures[shown.name] = photograph(filled, browser, shown, INTO)
                sys.stderr.write(f"{len(pictures)} of {len(wanted)}: {shown.name}\n")
    (INTO / "index.html").write_text(index(pictures), encoding="utf-8")
    sys.stdout.write(f"{INTO / 'index.html'} shows {len(pictures)} pages, each in {len(WAYS)} ways\n")


if __name__ == "__main__":
    main(sys.argv[1:])
