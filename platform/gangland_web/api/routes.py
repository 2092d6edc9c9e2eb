"""The calls as routes of `/api/v1`, and `/api`, the page that describes them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, render_template, url_for
from werkzeug.wrappers import Response

from gangland_web.api import about, accounts, bots, matches, organising, tournaments  # noqa: F401  # they declare their calls
from gangland_web.api.declared import ANY_TOKEN, CALLS, Call
from gangland_web.api.openapi import SUBJECTS, WHEN, curl_line, openapi
from gangland_web.api.serving import view_of
from gangland_web.queries.tables import BASE
from gangland_web.services.tokens import SCOPES, Scope
from gangland_web.web.caching import cached_page
from gangland_web.web.limits import Rates
from gangland_web.web.requests import Problem, on_problem

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


# The page.


reference_pages = Blueprint("api_reference", __name__)

_WORDS: Final = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false"}
_REF: Final = "#/components/schemas/"


@reference_pages.get("/api")
def page() -> Response:
    """Show every call with its parameters, models, errors and a line for a shell."""
    return cached_page("api reference", _made)


def _made() -> str:
    schemas = openapi()["components"]["schemas"]
    return render_template(
        "api.html",
        subjects=calls_by_subject(),
        models=sorted((name, schema) for name, schema in schemas.items() if "properties" in schema),
        kind=kind_of,
        when=WHEN,
        scopes=SCOPES,
        rates=Rates(),
        document=url_for("api.document"),
    )


def kind_of(schema: dict[str, Any]) -> list[tuple[str, str | None]]:
    """Return what a JSON Schema allows, as words; each with the model that it is the name of, None for plain words."""
    if "$ref" in schema:
        return _named(schema["$ref"].removeprefix(_REF))
    if "anyOf" in schema:
        words: list[tuple[str, str | None]] = []
        for each in schema["anyOf"]:
            words += [(" or ", None), *kind_of(each)] if words else kind_of(each)
        return words
    if "enum" in schema:
        return [(" or ".join(str(word) for word in schema["enum"]), None)]
    if schema.get("type") == "array":
        each, *_ = schema.get("prefixItems") or [schema.get("items", {})]
        return [("list of ", None), *kind_of(each)]
    if schema.get("type") == "null":
        return [("null", None)]
    if schema.get("format") == "binary":
        return [("file", None)]
    word = _WORDS.get(schema.get("type", ""), "object" if schema.get("type") == "object" else "any value")
    return [(word + _bounds(schema), None)]


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
    """A call as the reference shows it; `operation` is that of the OpenAPI document."""

    call: Call
    needs: str
    line: str
    operation: dict[str, Any]

    @property
    def path(self) -> str:
        """Its whole path."""
        return BASE + self.call.path


def calls_by_subject() -> list[tuple[str, str, list[CallEntry]]]:
    """Return all calls by subject: its name, its words, and its calls in the order of their paths."""
    return [(name, words, _entries(name)) for name, words in SUBJECTS.items()]


def _entries(subject: str) -> list[CallEntry]:
    paths = openapi()["paths"]
    calls = sorted(
        (call for call in CALLS.values() if call.subject == subject), key=lambda call: (call.path, call.method)
    )
    return [
        CallEntry(call, needs_of(call), curl_line(call), paths[BASE + call.path][call.method.lower()]) for call in calls
    ]


def needs_of(call: Call) -> str:
    """Return what a call needs, in words."""
    if isinstance(call.needs, Scope):
        return f"a token with the scope `{call.needs.value}`"
    return "any good token" if call.needs == ANY_TOKEN else "nothing"
