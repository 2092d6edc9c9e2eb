"""Forms that could not be carried out: their page holds what was typed, to be sent again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from flask import Response, make_response, render_template, request

from gangland_web.services.accounts import PASSWORDS
from gangland_web.web.requests import safe_next, wants_json

_NOT_KEPT: Final = PASSWORDS | {"csrf_token", "kept"}


@dataclass(frozen=True, slots=True)
class KeptForm:
    """A form as it was sent, without passwords and files.

    Attributes:
        act: the address that it was sent to.
        files: the names of its fields for files, to be chosen again.
    """

    act: str
    sent: Sequence[tuple[str, str]]
    files: Sequence[str] = ()

    def to_text(self) -> str:
        """Return the form as the value of one field."""
        return json.dumps([self.act, self.sent, self.files], ensure_ascii=False)


def sent_form() -> KeptForm | None:
    """Return the form of this request; None if there is none, or if it does not come from a page of this site.

    The page of a kept form has a valid token, so one that another site has filled in must not be kept.
    """
    if request.method != "POST" or wants_json() or not _is_from_here():
        return None
    sent = [(name, value) for name, value in request.form.items(multi=True) if name not in _NOT_KEPT]
    files = [name for name, file in request.files.items(multi=True) if file.filename]
    return KeptForm(request.full_path.rstrip("?"), sent, files) if sent or files else None


def _is_from_here() -> bool:
    """Return whether the browser says that a page of this site sent the request."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    origin = urlsplit(request.headers.get("Origin", ""))
    return bool(origin.netloc) and origin.netloc == request.host


def kept_form(text: str) -> KeptForm | None:
    """Return a form from the value of a field; None for what is none."""
    try:
        act, sent, files = json.loads(text)
        form = KeptForm(safe_next(act, ""), [(str(name), str(value)) for name, value in sent], [*map(str, files)])
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    return form if form.act else None


def kept_page(form: KeptForm, why: str, status: int, *, needs_sign_in: bool = False) -> Response:
    """Return the page of a form that was not carried out."""
    page = render_template("kept_form.html", form=form, why=why, needs_sign_in=needs_sign_in)
    answer = make_response(page, status)
    answer.headers["Cache-Control"] = "no-store"
    return answer
