"""The API calls as an OpenAPI 3.1 document, and as curl commands."""

import re
from functools import cache
from inspect import cleandoc
from typing import Any, Final, get_origin

import msgspec

from gangland_web.api.declared import ANY_TOKEN, CALLS, Archive, Call, Lines, Stored
from gangland_web.queries.bots import Finding
from gangland_web.queries.tables import BASE, Code, File, Model
from gangland_web.services.tokens import SCOPES, Scope
from gangland_web.web.requests import MIMETYPE

# Each call as a curl command, which the tests run unchanged.

# Values for the parts of a path: literal words, or variables for the reader's values.
PATH_VALUES: Final = {
    "game": "gang-of-dice",
    "seats": "2",
    "block": "0",
    "rotation": "0",
    "bot_id": "$BOT",
    "other_id": "$OTHER_BOT",
    "version_id": "$VERSION",
    "match_id": "$MATCH",
    "tournament_id": "$TOURNAMENT",
    "author_id": "$AUTHOR",
    "team_id": "$TEAM",
    "event_id": "$EVENT",
    "invitation_id": "$INVITATION",
    "token_id": "$TOKEN",
    "action_id": "$ACTION",
    "day": "$DAY",
    "season": "1",
}
KEY: Final = '-H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)"'


def curl_line(call: Call) -> str:
    """Return a call as a curl command; the token, if required, is read from a file."""
    parts = ["curl -sS"]
    if call.needs is not None:
        parts.append("-H @token.header")
    if call.writes and (call.method != "POST" or not (call.example.body or call.example.form)):
        parts.append(f"-X {call.method}")
    if call.writes:
        parts.append(KEY)
    parts += [f"-F {field}" for field in call.example.form]
    if call.example.body:
        parts.append(f'--json "{call.example.body}"' if "$" in call.example.body else f"--json '{call.example.body}'")
    if call.answer in (Archive, Stored):
        parts.append("-OJ")
    parts.append(f'"$SITE{_path(call)}"')
    return " ".join(parts)


def _path(call: Call) -> str:
    values = {**PATH_VALUES, **call.example.path}
    path = re.sub(r"\{(\w+)\}", lambda part: values[part[1]], call.path)
    return f"/api/v1{path}" + (f"?{call.example.query}" if call.example.query else "")


# The OpenAPI document, made from the declarations and models.

# Descriptions of the tags.
SUBJECTS: Final = {
    "about": "The site, its games and its API",
    "ladders": "Ladders and their days",
    "bots": "Bots and their versions",
    "matches": "Matches and games",
    "tournaments": "Tournaments",
    "people": "Search and authors",
    "own": "Your account",
    "teams": "Teams",
    "organizing": "Organizing tournaments",
}
STATUS_TEXTS: Final = {
    400: "The URL, a header or the body cannot be read (E309).",
    401: "No token (E301), or one that is unknown (E302), expired (E303) or revoked (E304).",
    403: "The token lacks the scope (E305), or its owner lacks the role (E311).",
    404: "Not found, or not public yet (E310).",
    409: "Another call arrived at the same time (E313): retry this one.",
    410: "The site no longer knows the game's rules or keeps its replay. The code is null.",
    413: "The body is too large (E308).",
    415: "The body has another content type (E309).",
    422: "The body is invalid (E309), was refused (E1xx, E312), or has the key of another call (E306).",
    429: "Too many calls (E307): wait the seconds in `Retry-After`.",
    500: "The site failed; the code is null.",
    503: "Part of the site is not working; the code is null.",
}
_REF: Final = "#/components/schemas/{name}"
_INTEGER: Final = {"type": "integer", "minimum": 0}
_RATES: Final = {
    name: {"required": True, "description": text, "schema": _INTEGER}
    for name, text in (
        ("RateLimit-Limit", "The calls allowed in this period."),
        ("RateLimit-Remaining", "The calls left in this period."),
        ("RateLimit-Reset", "Seconds until the next period."),
    )
}


class Problem(Model, rename={"kind": "type"}):
    """An error (RFC 9457); `type` is the URL of its explanation, and `findings` are an uploaded bot's problems."""

    kind: str
    title: str
    status: int
    detail: str
    code: Code | None
    findings: list[Finding] | msgspec.UnsetType = msgspec.UNSET


@cache
def openapi() -> dict[str, Any]:
    """Return the OpenAPI document."""
    models = [model for call in CALLS.values() for model in _models(call)]
    _, components = msgspec.json.schema_components([Problem, *models], ref_template=_REF)
    for schema in components.values():
        if "description" in schema:  # a docstring, with the indentation of its code
            schema["description"] = cleandoc(schema["description"])
    paths: dict[str, dict[str, Any]] = {}
    for call in sorted(CALLS.values(), key=lambda call: call.path):
        paths.setdefault(BASE + call.path, {})[call.method.lower()] = _operation(call)
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "Gangland",
            "version": "1",
            "summary": "Tournaments of bots that play two dice games.",
            "description": "/docs/api.html explains tokens, paging, errors and rates.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in SUBJECTS.items()],
        "paths": paths,
        "components": {
            "schemas": components,
            "headers": _RATES,
            "responses": {str(status): _problem_response(status) for status in STATUS_TEXTS},
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Scopes: "
                    + "; ".join(f"`{scope.value}`: {text}" for scope, text in SCOPES.items())
                    + ".",
                }
            },
        },
    }


def _models(call: Call) -> list[Any]:
    answer = call.answer if isinstance(call.answer, type) and issubclass(call.answer, msgspec.Struct) else None
    return [model for model in (call.body, call.line_model, answer) if model is not None]


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type, with references to models."""
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=_REF)
    return schema


def _operation(call: Call) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": call.name,
        "summary": call.summary,
        "tags": [call.subject],
        "parameters": [*_parts(call), *_query(call), *_headers(call)],
        "responses": _responses(call),
        "security": _security(call),
        "x-codeSamples": [{"lang": "Shell", "label": "curl", "source": curl_line(call)}],
    }
    if call.description:
        operation["description"] = call.description
    if call.body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema_of(call.body)}}}
    if call.form is not None:
        operation["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": form_schema(call)}}}
    return operation


def form_schema(call: Call) -> dict[str, Any]:
    """Return the schema of a form, with files as binary strings."""
    schemas = msgspec.json.schema_components([call.form], ref_template=_REF)[1]
    schema = {**schemas[call.form.__name__]}
    files = [field.encode_name for field in msgspec.structs.fields(call.form) if field.type is File]
    schema["properties"] = {**schema["properties"], **{name: {"type": "string", "format": "binary"} for name in files}}
    return schema


def _security(call: Call) -> list[dict[str, list[str]]]:
    if call.needs is None:
        return [{}, {"token": []}]
    return [{"token": [] if call.needs == ANY_TOKEN else [str(Scope(call.needs).value)]}]


def _parts(call: Call) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": schema_of(kind)} for name, kind in call.parts.items()
    ]


def _query(call: Call) -> list[dict[str, Any]]:
    parameters = []
    for field in msgspec.structs.fields(call.query):
        schema = schema_of(field.type)
        if "anyOf" in schema:  # an optional field, which is None if omitted
            schema = next(each for each in schema["anyOf"] if each != {"type": "null"})
        if field.default not in (None, msgspec.NODEFAULT):
            schema = {**schema, "default": field.default}
        text = schema.pop("description", None)
        parameter = {"name": field.encode_name, "in": "query", "required": field.required, "schema": schema}
        parameters.append({**parameter, "description": text} if text else parameter)
    return parameters


def _headers(call: Call) -> list[dict[str, Any]]:
    if not call.writes:
        return []
    return [
        {
            "name": "Idempotency-Key",
            "in": "header",
            "required": False,
            "description": "A call that is repeated with the same key is carried out once.",
            "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!#-~]+$"},
        }
    ]


def _responses(call: Call) -> dict[str, Any]:
    responses: dict[str, Any] = {str(call.status): _success_response(call)}
    if _has_etag(call):
        responses["304"] = {
            "description": "Nothing has changed.",
            "headers": {**_rates(), **_header("ETag", "The value that was sent.")},
        }
    for status in call.refusals:
        responses[str(status)] = {"$ref": f"#/components/responses/{status}"}
    return responses


def _success_response(call: Call) -> dict[str, Any]:
    headers = _rates()
    if call.writes:
        headers |= _header("Idempotent-Replayed", "`true` if this repeats the first response.", required=False)
    if call.status in (201, 202):
        headers |= _header("Location", "The URL of the result.")
    if _has_etag(call):
        headers |= _header("ETag", "Send it in If-None-Match to get a body only after a change.")
    return {"description": call.summary, "headers": headers, "content": _content(call)}


def _has_etag(call: Call) -> bool:
    return not call.writes and get_origin(call.answer) is not Lines and call.answer is not Archive


def _content(call: Call) -> dict[str, Any]:
    if call.line_model is not None:
        return {"application/x-ndjson": {"x-line": schema_of(call.line_model)}}
    if call.answer is Archive:
        return {kind: {} for kind in call.kinds}
    if call.answer is Stored:
        return {"application/json": {"schema": {"type": "object"}}}
    return {"application/json": {"schema": schema_of(call.answer)}}


def _problem_response(status: int) -> dict[str, Any]:
    headers = _rates()
    if status == 401:
        headers |= _header("WWW-Authenticate", "What is wrong with the token.")
    if status == 429:
        headers |= {"Retry-After": {"required": False, "description": "Seconds to wait.", "schema": _INTEGER}}
    if status == 422:
        headers |= _header("Idempotent-Replayed", "`true` if this repeats the first response.", required=False)
    content = {MIMETYPE: {"schema": {"$ref": _REF.format(name="Problem")}}}
    return {"description": STATUS_TEXTS[status], "headers": headers, "content": content}


def _rates() -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in _RATES}


def _header(name: str, text: str, *, required: bool = True) -> dict[str, Any]:
    return {name: {"required": required, "description": text, "schema": {"type": "string"}}}
