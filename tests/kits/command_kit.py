"""Run the command line in this process, and check every document that it prints."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from jsonschema import Draft202012Validator

from gangland_ladder.cli import main, output, schemas


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        return parsed(self.out)


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schemas.schema(name))


def parsed(text: str | bytes) -> dict[str, Any]:
    """Return a printed document that is valid by the schema it names."""
    document: dict[str, Any] = json.loads(text)
    found = [f"{error.json_path}: {error.message}" for error in _validator(document["schema"]).iter_errors(document)]
    assert found == [], document["schema"]
    return document


def undated(text: str) -> dict[str, Any]:
    document = parsed(text)
    assert document.pop("seconds") >= 0
    return document


def run_main(run: Callable[[], object], *arguments: object, **env: str) -> Ran:
    out, err, code = StringIO(), StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", list(map(str, arguments)))
        patch.setattr(output, "PROGRAM", list(output.PROGRAM))  # `gangland admin` changes it
        for name, value in env.items():
            patch.setenv(name, value)
        try:
            run()
        except SystemExit as end:
            code = int(end.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())


def gangland(
    *arguments: object,
    folder: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: BinaryIO | None = None,
    first_s: float = 600.0,
) -> Ran:
    """Run `gangland` in this process; progress is shown after `first_s` seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output, "FIRST_DELAY_S", first_s)  # otherwise stderr would depend on the machine's speed
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO() if stdin is None else stdin))
        if folder is not None:
            patch.chdir(folder)
        return run_main(main, "gangland", *arguments, **(env or {}))


def apart(*arguments: object, folder: Path | None = None, env: Mapping[str, str] | None = None) -> Ran:
    """Run `gangland` as a separate process."""
    command = [sys.executable, "-m", "gangland_ladder.cli", *map(str, arguments)]
    more = {**os.environ, **(env or {})}
    done = subprocess.run(command, cwd=folder, env=more, capture_output=True, text=True, timeout=200, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)
