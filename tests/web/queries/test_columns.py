"""Tables that programs download keep their columns: a change of them is a change of `columns.json` on purpose."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gangland_web.queries import documented
from gangland_web.queries.tables import Column

STORED = Path(__file__).with_name("columns.json")


def tables(value: Any, name: str) -> Iterator[tuple[str, list[str]]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from tables(inner, f"{name} {key}")
    elif isinstance(value, list | tuple) and value and all(isinstance(each, Column) for each in value):
        yield name, [f"{each.key}: {each.kind.value}" for each in value]


def test_every_table_has_the_columns_that_programs_rely_on() -> None:
    columns = dict(row for name, value in sorted(vars(documented).items()) for row in tables(value, name))
    assert columns == json.loads(STORED.read_text(encoding="utf-8"))
