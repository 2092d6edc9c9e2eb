"""The tables of the database by subject, with the states of their rows."""

from sqlalchemy import MetaData

from gangland_web.models import (  # noqa: F401  # each adds its tables to the metadata
    accounts,
    bots,
    jobs,
    matches,
    organizing,
    site,
    tournaments,
)
from gangland_web.models.columns import Table

metadata: MetaData = Table.metadata
