"""The OpenAPI document is valid, and every answer of every call is as it says."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from schemathesis.specs.openapi.definitions import OPENAPI_31
from tests.kits.pages_kit import Site

from gangland_web.api.declared import CALLS
from gangland_web.api.openapi import SUBJECTS, openapi
from gangland_web.models.bots import VersionState
from gangland_web.queries.tables import BASE
from gangland_web.services.tokens import Scope


def test_the_document_is_openapi_3_1_and_what_is_none_or_too_heavy_is_counted_and_says_so(site: Site) -> None:
    document = site.stranger().get(f"{BASE}/openapi.json").get_json()
    assert document == openapi()
    assert [error.message for error in Draft202012Validator(OPENAPI_31).iter_errors(document)] == []
    for name, schema in document["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert "description" in schema, f"{name} says nothing of itself"
        assert "\n    " not in schema["description"].partition("Attributes:")[0], f"{name} is indented"
    client = site.app.test_client(use_cookies=False)
    result = [
        client.get(f"{BASE}/nothing"), client.delete(f"{BASE}/bots"), client.options(f"{BASE}/games"),
        client.post(f"{BASE}/bots", data=b"x" * 2_000_000), client.get(f"{BASE}/games"),
    ]  # fmt: skip
    assert [answer.status_code for answer in result] == [404, 405, 405, 413, 200]
    left = [int(answer.headers["RateLimit-Remaining"]) for answer in result]
    assert left == list(range(left[0], left[0] - 5, -1))


def names_in(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for each in part:
            yield from names_in(each)
    if isinstance(part, dict):
        yield from part.get("properties", {})
        yield from map(str, part.get("enum", []))
        yield from [part["name"]] if "in" in part else []
        for each in part.values():
            yield from names_in(each)


def test_the_document_has_every_call_and_all_that_the_guide_names_and_bounds_every_number(root: Path) -> None:
    result: dict[str, Any] = {
        operation["operationId"]: operation for path in openapi()["paths"].values() for operation in path.values()
    }
    assert set(result) == set(CALLS)
    for name, call in CALLS.items():
        operation = result[name]
        scopes = [scheme["token"] for scheme in operation["security"] if scheme]
        assert scopes == [[call.needs.value] if isinstance(call.needs, Scope) else []]
        assert ({} in operation["security"]) is (call.needs is None)
        assert operation["tags"] == [call.subject]
        assert call.subject in SUBJECTS
        assert {"400", "401", "413", "429", "500", "503", str(call.status)} <= set(operation["responses"])
        assert call.summary[0].isupper()
    document = openapi()
    taken = []
    for path in document["paths"].values():
        for operation in path.values():
            taken += [parameter["schema"] for parameter in operation["parameters"]]
            for content in operation.get("requestBody", {}).get("content", {}).values():
                taken.append(content["schema"])
    loose = [schema for schema in numbers(taken, document["components"]["schemas"]) if "maximum" not in schema]
    assert loose == []
    guide = re.sub(r"```.*?```", "", (root / "docs" / "api.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    known = {state.value for state in VersionState} | set(names_in(document))
    known |= {path.rpartition("/")[2] for path in document["paths"]}
    assert sorted(set(re.findall(r"`([a-z_]+)`", guide)) - known) == []


def numbers(schema: Any, models: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if isinstance(schema, list):
        for each in schema:
            yield from numbers(each, models)
    elif isinstance(schema, dict):
        if schema.get("type") == "integer":
            yield schema
        if "$ref" in schema:
            yield from numbers(models[schema["$ref"].rpartition("/")[2]], models)
        for each in schema.values():
            yield from numbers(each, models)
