"""Rows: what they say of themselves."""

from typing import Any

from gangland_web.models.tournaments import ChannelItem

_VALUES: dict[str, Any] = {"channel": "ladders", "number": 2, "match_id": 3, "again": False, "why": "close"}


def test_a_row_shows_its_fields_in_one_order_whatever_the_order_it_was_read_in() -> None:
    row, other = ChannelItem(**_VALUES), ChannelItem(**_VALUES)
    values = dict(other.__dict__)
    other.__dict__.clear()
    other.__dict__.update(reversed(values.items()))
    assert list(row.__dict__) != list(other.__dict__)
    assert repr(row) == repr(other)
