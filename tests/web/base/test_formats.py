"""How pages write numbers."""

import pytest

from gangland_web.base import formats, text


def test_what_rounds_to_zero_has_no_sign() -> None:
    assert [formats.number(-0.04, 1), formats.number(-0.004), formats.signed(-0.004)] == ["0.0", "0.00", "0.00"]
    assert [formats.number(-1.25, 1), formats.signed(-1.25)] == ["\N{MINUS SIGN}1.2", "\N{MINUS SIGN}1.25"]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("G\u0430ngland", "Gangland", True), ("GANGL\u0410ND", "gangland", True), ("GangIand", "Gangland", True),
        ("gang1and", "Gangland", True), ("\u0412\u041e\u0412", "BOB", True), ("\u0412ob", "bob", True),
        ("\u0391nn", "Ann", True), ("\u0441\u043e\u0441\u0430", "coca", True), ("Bu\u0455t3r", "Bust3r", True),
        ("Arnold", "Amold", True), ("\uff27angland", "Gangland", True), ("Ann\u2024", "Ann.", True),
        ("\U0001d406angland", "Gangland", True), ("Ian", "Lan", False), ("M\u00fcller", "Muller", False),
        ("\u0418\u0432\u0430\u043d", "Ivan", False), ("Ann 2", "Ann 3", False), ("\u674e", "\u738b", False),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0646\u0645\u06cc", False),
    ],
)  # fmt: skip
def test_names_look_alike_by_the_shape_of_their_letters(one: str, other: str, alike: bool) -> None:
    assert (text.look_key(one) == text.look_key(other)) is alike
