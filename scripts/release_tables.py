"""The tables of the first release: the first migration, with its statements written out.

Before the release, it creates the tables of the models.  `python scripts/release.py --freeze` stores the statements
that this executes on each kind of database, so that later changes to the models cannot change a released migration.
"""

import re
from pathlib import Path

from alembic.script import ScriptDirectory
from sqlalchemy import create_mock_engine
from sqlalchemy.schema import ExecutableDDLElement

from gangland_web.models.database import alembic_config

FIRST = Path("platform/migrations/versions/0006_all_tables.py")
URLS = {"SQLITE": "sqlite://", "POSTGRESQL": "postgresql+psycopg://"}
FROZEN = '''"""All tables, and the triggers that keep counters, names and the activity log, as they were first released.

Written by `scripts/release.py --freeze`.
"""
# ruff: noqa: E501 (statements as they are executed)

from alembic import op

revision = "0006"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables and their triggers."""
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    """Raise: there is no database before the first tables."""
    raise NotImplementedError("these are the first tables: drop the database instead")
'''


def is_frozen(root: Path) -> bool:
    """Return whether the first migration no longer depends on the models."""
    return "gangland_web.models" not in (root / FIRST).read_text(encoding="utf-8")


def freeze(root: Path) -> bool:
    """Write out the statements of the first migration; return False if that was already done."""
    if is_frozen(root):
        return False
    (root / FIRST).write_text(frozen_text(), encoding="utf-8")
    return True


def frozen_text() -> str:
    """Return the first migration with its statements."""
    return FROZEN + "".join(
        f"\n\n{kind} = (\n" + "".join(f'    """{_escaped(statement)}""",\n' for statement in _statements(url)) + ")\n"
        for kind, url in URLS.items()
    )


def _statements(url: str) -> list[str]:
    statements: list[str] = []

    def note(statement: ExecutableDDLElement, *_: object, **__: object) -> None:
        statements.append(str(statement.compile(dialect=engine.dialect)))

    # Named parameters: other styles double each % already here, and op.execute() doubles it again.
    engine = create_mock_engine(url, note, paramstyle="named")
    first = ScriptDirectory.from_config(alembic_config()).get_revision("0006").module
    first.tables().create_all(engine, checkfirst=False)
    return [*statements, *first.triggers(on_sqlite=engine.dialect.name == "sqlite")]


def _escaped(statement: str) -> str:
    """Escape a statement for triple quotes and for `op.execute()`, where a colon would begin a parameter."""
    plain = re.sub(r"[ \t]+$", "", statement.strip().expandtabs(8), flags=re.MULTILINE)
    return re.sub(r"(?<!:):(?=\w)", r"\:", plain).replace("\\", "\\\\").replace('"""', '\\"""')
