"""The bundle of CodeMirror: made of what the repository holds, whole, under licences that come along, and small."""

import gzip
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def folder(root: Path) -> Path:
    return root / "platform/gangland_web/site/static/codemirror"


@pytest.fixture
def described(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))
    return found


def test_the_bundle_is_made_of_the_lock_by_hash_with_every_licence_and_fits_over_the_wire(
    root: Path, folder: Path, described: dict[str, Any]
) -> None:
    made_from = {
        name: sha256((root / "scripts/editor" / name).read_bytes()).hexdigest() for name in described["made_from"]
    }

    assert sha256((folder / "codemirror.js").read_bytes()).hexdigest() == described["sha256"], (
        "run scripts/bundle_editor"
    )
    assert set(made_from) == {"entry.js", "package-lock.json"}
    assert described["made_from"] == made_from, "run scripts/bundle_editor"
    locked = json.loads((root / "scripts/editor/package-lock.json").read_text(encoding="utf-8"))["packages"]
    licences = (folder / "LICENSE.txt").read_text(encoding="utf-8")

    assert all(each["integrity"].startswith("sha512-") for name, each in locked.items() if name)
    assert {"@codemirror/view", "@codemirror/lang-python", "style-mod"} <= set(described["packages"])
    for name, package in described["packages"].items():
        assert package == {"version": locked[f"node_modules/{name}"]["version"], "license": "MIT"}
        assert f"\n{name}\n\n" in f"\n{licences}"
    assert licences.count("Permission is hereby granted") == len(described["packages"])
    text = (folder / "codemirror.js").read_text(encoding="utf-8")

    assert "eval(" not in text
    assert "new Function" not in text
    assert len(gzip.compress(text.encode(), 9, mtime=0)) < 200 * 1024
