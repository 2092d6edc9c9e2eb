"""API calls for the site and the API, the routes of all calls, the reference at `/api`, and calls from a shell."""

import json
import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

import msgspec
from flask import Blueprint, Flask, current_app, g, render_template, url_for
from flask import Response as FlaskResponse
from werkzeug.wrappers import Response

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.errors import entries
from gangland_web.api import accounts, bots, matches, organizing, tournaments  # noqa: F401  # these modules declare calls
from gangland_web.api.declared import ANY_TOKEN, CALLS, Call, Stored, call
from gangland_web.api.openapi import STATUS_TEXTS, SUBJECTS, curl_line, form_schema, openapi, schema_of
from gangland_web.api.serving import view_of
from gangland_web.models.organizing import COMMAND_LINE
from gangland_web.queries.status import AnalysisQueue, health_now
from gangland_web.queries.tables import BASE, Code, Count, Game, Model, Moment, Path, model_from
from gangland_web.services.tokens import SCOPES, Bearer, Scope
from gangland_web.web.caching import cached_page
from gangland_web.web.limits import Rates
from gangland_web.web.requests import Problem, on_problem, settings
from gangland_web.web.sessions import database

# Calls for the site, its games and its API.


class CallResponse(Model):
    """An API call."""

    name: str
    method: str
    path: str
    token: bool
    scope: str | None
    what: str


class Index(Model):
    """All calls of the API."""

    name: str
    version: str
    docs: Path
    openapi: Path
    calls: list[CallResponse]


class Queue(Model):
    """Matches of one purpose: how many are waiting or being played, and when the first one began to wait."""

    purpose: str
    waiting: Count
    playing: Count
    since: Moment | None


class Status(Model):
    """The health of the site, and its waiting work; values are null if unknown."""

    ok: bool
    database: bool
    broker: bool
    slots: Count | None
    queues: list[Queue] | None
    analyses: AnalysisQueue | None


class Option(Model):
    """An option of a game; without `values`, it is a number or a list."""

    name: str
    label: str
    values: list[str]
    default: str


class GameRules(Model):
    """A game."""

    name: Game
    title: str
    seats: list[int]
    options: list[Option]
    rules: Path


class GameKinds(Model):
    """The site's games."""

    games: list[GameRules]


class ErrorResponse(Model):
    """A code with its title, cause and fix."""

    code: Code
    title: str
    what: str
    why: str
    fix: str
    example: str
    page: str


class Errors(Model):
    """The catalog of errors and warnings."""

    errors: list[ErrorResponse]


@call("GET", "", subject="about")
def index() -> Index:
    """List the calls of the API."""
    rows = [
        model_from(
            CallResponse,
            each,
            path=BASE + each.path,
            token=each.needs is not None,
            scope=each.needs.value if isinstance(each.needs, Scope) else None,
            what=each.summary,
        )
        for each in CALLS.values()
    ]
    rows.sort(key=lambda row: (row.path, row.method))
    return Index(name="Gangland", version="v1", docs="/docs/api.html", openapi=f"{BASE}/openapi.json", calls=rows)


@call("GET", "/openapi.json", subject="about")
def document() -> Stored:
    """Get the API as an OpenAPI 3.1 document."""
    if "gangland_openapi" not in current_app.extensions:
        current_app.extensions["gangland_openapi"] = json.dumps(openapi())
    return Stored(current_app.extensions["gangland_openapi"], "openapi")


@call("GET", "/status", subject="about")
def status() -> Status:
    """Get the health of the site, and its waiting work."""
    health = health_now(database(), settings().redis_url)
    queues = None if health.queues is None else [model_from(Queue, queue) for queue in health.queues]
    return model_from(Status, health, queues=queues)


@call("GET", "/games", subject="about")
def games() -> GameKinds:
    """List the games with their table sizes and options."""
    return GameKinds(games=[_game(name) for name in GAME_NAMES])


def _game(name: str) -> GameRules:
    game = game_named(name)
    options = [model_from(Option, option) for option in game.choices_of_options]
    seats = list(game.table_sizes)
    return GameRules(name=name, title=game.title, seats=seats, options=options, rules=f"/docs/rules-{name}.html")


@call("GET", "/errors", subject="about")
def errors() -> Errors:
    """List all codes of errors and warnings, with their fixes."""
    return Errors(errors=[model_from(ErrorResponse, entry) for entry in entries().values()])


# Routes.

pages = Blueprint("api", __name__, url_prefix=BASE)
pages.register_error_handler(Problem, on_problem)
for _call in CALLS.values():
    pages.add_url_rule(
        _call.rule,
        _call.name,
        view_of(_call),
        methods=[_call.method],
        strict_slashes=False,
        provide_automatic_options=False,
    )


# The reference page.

reference_pages = Blueprint("api_reference", __name__)

_TYPE_NAMES: Final = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false"}
_REF: Final = "#/components/schemas/"


@reference_pages.get("/api")
def page() -> Response:
    """Show every call with its parameters, models, errors and a curl command."""
    return cached_page("api reference", _render_reference)


def _render_reference() -> str:
    schemas = openapi()["components"]["schemas"]
    return render_template(
        "api.html",
        subjects=calls_by_subject(),
        models=sorted((name, schema) for name, schema in schemas.items() if "properties" in schema),
        kind=kind_of,
        when=STATUS_TEXTS,
        scopes=SCOPES,
        rates=Rates(),
        document=url_for("api.document"),
    )


def kind_of(schema: dict[str, Any]) -> list[tuple[str, str | None]]:
    """Return the types that a JSON Schema allows, as pieces of text, each with the name of its model or None."""
    if "$ref" in schema:
        return _named(schema["$ref"].removeprefix(_REF))
    if "anyOf" in schema:
        pieces: list[tuple[str, str | None]] = []
        for option in schema["anyOf"]:
            pieces += [(" or ", None), *kind_of(option)] if pieces else kind_of(option)
        return pieces
    if "enum" in schema:
        return [(" or ".join(str(word) for word in schema["enum"]), None)]
    if schema.get("type") == "array":
        item, *_ = schema.get("prefixItems") or [schema.get("items", {})]
        return [("list of ", None), *kind_of(item)]
    if schema.get("type") == "null":
        return [("null", None)]
    if schema.get("format") == "binary":
        return [("file", None)]
    type_name = _TYPE_NAMES.get(schema.get("type", ""), "object" if schema.get("type") == "object" else "any value")
    return [(type_name + _bounds(schema), None)]


def _named(name: str) -> list[tuple[str, str | None]]:
    schema = openapi()["components"]["schemas"][name]
    return [(name, name)] if "properties" in schema else kind_of(schema)


def _bounds(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None and high < 2**31 - 1:
        return f", {low} to {high:,}"
    if low is not None:
        return f" from {low}"
    if "maxLength" in schema:
        return f" of at most {schema['maxLength']} characters"
    return ""


@dataclass(frozen=True, slots=True)
class CallEntry:
    """A call with the data for the reference."""

    call: Call
    needs: str
    line: str
    operation: dict[str, Any]  # its entry in the OpenAPI document

    @property
    def path(self) -> str:
        """The whole path of the call."""
        return BASE + self.call.path


def calls_by_subject() -> list[tuple[str, str, list[CallEntry]]]:
    """Return each subject's name, description and calls, sorted by path."""
    return [(name, text, _entries(name)) for name, text in SUBJECTS.items()]


def _entries(subject: str) -> list[CallEntry]:
    paths = openapi()["paths"]
    calls = sorted(
        (call for call in CALLS.values() if call.subject == subject), key=lambda call: (call.path, call.method)
    )
    return [
        CallEntry(call, needs_of(call), curl_line(call), paths[BASE + call.path][call.method.lower()]) for call in calls
    ]


def needs_of(call: Call) -> str:
    """Return a description of the token that a call requires."""
    if isinstance(call.needs, Scope):
        return f"a token with the scope `{call.needs.value}`"
    return "any valid token" if call.needs == ANY_TOKEN else "no token"


# Calls from a shell on the server: the list of calls with their fields.


def call_lines(word: str) -> list[str]:
    """Return the calls whose method, path or summary contain a word, with their fields; all calls if it is empty."""
    lines = []
    for listed_call in sorted(CALLS.values(), key=lambda call: (call.path, call.method)):
        line = f"{listed_call.method} {listed_call.path}: {listed_call.summary}"
        if word.casefold() in line.casefold():
            lines += [line, *(f"    {field}" for field in fields_of(listed_call) if word)]
    return lines


def fields_of(call: Call) -> Iterator[str]:
    """Yield a line with the name, type and description of each field of a call."""
    for name, field, is_required in _fields(_schema(call)):
        kind = "".join(text for text, _ in kind_of(field))
        default = f"; {field['default']} by default" if field.get("default") else ""
        required = ", required" if is_required else ""
        declared = (field, *field.get("anyOf", ()))
        text = ": ".join(schema[part] for schema in declared for part in ("title", "description") if part in schema)
        yield f"{name}=  {kind}{required}{default}. {text}".rstrip(". ")


def _schema(call: Call) -> dict[str, Any]:
    return form_schema(call) if call.form is not None else schema_of(call.query if call.body is None else call.body)


def _fields(schema: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, dict[str, Any], bool]]:
    for model in _models(schema):
        for name, field in model["properties"].items():
            inner = list(_fields(field, f"{prefix}{name}."))
            yield from inner or [(f"{prefix}{name}", field, name in model.get("required", ()))]


def _types(call: Call, name: str) -> set[str]:
    """Return the JSON types of a field; empty if there is no such field or it is a choice of words."""
    types = set()
    for declared, field, _ in _fields(_schema(call)):
        if declared == name.rpartition(".")[0]:  # such as options.deck
            field = field.get("additionalProperties", {})
        elif declared != name:
            continue
        types |= {schema["type"] for schema in (field, *field.get("anyOf", ())) if "type" in schema}
    return types


def _models(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "$ref" in schema:
        schema = openapi()["components"]["schemas"].get(schema["$ref"].removeprefix(_REF), {})
    for option in schema.get("anyOf", ()):
        yield from _models(option)
    if "properties" in schema:
        yield schema


# Calls from a shell on the server, on behalf of an account, with the same routes and checks as over HTTP.


@contextmanager
def answer_call(
    app: Flask, who: Bearer, method: str, path: str, fields: Sequence[str], body: str | None
) -> Iterator[FlaskResponse]:
    """Yield the response to a call with NAME=VALUE `fields` or JSON body.  Raises ValueError: no such call or field."""
    call = _call_at(method.upper(), path)
    environ = {"REMOTE_ADDR": COMMAND_LINE}
    sent = _request_body(call, [_split_field(field) for field in fields], body)
    with app.test_request_context(BASE + path, method=call.method, environ_base=environ, **sent):
        g.bearer = who
        yield app.full_dispatch_request()


def _call_at(method: str, path: str) -> Call:
    for known in CALLS.values():
        if known.method == method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", known.path), path.partition("?")[0]):
            return known
    raise ValueError(f"there is no call {method} {path}; `gangland admin calls` lists them")


def _split_field(field: str) -> tuple[str, str]:
    name, equals, value = field.partition("=")
    if not equals:
        raise ValueError(f"expected a field NAME=VALUE, not {field!r}")
    return name, value


def _request_body(call: Call, fields: list[tuple[str, str]], body: str | None) -> dict[str, Any]:
    if body is not None:
        if fields:
            raise ValueError(f"--body must be the whole body: put {fields[0][0]!r} into it, or send only fields")
        if call.body is None:
            raise ValueError(f"{call.method} {call.path} takes no --body; `gangland admin calls` lists its fields")
        return {"data": body, "content_type": "application/json"}
    names = [name for name, _ in fields]
    for name in names:
        if names.count(name) > 1 and "array" not in _types(call, name):
            raise ValueError(f"{name!r} appears more than once and is not a list")
    if call.form is not None:
        files = [(name, pathlib.Path(value[1:])) for name, value in fields if value[:1] == "@"]
        sent = dict(fields) | {name: (BytesIO(file.read_bytes()), file.name) for name, file in files}
        return {"data": sent, "content_type": "multipart/form-data"}
    return {"json": _body(call, fields)} if call.body is not None else {"query_string": dict(fields)} if fields else {}


def _body(call: Call, fields: list[tuple[str, str]]) -> Any:
    """Return the JSON body with these fields: A.B=1 is a member of A, and a repeated name is a list."""
    values: dict[str, Any] = {}
    names = [name for name, _ in fields]
    for name, value in fields:
        if part := next((other for other in names if other.startswith(f"{name}.")), None):
            raise ValueError(f"{name}= and {part}= cannot be combined: a field is one value or has parts")
        *outer, last = name.split(".")
        place = values
        for part_name in outer:
            place = place.setdefault(part_name, {})
        if names.count(name) > 1 or _types(call, name) - {"null"} == {"array"}:
            place.setdefault(last, []).append(value)
        else:
            place[last] = value
    try:
        return msgspec.to_builtins(msgspec.convert(values, call.body, strict=False))
    except msgspec.ValidationError as error:
        raise ValueError(str(error).replace("`", "'")) from error
