"""Output that cannot show or take what a command prints ends no command in a traceback."""

import json
import os
import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import TextIO

import pytest

from gangland_ladder.cli import main

ODD = "Zoë 𝄞 \udcff"


def ended(monkeypatch: pytest.MonkeyPatch, out: TextIO | None, err: TextIO | None, *arguments: str) -> int:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "argv", ["gangland", *arguments])
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        try:
            main()
        except SystemExit as end:
            return int(end.code or 0)
        finally:
            for given, stream in ((out, sys.stdout), (err, sys.stderr)):
                if given is None:
                    stream.close()
    return 0


def test_characters_that_an_output_lacks_are_escaped_and_json_stays_json(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / ODD
    folder.mkdir()
    (folder / "gangland.toml").write_text("seats = 3\n")
    monkeypatch.chdir(folder)
    plain, document = (TextIOWrapper(BytesIO(), "ascii") for _ in range(2))

    assert ended(monkeypatch, plain, StringIO(), "config", "--show-origin") == 0
    assert ended(monkeypatch, document, StringIO(), "config", "--json") == 0
    assert b"/Zo\\u00eb \\ud834\\udd1e " in plain.buffer.getvalue()
    assert json.loads(document.buffer.getvalue())["project_file"] == str(folder / "gangland.toml")


@pytest.mark.parametrize("arguments", [("--help",), ("explain", "--help"), ("explain", "E203"), ("config", "--json")])
@pytest.mark.parametrize("buffering", [-1, 1])
def test_a_full_output_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], buffering: int
) -> None:
    said = StringIO()
    with open("/dev/full", "w", buffering, encoding="utf-8") as full:
        code = ended(monkeypatch, full, said, *arguments)

    assert (code, said.getvalue()) == (2, "gangland: cannot write the output: No space left on device\n")


def test_an_output_that_is_closed_or_full_beside_the_results_changes_no_exit_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = StringIO()
    with open("/dev/full", "w", encoding="utf-8") as full:
        assert ended(monkeypatch, out, full, "explain", "E999") == 2
    assert ended(monkeypatch, None, None, "explain", "E203") == 0
    read, write = os.pipe()
    os.close(read)
    with open(write, "w", encoding="utf-8") as nobody_reads:
        assert ended(monkeypatch, nobody_reads, out, "explain", "E203") == 1
    assert out.getvalue() == ""
