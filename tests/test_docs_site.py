"""The documentation as a site: it builds without a warning, its links lead somewhere, and the platform serves it."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.browser.chromium import launched
from tests.browser.looking import WATCH, Looked
from tests.web.pages_kit import Site, open_site
from tests.web.served_kit import served as served_at

from gangland_web.app import create_app
from gangland_web.config import Settings

site = pytest.fixture(open_site)


@pytest.fixture(scope="module")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the documentation as `make docs` does."""
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", str(folder / "trees"), "docs"]
    done = subprocess.run([*command, str(folder / "html")], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "html"


class _Links(HTMLParser):
    """Collects where a page leads and what it may be led to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" and value:
                self.names.add(value)


def test_every_link_of_the_documentation_leads_somewhere(built: Path) -> None:
    pages = {page: _Links(page.read_text(encoding="utf-8")) for page in built.glob("*.html")}
    broken = [
        f"{page.name}: {link}" for page, found in pages.items() for link in found.links if lost(page, link, pages)
    ]
    assert len(pages) > 25
    assert broken == []


def lost(page: Path, link: str, pages: dict[Path, _Links]) -> bool:
    """Whether a link of a page leads to no file, or to no such part of one."""
    parts = urlsplit(link)
    if parts.scheme in ("https", "http", "data") or parts.path == "../":  # the site
        return False
    target = page.parent / unquote(parts.path) if parts.path else page
    if not target.is_file():
        return True
    return bool(parts.fragment) and target in pages and unquote(parts.fragment) not in pages[target].names


def test_no_page_of_the_documentation_holds_inline_script_or_style_or_fetches_from_elsewhere(built: Path) -> None:
    for page in built.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<script>|<style| style=| on[a-z]+=\"", text), page.name
        assert not re.search(r'(src|<link[^>]* href)="(https?:)?//', text), page.name


@pytest.fixture
def served(tmp_path: Path, site: Site, built: Path) -> Site:
    """A site that has the documentation."""
    settings = Settings(tmp_path, None, None, None, secret_key="for tests only", docs=built)
    return Site(create_app(settings, database=site.database), site.database)


def test_the_site_serves_the_documentation_under_its_own_policy(served: Site) -> None:
    stranger = served.stranger()
    assert stranger.get("/docs").status_code == 308
    for path in ("/docs/", "/docs/bot-api.html", "/docs/_static/styles/furo.css", "/docs/searchindex.js"):
        answer = stranger.get(path)
        assert answer.status_code == 200, path
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        again = stranger.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304
    assert "choose_reroll" in stranger.get("/docs/bot-api.html").text
    assert "/docs" in stranger.get("/").text


@pytest.mark.parametrize(
    "path", ["/docs/none.html", "/docs/../index.html", "/docs/..%2f..%2fetc/passwd", "/docs/_static"]
)
def test_nothing_but_the_documentation_is_served(served: Site, path: str) -> None:
    assert served.stranger().get(path).status_code == 404


def test_an_installation_without_documentation_says_how_to_build_it(site: Site, tmp_path: Path) -> None:
    settings = Settings(tmp_path, None, None, None, secret_key="for tests only", docs=tmp_path / "none")
    answer = Site(create_app(settings, database=site.database), site.database).stranger().get("/docs/index.html")
    assert answer.status_code == 404
    assert "make docs" in answer.text


def test_a_page_of_the_documentation_holds_in_a_browser_and_leads_back_to_the_site(served: Site) -> None:
    with served_at(served.app) as address, launched() as browser:
        context = browser.new_context(viewport={"width": 375, "height": 812})
        context.add_init_script(WATCH)
        said: list[str] = []
        for name in ("index", "search", "bot-api", "luck", "api-calls"):
            looked = Looked(context.new_page())
            looked.page.on("console", lambda message: said.append(message.text))
            looked.page.goto(f"{address}/docs/{name}.html")
            assert (looked.axe(), looked.refused(), said) == ([], [], []), name
            looked.page.get_by_role("link", name="Back to the site").click()
            assert looked.page.url == f"{address}/"
        context.close()
