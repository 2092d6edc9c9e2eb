"""The tables of the database by subject, with the states of their rows."""

from sqlalchemy import MetaData

# Importing these modules adds their tables to the metadata.
from gangland_web.models import accounts, bots, jobs, matches, organizing, site, tournaments  # noqa: F401
from gangland_web.models.columns import Table

metadata: MetaData = Table.metadata
