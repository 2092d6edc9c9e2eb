"""Serves the documentation, which the wheel carries, and the few files that its pages lead to."""

from __future__ import annotations

from flask import Blueprint, Response, abort, redirect, render_template, request, send_from_directory, url_for
from werkzeug.wrappers import Response as Answer

from gangland_web.site.documentation import pages as documents

pages = Blueprint("documentation", __name__)


@pages.get("/docs/")
def front() -> str:
    """Show the first page, or what a search finds."""
    query = request.args.get("q", "")[: documents.QUERY_CHARS]
    found = documents.search(query) if query else None
    return render_template("docs.html", page=documents.page(documents.FIRST), query=query, found=found)


@pages.get("/docs/<name>.html")
def page(name: str) -> str | Answer:
    """Show one page."""
    if name == documents.FIRST:
        return redirect(url_for("documentation.front"), 301)
    try:
        return render_template("docs.html", page=documents.page(name), query="", found=None)
    except LookupError:
        abort(404, "There is no page of that name in the documentation.")


@pages.get("/docs/images/<name>")
def image(name: str) -> Response:
    """Hand out a picture of a page."""
    return send_from_directory(documents.folders()[0] / "images", name)


@pages.get("/docs/source/<path:path>")
def source(path: str) -> Response:
    """Hand out a source file that a page leads to."""
    try:
        return Response(documents.source(path), mimetype="text/plain")
    except LookupError:
        abort(404, "The documentation leads to no such file.")
