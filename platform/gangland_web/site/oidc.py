"""Redirects to the OpenID Connect provider and back: to sign in, to link an account, or to confirm an action."""

from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, current_app, redirect, request, session, url_for
from werkzeug.wrappers import Response

from gangland_web.base.formats import now_s
from gangland_web.base.text import normal_name
from gangland_web.services import accounts, oidc
from gangland_web.site.accounts import account_form_page, create_user, first_page
from gangland_web.site.serving import confirm_first, confirm_page, flash_redirect, row_or_404
from gangland_web.web import requests, sessions

pages = Blueprint("oidc", __name__)

_NAME_S: Final = 900.0  # how long a new user may take to choose a name
_MARK_CHARS: Final = 32
# Fields of the session: the purpose of the redirect to the provider, and an identity that has no account yet.
_PURPOSE_KEY, _IDENTITY_KEY = "oidc_purpose", "oidc_identity"


@pages.get("/sign-in/oidc")
def begin() -> Response:
    """Redirect to the provider to sign in."""
    return _redirect_to_provider("in", request.args.get("next", ""))


@pages.get("/account/oidc")
@confirm_first
def add() -> Response:
    """Redirect to the provider to link the visitor's account to it."""
    return _redirect_to_provider("link", "")


@pages.get("/confirm-password/oidc")
@sessions.require_sign_in
def confirm() -> Response:
    """Redirect to the provider to confirm a protected action."""
    return _redirect_to_provider("confirm", request.args.get("next", ""), request.args.get("held", "")[:_MARK_CHARS])


def _provider() -> Any:
    return row_or_404(current_app.extensions.get("gangland_oidc"))


def _redirect_to_provider(purpose: str, target: str, held_mark: str = "") -> Response:
    provider = _provider()
    session[_PURPOSE_KEY] = [purpose, requests.safe_next(target, ""), held_mark]
    url, is_confirmation = url_for("oidc.callback"), purpose == "confirm"
    return _call_provider(lambda: provider.authorize_redirect(url, force_login=is_confirmation), target, held_mark)


@pages.get("/sign-in/oidc/callback")
def callback() -> Response:
    """Complete a sign-in, link or confirmation when the visitor returns from the provider."""
    provider = _provider()
    purpose, target, held_mark = session.pop(_PURPOSE_KEY, ("in", "", ""))

    def complete() -> Response:
        subject = provider.signed_in_user()
        if purpose == "confirm":
            return _confirm(subject, target, held_mark)
        return {"in": _sign_in, "link": _link}[purpose](subject, target)

    return _call_provider(complete, target, held_mark)


def _call_provider(act: Callable[[], Response], target: str, held_mark: str) -> Response:
    """Call the provider.

    After a failure, return the confirmation page of the stored action, or redirect to the sign-in page.
    """
    # Imported here, because sites without a provider never load authlib.
    from gangland_web.web.oidc import SignInRefused

    try:
        return act()
    except SignInRefused as refused:
        current_app.logger.warning("a sign-in through the provider failed: %s", refused)
        problem = f"Signing in did not work: {refused}."
        return _held_request_page(problem, target, held_mark) or flash_redirect(problem, "accounts.sign_in")


def _held_request_page(problem: str, target: str, held_mark: str) -> Response | None:
    """Return the confirmation page for the stored action, or None if it is no longer stored."""
    if (visitor := sessions.visitor()) is None or not held_mark:
        return None
    action = accounts.take_held_request(sessions.database(), visitor.sign_in, held_mark)
    status = 403 if problem else 200
    return None if action is None else confirm_page(problem, target, action.url, status=status, held=action)


def _sign_in(subject: oidc.Subject, target: str) -> Response:
    with sessions.reading() as db:
        user = oidc.owner_of_identity(db, subject)
    if user is not None and user.suspended_for is not None:
        return flash_redirect(
            f"This account is suspended by an administrator: {user.suspended_for}", "accounts.sign_in"
        )
    if user is not None:
        sessions.sign_in(user)
        return redirect(target or url_for("accounts.account"), 303)
    session[_IDENTITY_KEY] = [subject.issuer, subject.subject, now_s()]
    return redirect(url_for("oidc.name"), 303)


def _link(subject: oidc.Subject, _target: str) -> Response:
    visitor = sessions.visitor()
    if visitor is None or not visitor.is_fresh:
        return redirect(url_for("accounts.sign_ins"), 303)
    try:
        oidc.link_identity(sessions.database(), subject, visitor.id)
    except oidc.AlreadyLinked:
        return flash_redirect("That sign-in is already linked to another account on this site.", "accounts.sign_ins")
    return flash_redirect("You can now sign in with this account, too.", "accounts.sign_ins")


def _confirm(subject: oidc.Subject, target: str, held_mark: str) -> Response:
    visitor, problem = sessions.visitor(), ""
    with sessions.reading() as db:
        user = oidc.owner_of_identity(db, subject)
    if visitor is None or user is None or user.id != visitor.id:
        problem = "That is not the account that you are signed in to."
    elif subject.proven_at is None or now_s() - subject.proven_at > oidc.PROOF_S:
        problem = "The provider did not confirm that you have just signed in."
    else:
        accounts.record_proof(sessions.database(), visitor.sign_in)
        sessions.drop_cached_visitor()
    if (page := _held_request_page(problem, target, held_mark)) is not None:
        return page
    if problem:
        return flash_redirect(problem, "accounts.confirm_password", next=target or None)
    return redirect(target or url_for("home.index"), 303)


@pages.route("/sign-in/oidc/name", methods=["GET", "POST"])
def name() -> Response:
    """Ask a new user for a name, and create the account."""
    _provider()
    issuer, subject, at = session.get(_IDENTITY_KEY, ("", "", 0.0))
    if now_s() - at > _NAME_S:
        return flash_redirect("Sign in first.", "accounts.sign_in")
    form = accounts.AccountForm()
    if request.method == "POST":
        form = accounts.AccountForm(normal_name(request.form.get("name", "")[: 4 * accounts.NAME_CHARS[1]]))
        if problem := accounts.name_problem(form.name):
            form.errors["name"] = problem
        identity, code = oidc.Subject(issuer, subject, None), request.form.get("invitation", "")
        try:
            user = create_user(form, lambda: oidc.sign_up_by_identity(sessions.database(), identity, form.name, code))
        except oidc.AlreadyLinked:
            return redirect(url_for("oidc.begin"), 303)
        if user is not None:
            return redirect(first_page(user), 303)
    return account_form_page("name", form)


@pages.post("/account/oidc/remove")
@confirm_first
def remove() -> Response:
    """Unlink the visitor's account from the provider."""
    unlinked = oidc.unlink_identities(sessions.database(), sessions.signed_in().id)
    refusal = "This is your only way to sign in. Set a password first."
    return flash_redirect("Your account is no longer linked." if unlinked else refusal, "accounts.sign_ins")
