"""The documentation as pages of the site, the JSON Schemas of pages and their tables, and terms explained in place."""

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
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as Answer

from gangland_web.base.text import anchor_of
from gangland_web.queries.documentation import (
    DOCUMENTED,
    FIRST,
    PAGES,
    QUERY_CHARS,
    folders,
    glossary_terms,
    read_page,
    search,
    source_text,
)
from gangland_web.queries.tables import document_schema

pages = Blueprint("documentation", __name__)


@pages.get("/docs/")
def front() -> str:
    """Show the first page, or the results of a search."""
    query = request.args.get("q", "")[:QUERY_CHARS]
    hits = search(query) if query else None
    return render_template("documentation/page.html", page=read_page(FIRST), query=query, hits=hits)


@pages.get("/docs/<name>.html")
def page(name: str) -> str | Answer:
    """Show one page."""
    if name == FIRST:
        return redirect(url_for("documentation.front"), 301)
    try:
        return render_template("documentation/page.html", page=read_page(name), query="", hits=None)
    except LookupError:
        abort(404, "There is no page of that name in the documentation.")


@pages.get("/docs/images/<name>")
def image(name: str) -> Response:
    """Send a picture of a page."""
    return send_from_directory(folders()[0] / "images", name)


@pages.get("/docs/source/<path:path>")
def source(path: str) -> Response:
    """Send a source file that a page links to."""
    try:
        return Response(source_text(path), mimetype="text/plain")
    except LookupError:
        abort(404, "The documentation leads to no such file.")


@pages.get("/schemas/<name>.1.json")
def schema(name: str) -> Response:
    """Return the JSON Schema of a page or of a table of one."""
    model = DOCUMENTED[name].model if name in DOCUMENTED else PAGES.get(name)
    if model is None:
        abort(404, f"There is no schema of that name; there are {', '.join(sorted((*DOCUMENTED, *PAGES)))}.")
    return jsonify(document_schema(name, model))


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
