"""Our ES modules, held against the types that their comments say (tsconfig.json)."""

import json
import re
import subprocess
from pathlib import Path
from shutil import which

from playwright._impl._driver import compute_driver_executable

FOLDERS = ("platform/gangland_web/site/static", "platform/gangland_ladder/viewer")


WRONG = """/** @param {number} n */
export const trimmed = n => n.trim();
export const same = n => n;
export const where = () => document.querySelector('a').href;
"""


def test_the_types_that_our_scripts_say_hold_and_a_script_whose_do_not_is_found(root: Path, tmp_path: Path) -> None:
    tsc = which("tsc")
    assert tsc, "tsc is missing: `make test-system` says how to install it (Debian: apt-get install node-typescript)"
    wrong = tmp_path / "wrong.js"
    wrong.write_text(WRONG, encoding="utf-8")
    theirs = json.loads((root / "tsconfig.json").read_text(encoding="utf-8"))
    include = [*(str(root / each) for each in theirs["include"]), str(wrong)]
    project = {"extends": str(root / "tsconfig.json"), "include": include}
    (tmp_path / "tsconfig.json").write_text(json.dumps(project), encoding="utf-8")
    node = compute_driver_executable()[0]  # the one that Playwright brings
    command = [node, str(Path(tsc).resolve()), "--pretty", "false", "--listFiles", "-p", str(tmp_path)]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()

    errors = [re.sub(r".*(wrong\.js.*?error TS\d+).*", r"\1", line) for line in output if "error TS" in line]
    assert errors == [
        f"wrong.js({at}): error {what}" for at, what in (("2,31", "TS2339"), ("3,21", "TS7006"), ("4,28", "TS2531"))
    ]
    scripts = {path for folder in FOLDERS for path in (root / folder).rglob("*.js")}
    ours = {path for path in scripts if path.parent.name != "codemirror"}  # bundled from packages, in JavaScript
    assert ours
    assert ours <= {Path(line) for line in output}
    assert not [path for path in ours if not path.read_text(encoding="utf-8").startswith("// @ts-check\n")]
