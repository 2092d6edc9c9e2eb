"""The page of a person's tokens: list them, make one, revoke one."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as Answer

from gangland_web.queries.accounts import TOKENS, token_detail
from gangland_web.queries.tables import TableData
from gangland_web.services.tokens import (
    DAYS,
    LIVE,
    NAME_CHARS,
    SCOPES,
    Scope,
    TokenForm,
    TooManyTokens,
    make_token,
    read_token,
    revoke_token,
    tokens_of,
)
from gangland_web.site.organising.access import confirm_again
from gangland_web.site.responses import as_file, form_page
from gangland_web.web.sessions import database, reading, sign_in_first, signed_in

pages = Blueprint("tokens", __name__)


@pages.route("/account/tokens", methods=["GET", "POST"])
@sign_in_first
def mine() -> Answer:
    """List the visitor's tokens; make one and show it, in this answer alone."""
    if request.method == "GET":
        return _page(TokenForm())
    form = read_token(request.form, request.form.getlist("scope"))
    if Scope.ORGANISE in form.scopes and not signed_in().organises:
        form.errors["scope"] = "Only organisers can create a token with the permission to organise."
    elif Scope.ORGANISE in form.scopes and not signed_in().is_fresh:
        return confirm_again(url_for("tokens.mine"))
    made = None
    if not form.errors:
        try:
            made = make_token(database(), signed_in().id, form.name, form.scopes, int(form.days))
        except TooManyTokens:
            form.errors["name"] = f"You have {LIVE} tokens, which is the most. Revoke one first."
    return _page(form if form.errors else TokenForm(), made)


@pages.get("/account/tokens.<any(csv,json):form>")
@sign_in_first
@as_file("tokens")
def listed(db: Session) -> TableData:
    """Hand out the list of the visitor's tokens; what they are is in it as little as on the page."""
    rows = [token_detail(token) for token in tokens_of(db, signed_in().id)]
    return TableData("token-list", "Newest first", TOKENS, rows)


@pages.post("/account/tokens/<number:token_id>/revoke")
@sign_in_first
def end(token_id: int) -> Answer:
    """Revoke a token of the visitor's, at once and for good."""
    ended = revoke_token(database(), signed_in().id, token_id)
    flash("The token is revoked." if ended else "There is no such token to revoke.")
    return redirect(url_for("tokens.mine"), 303)


def _page(form: TokenForm, made: str | None = None) -> Response:
    with reading() as db:
        rows = [token_detail(token) for token in tokens_of(db, signed_in().id)]
    answer = form_page(
        "tokens.html",
        form,
        made=made,
        rows=rows,
        scopes=SCOPES,
        offered=SCOPES if signed_in().organises else set(SCOPES) - {Scope.ORGANISE},
        days=DAYS,
        name_chars=NAME_CHARS,
    )
    if made is not None:
        answer.headers["Cache-Control"] = "no-store"
    return answer
