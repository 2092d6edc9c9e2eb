"""How pages write numbers."""

from gangland_web.base.formats import number, signed


def test_what_rounds_to_zero_has_no_sign() -> None:
    assert [number(-0.04, 1), number(-0.004), signed(-0.004)] == ["0.0", "0.00", "0.00"]
    assert [number(-1.25, 1), signed(-1.25)] == ["\N{MINUS SIGN}1.2", "\N{MINUS SIGN}1.25"]
