"""Numbers as people read them; a byte order mark, which some editors write first, is no part of a file."""

from codecs import BOM_UTF8
from io import BytesIO
from pathlib import Path

import pytest
from tests.golden.store import FOLDER
from tests.kits import archive_kit, command_kit

from gangland.replay import load
from gangland_ladder.cli import replay_files, settings
from gangland_ladder.common.texts import format_number
from gangland_ladder.proof import archive_files, result_forms
from gangland_web.settings import read_setting

RESULT = '{"number": 1, "seats": [{"entry": 1, "mean_place": "1"}, {"entry": 2, "mean_place": "2"}]}\n'


def marked(file: Path, text: bytes | str) -> Path:
    file.write_bytes(BOM_UTF8 + (text.encode() if isinstance(text, str) else text))
    return file


def test_a_byte_order_mark_is_no_part_of_a_replay(tmp_path: Path) -> None:
    replay = (FOLDER / "gang-of-dice.ndjson").read_text(encoding="utf-8").splitlines()[0]
    file = marked(tmp_path / "replay.json", replay)
    assert command_kit.gangland("verify", file).code == 0
    assert command_kit.gangland("verify", "-", stdin=BytesIO(file.read_bytes())).code == 0
    assert len(replay_files.entries_of(file.read_bytes(), 9)) == 1
    assert load(file.read_bytes()) == load(file.read_text(encoding="utf-8")) == load(replay)


def test_a_byte_order_mark_is_no_part_of_settings_results_and_secrets(tmp_path: Path) -> None:
    marked(tmp_path / "gangland.toml", "seats = 3\n")
    secret = marked(tmp_path / "secret", "word\n")
    assert settings.read({}, tmp_path).value("seats") == 3
    assert [line.number for _, line in result_forms.lines_of([BOM_UTF8 + RESULT.encode()])] == [1]
    assert read_setting({"SECRET_KEY_FILE": str(secret)}, "SECRET_KEY") == "word"


def test_a_byte_order_mark_is_no_part_of_an_archive(tmp_path: Path) -> None:
    plain, before = tmp_path / "plain.tar", archive_kit.packed(archive_kit.content())
    plain.write_bytes(before)
    file = marked(tmp_path / "cup", before)
    archive, damages = archive_files.open_archive(file)
    assert replay_files.is_archive(file)
    assert (damages, archive.sha256) == ([], archive_files.open_archive(plain)[0].sha256)
    assert list(archive.matches()) == list(archive_files.open_archive(plain)[0].matches())


@pytest.mark.parametrize(
    ("value", "form", "result"),
    [
        (-0.04, ".1f", "0.0"), (-0.04, ".2f", "\N{MINUS SIGN}0.04"), (-0.004, "+.2f", "0.00"),
        (0.004, "+.2f", "0.00"), (2.5, "+.2f", "+2.50"), (-0.4, ".0f", "0"), (12, ".0f", "12"),
    ],
)  # fmt: skip
def test_a_number_has_a_true_minus_and_zero_none(value: float, form: str, result: str) -> None:
    assert format_number(value, form) == result
