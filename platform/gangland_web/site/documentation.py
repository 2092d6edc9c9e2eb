"""The documentation in the wheel as pages of the site, the JSON Schemas of pages and their tables, and the glossary."""

import posixpath
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    g,
    jsonify,
    redirect,
    render_template,
    request,
    send_from_directory,
    url_for,
)
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as Answer

import gangland_web
from gangland.games import GAME_NAMES, game_named
from gangland_web.queries.authors import SIGN_INS, TOKENS, AuthorDetail, SearchResults
from gangland_web.queries.bot_analysis import ANALYSIS_ROWS, BotAnalysis
from gangland_web.queries.bot_figures import TABLES_AT_A_SIZE
from gangland_web.queries.bots import BOT_TABLES, OWN_BOTS, BotDetail, VersionDetail
from gangland_web.queries.challenges import CHALLENGES
from gangland_web.queries.comparison import SCORES, Against
from gangland_web.queries.following import Following
from gangland_web.queries.ladders import BOARD, PROVISIONAL_MATCHES
from gangland_web.queries.match_analysis import SEAT_ROWS
from gangland_web.queries.match_lists import MATCH_BOTS, MATCH_GAMES, MATCHES, MatchDetail
from gangland_web.queries.organising import LOG, ORDERED, ORGANISED, ROLES, STUCK, WATCHED
from gangland_web.queries.seasons import SEASON_STANDINGS, SeasonDetail
from gangland_web.queries.standings import Standings
from gangland_web.queries.status import QUEUES
from gangland_web.queries.tables import Table, document_schema
from gangland_web.queries.teams import INVITATIONS, MEMBERS, TEAM_BOTS, TEAM_UPLOADS
from gangland_web.queries.tournament_tables import RANKING, TOURNAMENT_LIST, TOURNAMENT_TABLES
from gangland_web.queries.tournaments import TournamentDetail, Tournaments
from gangland_web.web.requests import anchor_of

pages = Blueprint("documentation", __name__)


@pages.get("/docs/")
def front() -> str:
    """Show the first page, or the results of a search."""
    query = request.args.get("q", "")[:_QUERY_CHARS]
    found = search(query) if query else None
    return render_template("documentation/page.html", page=read_page(FIRST), query=query, found=found)


@pages.get("/docs/<name>.html")
def page(name: str) -> str | Answer:
    """Show one page."""
    if name == FIRST:
        return redirect(url_for("documentation.front"), 301)
    try:
        return render_template("documentation/page.html", page=read_page(name), query="", found=None)
    except LookupError:
        abort(404, "There is no page of that name in the documentation.")


@pages.get("/docs/images/<name>")
def image(name: str) -> Response:
    """Send a picture of a page."""
    return send_from_directory(_folders()[0] / "images", name)


@pages.get("/docs/source/<path:path>")
def source(path: str) -> Response:
    """Send a source file that a page links to."""
    if path not in sources():
        abort(404, "The documentation leads to no such file.")
    _, package, rest = path.split("/", 2)
    text = (Path(import_module(package).__path__[0]) / rest).read_text(encoding="utf-8")
    return Response(text, mimetype="text/plain")


@pages.get("/schemas/<name>.1.json")
def schema(name: str) -> Response:
    """Return the JSON Schema of a page or of a table of one."""
    model = DOCUMENTED[name].model if name in DOCUMENTED else PAGES.get(name)
    if model is None:
        abort(404, f"There is no schema of that name; there are {', '.join(sorted((*DOCUMENTED, *PAGES)))}.")
    return jsonify(document_schema(name, model))


# Pages: Markdown as HTML for the site's own frame.
#
# A page of docs/ has its file's name; one of benchmarks/results/ has `results-` before it.

ROOT_PAGES: Final = {
    "README.md": "start",
    "ARCHITECTURE.md": "architecture",
    "CONTRIBUTING.md": "contributing",
    "DECISIONS.md": "decisions",
    "CHANGELOG.md": "changes",
}
"""Files beside docs/ that are pages as well."""
RESULTS: Final = "benchmarks/results"
"""The folder of the repository with what the benchmarks measured; in the wheel it is results/."""
FIRST: Final = "index"
_MOST_FOUND: Final = 30
_QUERY_CHARS: Final = 100
_SOURCE: Final = re.compile(r"\]\((?:\.\./)+((?:bots|platform)/gangland_\w+/[\w/]+\.py)\)")
_TAGS: Final = re.compile(r"<[^>]+>")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a page, where it is, and how deep."""

    title: str
    anchor: str
    level: int


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its HTML is of our own making and may stand in a page as it is."""

    name: str
    title: str
    html: Markup
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that has all words of a search."""

    page: str
    title: str
    line: str


@cache
def names() -> frozenset[str]:
    """Return the names of all pages."""
    return frozenset(_files())


@cache
def read_page(name: str) -> Page:
    """Return a page.  Raises LookupError: there is no page of that name."""
    if name not in names():
        raise LookupError(name)
    sections: list[Section] = []
    md = _renderer(sections, _files()[name][0])
    html = Markup(md.render(_text(name)))  # noqa: S704  # made of our own files
    title = next((each.title for each in sections if each.level == 1), name)
    return Page(name, title, html, tuple(each for each in sections if each.level == 2))


@cache
def sources() -> frozenset[str]:
    """Return the source files that pages lead to, as the repository names them."""
    return frozenset(found for name in names() for found in _SOURCE.findall(_text(name)))


def search(query: str) -> list[Hit]:
    """Return the first lines that have all words, at most three a page."""
    words = query[:_QUERY_CHARS].casefold().split()
    found: list[Hit] = []
    for name in sorted(names()) if words else ():
        lines = (line for line in _lines(name) if all(word in line.casefold() for word in words))
        found += [Hit(name, read_page(name).title, line[:200]) for line, _ in zip(lines, range(3), strict=False)]
    return found[:_MOST_FOUND]


@cache
def _lines(name: str) -> tuple[str, ...]:
    return tuple(filter(None, (_TAGS.sub("", line).strip() for line in read_page(name).html.unescape().splitlines())))


def _folders() -> tuple[Path, Path]:
    """Return the folders of docs/ and of the files next to it: inside the installed package, else in the checkout."""
    package = Path(str(gangland_web.__file__)).resolve().parent
    for docs, root in ((package / "_docs", package / "_docs"), (package.parents[1] / "docs", package.parents[1])):
        if (docs / "index.md").is_file():
            return docs, root
    raise FileNotFoundError(f"no documentation in {package} or beside it")


@cache
def _files() -> dict[str, tuple[str, Path]]:
    docs, root = _folders()
    measured = docs / "results" if docs == root else root / RESULTS
    found = {path.stem: ("docs", path) for path in docs.glob("*.md") if path.name not in ROOT_PAGES}
    found |= {f"results-{path.stem}": (RESULTS, path) for path in measured.glob("*.md")}
    found[_GLOSSARY] = ("docs", Path(__file__).with_name("glossary.toml"))
    return found | {name: ("", root / file) for file, name in ROOT_PAGES.items()}


@cache
def _text(name: str) -> str:
    if name == _GLOSSARY:
        return _glossary()
    file = _files()[name][1]
    return re.sub(r"<!--.*?-->", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)


def _renderer(sections: list[Section], folder: str) -> MarkdownIt:
    """Return what renders one page, and notes its headings."""
    md = MarkdownIt("commonmark", {"html": True}).enable("table")
    rules: dict[str, Any] = md.renderer.rules  # type: ignore[attr-defined]
    plain, default = md.renderer.renderToken, rules["fence"]  # type: ignore[attr-defined]

    def heading(tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        inline = tokens[at + 1]
        title = "".join(child.content for child in inline.children or () if child.type in ("text", "code_inline"))
        anchor = _free(anchor_of(title), {each.anchor for each in sections})
        sections.append(Section(title, anchor, int(tokens[at].tag[1])))
        tokens[at].attrSet("id", anchor)
        return str(plain(tokens, at, options, env))

    def table(_tokens: Sequence[Token], _at: int, _options: Any, _env: Any) -> str:
        label = escape(sections[-1].title if sections else "")
        number = sum(each.type == "table_open" for each in _tokens[: _at + 1])
        return f'<div class="scroll" role="region" tabindex="0" aria-label="Table {number}: {label}"><table>\n'

    def cell(tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        if "right" in str(tokens[at].attrs.pop("style", "")):
            tokens[at].attrSet("class", "num")
        if tokens[at].tag == "th" and not tokens[at + 1].content:
            tokens[at].tag = tokens[at + 2].tag = "td"
        elif tokens[at].tag == "th":
            tokens[at].attrSet("scope", "col")
        return str(plain(tokens, at, options, env))

    def link(tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        tokens[at].attrSet("href", _target(str(tokens[at].attrGet("href")), folder))
        return str(plain(tokens, at, options, env))

    def image(tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
        place = _target(str(tokens[at].attrGet("src")), folder)
        return f'<img src="{escape(place)}" alt="{escape(tokens[at].content)}"{_size(place)} loading="lazy">'

    def fence(tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        label = escape(f"Example: {tokens[at].info or 'text'}")
        return str(default(tokens, at, options, env)).replace("<pre>", f'<pre tabindex="0" aria-label="{label}">', 1)

    rules |= {"heading_open": heading, "table_open": table, "table_close": lambda *_: "</table></div>\n"}
    rules |= {"th_open": cell, "td_open": cell, "link_open": link, "image": image, "fence": fence}
    return md


def _size(image: str) -> str:
    body = (_folders()[0] / image).read_bytes()[:1000]
    if body.startswith(b"\x89PNG"):
        return f' width="{int.from_bytes(body[16:20])}" height="{int.from_bytes(body[20:24])}"'
    found = re.search(rb'viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"', body)
    return f' width="{float(found[1]):.0f}" height="{float(found[2]):.0f}"' if found else ""


def _target(link: str, folder: str) -> str:
    """Return where a link of a file in a folder of the repository leads on the site."""
    if re.match(r"[a-z]+:|#|/", link):
        return link
    file, mark, part = link.partition("#")
    path = posixpath.normpath(posixpath.join(folder, file))
    if path in ROOT_PAGES:
        return f"{ROOT_PAGES[path]}.html{mark}{part}"
    if path in sources():
        return f"source/{path}"
    if path.endswith(f"/{_GLOSSARY}.toml"):
        return f"{_GLOSSARY}.html{mark}{part}"
    path = path.removeprefix("docs/").replace(f"{RESULTS}/", "results-")
    return f"{path.removesuffix('.md')}.html{mark}{part}" if path.endswith(".md") else path + mark + part


def _free(anchor: str, taken: set[str]) -> str:
    """Return an anchor that no heading before has, by a number behind it."""
    number = 0
    while (name := f"{anchor}-{number}" if number else anchor) in taken:
        number += 1
    return name


# The glossary: the terms of the site, a page of the documentation, each explained at its first use on a page, too.

_GLOSSARY: Final = "glossary"


@cache
def glossary_terms() -> Mapping[str, Sequence[Mapping[str, str]]]:
    """Return by heading the terms of `glossary.toml`, in the order in which a reader meets them.

    Each has a `name`, its `meaning` in a sentence or two, and maybe `more`: the page that says more.
    """
    games = [game_named(name) for name in GAME_NAMES]
    decisions = ", ".join(f"{game.title}{' asks' * (game is games[0])} {game.asks}" for game in games)
    text = _files()[_GLOSSARY][1].read_text(encoding="utf-8")
    return tomllib.loads(text.format(decisions=decisions, provisional_matches=PROVISIONAL_MATCHES))


def _glossary() -> str:
    lines = ["# Glossary"]
    for heading, terms in glossary_terms().items():
        lines.append(f"## {heading}")
        for term in terms:
            more = f" [More about {term['name']}]({term['more']}.md)" if "more" in term else ""
            lines += [f"### {term['name']}", term["meaning"] + more]
    return "\n\n".join(lines)


@pages.app_template_global("term")
def explained(name: str, words: str = "") -> Markup:
    """Return a term; at its first use on a page it is a button that shows its meaning, without a script."""
    words, known = words or name, g.setdefault("explained", set())
    if name in known:
        return escape(words)
    known.add(name)
    meaning = next(term["meaning"] for terms in glossary_terms().values() for term in terms if term["name"] == name)
    place = f"term-{anchor_of(name)}"
    markup = '<button type="button" class="term" popovertarget="{0}">{1}</button><span popover id="{0}">{2}</span>'
    return Markup(markup).format(place, words, meaning)  # noqa: S704  # ours; the parts are escaped


# The files that pages offer: every list and JSON document, by name.

PAGES: Final[Mapping[str, Any]] = {
    "bot-page": BotDetail,
    "bot-analysis": BotAnalysis,
    "bot-against": Against,
    "version-page": VersionDetail,
    "match-page": MatchDetail,
    "tournament-page": TournamentDetail,
    "tournament-list": Tournaments,
    "tournament-standings": Standings,
    "author-page": AuthorDetail,
    "following": Following,
    "search-results": SearchResults,
    "ladder-season": SeasonDetail,
}
"""The models of pages' JSON documents that are no tables."""
DOCUMENTED: Final[Mapping[str, Table]] = {
    table.name: table
    for table in (
        *(BOARD, SEASON_STANDINGS, *BOT_TABLES.values(), *TABLES_AT_A_SIZE.values(), SCORES, ANALYSIS_ROWS),
        *(MATCHES, MATCH_BOTS, MATCH_GAMES, SEAT_ROWS, TOURNAMENT_LIST, *TOURNAMENT_TABLES.values()),
        *(ORGANISED, ORDERED, STUCK, LOG, ROLES, WATCHED, RANKING, QUEUES, OWN_BOTS, CHALLENGES, TOKENS),
        *(TEAM_BOTS, MEMBERS, TEAM_UPLOADS, INVITATIONS, SIGN_INS),
    )
}
"""The lists with files of their own."""
