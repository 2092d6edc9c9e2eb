"""The documentation of an installed site: every page is there, its links lead somewhere, and it can be searched."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.kits.pages_kit import Site, open_site

from gangland_web.queries import documentation as pages
from gangland_web.site.documentation import explain_term

site = pytest.fixture(open_site)
TEMPLATES = "platform/gangland_web/site/templates"


class _Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "style" or (tag == "script" and "src" not in dict(attrs)):
            self.inline.append(tag)
        for name, value in attrs:
            if name == "style" or name.startswith("on"):
                self.inline.append(name)
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" and value:
                self.names.append(value)


@pytest.fixture
def served(site: Site) -> dict[str, _Links]:
    stranger = site.stranger()
    answers = {name: stranger.get(f"/docs/{name}.html") for name in pages.names() - {pages.FIRST_PAGE}}
    answers[pages.FIRST_PAGE] = stranger.get("/docs/")
    assert {name: answer.status_code for name, answer in answers.items() if answer.status_code != 200} == {}
    return {name: _Links(answer.text) for name, answer in answers.items()}


def test_every_link_leads_somewhere_and_every_page_is_reached(site: Site, served: dict[str, _Links]) -> None:
    stranger, known = site.stranger(), {}
    broken = []
    for name, page in served.items():
        assert len(page.names) == len(set(page.names)), f"{name} has an id twice"
        for link in set(page.links):
            parts = urlsplit(link)
            if parts.scheme:
                continue
            path = parts.path if parts.path.startswith("/") or not parts.path else f"/docs/{parts.path}"
            target = re.sub(r"^/docs/|\.html$", "", path) or pages.FIRST_PAGE if path else name
            if path and target not in served and path not in known:
                known[path] = stranger.get(path, follow_redirects=True).status_code
            if known.get(path, 200) != 200:
                broken.append(f"{name}: {link}")
            if parts.fragment and target in served and unquote(parts.fragment) not in served[target].names:
                broken.append(f"{name}: {link}")
    assert len(served) > 30
    assert broken == []
    reached, left = set(), {pages.FIRST_PAGE}
    while left:
        name = left.pop()
        reached.add(name)
        linked = {urlsplit(link).path.removesuffix(".html") for link in served[name].links}
        left |= (linked & set(served)) - reached
    assert reached == set(served)


def test_every_link_into_the_documentation_leads_somewhere(site: Site, root: Path, served: dict[str, _Links]) -> None:
    texts = [path.read_text(encoding="utf-8") for path in (root / TEMPLATES).rglob("*.html")]
    links = [
        found
        for text in texts
        for found in re.findall(r"'documentation\.page', name='([\w-]+)'\) \}\}(#[\w-]+)?", text)
    ]
    code = [path.read_text(encoding="utf-8") for path in (root / "platform").rglob("*.py")]
    links += [found for text in code for found in re.findall(r"/docs/([\w-]+)\.html(#[\w-]+)?\"", text)]
    assert len(links) >= 10
    assert [link for link in links if link[0] not in served] == []
    assert [link for link in links if link[1] and link[1][1:] not in served[link[0]].names] == []


def test_a_term_shows_its_meaning_at_its_first_use_on_a_page_and_in_the_glossary(site: Site) -> None:
    meaning = "The same dice, with each bot in another seat."
    with site.app.test_request_context():
        first, second = explain_term("Rotation", "rotations"), explain_term("Rotation", "rotations")
    target = '<button [^>]*popovertarget="term-rotation">rotations</button><span popover id="term-rotation">'
    assert re.fullmatch(f"{target}{meaning}.*</span>", first)
    assert second == "rotations"
    moved = site.stranger().get("/glossary", follow_redirects=True)
    assert f'<h3 id="rotation">Rotation</h3>\n<p>{meaning}' in moved.text


def test_no_page_holds_inline_script_or_style_or_fetches_from_elsewhere(served: dict[str, _Links], site: Site) -> None:
    assert {name: page.inline for name, page in served.items() if page.inline} == {}
    for name in ("start", "results-speed"):
        answer = site.stranger().get(f"/docs/{name}.html")
        assert not re.search(r'(src|<link[^>]* href)="(https?:)?//', answer.text)
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


def test_the_documentation_is_searched_for_all_words(site: Site) -> None:
    stranger = site.stranger()
    assert "/docs/bot-api.html" in stranger.get("/docs/?q=CHOOSE_reroll+sequence").text
    assert "No page contains all of these words" in stranger.get("/docs/?q=zzqx").text
    assert "<script>" not in stranger.get("/docs/?q=" + "<script>" * 40).text


@pytest.mark.parametrize(
    "path",
    [
        "/docs/none.html", "/docs/..%2findex.html", "/docs/images/..%2f..%2fREADME.md",
        "/docs/source/bots/gangland_bots/__init__.py", "/docs/source/..%2f..%2fetc/passwd",
        "/docs/source/platform/gangland_web/settings.py",
    ],
)  # fmt: skip
def test_nothing_but_the_documentation_is_served(site: Site, path: str) -> None:
    assert site.stranger().get(path).status_code == 404
