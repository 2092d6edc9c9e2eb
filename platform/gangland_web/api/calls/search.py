"""Search, and what authors' bots did."""

from __future__ import annotations

from sqlmodel import Session

from gangland_web.api.framework.declared import Example, call
from gangland_web.queries.authors import AuthorDetail, author_detail
from gangland_web.queries.search import SearchQuery, SearchResults
from gangland_web.queries.search import search as found_by
from gangland_web.queries.tables import Number


@call("GET", "/search", subject="people", example=Example(query="q=ann"))
def search(db: Session, query: SearchQuery) -> SearchResults:
    """Find bots, people, teams, tournaments and events by parts of their names."""
    return found_by(db, query.q, query.limit)


@call("GET", "/authors/{author_id}", subject="people")
def author(db: Session, author_id: Number) -> AuthorDetail:
    """Tell of a person with bots: their places on the ladders, best results, tournaments and events."""
    return author_detail(db, author_id)
