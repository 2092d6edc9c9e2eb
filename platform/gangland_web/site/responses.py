"""Answers of views: pages and forms with their status, JSON documents, tables as files, live parts of pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Response as FlaskResponse
from flask import jsonify, make_response, render_template, request
from werkzeug.wrappers import Response

from gangland_web.base.formats import MIMETYPES, Form
from gangland_web.queries.tables import Model, TableData, serialize
from gangland_web.site.rendering import is_part
from gangland_web.web.caching import FOR_ALL, conditional
from gangland_web.web.sessions import reading


def rendered(template: str, status: int = 200, *, is_private: bool = False, **values: Any) -> FlaskResponse:
    """Return a page with its status; no cache keeps one that is private."""
    answer = make_response(render_template(template, **values), status)
    if is_private:
        answer.headers["Cache-Control"] = "no-store"
    return answer


def form_page(template: str, form: Any, **values: Any) -> FlaskResponse:
    """Return a page with a form; 422 if something is wrong with what was sent, which `sent` has as it was typed."""
    sent = request.form if form.errors else {}
    return make_response(render_template(template, form=form, sent=sent, **values), 422 if form.errors else 200)


def document(name: str, model: Model) -> Response:
    """Return what a page shows as the document gangland/NAME/1, with the members of its model (`json_response`)."""
    return json_response({"schema": f"gangland/{name}/1", **serialize(model)})


def json_response(body: dict[str, Any]) -> Response:
    """Return a JSON answer with an ETag, or 304 to a caller who has it already."""
    return conditional(jsonify(body))


def table_file(table: TableData, form: Form, name: str) -> FlaskResponse:
    """Return a table of a page as a file, with an ETag, or 304 to a caller who has it already."""
    answer = FlaskResponse(b"".join(table.pieces(form, spreadsheet=for_spreadsheet())), mimetype=MIMETYPES[form])
    if form is Form.CSV:
        answer.headers["Content-Disposition"] = f'attachment; filename="gangland-{name}.{form}"'
    return conditional(answer)


def as_file(name: str) -> Callable[[Callable[..., TableData]], Callable[..., FlaskResponse]]:
    """Have a view that returns a table answer with it as a file of the form that the address names.

    The view is given a session to read from, as `db`.

    Args:
        name: of the file, with parts of the address in braces.
    """

    def decorated(make: Callable[..., TableData]) -> Callable[..., FlaskResponse]:
        @wraps(make)
        def view(form: str, **where: Any) -> FlaskResponse:
            with reading() as db:
                return table_file(make(db, **where), Form(form), name.format(**where))

        return view

    return decorated


def for_spreadsheet() -> bool:
    """Return whether the address of a CSV asks for the form that spreadsheets expect."""
    return request.args.get("for") == "spreadsheet"


def part(markup: str, *, for_all: bool = False) -> Response:
    """Return a live part of a page with an ETag, or 304 to a caller who has it already.

    Args:
        for_all: every visitor gets the same answer, so that it may be kept for a moment.
    """
    answer = FlaskResponse(markup)
    if for_all and FOR_ALL in request.environ:
        request.environ[FOR_ALL] = True
        answer.add_etag()
        return answer  # whole: the layer that keeps it answers 304
    return conditional(answer)


def page_or_part(markup: str, *, for_all: bool = False) -> Response:
    """Return a live page as it is, or only its content if that was requested, as `part` does."""
    return part(markup, for_all=for_all) if is_part() else FlaskResponse(markup)
