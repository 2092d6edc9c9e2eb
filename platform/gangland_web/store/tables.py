"""Every table of the platform in one place, for migrations and for tests."""

from sqlalchemy import MetaData

from gangland_web.store.columns import Table
from gangland_web.store.models import (  # noqa: F401  # each enters its tables where it is imported
    accounts,
    analyses,
    audits,
    bot_drafts,
    bots,
    channels,
    draft_runs,
    follows,
    hosts,
    idempotency,
    imports,
    mail,
    matches,
    moderation,
    oidc,
    organising,
    play_tables,
    records,
    seasons,
    site_settings,
    teams,
    tokens,
    tournaments,
)

metadata: MetaData = Table.metadata
