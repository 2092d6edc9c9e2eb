"""Every column of every list has a heading, a cell and a field, and files keep the columns that programs rely on.

A change of a file's columns is a change of `columns.json` on purpose.
"""

import json
import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import UnionType
from typing import Any, get_args, get_type_hints

import pytest

from gangland_web import queries, site
from gangland_web.queries import documentation
from gangland_web.queries.tables import Column, Kind, Model, Moment, Table, columns_of, model_from, table_of
from gangland_web.site import rendering

STORED = Path(__file__).with_name("columns.json")
MODULES = [
    import_module(f"{folder.__name__}.{each.name}")
    for folder in (queries, site)
    for each in iter_modules(folder.__path__)
]
LISTS = {id(each): each for module in MODULES for each in vars(module).values() if isinstance(each, Table)}.values()
CELLS = rendering.cells_by_name()


def read_off(row: Any, path: str) -> None:
    """Follow a path of attributes through the types; AttributeError if there is none."""
    for name in path.split("."):
        rows = [each for each in (get_args(row) if isinstance(row, UnionType) else (row,)) if each is not type(None)]
        known = getattr(rows[0], name, None)
        hints = get_type_hints(known.fget) if isinstance(known, property) else get_type_hints(rows[0])
        if name not in hints and not isinstance(known, property):
            raise AttributeError(f"{rows[0].__name__} has no {name}")
        row = hints.get(name, hints.get("return"))


@pytest.mark.parametrize("table", LISTS, ids=lambda table: table.name)
def test_every_column_of_every_list_has_a_heading_a_cell_and_a_field(table: Table) -> None:
    keys = [column.key for column in table.file_columns]
    assert len(set(keys)) == len(keys)
    for column in table.columns:
        assert column.heading, column
        assert column.key or not column.quiet, column
        if column.key or not column.cell:
            read_off(table.row, column.path)
        for name in re.findall(r"\brow\.(\w+)", CELLS[column.cell] if column.cell else ""):
            read_off(table.row, name)


def test_every_cell_is_of_a_list_and_a_forgotten_heading_cell_or_field_is_found() -> None:
    assert set(rendering._DEFAULT_CELLS) == set(Kind)
    assert set(CELLS) == {column.cell for table in LISTS for column in table.columns} - {""}
    for column in (Column("name", ""), Column("nick", "Nick"), Column("", "Name", cell="board_rank"), Column("", "No")):
        with pytest.raises((AssertionError, AttributeError, KeyError)):
            test_every_column_of_every_list_has_a_heading_a_cell_and_a_field(Table("a", Short, (column,)))


def test_every_list_has_the_columns_that_programs_rely_on() -> None:
    columns = {
        name: ", ".join(f"{each.key}: {each.kind.value}" for each in table.file_columns)
        for name, table in documentation.TABLES.items()
    }
    assert columns == json.loads(STORED.read_text(encoding="utf-8"))


class Short(Model):
    name: str
    at: Moment | None


class Long(Short):
    count: int


@dataclass
class Source:
    name: str
    at: float | None


def test_a_model_takes_members_from_its_source_and_rows_may_be_models_or_objects() -> None:
    source = Source("Ann", 0.0)
    short = model_from(Short, source)
    assert short == Short(name="Ann", at="1970-01-01T00:00:00Z")
    assert model_from(Long, short, count=3, name="Bob") == Long(name="Bob", at=short.at, count=3)
    assert model_from(Short, Source("Ann", None)).at is None
    with pytest.raises(AttributeError):
        model_from(Long, short)
    table = Table("a", Short, (Column("who", "Who", of="name"), Column("at", "When", Kind.MOMENT)))
    for row in (source, short):
        assert table.of([row, row]).file_rows == [{"who": "Ann", "at": "1970-01-01T00:00:00Z"}] * 2
    assert [column.kind for column in columns_of(Long)] == [Kind.TEXT, Kind.MOMENT, Kind.WHOLE]


def test_a_column_is_hidden_or_shown_on_phones_only_by_a_heading_that_exists() -> None:
    table = Table("a", Short, (Column("who", "Who", of="name"), Column("at", "When", Kind.MOMENT)))
    assert [column.key for column in table.of([]).page_columns(("When",))] == ["who"]
    with pytest.raises(ValueError, match="the table a has no Time"):
        table.of([]).page_columns(("Time",))
    with pytest.raises(ValueError, match="the table a has no Name"):
        table_of("a", Short, "", "", *table.columns, phone=("Name",))
