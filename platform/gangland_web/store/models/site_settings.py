"""The table of the house's own facts."""

from typing import Any

from sqlmodel import Field

from gangland_web.store.columns import Table, json_column


class SiteFact(Table, table=True):
    """Something that all processes are to know, such as when the newest backup was taken; the newest of its name."""

    __tablename__ = "site_facts"

    name: str = Field(primary_key=True, max_length=32)
    value: dict[str, Any] = Field(sa_column=json_column())
    at: float
    """When it came to be so, in Unix seconds."""
