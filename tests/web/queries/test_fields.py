"""A model is filled from whatever has its members, and rows of tables are read alike."""

from dataclasses import dataclass

import pytest

from gangland_web.queries.tables import Column, Kind, Model, Moment, TableData, columns_of, model_from


class Short(Model):
    """A model with a time."""

    name: str
    at: Moment | None


class Long(Short):
    """A model with a member more."""

    count: int


@dataclass
class Source:
    name: str
    at: float | None


def test_a_model_takes_members_from_its_source_and_rows_of_a_table_may_be_models_objects_or_mappings() -> None:
    source = Source("Ann", 0.0)
    short = model_from(Short, source)
    assert short == Short(name="Ann", at="1970-01-01T00:00:00Z")
    assert model_from(Long, short, count=3, name="Bob") == Long(name="Bob", at=short.at, count=3)
    assert model_from(Short, Source("Ann", None)).at is None
    with pytest.raises(AttributeError):
        model_from(Long, short)
    columns = (Column("who", "Who", of="name"), Column("at", "When", Kind.MOMENT))
    for row in (source, short, {"name": "Ann", "at": 0.0}):
        table = TableData("a", "b", columns, [row, row])
        assert table.plain == [{"who": "Ann", "at": "1970-01-01T00:00:00Z"}] * 2
    assert [column.kind for column in columns_of(Long)] == [Kind.TEXT, Kind.MOMENT, Kind.WHOLE]
