"""Search, and a page for each person with bots."""

from __future__ import annotations

from flask import Blueprint, abort, render_template, request
from werkzeug.wrappers import Response

from gangland_web.queries.authors import author_detail, author_page
from gangland_web.queries.search import LISTED, QUERY_CHARS, search
from gangland_web.site.responses import document
from gangland_web.web.sessions import reading

pages = Blueprint("authors", __name__)
pages.add_app_template_filter(author_page)


@pages.get("/search")
def find() -> str:
    """Show the results of a search."""
    query = _query()
    with reading() as db:
        return render_template("authors/search.html", query=query, found=search(db, query), listed=LISTED)


@pages.get("/search.json")
def find_json() -> Response:
    """Return the results as the API does."""
    with reading() as db:
        return document("search-results", search(db, _query()))


@pages.get("/authors/<number:author_id>")
def author(author_id: int) -> str:
    """Show a person: their bots and ranks, best results, tournaments and events."""
    with reading() as db:
        return render_template("authors/author.html", author=author_detail(db, author_id))


@pages.get("/authors/<number:author_id>.json")
def author_json(author_id: int) -> Response:
    """Return the person's page as the API does; 304 when nothing has changed."""
    with reading() as db:
        return document("author-page", author_detail(db, author_id))


def _query() -> str:
    """Return the words to search for; ends in 400 if they are too long."""
    query = request.args.get("q", "")
    if len(query) > QUERY_CHARS:
        abort(400, f"A search has {QUERY_CHARS} characters at most, not {len(query):,}.")
    return query
