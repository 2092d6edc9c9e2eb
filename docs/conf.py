"""The documentation as a site: `make docs` builds it into build/docs, and the platform serves it under /docs.

It obeys the platform's policy: no inline script or style, nothing from elsewhere.
"""

from __future__ import annotations

import re
from functools import partial
from hashlib import sha256
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sphinx.application import Sphinx

project = "Gangland"
author = "Gangland's developers"
release = version = version_of("gangland")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
suppress_warnings = ["ref.python"]  # both games have a View, a Bot and Options
add_module_names = False
python_maximum_signature_line_length = 90

html_theme = "furo"
html_title = "Gangland"
html_theme_options: dict[str, Any] = {"top_of_page_buttons": []}
html_copy_source = False
html_use_index = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False

_ROOT = Path(__file__).resolve().parent.parent
_TAKEN_OVER = re.compile(r"\A<!-- (?P<file>[A-Z]+\.md) -->\s*\Z")
_PAGE_OF = {
    "README.md": "start.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "DECISIONS.md": "decisions.md",
    "CHANGELOG.md": "changes.md",
}
"""Files beside docs/ that are pages here, too."""
_LINK = re.compile(r"\]\((?!https?:|#)(?P<to>[^)\s]+)\)")
_INLINE = re.compile(r"<(?P<tag>script|style)>(?P<text>.*?)</(?P=tag)>", re.DOTALL)
_DATA = re.compile(r"""url\((?P<quote>['"]?)data:image/svg\+xml;charset=utf-8,(?P<svg>.*?)(?P=quote)\)""", re.DOTALL)
_SIGNATURE = re.compile(r'<dl>\s*(?P<lines><dd><em class="sig-param">.*?)</dl>', re.DOTALL)
_PLAINER = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    '<div class="table-wrapper': '<div tabindex="0" role="group" aria-label="Table" class="table-wrapper',
    "<pre>": '<pre tabindex="0">',
    '<th class="head"><p></p></th>': '<td class="head"></td>',
    '<div id="search-results"></div>': '<h1>Search</h1>\n<div id="search-results"></div>',
}
"""What of the theme's markup a screen reader or a keyboard stumbles over, and what stands there instead."""
_ARTICLE = '<article role="main" id="furo-main-content">'
_ATTRIBUTES = {' style="display: none;"': " hidden", ' style="opacity: 50%"': ' opacity="0.5"'}


def take_over(_app: Sphinx, _docname: str, source: list[str]) -> None:
    """Put a file from beside docs/ in place of a page that names it, and have links find their pages."""
    if found := _TAKEN_OVER.match(source[0]):
        text = (_ROOT / found["file"]).read_text(encoding="utf-8")
        source[0] = _LINK.sub(lambda link: f"]({_from_docs(link['to'])})", text)
    else:
        source[0] = _LINK.sub(lambda link: f"]({_as_page(link['to'])})", source[0])


def _from_docs(target: str) -> str:
    """Return where a link of a file beside docs/ leads from within."""
    inside = target.removeprefix("docs/")
    return inside if inside != target else _as_page(f"../{target}")


def _as_page(target: str) -> str:
    """Return the page in place of a file beside docs/."""
    file, mark, part = target.partition("#")
    return _PAGE_OF.get(file.removeprefix("../"), file) + mark + part if file.startswith("../") else target


def make_fit(app: Sphinx, failed: Exception | None) -> None:
    """Make the theme's pages fit the site: nothing inline, nothing that axe finds, and a way back."""
    if failed is not None or app.builder.name != "html":
        return
    moved: dict[str, str] = {}
    for page in sorted(Path(app.outdir).rglob("*.html")):
        text = page.read_text(encoding="utf-8")
        static = "../" * (len(page.relative_to(app.outdir).parts) - 1) + "_static"
        text = _INLINE.sub(partial(_moved, static, moved), text)
        for theirs, ours in _ATTRIBUTES.items():
            text = text.replace(theirs, ours)
        back = f'<p><a href="{"../" * len(page.relative_to(app.outdir).parts)}">Back to the site</a></p>'
        if back not in text:  # a page that was not built anew is as it should be
            for theirs, ours in _PLAINER.items():
                text = text.replace(theirs, ours)
            text = _SIGNATURE.sub(lambda found: found["lines"].replace("dd>", "div>"), text)
            text = text.replace(_ARTICLE, f"{_ARTICLE}\n{back}")
        page.write_text(text, encoding="utf-8")
    for name, text in moved.items():
        (Path(app.outdir) / "_static" / name).write_text(text, encoding="utf-8")
    for sheet in sorted((Path(app.outdir) / "_static").rglob("*.css")):
        sheet.write_text(_DATA.sub(partial(_picture, sheet), sheet.read_text(encoding="utf-8")), encoding="utf-8")


def _picture(sheet: Path, found: re.Match[str]) -> str:
    """Move a picture that a style sheet holds into a file beside it: the site shows none that comes as data."""
    text = unquote(found["svg"])
    name = f"{sha256(text.encode()).hexdigest()[:12]}.svg"
    (sheet.parent / name).write_text(text, encoding="utf-8")
    return f'url("{name}")'


def _moved(static: str, moved: dict[str, str], found: re.Match[str]) -> str:
    ending = {"script": "js", "style": "css"}[found["tag"]]
    alike = [name for name, text in moved.items() if text == found["text"]]
    name = alike[0] if alike else f"moved-{len(moved)}.{ending}"
    moved[name] = found["text"]
    if ending == "js":
        return f'<script src="{static}/{name}"></script>'
    return f'<link rel="stylesheet" href="{static}/{name}">'


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the two changes."""
    app.connect("source-read", take_over)
    app.connect("build-finished", make_fit)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
