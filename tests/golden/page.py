"""The examples of docs/replays.md: a golden game, and what the commands print about it."""

import json
import re
import shlex
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.golden.cases import CASES, EXAMPLE

from gangland.replay import Replay
from gangland_ladder.cli import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "replays.md"
EXAMPLE_GAME = "gang-of-dice"
_JSON = re.compile(r"(^```json game\.json\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)
_CONSOLE = re.compile(r"(^```console\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)


def rewritten(page: str, replays: list[Replay]) -> str:
    names = [case.name for case in CASES[EXAMPLE_GAME]]
    example = replays[names.index(EXAMPLE)]
    page = _JSON.sub(lambda found: found[1] + readable(example) + found[3], page)
    with TemporaryDirectory() as folder, chdir(folder):
        Path("game.json").write_text(readable(example), encoding="utf-8")
        Path("match-7.ndjson").write_text(_many(replays), encoding="utf-8")
        return _CONSOLE.sub(lambda found: found[1] + _run_again(found[2]) + found[3], page)


def readable(replay: Replay) -> str:
    fields = [f'  "{name}": {json.dumps(value)}' for name, value in replay.to_dict().items()]
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _many(replays: list[Replay]) -> str:
    """Return three replays; in the second, the first two places are exchanged."""
    whole = [replay.to_dict() for replay in replays if replay.places[:2] in ((1, 2), (2, 1))][:3]
    first, second, *rest = whole[1]["places"]
    whole[1]["places"] = [second, first, *rest]
    return "".join(f"{json.dumps(each)}\n" for each in whole)


def _run_again(block: str) -> str:
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{command}\n{printed(*shlex.split(command[2:]))[0]}" for command in commands)


def printed(*command: str) -> tuple[str, int]:
    shown = StringIO()
    with patch.object(sys, "argv", list(command)), redirect_stdout(shown), redirect_stderr(shown):
        try:
            main()
        except SystemExit as end:
            return shown.getvalue(), int(end.code or 0)
    return shown.getvalue(), 0
