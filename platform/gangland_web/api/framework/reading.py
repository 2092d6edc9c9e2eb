"""A request read into the models that its call declares; what is not understood is refused and never guessed at."""

from __future__ import annotations

import json
from typing import Any, Union, get_args

import msgspec
from flask import request
from werkzeug.datastructures import MultiDict

from gangland_web.api.framework.declared import Call
from gangland_web.base.text import shown
from gangland_web.queries.tables import File
from gangland_web.web.requests import Problem

FORM: str = "multipart/form-data"


def read_parts(call: Call, given: dict[str, str]) -> dict[str, Any]:
    """Return the parts of the path.

    Raises:
        Problem: 404, with what was expected.
    """
    read = {}
    for name, kind in call.parts.items():
        try:
            read[name] = _of_text(given[name], kind)
        except msgspec.ValidationError as mistake:
            raise Problem(404, "E310", f"There is no such address: {name}: {_words(mistake)}.") from mistake
    return read


def _of_text(text: str, kind: Any) -> Any:
    """Return the value that a text stands for; numbers are words of an address, too.

    No text stands for nothing: whoever means that leaves the parameter out.
    """
    if text.strip().lower() == "null" and type(None) in get_args(kind):
        kind = Union[tuple(each for each in get_args(kind) if each is not type(None))]  # noqa: UP007 (made of a list)
    try:
        value = msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError:
        if text.isascii() and text.isdigit() and len(text) <= 9 and str(int(text)) == text:
            return msgspec.convert(int(text), kind)
        raise
    if isinstance(value, int) and not isinstance(value, bool) and str(value) != text:
        raise msgspec.ValidationError(f"Expected `int` as {value} is written")
    return value


def read_query(call: Call) -> Any:
    """Return what stands behind the question mark.

    Raises:
        Problem: 400, with what was expected.
    """
    given = _single(request.args, "the address")
    names = {field.name: field for field in msgspec.structs.fields(call.query)}
    for name in given:
        if name not in names:
            known = ", ".join(names) or "none at all"
            raise Problem(400, "E309", f"This call has no parameter {_quoted(name)}; it has {known}.")
    values: dict[str, Any] = {}
    for name, text in given.items():
        try:
            values[name] = _of_text(text, names[name].type)
        except msgspec.ValidationError as mistake:
            raise Problem(400, "E309", f"The parameter {name}: {_words(mistake)}.") from mistake
    try:
        return msgspec.convert(values, call.query)
    except msgspec.ValidationError as mistake:
        raise Problem(400, "E309", f"The parameters: {_words(mistake)}.") from mistake


def read_body(call: Call) -> Any:
    """Return the JSON body.

    Raises:
        Problem: it is of another kind, no JSON, or none of what the call takes.
    """
    if request.mimetype != "application/json":
        raise Problem(415, "E309", f"Send a body of the kind application/json, not {_quoted(request.mimetype)}.")
    try:
        read = msgspec.json.decode(request.get_data(), type=call.body)
        json.loads(request.get_data(), object_pairs_hook=_once)
        return read
    except msgspec.ValidationError as mistake:
        raise Problem(422, "E309", f"The body: {_words(mistake)}.") from mistake
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as mistake:
        raise Problem(400, "E309", f"The body is no JSON: {_words(mistake)}.") from mistake


def _once(members: list[tuple[str, Any]]) -> None:
    """Refuse an object with two members of one name, of which the one that was read might be the other's."""
    names: set[str] = set()
    for name, _ in members:
        if name in names:
            raise Problem(422, "E309", f"The body has {_quoted(name)} more than once in one object.")
        names.add(name)


def read_form(call: Call) -> Any:
    """Return the form with its files.

    Raises:
        Problem: it is of another kind, or none of what the call takes.
    """
    if request.mimetype != FORM:
        raise Problem(415, "E309", f"Send {FORM}, not {_quoted(request.mimetype)}.")
    values: dict[str, Any] = _single(request.form, "the form")
    for name, file in request.files.items(multi=True):
        if name in values:
            raise Problem(422, "E309", f"The form has {_quoted(name)} twice.")
        values[name] = File(file.filename or "", file.read())
    try:
        return msgspec.convert(values, call.form)
    except msgspec.ValidationError as mistake:
        raise Problem(422, "E309", f"The form: {_words(mistake)}.") from mistake


def read_nothing() -> None:
    """Read no body.

    Raises:
        Problem: there is one.
    """
    if request.get_data(cache=False):
        raise Problem(422, "E309", "This call takes no body.")


def _single(given: MultiDict[str, str], where: str) -> dict[str, str]:
    for name in given:
        if len(given.getlist(name)) > 1:
            raise Problem(400, "E309", f"{_quoted(name)} appears more than once in {where}.")
    return given.to_dict()


def _quoted(text: str) -> str:
    return repr(shown(text, limit=40))


def _words(mistake: Exception) -> str:
    """Return what was expected, as words; what was sent stands in them only where it is ours."""
    return shown(str(mistake).replace("`", "'").removesuffix("."), limit=300)
