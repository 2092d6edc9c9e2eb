"""Calls from a shell on the server, in its own process: as an account, by the same routes and checks as over HTTP."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import msgspec
from flask import Flask, Response, g

from gangland_web.api.declared import CALLS, Call
from gangland_web.api.openapi import form_schema, openapi, schema_of
from gangland_web.api.routes import kind_of
from gangland_web.models.organising import COMMAND_LINE
from gangland_web.queries.tables import BASE
from gangland_web.services.tokens import Bearer

# Listing the calls and their fields.


_REF: Final = "#/components/schemas/"


def listed(word: str) -> list[str]:
    """Return the calls with a word in method, path or summary, each with its fields unless all are listed."""
    lines = []
    for call in sorted(CALLS.values(), key=lambda each: (each.path, each.method)):
        line = f"{call.method} {call.path}: {call.summary}"
        if word.casefold() in line.casefold():
            lines += [line, *(f"    {field}" for field in fields_of(call) if word)]
    return lines


def fields_of(call: Call) -> Iterator[str]:
    """Yield what may be sent with a call, one a line: its name, what it may be, and what it is for."""
    schema = form_schema(call) if call.form is not None else schema_of(call.query if call.body is None else call.body)
    yield from _fields(schema, "")


def _fields(schema: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for model in _models(schema):
        for name, each in model["properties"].items():
            if inner := list(_fields(each, f"{prefix}{name}.")):
                yield from inner
                continue
            kind = "".join(words for words, _ in kind_of(each))
            default = f"; {each['default']} if left out" if each.get("default") else ""
            needed = ", needed" if name in model.get("required", ()) else ""
            words = ": ".join(each[part] for part in ("title", "description") if part in each)
            yield f"{prefix}{name}=  {kind}{needed}{default}. {words}".rstrip(". ")


def _models(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the models that a schema allows."""
    if "$ref" in schema:
        schema = openapi()["components"]["schemas"].get(schema["$ref"].removeprefix(_REF), {})
    for each in schema.get("anyOf", ()):
        yield from _models(each)
    if "properties" in schema:
        yield schema


# Making a call.


@contextmanager
def answered(
    app: Flask, who: Bearer, method: str, path: str, fields: Sequence[str], body: str | None
) -> Iterator[Response]:
    """Give the answer to a call; `fields` are NAME=VALUE for its query, its JSON body or its form.

    Raises:
        ValueError: there is no such call, or it has no such fields.
    """
    call = _call(method.upper(), path)
    environ = {"REMOTE_ADDR": COMMAND_LINE}
    sent = _sent(call, [_split(field) for field in fields], body)
    with app.test_request_context(BASE + path, method=call.method, environ_base=environ, **sent):
        g.bearer = who
        yield app.full_dispatch_request()


def _call(method: str, path: str) -> Call:
    for call in CALLS.values():
        if call.method == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", call.path), path.partition("?")[0]):
            return call
    raise ValueError(f"there is no call {method} {path}; `gangland admin calls` lists them")


def _split(field: str) -> tuple[str, str]:
    name, equals, value = field.partition("=")
    if not equals:
        raise ValueError(f"a field is NAME=VALUE, not {field!r}")
    return name, value


def _sent(call: Call, fields: list[tuple[str, str]], body: str | None) -> dict[str, Any]:
    if body is not None:
        return {"data": body, "content_type": "application/json"}
    if call.form is not None:
        files = [(name, Path(value[1:])) for name, value in fields if value[:1] == "@"]
        sent = dict(fields) | {name: (BytesIO(file.read_bytes()), file.name) for name, file in files}
        return {"data": sent, "content_type": "multipart/form-data"}
    return {"json": _body(call, fields)} if call.body is not None else {"query_string": dict(fields)} if fields else {}


def _body(call: Call, fields: list[tuple[str, str]]) -> Any:
    """Return the body of these fields; of what it consists of in its turn, a dot is in the name."""
    values: dict[str, Any] = {}
    for name, value in fields:
        *outer, last = name.split(".")
        place = values
        for each in outer:
            place = place.setdefault(each, {})
        place[last] = value
    try:
        return msgspec.to_builtins(msgspec.convert(values, call.body, strict=False))
    except msgspec.ValidationError as mistake:
        raise ValueError(str(mistake).replace("`", "'")) from mistake
