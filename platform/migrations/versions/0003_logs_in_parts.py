"""Logs of games in parts, each with its decision.

What was logged before was recorded as one text for a game: it becomes one part of no decision.
"""

import json
from typing import Any

import sqlalchemy as sa
import zstandard
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

BATCH = 500
GAMES = sa.table("games", sa.column("id", sa.Integer), sa.column("logs", sa.LargeBinary))


def upgrade() -> None:
    """Cut no text, but give each a part of its own."""
    _rewrite(lambda text: [[None, text]] if text else [])


def downgrade() -> None:
    """Put the parts together again."""
    _rewrite(lambda parts: "\n".join(text for _, text in parts))


def _rewrite(changed: Any) -> None:
    connection, at = op.get_bind(), 0
    wanted = sa.select(GAMES).where(GAMES.c.logs.is_not(None)).order_by(GAMES.c.id).limit(BATCH)
    while rows := connection.execute(wanted.where(GAMES.c.id > at)).all():
        at = rows[-1].id
        for row in rows:
            logs = json.loads(zstandard.decompress(row.logs))
            packed = zstandard.compress(json.dumps([changed(log) for log in logs]).encode())
            connection.execute(sa.update(GAMES).where(GAMES.c.id == row.id).values(logs=packed))
