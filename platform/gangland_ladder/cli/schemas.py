"""Generate the published JSON Schemas of the documents and lines that commands print."""

import json
import re
from collections.abc import Iterator
from importlib import import_module
from inspect import cleandoc
from typing import Any, Final

import msgspec

from gangland_ladder.common.documents import Document

MODULES: Final = (
    *(f"gangland_ladder.documents.{name}" for name in ("archives", "bots", "games", "installations", "ladders")),
    "gangland_ladder.submitting.client",
)
_ATTRIBUTE: Final = re.compile(r"^    (\w+(?:, \w+)*): (.*(?:\n     +.*)*)", re.MULTILINE)


def names() -> list[str]:
    """Return the names of all documents, such as gangland/ladder/1, sorted."""
    return sorted(_models())


def schema(name: str) -> dict[str, Any]:
    """Return the schema of a document, with its parts in `$defs`. Raises KeyError: there is no such document."""
    model = _models()[name]
    forms = model.__subclasses__() or [model]
    parts = msgspec.json.schema_components(forms)[1]
    parts = json.loads(json.dumps(parts).replace(r"\\A", "^").replace(r"\\Z", "$"))  # in ECMAScript notation
    for kind in _classes(msgspec.inspect.multi_type_info(forms)):
        _finish(parts[kind.__name__], kind)
    bodies = [parts.pop(form.__name__) for form in forms]
    body = bodies[0] if forms == [model] else {"oneOf": bodies}
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{name.replace('/', ':')}",
        "title": model.title,
        "description": _description(model),
    }
    return head | {key: value for key, value in body.items() if key not in head} | {"$defs": parts}


def _models() -> dict[str, type[Document]]:
    for module in MODULES:
        import_module(module)
    return {str(model.__struct_config__.tag): model for model in Document.__subclasses__()}


def _classes(info: Any) -> Iterator[type]:
    if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.DataclassType):
        yield info.cls
    if isinstance(info, msgspec.Struct):
        info = [getattr(info, name) for name in info.__struct_fields__]
    if isinstance(info, list | tuple):
        for part in info:
            yield from _classes(part)


def _finish(part: dict[str, Any], model: type) -> None:
    """Complete an object's schema: forbid other members, and add descriptions from the model's list of attributes."""
    # A member with a default is always printed, except one whose default is `UNSET`, which may be left out.
    members = part["properties"]
    part["description"] = _description(model)
    part["required"] = [name for name in members if name in part["required"] or "default" in members[name]]
    part["additionalProperties"] = False
    part.pop("title", None)
    for member in members.values():
        member.pop("default", None)
    for base in reversed(model.__mro__):
        for attributes, text in _ATTRIBUTE.findall(cleandoc(base.__doc__ or "")):
            for name in set(attributes.split(", ")) & set(members):
                members[name]["description"] = " ".join(f"{text[0].upper()}{text[1:]}".split())


def _description(model: type) -> str:
    return " ".join(cleandoc(model.__doc__ or "").partition("\n\n")[0].split())
