"""What migrations share: changing a table that SQLite cannot alter, and CHECKs on both databases."""

from collections.abc import Mapping

from sqlalchemy import Connection


def table_sql(connection: Connection, table: str) -> str:
    """Return the text by which SQLite made a table."""
    wanted = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
    return str(connection.exec_driver_sql(wanted, (table,)).scalar_one())


def rewrite_table(connection: Connection, table: str, sql: str) -> None:
    """Put another text in place of that by which SQLite made a table (see its manual); rows stay as they are."""
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    connection.exec_driver_sql("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", (sql, table))
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema = OFF")


def replace_in_table(connection: Connection, table: str, changes: Mapping[str, str]) -> None:
    """Replace parts of the text by which SQLite made a table.

    Raises:
        RuntimeError: a part is not there, or more than once.
    """
    sql = table_sql(connection, table)
    for old, new in changes.items():
        if sql.count(old) != 1:
            raise RuntimeError(f"expected the table {table} to have once: {old}")
        sql = sql.replace(old, new)
    rewrite_table(connection, table, sql)


def change_checks(connection: Connection, table: str, checks: Mapping[str, tuple[str, str]]) -> None:
    """Change CHECKs of a table: by the name behind `ck_TABLE_`, what each says before and after; rows stay."""
    written = {
        f"CONSTRAINT ck_{table}_{name} CHECK ({old})": f"CONSTRAINT ck_{table}_{name} CHECK ({new})"
        for name, (old, new) in checks.items()
    }
    if connection.dialect.name == "sqlite":
        replace_in_table(connection, table, written)
        return
    for name, check in zip(checks, written.values(), strict=True):
        connection.exec_driver_sql(f"ALTER TABLE {table} DROP CONSTRAINT ck_{table}_{name}")
        connection.exec_driver_sql(f"ALTER TABLE {table} ADD {check}")
