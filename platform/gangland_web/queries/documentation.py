"""The documentation's pages, the glossary, and the tables and JSON documents that the format reference describes."""

import posixpath
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import count, islice
from pathlib import Path
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

import gangland_web
from gangland.games import GAME_NAMES, game_named
from gangland_web.base.text import anchor_of
from gangland_web.queries.authors import SIGN_INS, TOKENS, AuthorDetail, SearchResults
from gangland_web.queries.bot_analysis import ANALYSIS_ROWS, BotAnalysis
from gangland_web.queries.bot_figures import SIZE_TABLES
from gangland_web.queries.bots import BOT_TABLES, OWN_BOTS, BotDetail, VersionDetail
from gangland_web.queries.challenges import CHALLENGES
from gangland_web.queries.comparison import SCORES, BotComparison
from gangland_web.queries.exports import TableKind, table_model
from gangland_web.queries.following import Following
from gangland_web.queries.ladders import BOARD, PROVISIONAL_MATCHES
from gangland_web.queries.match_analysis import SEAT_ROWS
from gangland_web.queries.match_lists import MATCH_BOTS, MATCH_GAMES, MATCHES, MatchDetail
from gangland_web.queries.organizing import ACTIONS, LOG, ORGANIZED_LIST, PARTICIPANTS, ROLES, STUCK_MATCHES
from gangland_web.queries.seasons import SEASON_STANDINGS, SeasonDetail
from gangland_web.queries.standings import Standings
from gangland_web.queries.status import QUEUES, AuditsDetail, StatusDetail
from gangland_web.queries.tables import Table
from gangland_web.queries.teams import INVITATIONS, MEMBERS, TEAM_BOTS, TEAM_UPLOADS
from gangland_web.queries.tournament_tables import RANKING, TOURNAMENT_LIST, TOURNAMENT_TABLES
from gangland_web.queries.tournaments import TournamentDetail, Tournaments

# Pages: Markdown rendered as HTML for the site's layout.
#
# A page from docs/ is named after its file; a page from benchmarks/results/ has the prefix `results-`.

# README.md is the page "start".
README: Final = "start"
# The folder of the repository with the results of benchmarks; in the wheel it is results/.
RESULTS: Final = "benchmarks/results"
FIRST_PAGE: Final = "index"
_MAX_HITS: Final = 30
QUERY_CHARS: Final = 100
_SOURCE: Final = re.compile(r"\]\((?:\.\./)+((?:bots|platform)/gangland_\w+/[\w/]+\.py)\)")
_TAGS: Final = re.compile(r"<[^>]+>")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a page, with its anchor and level."""

    title: str
    anchor: str
    level: int


@dataclass(frozen=True, slots=True)
class Page:
    """A page; its HTML comes from our own files and is safe to embed."""

    name: str
    title: str
    html: Markup
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A line that contains all words of a search."""

    page: str
    title: str
    line: str


@cache
def names() -> frozenset[str]:
    """Return the names of all pages."""
    return frozenset(_files())


@cache
def read_page(name: str) -> Page:
    """Return a page.  Raises LookupError."""
    if name not in names():
        raise LookupError(name)
    md = MarkdownIt("commonmark", {"html": True}).enable("table")
    md.add_render_rule("fence", _fence)
    tokens = md.parse(_text(name))
    sections = _adapt_tokens(tokens, _files()[name][0])
    html = Markup(md.renderer.render(tokens, md.options, {}))  # noqa: S704  # from our own files
    title = next((section.title for section in sections if section.level == 1), name)
    return Page(name, title, html, tuple(section for section in sections if section.level == 2))


@cache
def sources() -> frozenset[str]:
    """Return the paths, in the repository, of the source files that pages link to."""
    return frozenset(path for name in names() for path in _SOURCE.findall(_text(name)))


def source_text(path: str) -> str:
    """Return the text of a source file.  Raises LookupError: no page links to it."""
    if path not in sources():
        raise LookupError(path)
    _, package, file = path.split("/", 2)
    return (files(package) / file).read_text(encoding="utf-8")


def search(query: str) -> list[Hit]:
    """Return the first lines that contain all words of the query, at most three per page and `_MAX_HITS` in total."""
    words = query[:QUERY_CHARS].casefold().split()
    hits: list[Hit] = []
    for name in sorted(names()) if words else ():
        lines = (line for line in _lines(name) if all(word in line.casefold() for word in words))
        hits += [Hit(name, read_page(name).title, line[:200]) for line in islice(lines, 3)]
    return hits[:_MAX_HITS]


@cache
def _lines(name: str) -> tuple[str, ...]:
    return tuple(filter(None, (_TAGS.sub("", line).strip() for line in read_page(name).html.unescape().splitlines())))


def folders() -> tuple[Path, Path]:
    """Return the docs folder and the folder that contains README.md, in the installed package or in the checkout."""
    package = Path(str(gangland_web.__file__)).resolve().parent
    for docs, root in ((package / "_docs", package / "_docs"), (package.parents[1] / "docs", package.parents[1])):
        if (docs / "index.md").is_file():
            return docs, root
    raise FileNotFoundError(f"no documentation in {package} or next to it")


@cache
def _files() -> dict[str, tuple[str, Path]]:
    docs, root = folders()
    results = docs / "results" if docs == root else root / RESULTS
    return {
        **{path.stem: ("docs", path) for path in docs.glob("*.md") if path.name != "README.md"},
        **{f"results-{path.stem}": (RESULTS, path) for path in results.glob("*.md")},
        README: ("", root / "README.md"),
        _GLOSSARY: ("docs", Path(__file__).with_name("glossary.toml")),
    }


@cache
def _text(name: str) -> str:
    if name == _GLOSSARY:
        return _glossary()
    return re.sub(r"<!--.*?-->", "", _files()[name][1].read_text(encoding="utf-8"), flags=re.DOTALL)


def _adapt_tokens(tokens: Sequence[Token], folder: str) -> list[Section]:
    """Adapt a file's Markdown tokens to the site's layout, and return its headings."""
    sections: list[Section] = []
    table_numbers = count(1)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            parts = tokens[at + 1].children or ()
            title = "".join(part.content for part in parts if part.type in ("text", "code_inline"))
            names = (f"{anchor_of(title)}-{number}" if number else anchor_of(title) for number in count())
            anchor = next(name for name in names if name not in {section.anchor for section in sections})
            sections.append(Section(title, anchor, int(token.tag[1])))
            token.attrSet("id", anchor)
        elif token.type == "table_open":
            label = escape(f"Table {next(table_numbers)}: {sections[-1].title if sections else ''}")
            html = f'<div class="scroll" role="region" tabindex="0" aria-label="{label}"><table>\n'
            token.type, token.content = "html_block", html
        elif token.type == "table_close":
            token.type, token.content = "html_block", "</table></div>\n"
        elif token.type in ("th_open", "td_open"):
            if "right" in str(token.attrs.pop("style", "")):
                token.attrSet("class", "num")
            if token.tag == "th" and not tokens[at + 1].content:
                token.tag = tokens[at + 2].tag = "td"
            elif token.tag == "th":
                token.attrSet("scope", "col")
        hidden = False  # whether this token is inside a link whose target is not on the site
        for part in token.children or ():
            if part.type == "link_open":
                target = _target(str(part.attrGet("href")), folder)
                part.attrSet("href", target)
                hidden = part.hidden = not target
            elif part.type == "link_close":
                part.hidden = hidden
            elif part.type == "image":
                image = _target(str(part.attrGet("src")), folder)
                part.attrs |= {"src": image, **_size(image), "loading": "lazy"}
    return sections


def _fence(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    label = escape(f"Example: {tokens[at].info or 'text'}")
    html = renderer.fence(tokens, at, options, env)
    return html.replace("<pre>", f'<pre tabindex="0" aria-label="{label}">', 1)


def _size(image: str) -> dict[str, str | int | float]:
    body = (folders()[0] / image).read_bytes()[:1000]
    if body.startswith(b"\x89PNG"):
        return {"width": int.from_bytes(body[16:20]), "height": int.from_bytes(body[20:24])}
    view_box = re.search(rb'viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"', body)
    return {"width": round(float(view_box[1])), "height": round(float(view_box[2]))} if view_box else {}


def _target(link: str, folder: str) -> str:
    """Convert a link in a file of a repository folder to a URL on the site; empty if the site lacks its target."""
    if re.match(r"[a-z]+:|#|/", link):
        return link
    file, mark, part = link.partition("#")
    path = posixpath.normpath(posixpath.join(folder, file))
    if path == "README.md":
        return f"{README}.html{mark}{part}"
    if path.endswith(".md") and "/" not in path:
        return ""
    if path in sources():
        return f"source/{path}"
    if path.endswith(f"/{_GLOSSARY}.toml"):
        return f"{_GLOSSARY}.html{mark}{part}"
    path = path.removeprefix("docs/").replace(f"{RESULTS}/", "results-")
    return f"{path.removesuffix('.md')}.html{mark}{part}" if path.endswith(".md") else path + mark + part


# The glossary: a page of the documentation. Pages of the site also explain each term where it is first used.

_GLOSSARY: Final = "glossary"


@cache
def glossary_terms() -> Mapping[str, Sequence[Mapping[str, str]]]:
    """Return the terms of `glossary.toml` by heading: each has `name`, `meaning` and optionally `more`, a link."""
    games = [game_named(name) for name in GAME_NAMES]
    decisions = ", ".join(f"{game.title}{' asks' * (game is games[0])} {game.asks}" for game in games)
    text = _files()[_GLOSSARY][1].read_text(encoding="utf-8")
    return tomllib.loads(text.format(decisions=decisions, provisional_matches=PROVISIONAL_MATCHES))


def _glossary() -> str:
    lines = ["# Glossary"]
    for heading, terms in glossary_terms().items():
        lines.append(f"## {heading}")
        for term in terms:
            link = f" [More about {term['name']}]({term['more']})" if "more" in term else ""
            lines += [f"### {term['name']}", term["meaning"] + link]
    return "\n\n".join(lines)


# The lists and JSON documents that pages offer for download, by name.

# Models of JSON documents that are not tables.
DOCUMENTS: Final[Mapping[str, Any]] = {
    "bot-page": BotDetail,
    "bot-analysis": BotAnalysis,
    "bot-against": BotComparison,
    "version-page": VersionDetail,
    "match-page": MatchDetail,
    "tournament-page": TournamentDetail,
    "tournament-list": Tournaments,
    "tournament-standings": Standings,
    "author-page": AuthorDetail,
    "following": Following,
    "search-results": SearchResults,
    "ladder-season": SeasonDetail,
    "status": StatusDetail,
    "audits": AuditsDetail,
    **{what.value: table_model(what) for what in TableKind if what is not TableKind.STANDINGS},
}
# Tables that can be downloaded.
TABLES: Final[Mapping[str, Table]] = {
    table.name: table
    for table in (
        *(BOARD, SEASON_STANDINGS, *BOT_TABLES.values(), *SIZE_TABLES.values(), SCORES, ANALYSIS_ROWS),
        *(MATCHES, MATCH_BOTS, MATCH_GAMES, SEAT_ROWS, TOURNAMENT_LIST, *TOURNAMENT_TABLES.values()),
        *(ORGANIZED_LIST, ACTIONS, STUCK_MATCHES, LOG, ROLES, PARTICIPANTS, RANKING, QUEUES, OWN_BOTS, CHALLENGES),
        *(TOKENS, TEAM_BOTS, MEMBERS, TEAM_UPLOADS, INVITATIONS, SIGN_INS),
    )
}
