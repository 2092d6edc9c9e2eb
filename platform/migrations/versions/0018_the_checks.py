"""Checks of uploads: a purpose of matches of its own, planned before any trial."""

from alembic import op

from gangland_web.store.altering import change_checks

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
    change_checks(op.get_bind(), "matches", CHECKS)


def downgrade() -> None:
    """Take it away again, and the checks that were made; a version that waits for one is checked in its trial."""
    op.execute("DELETE FROM match_seats WHERE match_id IN (SELECT id FROM matches WHERE purpose = 'check')")
    op.execute("DELETE FROM matches WHERE purpose = 'check'")
    change_checks(op.get_bind(), "matches", {name: (new, old) for name, (old, new) in CHECKS.items()})
