"""The documentation as pages, JSON Schemas of pages and tables, and explanations of terms."""

import flask
from markupsafe import Markup, escape
from werkzeug.wrappers import Response

from gangland_web.base.text import anchor_of
from gangland_web.queries import documentation, tables

pages = flask.Blueprint("documentation", __name__)


@pages.get("/docs/")
def front() -> str:
    """Show the first page of the documentation, or the results of a search."""
    query = flask.request.args.get("q", "")[: documentation.QUERY_CHARS]
    hits = documentation.search(query) if query else None
    return flask.render_template(
        "documentation/page.html", page=documentation.read_page(documentation.FIRST_PAGE), query=query, hits=hits
    )


@pages.get("/docs/<name>.html")
def page(name: str) -> str | Response:
    """Show a page of the documentation."""
    if name == documentation.FIRST_PAGE:
        return flask.redirect(flask.url_for("documentation.front"), 301)
    try:
        return flask.render_template("documentation/page.html", page=documentation.read_page(name), query="", hits=None)
    except LookupError:
        flask.abort(404, "There is no page with that name in the documentation.")


@pages.get("/docs/images/<name>")
def image(name: str) -> flask.Response:
    """Send an image used by the documentation."""
    return flask.send_from_directory(documentation.folders()[0] / "images", name)


@pages.get("/docs/source/<path:path>")
def source(path: str) -> flask.Response:
    """Send a source file that a page links to."""
    try:
        return flask.Response(documentation.source_text(path), mimetype="text/plain")
    except LookupError:
        flask.abort(404, "The documentation does not link to this file.")


@pages.get("/schemas/<name>.1.json")
def schema(name: str) -> flask.Response:
    """Return the JSON Schema of a page's data or of a table."""
    model = documentation.TABLES[name].model if name in documentation.TABLES else documentation.DOCUMENTS.get(name)
    if model is None:
        names = ", ".join(sorted((*documentation.TABLES, *documentation.DOCUMENTS)))
        flask.abort(404, f"There is no schema with that name. The schemas are {names}.")
    return flask.jsonify(tables.document_schema(name, model))


@pages.app_template_global("term")
def explain_term(name: str, label: str = "") -> Markup:
    """Return a term as markup: at its first use on a page, a button that shows the meaning without JavaScript."""
    label, known = label or name, flask.g.setdefault("explained", set())
    if name in known:
        return escape(label)
    known.add(name)
    meaning = next(
        term["meaning"] for terms in documentation.glossary_terms().values() for term in terms if term["name"] == name
    )
    element_id = f"term-{anchor_of(name)}"
    markup = '<button type="button" class="term" popovertarget="{0}">{1}</button><span popover id="{0}">{2}</span>'
    return Markup(markup).format(element_id, label, meaning)  # noqa: S704  # ours; the parts are escaped
