"""Pages for search, for users with bots, and for the bots, users and teams that the visitor follows."""

from math import nan
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland_web.base.text import whole_number
from gangland_web.models.accounts import Team
from gangland_web.models.bots import Bot
from gangland_web.queries.authors import QUERY_CHARS, SEARCH_LIMIT, author_detail, author_page, get_author, search
from gangland_web.queries.following import page_url, ranks_of, ranks_to_store, unread
from gangland_web.queries.visibility import NotVisible
from gangland_web.services import following as follows
from gangland_web.site.serving import document, flash_redirect, html_page
from gangland_web.web.sessions import database, reading, require_sign_in, signed_in, visitor

pages = Blueprint("authors", __name__)
pages.add_app_template_filter(author_page)


@pages.get("/search")
def find() -> str:
    """Show the results of a search."""
    query = _query()
    with reading() as db:
        return render_template("authors/search.html", query=query, results=search(db, query), listed=SEARCH_LIMIT)


@pages.get("/search.json")
def find_json() -> Response:
    """Return the results in the API's format."""
    with reading() as db:
        return document("search-results", search(db, _query()))


@pages.get("/authors/<number:author_id>")
def author(author_id: int) -> str:
    """Show a user: their bots and ranks, best results, tournaments and events."""
    with reading() as db:
        author = author_detail(db, author_id)
    return render_template("authors/page.html", kind="author", who=author, record=author)


@pages.get("/authors/<number:author_id>.json")
def author_json(author_id: int) -> Response:
    """Return the user's page in the API's format; 304 if it has not changed."""
    with reading() as db:
        return document("author-page", author_detail(db, author_id))


def _query() -> str:
    query = request.args.get("q", "")
    if len(query) > QUERY_CHARS:
        abort(400, f"A search may have at most {QUERY_CHARS} characters, not {len(query):,}.")
    return query


# Following: the bots, users and teams that the visitor follows, their news, and the visitor's feed.


@pages.get("/account/following")
@require_sign_in
def news() -> Response:
    """Show the bots, users and teams that the visitor follows, with their unread news."""
    return _news_page()


@pages.get("/following.json")
@require_sign_in
def news_json() -> Response:
    """Return the page's data in the API's format; 304 if it has not changed."""
    with reading() as db:
        return document("following", unread(db, signed_in().id).shown)


@pages.post("/following/read")
@require_sign_in
def news_read() -> Response:
    """Mark the news on the page as read; later items stay unread."""
    user_id = signed_in().id
    texts = dict(text.rpartition("=")[::2] for text in request.form.getlist("rank"))
    ranks = {key: rank for key, text in texts.items() if (rank := whole_number(text)) is not None}
    try:
        until = float(request.form.get("until", ""))
    except ValueError:
        until = nan
    if until != until or len(ranks) < len(texts):
        abort(400, "This form is incomplete. Reload your news and try again.")
    with database().write() as db:
        follows.mark_as_read(db, user_id, until, ranks_to_store(db, user_id, ranks))
    return redirect(url_for("authors.news"), 303)


@pages.post("/following/feed")
@require_sign_in
def feed() -> Response:
    """Create a new URL for the visitor's feed and show it once, or delete the feed."""
    with database().write() as db:
        if request.form.get("end") == "1":
            follows.delete_feed_key(db, signed_in().id)
            return flash_redirect("Your feed has been deleted. Its URL no longer works.", "authors.news")
        key = follows.new_feed_key(db, signed_in().id)
    return _news_page(url_for("sharing.following_feed", key=key, _external=True))


@pages.post("/following/<any(bots,authors,teams):followed>/<number:number>")
@require_sign_in
def change_following(followed: str, number: int) -> Response:
    """Follow or unfollow a bot, user or team."""
    kind, user_id = follows.FollowKind(followed), signed_in().id
    with database().write() as db:
        if request.form.get("follow") != "1":
            follows.unfollow(db, user_id, kind, number)
        else:
            if not _exists(db, kind, number):
                raise NotVisible
            try:
                follows.follow(db, user_id, kind, number)
            except follows.TooManyFollows:
                flash(f"You already follow {follows.MAX_FOLLOWS}. Unfollow one first.")
            else:
                follows.add_ranks(db, user_id, ranks_of(db, user_id))
    back = url_for("authors.news") if request.form.get("back") == "1" else page_url(kind, number)
    return redirect(back, 303)


@pages.app_template_global("is_followed")
def is_followed(kind: str, number: int) -> bool | None:
    """Return whether the visitor follows a bot, user or team; or None for anonymous visitors."""
    user = visitor()
    if user is None:
        return None
    with reading() as db:
        return follows.is_following(db, user.id, follows.FollowKind(kind), number)


def _exists(db: Session, kind: follows.FollowKind, number: int) -> bool:
    if kind is follows.FollowKind.PERSON:
        return get_author(db, number) is not None
    return db.get(Bot if kind is follows.FollowKind.BOT else Team, number) is not None


def _news_page(feed_address: str | None = None) -> Response:
    with reading() as db:
        news = unread(db, signed_in().id)
        has_feed = follows.mark_of(db, signed_in().id).feed_hash is not None
    values: dict[str, Any] = {"news": news.shown, "unread": news, "has_feed": has_feed, "most": follows.MAX_FOLLOWS}
    values |= {"tab": "following", "feed_address": feed_address}
    return html_page("accounts/account.html", is_private=feed_address is not None, **values)
