"""Our ES modules, held against the types that their comments say (tsconfig.json)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from shutil import which

from playwright._impl._driver import compute_driver_executable

FOLDERS = ("platform/gangland_web/site/static", "platform/gangland_ladder/viewer")


def checked(project: Path, *given: str) -> str:
    """Return what TypeScript's checker says of a project, run with the Node that Playwright brings."""
    found = which("tsc")
    assert found, "tsc is missing: `make test-system` says how to install it (Debian: apt-get install node-typescript)"
    command = [
        compute_driver_executable()[0],
        str(Path(found).resolve()),
        "--pretty",
        "false",
        "-p",
        str(project),
        *given,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def test_the_types_that_our_scripts_say_hold(root: Path) -> None:
    output = checked(root / "tsconfig.json", "--listFiles").splitlines()
    assert not [line for line in output if "error TS" in line]
    scripts = {path for folder in FOLDERS for path in (root / folder).rglob("*.js")}
    ours = {path for path in scripts if path.parent.name != "codemirror"}  # bundled from packages, in JavaScript
    assert ours
    assert ours <= {Path(line) for line in output}
    assert not [path for path in ours if not path.read_text(encoding="utf-8").startswith("// @ts-check\n")]


def test_a_script_whose_types_do_not_hold_is_found_out(root: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.js").write_text(
        "/** @param {number} n */\nexport const trimmed = n => n.trim();\n"
        "export const same = n => n;\n"
        "export const where = () => document.querySelector('a').href;\n",
        encoding="utf-8",
    )
    project = {"extends": str(root / "tsconfig.json"), "include": ["*.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(project), encoding="utf-8")
    output = checked(tmp_path / "tsconfig.json")
    assert [error in output for error in ("(2,31): error TS2339", "(3,21): error TS7006", "(4,28): error TS2531")] == [
        True
    ] * 3, output
