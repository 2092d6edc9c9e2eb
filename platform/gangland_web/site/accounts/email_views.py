"""E-mail where the house sends it: a person's address, and a new password for whoever has lost theirs."""

from __future__ import annotations

from flask import Blueprint, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from gangland_web.base.text import ADDRESS_CHARS, address_problem
from gangland_web.services.accounts import PASSWORD_CHARS, AccountForm, password_problem
from gangland_web.services.recovery import (
    CodeRefused,
    confirm_email,
    emails_of,
    give_email,
    mail_password_code,
    remove_email,
    use_mailed_code,
)
from gangland_web.site.accounts.account_views import account_page, has_password, is_own_password, typed_password
from gangland_web.site.responses import form_page
from gangland_web.web import sessions
from gangland_web.web.limits import at_address, by_address, lockout
from gangland_web.web.requests import settings

pages = Blueprint("emails", __name__)

CODE_CHARS = 64


def sends_mail() -> bool:
    """Tell whether this house sends mail."""
    return settings().mail_from is not None


def _typed(name: str, most: int) -> str:
    return request.form.get(name, "")[: most + 1].strip()


@pages.route("/recover", methods=["GET", "POST"])
def recover() -> Answer:
    """Have a code for a new password mailed; the answer is the same whether the address is known or not."""
    form = AccountForm("", "")
    if request.method == "POST":
        if not sends_mail():
            abort(404)
        typed = _typed("email", ADDRESS_CHARS)
        problem = address_problem(typed)
        if problem is None:
            mail_password_code(sessions.database(), typed)
            flash("If this is the confirmed address of an account, we have sent a code for a new password there.")
            return redirect(url_for("emails.recover_code"), 303)
        form.errors["email"] = problem
    return form_page("recover.html", form)


@pages.route("/recover/code", methods=["GET", "POST"])
def recover_code() -> Answer:
    """Set a password by a mailed code, and sign its owner in."""
    form = AccountForm("", "")
    if request.method == "POST":
        password = typed_password("password")
        if problem := password_problem(password, ""):
            form.errors["password"] = problem
        else:
            try:
                user = use_mailed_code(sessions.database(), _typed("code", CODE_CHARS), password)
            except CodeRefused as refused:
                form.errors["code"] = str(refused)
            else:
                for counted in (user.name_key, at_address(user.name_key, by_address())):
                    lockout().clear(counted)
                sessions.sign_in(user)
                flash(f"Your password is set, {user.name}, and you are signed out everywhere else.")
                return redirect(url_for("account.mine"), 303)
    return form_page("recover_code.html", form, password_chars=PASSWORD_CHARS)


@pages.get("/account/email")
@sessions.sign_in_first
def email() -> Answer:
    """Show where the code from a confirming mail goes."""
    return _confirm_page(AccountForm("", ""))


@pages.post("/account/email")
@sessions.sign_in_first
def give() -> Answer:
    """Note an address for the visitor, and have a code mailed there."""
    if not sends_mail():
        abort(404)
    who, form = sessions.signed_in(), AccountForm("", "")
    typed = _typed("email", ADDRESS_CHARS)
    if problem := address_problem(typed):
        form.errors["email"] = problem
    elif _is_proven(form):
        give_email(sessions.database(), who.id, typed)
        flash("We have sent a code to that address.")
        return redirect(url_for("emails.email"), 303)
    return account_page(form, typed)


@pages.post("/account/email/confirm")
@sessions.sign_in_first
def confirm() -> Answer:
    """Confirm the visitor's address by the code that was mailed there."""
    form = AccountForm("", "")
    try:
        address = confirm_email(sessions.database(), sessions.signed_in().id, _typed("code", CODE_CHARS))
    except CodeRefused as refused:
        form.errors["code"] = str(refused)
        return _confirm_page(form)
    flash(f"Your e-mail address is now {address}.")
    return redirect(url_for("account.mine"), 303)


@pages.post("/account/email/remove")
@sessions.sign_in_first
def remove() -> Answer:
    """Remove the visitor's address."""
    form = AccountForm("", "")
    if not _is_proven(form):
        return account_page(form)
    removed = remove_email(sessions.database(), sessions.signed_in().id)
    flash("Your address is removed." if removed else "There was no e-mail address to remove.")
    return redirect(url_for("account.mine"), 303)


def _is_proven(form: AccountForm) -> bool:
    """Whether the visitor typed their password, or showed elsewhere who they are; else the form says so."""
    if not has_password() and sessions.signed_in().is_fresh:
        return True
    if not is_own_password(typed_password("proof")):
        form.errors["proof"] = "That is not your password."
        return False
    return True


def _confirm_page(form: AccountForm) -> Answer:
    with sessions.reading() as db:
        confirmed, waiting = emails_of(db, sessions.signed_in().id)
    return form_page("confirm_email.html", form, confirmed=confirmed, waiting=waiting)
