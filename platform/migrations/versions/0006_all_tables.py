"""Create all tables, as defined by the models, and the triggers that maintain counters, names and the audit log.

Until the first release, a change to a model also changes these tables.  Then `scripts/release.py --freeze` writes the
SQL statements into this file, so that later changes to models do not change what was released.

`matches_planned` and `matches_over` save pages from counting a million rows, and `revision` increases when anything on
a tournament's pages changes.  Triggers update these columns in the transaction of each change, so that no code can
forget to.
"""

from alembic import op
from sqlalchemy import MetaData

from gangland_web.models import metadata

revision = "0006"  # data folders of 0001 to 0005, which had other tables and were never released, are refused
down_revision = None
branch_labels = None
depends_on = None

NAMED = ("users", "user_id"), ("teams", "team_id")
REFUSED = "the audit log is append-only"
OVER = "('done', 'void')"
ENTRY_COLUMNS = ("active", "mu", "sigma", "rating", "games", "wins", "faults", "probation")
TOURNAMENT_COLUMNS = (
    *("kind", "game", "seats", "name", "options", "blocks", "limits", "commitment", "state", "organizer_id"),
    *("entry_rule", "house_bots", "browser_only", "tables", "opens_at", "freezes_at", "starts_at", "embargo_until"),
    *("reveals_at", "note", "announced_at", "finished_at", "revealed_at", "cursor", "roster_digest", "rounds"),
    *("settle_first", "settle_percent", "settle_blocks", "settle_round"),
    *("final_seats", "final_blocks", "has_premiere", "premiered", "premiered_at", "premiered_void"),
    *("randomness", "public_value", "public_value_at", "house_ranked", "closed_at"),
)
OTHER_COLUMNS = {"users": ("name",), "bots": ("name", "owner_id", "team_id", "is_house"), "versions": ("number",)}
"""Columns of other tables that tournaments' pages show; a change to one of them changes all these pages."""


def _changed(columns: tuple[str, ...], differ: str) -> str:
    return " OR ".join(f"OLD.{column} {differ} NEW.{column}" for column in columns)


def _sqlite() -> list[str]:
    """Return triggers that run for each row, because SQLite changes rows in place."""
    count = "UPDATE tournaments SET revision = revision + 1, matches_planned = matches_planned {planned}"
    count += ", matches_over = matches_over {over} WHERE id = {row}.tournament_id"
    bump = "UPDATE tournaments SET revision = revision + 1"
    shown = ", ".join(ENTRY_COLUMNS)
    added = count.format(planned="+ 1", over=f"+ (NEW.state IN {OVER})", row="NEW")
    removed = count.format(planned="- 1", over=f"- (OLD.state IN {OVER})", row="OLD")
    moved = count.format(planned="+ 0", over=f"+ (NEW.state IN {OVER}) - (OLD.state IN {OVER})", row="NEW")
    events = {
        "matches_added": ("INSERT ON matches", "", added),
        "matches_removed": ("DELETE ON matches", "", removed),
        "matches_moved": (
            "UPDATE OF state ON matches",
            f"WHEN OLD.state <> NEW.state AND (OLD.state IN {OVER} OR NEW.state IN {OVER})",
            moved,
        ),
        "entries_added": ("INSERT ON entries", "", f"{bump} WHERE id = NEW.tournament_id"),
        "entries_removed": ("DELETE ON entries", "", f"{bump} WHERE id = OLD.tournament_id"),
        "entries_changed": (
            f"UPDATE OF {shown} ON entries",
            f"WHEN {_changed(ENTRY_COLUMNS, 'IS NOT')}",
            f"{bump} WHERE id = NEW.tournament_id",
        ),
        "tournaments_changed": (
            f"UPDATE OF {', '.join(TOURNAMENT_COLUMNS)} ON tournaments",
            f"WHEN {_changed(TOURNAMENT_COLUMNS, 'IS NOT')}",
            f"{bump} WHERE id = NEW.id",
        ),
    }
    for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        events[f"seasons_{event.lower()}"] = f"{event} ON seasons", "", f"{bump} WHERE id = {row}.tournament_id"
    for table, columns in OTHER_COLUMNS.items():
        when = f"WHEN {_changed(columns, 'IS NOT')}"
        events[f"{table}_changed"] = (f"UPDATE OF {', '.join(columns)} ON {table}", when, bump)
    return [
        f"CREATE TRIGGER {name} AFTER {event} FOR EACH ROW {when} BEGIN {act}; END"
        for name, (event, when, act) in events.items()
    ]


def _postgresql() -> list[str]:
    """Return triggers that run for each statement, because each update of a row leaves a dead row in PostgreSQL.

    Every update of a tournament raises its revision, so a row that this transaction has written is not updated again.
    """
    sums = (
        "UPDATE tournaments t SET matches_planned = t.matches_planned + n.planned,"
        " matches_over = t.matches_over + n.over FROM ({counted}) n WHERE t.id = n.tournament_id; RETURN NULL;"
    )
    counted = (
        f"SELECT tournament_id, {{sign}}count(*) AS planned, {{sign}}count(*) FILTER (WHERE state IN {OVER}) AS over"
    )
    counted += " FROM {rows} GROUP BY tournament_id"
    was, now = f"b.state IN {OVER}", f"a.state IN {OVER}"
    moved = (
        f"SELECT a.tournament_id, 0 AS planned, sum(({now})::int - ({was})::int) AS over"  # noqa: S608 (only constants)
        f" FROM rows_after a JOIN rows_before b ON b.id = a.id"
        f" WHERE b.state <> a.state AND ({was} OR {now}) GROUP BY a.tournament_id"
    )
    touch = "UPDATE tournaments SET revision = revision WHERE id = {row}.tournament_id"
    touch += " AND xmin::text <> (pg_current_xact_id()::text::bigint % 4294967296)::text; RETURN NULL;"
    bodies = {
        "matches_were_added": sums.format(counted=counted.format(sign="", rows="rows_after")),
        "matches_were_removed": sums.format(counted=counted.format(sign="-", rows="rows_before")),
        "matches_were_moved": sums.format(counted=moved),
        "entries_were_changed": touch.format(row="NEW"),
        "entries_were_removed": touch.format(row="OLD"),
        "tournaments_are_changed": "NEW.revision = OLD.revision + 1; RETURN NEW;",
        "names_were_changed": "UPDATE tournaments SET revision = revision; RETURN NULL;",
    }
    made = [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
        for name, body in bodies.items()
    ]
    after, before = "NEW TABLE AS rows_after", "OLD TABLE AS rows_before"
    events = {
        "matches_added": f"AFTER INSERT ON matches REFERENCING {after} FOR EACH STATEMENT|matches_were_added",
        "matches_removed": f"AFTER DELETE ON matches REFERENCING {before} FOR EACH STATEMENT|matches_were_removed",
        "matches_moved": f"AFTER UPDATE ON matches REFERENCING {before} {after} FOR EACH STATEMENT|matches_were_moved",
        "entries_added": "AFTER INSERT ON entries FOR EACH ROW|entries_were_changed",
        "entries_removed": "AFTER DELETE ON entries FOR EACH ROW|entries_were_removed",
        "entries_changed": f"AFTER UPDATE OF {', '.join(ENTRY_COLUMNS)} ON entries FOR EACH ROW "
        f"WHEN ({_changed(ENTRY_COLUMNS, 'IS DISTINCT FROM')})|entries_were_changed",
        "seasons_changed": "AFTER INSERT OR UPDATE ON seasons FOR EACH ROW|entries_were_changed",
        "seasons_removed": "AFTER DELETE ON seasons FOR EACH ROW|entries_were_removed",
        "tournaments_changed": "BEFORE UPDATE ON tournaments FOR EACH ROW|tournaments_are_changed",
    }
    for table, columns in OTHER_COLUMNS.items():
        event = f"AFTER UPDATE OF {', '.join(columns)} ON {table} FOR EACH STATEMENT"
        events[f"{table}_changed"] = f"{event}|names_were_changed"
    for name, event in events.items():
        what, function = event.split("|")
        made.append(f"CREATE TRIGGER {name} {what} EXECUTE FUNCTION {function}()")
    return made


def _log(on_sqlite: bool) -> list[str]:
    if on_sqlite:
        return [
            f"CREATE TRIGGER audit_log_no_{act.lower()} BEFORE {act} ON audit_log "
            f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
            for act in ("UPDATE", "DELETE")
        ]
    refusal = f"$$ BEGIN RAISE EXCEPTION '{REFUSED}'; END $$"
    before = "BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT"
    return [
        f"CREATE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS {refusal}",
        f"CREATE TRIGGER audit_log_stays {before} EXECUTE FUNCTION audit_log_stays()",
    ]


def _names(on_sqlite: bool) -> list[str]:
    """Return triggers that copy the names of users and teams into one table, so that all these names are unique."""
    made = []
    for table, column in NAMED:
        added = f"INSERT INTO owner_names (name_key, {column}) VALUES (NEW.name_key, NEW.id)"  # noqa: S608 (only constants)
        changed = f"UPDATE owner_names SET name_key = NEW.name_key WHERE {column} = NEW.id"  # noqa: S608
        for what, event, act in (("added", "INSERT", added), ("changed", "UPDATE OF name_key", changed)):
            name = f"{table}_name_{what}"
            if on_sqlite:
                made.append(f"CREATE TRIGGER {name} AFTER {event} ON {table} BEGIN {act}; END")
            else:
                body = f"$$ BEGIN {act}; RETURN NULL; END $$"
                made.append(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS {body}")
                made.append(f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()")
    return made


def tables() -> MetaData:
    """Return a copy of the models' tables: creating tables on PostgreSQL marks constraints, which SQLite then omits."""
    copies = MetaData(naming_convention=metadata.naming_convention)
    for table in metadata.tables.values():
        table.to_metadata(copies)
    return copies


def triggers(*, on_sqlite: bool) -> list[str]:
    """Return the statements that create the triggers."""
    return [*(_sqlite() if on_sqlite else _postgresql()), *_log(on_sqlite), *_names(on_sqlite)]


def upgrade() -> None:
    """Create the tables and their triggers."""
    connection = op.get_bind()
    tables().create_all(connection, checkfirst=False)
    for statement in triggers(on_sqlite=connection.dialect.name == "sqlite"):
        op.execute(statement)


def downgrade() -> None:
    """Raise NotImplementedError: nothing precedes the first tables."""
    raise NotImplementedError("these are the first tables: drop the database instead")
