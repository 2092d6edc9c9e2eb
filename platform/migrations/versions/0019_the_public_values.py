"""Public values that go into the dice of tournaments, and the order that enters one."""

import re
from collections.abc import Callable

from alembic import op

from gangland_web.store.altering import replace_in_table

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

KIND = "randomness"
COLUMNS = ("randomness", "public_value", "public_value_at")


def upgrade() -> None:
    """Bring the tables up to this revision."""
    _kinds(lambda words: [*words, KIND])
    op.execute("ALTER TABLE tournaments ADD COLUMN randomness JSON")
    op.execute("ALTER TABLE tournaments ADD COLUMN public_value_at FLOAT")
    # A CHECK of its own would be one of the whole table, which SQLite cannot add; it stands with the column instead.
    op.execute(
        "ALTER TABLE tournaments ADD COLUMN public_value TEXT CONSTRAINT ck_tournaments_public_value"
        " CHECK (public_value IS NULL OR (randomness IS NOT NULL AND public_value_at IS NOT NULL))"
    )
    if op.get_bind().dialect.name == "sqlite":
        # On PostgreSQL every change of a tournament raises its revision; here the columns that pages show are named.
        differ = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in COLUMNS)
        op.execute(
            f"CREATE TRIGGER public_values_changed AFTER UPDATE OF {', '.join(COLUMNS)} ON tournaments"  # noqa: S608
            f" FOR EACH ROW WHEN {differ} BEGIN UPDATE tournaments SET revision = revision + 1 WHERE id = NEW.id; END"
        )


def downgrade() -> None:
    """Take it all away again.

    Raises:
        RuntimeError: a public value was announced, so that the dice of a tournament would be others.
    """
    connection = op.get_bind()
    told = "SELECT (SELECT count(*) FROM tournaments WHERE randomness IS NOT NULL)"
    told += " + (SELECT count(*) FROM directives WHERE kind = 'randomness')"
    if connection.exec_driver_sql(told).scalar_one():
        raise RuntimeError("a tournament has a public value that goes into its dice: restore a backup instead")
    if connection.dialect.name == "sqlite":
        op.execute("DROP TRIGGER public_values_changed")
    op.execute("ALTER TABLE tournaments DROP COLUMN public_value")
    op.execute("ALTER TABLE tournaments DROP COLUMN public_value_at")
    op.execute("ALTER TABLE tournaments DROP COLUMN randomness")
    _kinds(lambda words: [word for word in words if word != KIND])


def _kinds(change: Callable[[list[str]], list[str]]) -> None:
    """Change which kinds of orders there are; what is stored stays as it is."""
    connection = op.get_bind()
    on_sqlite = connection.dialect.name == "sqlite"
    wanted = (
        "SELECT sql FROM sqlite_schema WHERE name = 'directives' AND type = 'table'"
        if on_sqlite
        else "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'ck_directives_kind'"
    )
    sql = connection.exec_driver_sql(wanted).scalar_one()
    was = re.search(r"CONSTRAINT ck_directives_kind CHECK \(kind IN \([^)]*\)\)", sql) if on_sqlite else None
    words = change(re.findall("'([a-z]+)'", was[0] if was is not None else sql))
    check = f"CONSTRAINT ck_directives_kind CHECK (kind IN ({', '.join(map(repr, words))}))"
    if not on_sqlite:
        op.execute("ALTER TABLE directives DROP CONSTRAINT ck_directives_kind")
        op.execute(f"ALTER TABLE directives ADD {check}")
        return
    if was is None:
        raise RuntimeError("the table of directives has no CHECK of its kinds")
    replace_in_table(connection, "directives", {was[0]: check})
