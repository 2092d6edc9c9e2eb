"""Checks of uploads: a purpose of matches of its own, planned before any trial."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

CHECKS = {
    "purpose": (
        "purpose IN ('trial', 'challenge', 'tournament', 'ladder', 'audit')",
        "purpose IN ('check', 'trial', 'challenge', 'tournament', 'ladder', 'audit')",
    ),
    "number_from_one": (
        "(number >= 1) = (purpose <> 'audit')",
        "(number >= 1) = (purpose NOT IN ('check', 'audit'))",
    ),
    "trial_version": (
        "(purpose = 'trial') = (trial_version_id IS NOT NULL)",
        "(purpose IN ('check', 'trial')) = (trial_version_id IS NOT NULL)",
    ),
}
"""CHECKs of matches, before and after."""


def upgrade() -> None:
    """Bring the tables up to this revision."""
    _checks(CHECKS)


def downgrade() -> None:
    """Take it away again, and the checks that were made; a version that waits for one is checked in its trial."""
    op.execute("DELETE FROM match_seats WHERE match_id IN (SELECT id FROM matches WHERE purpose = 'check')")
    op.execute("DELETE FROM matches WHERE purpose = 'check'")
    _checks({name: (new, old) for name, (old, new) in CHECKS.items()})


def _checks(changes: dict[str, tuple[str, str]]) -> None:
    """Change CHECKs of matches; what is stored stays as it is."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        for name, (_, new) in changes.items():
            op.execute(f"ALTER TABLE matches DROP CONSTRAINT ck_matches_{name}")
            op.execute(f"ALTER TABLE matches ADD CONSTRAINT ck_matches_{name} CHECK ({new})")
        return
    sql = connection.exec_driver_sql("SELECT sql FROM sqlite_schema WHERE name = 'matches'").scalar_one()
    for name, (old, new) in changes.items():
        was = f"CONSTRAINT ck_matches_{name} CHECK ({old})"
        if was not in sql:
            raise RuntimeError(f"the table of matches has no {was}")
        sql = sql.replace(was, f"CONSTRAINT ck_matches_{name} CHECK ({new})")
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    connection.exec_driver_sql("UPDATE sqlite_schema SET sql = ? WHERE name = 'matches' AND type = 'table'", (sql,))
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = OFF")
