"""The published JSON Schemas of all documents and lines that commands print, one file each in the package."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

_FOLDER = files(__package__) / "schemas"
_ELSEWHERE = re.compile(r'"\$ref": "urn:gangland:([a-z0-9:-]+)"')


def names() -> list[str]:
    """Return the names of all documents, such as gangland/ladder/1, in their order."""
    found = [file.name.removesuffix(".json") for file in _FOLDER.iterdir() if file.name.endswith(".json")]
    return sorted(f"gangland/{name.replace('.', '/')}" for name in found)


def schema(name: str) -> dict[str, Any]:
    """Return the schema of a document, whole: the schemas that it refers to stand among its `$defs`.

    Raises:
        FileNotFoundError: there is none of that name.
    """
    told, missing = _read(name), [name]
    bundled: dict[str, Any] = {}
    while missing:
        part = json.dumps(bundled.get(missing[0], told))
        missing = missing[1:]
        for found in sorted(set(_ELSEWHERE.findall(part))):
            other = f"gangland/{found.replace(':', '/')}"
            if other not in bundled:
                bundled[other] = _read(other)
                missing.append(other)
    return {**told, "$defs": {**told.get("$defs", {}), **bundled}} if bundled else told


def _read(name: str) -> dict[str, Any]:
    file = _FOLDER / f"{name.removeprefix('gangland/').replace('/', '.')}.json"
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return told
