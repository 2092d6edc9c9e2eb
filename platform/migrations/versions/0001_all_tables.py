"""All tables, and the triggers that keep counters, names and the activity log.

`matches_planned` and `matches_over` save pages from counting a million rows, `revision` tells them whether anything
that they show has changed.  Triggers keep them, in whatever transaction changes what they count, so that no writer,
now or later, can forget to.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NAMED = ("users", "user_id"), ("teams", "team_id")
REFUSED = "the audit log is only ever added to"
OVER = "('done', 'void')"
SHOWN_OF_ENTRIES = ("active", "mu", "sigma", "rating", "games", "wins", "faults", "probation")
SHOWN_OF_TOURNAMENTS = (
    *("kind", "game", "seats", "name", "options", "blocks", "limits", "commitment", "state", "organiser_id"),
    *("entry_rule", "house_bots", "browser_only", "tables", "opens_at", "freezes_at", "starts_at", "embargo_until"),
    *("reveals_at", "note", "announced_at", "finished_at", "revealed_at", "cursor", "roster_digest", "rounds"),
    *("settle_first", "settle_percent", "settle_blocks", "settle_round"),
    *("final_seats", "final_blocks", "has_premiere", "premiered", "premiered_at"),
    *("randomness", "public_value", "public_value_at"),
)
SHOWN_OF_OTHERS = {"users": ("name",), "bots": ("name", "owner_id", "team_id", "is_house"), "versions": ("number",)}
"""What pages of tournaments show that lies elsewhere; a change of it is a change of all of them."""


def _changed(columns: tuple[str, ...], differ: str) -> str:
    return " OR ".join(f"OLD.{column} {differ} NEW.{column}" for column in columns)


def _sqlite() -> list[str]:
    """One row at a time: a row of SQLite is changed in place."""
    count = "UPDATE tournaments SET revision = revision + 1, matches_planned = matches_planned {planned}"
    count += ", matches_over = matches_over {over} WHERE id = {row}.tournament_id"
    bump = "UPDATE tournaments SET revision = revision + 1"
    shown = ", ".join(SHOWN_OF_ENTRIES)
    added = count.format(planned="+ 1", over=f"+ (NEW.state IN {OVER})", row="NEW")
    removed = count.format(planned="- 1", over=f"- (OLD.state IN {OVER})", row="OLD")
    moved = count.format(planned="+ 0", over=f"+ (NEW.state IN {OVER}) - (OLD.state IN {OVER})", row="NEW")
    happens = {
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
            f"WHEN {_changed(SHOWN_OF_ENTRIES, 'IS NOT')}",
            f"{bump} WHERE id = NEW.tournament_id",
        ),
        "tournaments_changed": (
            f"UPDATE OF {', '.join(SHOWN_OF_TOURNAMENTS)} ON tournaments",
            f"WHEN {_changed(SHOWN_OF_TOURNAMENTS, 'IS NOT')}",
            f"{bump} WHERE id = NEW.id",
        ),
    }
    for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        happens[f"seasons_{event.lower()}"] = f"{event} ON seasons", "", f"{bump} WHERE id = {row}.tournament_id"
    for table, columns in SHOWN_OF_OTHERS.items():
        when = f"WHEN {_changed(columns, 'IS NOT')}"
        happens[f"{table}_changed"] = (f"UPDATE OF {', '.join(columns)} ON {table}", when, bump)
    return [
        f"CREATE TRIGGER {name} AFTER {event} FOR EACH ROW {when} BEGIN {act}; END"
        for name, (event, when, act) in happens.items()
    ]


def _postgresql() -> list[str]:
    """One statement at a time: each change of a row leaves a dead one behind until its transaction is over.

    Whatever updates a tournament raises its revision, so a row that this transaction has written needs no more.
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
        f"SELECT a.tournament_id, 0 AS planned, sum(({now})::int - ({was})::int) AS over"  # noqa: S608 (our own words)
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
    happens = {
        "matches_added": f"AFTER INSERT ON matches REFERENCING {after} FOR EACH STATEMENT|matches_were_added",
        "matches_removed": f"AFTER DELETE ON matches REFERENCING {before} FOR EACH STATEMENT|matches_were_removed",
        "matches_moved": f"AFTER UPDATE ON matches REFERENCING {before} {after} FOR EACH STATEMENT|matches_were_moved",
        "entries_added": "AFTER INSERT ON entries FOR EACH ROW|entries_were_changed",
        "entries_removed": "AFTER DELETE ON entries FOR EACH ROW|entries_were_removed",
        "entries_changed": f"AFTER UPDATE OF {', '.join(SHOWN_OF_ENTRIES)} ON entries FOR EACH ROW "
        f"WHEN ({_changed(SHOWN_OF_ENTRIES, 'IS DISTINCT FROM')})|entries_were_changed",
        "seasons_changed": "AFTER INSERT OR UPDATE ON seasons FOR EACH ROW|entries_were_changed",
        "seasons_removed": "AFTER DELETE ON seasons FOR EACH ROW|entries_were_removed",
        "tournaments_changed": "BEFORE UPDATE ON tournaments FOR EACH ROW|tournaments_are_changed",
    }
    for table, columns in SHOWN_OF_OTHERS.items():
        event = f"AFTER UPDATE OF {', '.join(columns)} ON {table} FOR EACH STATEMENT"
        happens[f"{table}_changed"] = f"{event}|names_were_changed"
    for name, event in happens.items():
        what, function = event.split("|")
        made.append(f"CREATE TRIGGER {name} {what} EXECUTE FUNCTION {function}()")
    return made


def _log_sqlite() -> list[str]:
    return [
        f"CREATE TRIGGER audit_log_no_{act.lower()} BEFORE {act} ON audit_log "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
        for act in ("UPDATE", "DELETE")
    ]


def _log_postgresql() -> list[str]:
    stays = f"$$ BEGIN RAISE EXCEPTION '{REFUSED}'; END $$"
    before = "BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT"
    return [
        f"CREATE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS {stays}",
        f"CREATE TRIGGER audit_log_stays {before} EXECUTE FUNCTION audit_log_stays()",
    ]


def _names() -> list[str]:
    """Names of people and teams are unique together: each change of one is kept in a table of all."""
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    made = []
    for table, column in NAMED:
        added = f"INSERT INTO owner_names (name_key, {column}) VALUES (NEW.name_key, NEW.id)"  # noqa: S608 (names of ours)
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


def upgrade() -> None:
    """Make the tables and their triggers."""
    _tables()
    if op.get_bind().dialect.name == "sqlite":  # which has made the reference of bots to versions in the table itself
        triggers = [*_sqlite(), *_log_sqlite()]
    else:
        op.create_foreign_key("fk_bots_active_version_id_versions", "bots", "versions", ["active_version_id"], ["id"])
        triggers = [*_postgresql(), *_log_postgresql()]
    for statement in [*triggers, *_names()]:
        op.execute(statement)


def downgrade() -> None:
    """Raise: there is no database before the first tables."""
    raise NotImplementedError("these are the first tables: drop the database instead")


def _tables() -> None:
    op.create_table(
        "codes",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=True),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.CheckConstraint("length(sha256) = 64", name=op.f("ck_codes_sha256_length")),
        sa.CheckConstraint("size >= 0", name=op.f("ck_codes_size_positive")),
        sa.CheckConstraint("source IS NOT NULL OR size = 0", name=op.f("ck_codes_source_known")),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_codes")),
    )
    op.create_table(
        "site_facts",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_site_facts")),
    )
    op.create_table(
        "setup_codes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("used_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_setup_codes")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_setup_codes_code_hash")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("name_key", sa.String(length=32), nullable=False),
        sa.Column("search_key", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.String(length=256), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("made_by", sa.Integer(), nullable=True),
        sa.Column("deleted_at", sa.Float(), nullable=True),
        sa.CheckConstraint("role IN ('author', 'organiser', 'admin')", name=op.f("ck_users_role")),
        sa.CheckConstraint("length(name) BETWEEN 2 AND 32", name=op.f("ck_users_name_length")),
        sa.ForeignKeyConstraint(["made_by"], ["users.id"], name=op.f("fk_users_made_by_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name_key", name=op.f("uq_users_name_key")),
    )
    op.create_table(
        "worker_hosts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("password_sha256", sa.String(length=64), nullable=False),
        sa.Column("slot_limit", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.Column("stopped_at", sa.Float(), nullable=True),
        sa.Column("stopped_for", sa.Text(), nullable=True),
        sa.Column("last_seen_at", sa.Float(), nullable=True),
        sa.Column("suspected_at", sa.Float(), nullable=True),
        sa.Column("doubted_from", sa.Float(), nullable=True),
        sa.Column("trusted_from", sa.Float(), nullable=True),
        sa.CheckConstraint("(stopped_at IS NULL) = (stopped_for IS NULL)", name=op.f("ck_worker_hosts_stopped")),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 32", name=op.f("ck_worker_hosts_name_length")),
        sa.CheckConstraint("length(password_sha256) = 64", name=op.f("ck_worker_hosts_password_sha256")),
        sa.CheckConstraint("slot_limit BETWEEN 1 AND 1000", name=op.f("ck_worker_hosts_slot_limit")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker_hosts")),
        sa.UniqueConstraint("name", name=op.f("uq_worker_hosts_name")),
    )
    op.create_table(
        "email_addresses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("address_key", sa.String(length=254), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("confirmed_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_email_addresses_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_addresses")),
    )
    op.create_index(
        "uq_email_addresses_waiting",
        "email_addresses",
        ["user_id"],
        unique=True,
        sqlite_where=sa.text("confirmed_at IS NULL"),
        postgresql_where=sa.text("confirmed_at IS NULL"),
    )
    op.create_index(
        "uq_email_addresses_confirmed",
        "email_addresses",
        ["address_key"],
        unique=True,
        sqlite_where=sa.text("confirmed_at IS NOT NULL"),
        postgresql_where=sa.text("confirmed_at IS NOT NULL"),
    )
    op.create_index(
        "uq_email_addresses_of",
        "email_addresses",
        ["user_id"],
        unique=True,
        sqlite_where=sa.text("confirmed_at IS NOT NULL"),
        postgresql_where=sa.text("confirmed_at IS NOT NULL"),
    )
    op.create_table(
        "email_codes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("address_key", sa.String(length=254), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.CheckConstraint("kind IN ('confirm', 'recover')", name=op.f("ck_email_codes_kind")),
        sa.CheckConstraint("length(code_hash) = 64", name=op.f("ck_email_codes_code_hash_length")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_email_codes_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_email_codes")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_email_codes_code_hash")),
    )
    op.create_index(op.f("ix_email_codes_user_id"), "email_codes", ["user_id"], unique=False)
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("organiser_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 60", name=op.f("ck_events_name_length")),
        sa.ForeignKeyConstraint(["organiser_id"], ["users.id"], name=op.f("fk_events_organiser_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
    )
    op.create_table(
        "identities",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("issuer", sa.String(length=255), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_identities_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identities")),
        sa.UniqueConstraint("issuer", "subject", name="uq_identities_issuer_subject"),
    )
    op.create_index(op.f("ix_identities_user_id"), "identities", ["user_id"], unique=False)
    op.create_table(
        "bot_drafts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("saved_at", sa.Float(), nullable=False),
        sa.Column("passed_at", sa.Float(), nullable=True),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 64", name=op.f("ck_bot_drafts_name_length")),
        sa.CheckConstraint("length(text) <= 262144", name=op.f("ck_bot_drafts_text_length")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_bot_drafts_version_from_one")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_bot_drafts_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot_drafts")),
        sa.UniqueConstraint("user_id", "game", "name", name=op.f("uq_bot_drafts_user_id_game_name")),
    )
    op.create_table(
        "stored_answers",
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint("length(fingerprint) = 64", name=op.f("ck_stored_answers_fingerprint_length")),
        sa.CheckConstraint("length(key) BETWEEN 1 AND 64", name=op.f("ck_stored_answers_key_length")),
        sa.CheckConstraint("status BETWEEN 200 AND 499", name=op.f("ck_stored_answers_status")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_stored_answers_owner_id_users")),
        sa.PrimaryKeyConstraint("owner_id", "key", name=op.f("pk_stored_answers")),
    )
    op.create_table(
        "mails",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("address", sa.String(length=254), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("next_at", sa.Float(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('confirm', 'recover', 'password', 'address')", name=op.f("ck_mails_kind")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_mails_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mails")),
    )
    op.create_index("ix_mails_next_at", "mails", ["next_at"], unique=False)
    op.create_index(op.f("ix_mails_user_id"), "mails", ["user_id"], unique=False)
    op.create_table(
        "password_codes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("made_by", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("used_at", sa.Float(), nullable=True),
        sa.CheckConstraint("length(code_hash) = 64", name=op.f("ck_password_codes_code_hash_length")),
        sa.ForeignKeyConstraint(["made_by"], ["users.id"], name=op.f("fk_password_codes_made_by_users")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_password_codes_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_password_codes")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_password_codes_code_hash")),
    )
    op.create_index("ix_password_codes_user_id", "password_codes", ["user_id"], unique=False)
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("begun_at", sa.Float(), nullable=False),
        sa.Column("last_seen_at", sa.Float(), nullable=False),
        sa.Column("proven_at", sa.Float(), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("agent", sa.String(length=160), nullable=False),
        sa.CheckConstraint("length(key_hash) = 64", name=op.f("ck_sign_ins_key_hash_length")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sign_ins_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_ins")),
        sa.UniqueConstraint("key_hash", name=op.f("uq_sign_ins_key_hash")),
    )
    op.create_index(op.f("ix_sign_ins_user_id"), "sign_ins", ["user_id"], unique=False)
    op.create_table(
        "teams",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("name_key", sa.String(length=32), nullable=False),
        sa.Column("search_key", sa.Text(), nullable=False),
        sa.Column("captain_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("deleted_at", sa.Float(), nullable=True),
        sa.CheckConstraint("length(name) BETWEEN 2 AND 32", name=op.f("ck_teams_name_length")),
        sa.ForeignKeyConstraint(["captain_id"], ["users.id"], name=op.f("fk_teams_captain_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
        sa.UniqueConstraint("name_key", name=op.f("uq_teams_name_key")),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("can_read", sa.Boolean(), nullable=False),
        sa.Column("can_upload", sa.Boolean(), nullable=False),
        sa.Column("can_write", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("can_organise", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("last_used_at", sa.Float(), nullable=True),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "NOT can_organise OR expires_at <= created_at + 604800", name=op.f("ck_tokens_organise_days")
        ),
        sa.CheckConstraint("can_read OR can_upload OR can_write OR can_organise", name=op.f("ck_tokens_some_scope")),
        sa.CheckConstraint(
            "expires_at BETWEEN created_at + 86400 AND created_at + 31536000", name=op.f("ck_tokens_days")
        ),
        sa.CheckConstraint("last_used_at IS NULL OR last_used_at < expires_at", name=op.f("ck_tokens_used_while_good")),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 64", name=op.f("ck_tokens_name_length")),
        sa.CheckConstraint("length(secret_hash) = 64", name=op.f("ck_tokens_secret_hash_length")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_tokens_owner_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_tokens_secret_hash")),
    )
    op.create_index(op.f("ix_tokens_owner_id"), "tokens", ["owner_id"], unique=False)
    op.create_table(
        "invitations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("places", sa.Integer(), nullable=False),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.CheckConstraint("length(code_hash) = 64", name=op.f("ck_invitations_code_hash_length")),
        sa.CheckConstraint("places >= 1 AND taken BETWEEN 0 AND places", name=op.f("ck_invitations_places")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_invitations_team_id_teams")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_invitations_code_hash")),
    )
    op.create_index(op.f("ix_invitations_team_id"), "invitations", ["team_id"], unique=False)
    op.create_table(
        "memberships",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("joined_at", sa.Float(), nullable=False),
        sa.Column("left_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_memberships_team_id_teams")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_memberships_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memberships")),
    )
    op.create_index(op.f("ix_memberships_team_id"), "memberships", ["team_id"], unique=False)
    op.create_index(op.f("ix_memberships_user_id"), "memberships", ["user_id"], unique=False)
    op.create_index(
        "uq_memberships_one_team",
        "memberships",
        ["user_id"],
        unique=True,
        sqlite_where=sa.text("left_at IS NULL"),
        postgresql_where=sa.text("left_at IS NULL"),
    )
    op.create_table(
        "owner_names",
        sa.Column("name_key", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("team_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("(user_id IS NULL) <> (team_id IS NULL)", name=op.f("ck_owner_names_of_one")),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_owner_names_team_id_teams"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_owner_names_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("name_key", name=op.f("pk_owner_names")),
        sa.UniqueConstraint("team_id", name=op.f("uq_owner_names_team_id")),
        sa.UniqueConstraint("user_id", name=op.f("uq_owner_names_user_id")),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("limits", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("organiser_id", sa.Integer(), nullable=True),
        sa.Column("entry_rule", sa.String(length=8), nullable=False),
        sa.Column("join_code_hash", sa.String(length=64), nullable=True),
        sa.Column("rehearsal_of", sa.Integer(), nullable=True),
        sa.Column("event_id", sa.Integer(), nullable=True),
        sa.Column("house_bots", sa.Boolean(), nullable=False),
        sa.Column("browser_only", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("audit_percent", sa.Integer(), nullable=True),
        sa.Column("tables", sa.Integer(), nullable=True),
        sa.Column("randomness", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("public_value", sa.Text(), nullable=True),
        sa.Column("public_value_at", sa.Float(), nullable=True),
        sa.Column("settle_first", sa.Integer(), nullable=True),
        sa.Column("settle_percent", sa.Integer(), nullable=True),
        sa.Column("settle_blocks", sa.Integer(), nullable=True),
        sa.Column("settle_round", sa.Integer(), nullable=True),
        sa.Column("final_seats", sa.Integer(), nullable=True),
        sa.Column("final_blocks", sa.Integer(), nullable=True),
        sa.Column("has_premiere", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("premiered", sa.Integer(), server_default="0", nullable=False),
        sa.Column("premiered_at", sa.Float(), nullable=True),
        sa.Column("opens_at", sa.Float(), nullable=True),
        sa.Column("freezes_at", sa.Float(), nullable=True),
        sa.Column("starts_at", sa.Float(), nullable=True),
        sa.Column("embargo_until", sa.Float(), nullable=True),
        sa.Column("reveals_at", sa.Float(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("announced_at", sa.Float(), nullable=True),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.Column("revealed_at", sa.Float(), nullable=True),
        sa.Column("cursor", sa.Integer(), nullable=False),
        sa.Column("roster_digest", sa.String(length=64), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("rounds_taken", sa.Integer(), nullable=False),
        sa.Column("period", sa.Integer(), server_default="0", nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("matches_planned", sa.Integer(), nullable=False),
        sa.Column("matches_over", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "(entry_rule = 'code') = (join_code_hash IS NOT NULL)", name=op.f("ck_tournaments_join_code")
        ),
        sa.CheckConstraint("(state = 'revealed') = (revealed_at IS NOT NULL)", name=op.f("ck_tournaments_revealed_at")),
        sa.CheckConstraint("entry_rule IN ('open', 'code')", name=op.f("ck_tournaments_entry_rule")),
        sa.CheckConstraint(
            "kind <> 'tournament' OR NOT (state IN ('frozen', 'playing', 'paused', 'finished', 'revealed'))"
            " OR announced_at IS NOT NULL",
            name=op.f("ck_tournaments_frozen_announced"),
        ),
        sa.CheckConstraint(
            "kind <> 'tournament' OR NOT (state IN ('frozen', 'playing', 'paused', 'finished', 'revealed'))"
            " OR length(roster_digest) = 64",
            name=op.f("ck_tournaments_frozen_roster"),
        ),
        sa.CheckConstraint("kind = 'tournament' OR state = 'playing'", name=op.f("ck_tournaments_standing_plays")),
        sa.CheckConstraint(
            "kind IN ('trials', 'ladder', 'challenges', 'tournament')", name=op.f("ck_tournaments_kind")
        ),
        sa.CheckConstraint(
            "state IN ('draft', 'announced', 'open', 'frozen', 'playing', 'paused', 'finished', 'revealed',"
            " 'cancelled')",
            name=op.f("ck_tournaments_state"),
        ),
        sa.CheckConstraint(
            "state NOT IN ('finished', 'revealed') OR finished_at IS NOT NULL", name=op.f("ck_tournaments_finished_at")
        ),
        sa.CheckConstraint(
            "audit_percent IS NULL OR audit_percent BETWEEN 0 AND 100", name=op.f("ck_tournaments_audit_percent")
        ),
        sa.CheckConstraint("blocks >= 1", name=op.f("ck_tournaments_blocks")),
        sa.CheckConstraint("cursor >= 1", name=op.f("ck_tournaments_cursor")),
        sa.CheckConstraint(
            "embargo_until IS NULL OR reveals_at IS NULL OR embargo_until <= reveals_at",
            name=op.f("ck_tournaments_embargo"),
        ),
        sa.CheckConstraint(
            "freezes_at IS NULL OR starts_at IS NULL OR freezes_at <= starts_at",
            name=op.f("ck_tournaments_freezes_first"),
        ),
        sa.CheckConstraint("length(commitment) = 64", name=op.f("ck_tournaments_commitment")),
        sa.CheckConstraint("matches_over BETWEEN 0 AND matches_planned", name=op.f("ck_tournaments_matches_over")),
        sa.CheckConstraint(
            "opens_at IS NULL OR freezes_at IS NULL OR opens_at <= freezes_at", name=op.f("ck_tournaments_opens_first")
        ),
        sa.CheckConstraint(
            "public_value IS NULL OR (randomness IS NOT NULL AND public_value_at IS NOT NULL)",
            name=op.f("ck_tournaments_public_value"),
        ),
        sa.CheckConstraint("rounds >= 0", name=op.f("ck_tournaments_rounds")),
        sa.CheckConstraint("seats BETWEEN 2 AND 4", name=op.f("ck_tournaments_seats")),
        sa.CheckConstraint(
            "settle_blocks IS NULL OR settle_blocks BETWEEN 1 AND 1000", name=op.f("ck_tournaments_settle_blocks")
        ),
        sa.CheckConstraint(
            "settle_first IS NULL OR settle_first BETWEEN 1 AND 10", name=op.f("ck_tournaments_settle_first")
        ),
        sa.CheckConstraint(
            "settle_percent IS NULL OR settle_percent BETWEEN 1 AND 20", name=op.f("ck_tournaments_settle_percent")
        ),
        sa.CheckConstraint("settle_round IS NULL OR settle_round >= 0", name=op.f("ck_tournaments_settle_round")),
        sa.CheckConstraint(
            "final_seats IS NULL OR final_seats BETWEEN 2 AND 4", name=op.f("ck_tournaments_final_seats")
        ),
        sa.CheckConstraint(
            "final_blocks IS NULL OR final_blocks BETWEEN 1 AND 60", name=op.f("ck_tournaments_final_blocks")
        ),
        sa.CheckConstraint("(final_seats IS NULL) = (final_blocks IS NULL)", name=op.f("ck_tournaments_final_table")),
        sa.CheckConstraint("final_seats IS NOT NULL OR NOT has_premiere", name=op.f("ck_tournaments_has_premiere")),
        sa.CheckConstraint("premiered >= 0", name=op.f("ck_tournaments_premiered")),
        sa.CheckConstraint("tables IS NULL OR tables >= 1", name=op.f("ck_tournaments_tables")),
        sa.ForeignKeyConstraint(["event_id"], ["events.id"], name=op.f("fk_tournaments_event_id_events")),
        sa.ForeignKeyConstraint(["organiser_id"], ["users.id"], name=op.f("fk_tournaments_organiser_id_users")),
        sa.ForeignKeyConstraint(
            ["rehearsal_of"], ["tournaments.id"], name=op.f("fk_tournaments_rehearsal_of_tournaments")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_index(op.f("ix_tournaments_event_id"), "tournaments", ["event_id"], unique=False)
    op.create_index("ix_tournaments_kind", "tournaments", ["kind", "state", "id"], unique=False)
    op.create_index(
        "uq_tournaments_standing",
        "tournaments",
        ["kind", "game", "seats"],
        unique=True,
        sqlite_where=sa.text("kind <> 'tournament'"),
        postgresql_where=sa.text("kind <> 'tournament'"),
    )
    op.create_table(
        "epochs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("committed_at", sa.Float(), nullable=False),
        sa.Column("revealed_at", sa.Float(), nullable=True),
        sa.CheckConstraint("length(commitment) = 64", name=op.f("ck_epochs_commitment")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_epochs_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_epochs")),
        sa.UniqueConstraint("tournament_id", "day", name=op.f("uq_epochs_tournament_id_day")),
    )
    op.create_table(
        "imports",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("header", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("standings", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("imported_at", sa.Float(), nullable=False),
        sa.CheckConstraint("length(sha256) = 64", name=op.f("ck_imports_sha256")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_imports_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_imports")),
        sa.UniqueConstraint("sha256", name=op.f("uq_imports_sha256")),
    )
    op.create_table(
        "stored_standings",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_stored_standings_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_stored_standings")),
    )
    op.create_table(
        "ladder_rounds",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("placement", sa.Boolean(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.CheckConstraint("first >= 1 AND last >= first", name=op.f("ck_ladder_rounds_matches")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_ladder_rounds_number_from_one")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_ladder_rounds_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_ladder_rounds")),
    )
    op.create_table(
        "ladder_turns",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("spent_s", sa.Float(), nullable=False),
        sa.Column("match_cpu_s", sa.Float(), nullable=True),
        sa.CheckConstraint("match_cpu_s IS NULL OR match_cpu_s > 0", name=op.f("ck_ladder_turns_match_cpu_s")),
        sa.CheckConstraint("sent >= 0", name=op.f("ck_ladder_turns_sent")),
        sa.CheckConstraint("spent_s >= 0", name=op.f("ck_ladder_turns_spent_s")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_ladder_turns_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_ladder_turns")),
    )
    op.create_table(
        "bots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=True),
        sa.Column("team_id", sa.Integer(), nullable=True),
        sa.Column("owner_group", sa.String(length=16), nullable=True),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("name_key", sa.String(length=64), nullable=False),
        sa.Column("search_key", sa.Text(), nullable=False),
        sa.Column("is_house", sa.Boolean(), nullable=False),
        sa.Column("import_id", sa.Integer(), nullable=True),
        sa.Column("foreign_owner", sa.String(length=80), nullable=True),
        sa.Column("active_version_id", sa.Integer(), nullable=True),
        sa.Column("plays_persons", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint("(import_id IS NULL) = (foreign_owner IS NULL)", name=op.f("ck_bots_foreign_owner")),
        sa.CheckConstraint(
            "(is_house OR import_id IS NOT NULL) = (owner_id IS NULL AND team_id IS NULL)",
            name=op.f("ck_bots_house_has_no_owner"),
        ),
        sa.CheckConstraint(
            "(owner_group IS NULL) = (owner_id IS NULL AND team_id IS NULL)", name=op.f("ck_bots_owner_group")
        ),
        sa.CheckConstraint("NOT is_house OR import_id IS NULL", name=op.f("ck_bots_imported_is_no_house_bot")),
        sa.CheckConstraint(
            "import_id IS NULL OR active_version_id IS NULL", name=op.f("ck_bots_imported_plays_no_more")
        ),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 64", name=op.f("ck_bots_name_length")),
        sa.CheckConstraint("owner_id IS NULL OR team_id IS NULL", name=op.f("ck_bots_one_owner")),
        sa.ForeignKeyConstraint(
            ["active_version_id"], ["versions.id"], name="fk_bots_active_version_id_versions", use_alter=True
        ),
        sa.ForeignKeyConstraint(["import_id"], ["imports.tournament_id"], name=op.f("fk_bots_import_id_imports")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_bots_owner_id_users")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_bots_team_id_teams")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("game", "name_key", name=op.f("uq_bots_game_name_key")),
    )
    op.create_index(op.f("ix_bots_owner_group"), "bots", ["owner_group"], unique=False)
    op.create_index(op.f("ix_bots_owner_id"), "bots", ["owner_id"], unique=False)
    op.create_index(op.f("ix_bots_team_id"), "bots", ["team_id"], unique=False)
    op.create_index(
        "uq_bots_one_active",
        "bots",
        ["owner_group", "game"],
        unique=True,
        sqlite_where=sa.text("active_version_id IS NOT NULL AND owner_group IS NOT NULL"),
        postgresql_where=sa.text("active_version_id IS NOT NULL AND owner_group IS NOT NULL"),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("entered_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_entrants_bot_id_bots")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_entrants_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "bot_id", name=op.f("pk_entrants")),
    )
    op.create_index("ix_entrants_bot_id", "entrants", ["bot_id"], unique=False)
    op.create_table(
        "versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("code_sha256", sa.String(length=64), nullable=False),
        sa.Column("filename", sa.String(length=128), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("note", sa.String(length=200), server_default="", nullable=False),
        sa.Column("in_browser", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("uploaded_by", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "state IN ('received', 'scanned', 'imported', 'legal', 'timed', 'trial', 'active', 'rejected', 'retired')",
            name=op.f("ck_versions_state"),
        ),
        sa.CheckConstraint("number >= 1", name=op.f("ck_versions_number_from_one")),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_versions_bot_id_bots")),
        sa.ForeignKeyConstraint(["code_sha256"], ["codes.sha256"], name=op.f("fk_versions_code_sha256_codes")),
        sa.ForeignKeyConstraint(["uploaded_by"], ["users.id"], name=op.f("fk_versions_uploaded_by_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("bot_id", "number", name=op.f("uq_versions_bot_id_number")),
    )
    op.create_index(op.f("ix_versions_code_sha256"), "versions", ["code_sha256"], unique=False)
    op.create_index("ix_versions_state", "versions", ["state", "id"], unique=False)
    op.create_index(
        "uq_versions_one_active",
        "versions",
        ["bot_id"],
        unique=True,
        sqlite_where=sa.text("state = 'active'"),
        postgresql_where=sa.text("state = 'active'"),
    )
    op.create_table(
        "entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("period", sa.Integer(), server_default="0", nullable=False),
        sa.Column("former_id", sa.Integer(), nullable=True),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("quarantined", sa.Boolean(), nullable=False),
        sa.Column("round_mu", sa.Float(), nullable=False),
        sa.Column("round_sigma", sa.Float(), nullable=False),
        sa.Column("round_order", sa.Integer(), server_default="0", nullable=False),
        sa.Column("appearances", sa.Integer(), nullable=False),
        sa.Column("last_round", sa.Integer(), nullable=True),
        sa.Column("strikes", sa.Integer(), nullable=False),
        sa.Column("probation", sa.Boolean(), nullable=False),
        sa.Column("owner_group", sa.String(length=16), nullable=True),
        sa.Column("disqualified_at", sa.Float(), nullable=True),
        sa.Column("disqualified_for", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint("appearances >= 0 AND strikes BETWEEN 0 AND 6", name=op.f("ck_entries_conduct")),
        sa.CheckConstraint("games >= 0 AND wins >= 0 AND faults >= 0", name=op.f("ck_entries_counters")),
        sa.CheckConstraint("round_sigma > 0", name=op.f("ck_entries_round_sigma_positive")),
        sa.CheckConstraint("sigma > 0", name=op.f("ck_entries_sigma_positive")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_entries_tournament_id_tournaments")
        ),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_entries_version_id_versions")),
        sa.ForeignKeyConstraint(["former_id"], ["entries.id"], name=op.f("fk_entries_former_id_entries")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entries")),
        sa.UniqueConstraint(
            "tournament_id", "version_id", "period", name=op.f("uq_entries_tournament_id_version_id_period")
        ),
    )
    op.create_index("ix_entries_board", "entries", ["tournament_id", "active", "rating", "id"], unique=False)
    op.create_index(
        "ix_entries_quarantined",
        "entries",
        ["version_id"],
        unique=False,
        sqlite_where=sa.text("quarantined"),
        postgresql_where=sa.text("quarantined"),
    )
    op.create_index("ix_entries_version_id", "entries", ["version_id"], unique=False)
    op.create_table(
        "seasons",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("first_day", sa.Integer(), nullable=False),
        sa.Column("last_day", sa.Integer(), nullable=False),
        sa.Column("announced_at", sa.Float(), nullable=False),
        sa.Column("period", sa.Integer(), nullable=True),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.Column("fixed_at", sa.Float(), nullable=True),
        sa.CheckConstraint("first_day <= last_day", name=op.f("ck_seasons_days")),
        sa.CheckConstraint("fixed_at IS NULL OR ended_at IS NOT NULL", name=op.f("ck_seasons_fixed_at")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_seasons_number_from_one")),
        sa.CheckConstraint("period >= 1", name=op.f("ck_seasons_period")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_seasons_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seasons")),
        sa.UniqueConstraint("tournament_id", "number", name=op.f("uq_seasons_tournament_id_number")),
        sa.UniqueConstraint("tournament_id", "period", name=op.f("uq_seasons_tournament_id_period")),
    )
    op.create_table(
        "season_places",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=True),
        sa.Column("team_id", sa.Integer(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("mu", sa.Float(), nullable=True),
        sa.Column("sigma", sa.Float(), nullable=True),
        sa.Column("rating", sa.Float(), nullable=True),
        sa.Column("games", sa.Integer(), nullable=True),
        sa.Column("wins", sa.Integer(), nullable=True),
        sa.Column("faults", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "(rank IS NULL) = (mu IS NULL) AND (rank IS NULL) = (sigma IS NULL) AND (rank IS NULL) = (rating IS NULL)"
            " AND (rank IS NULL) = (games IS NULL) AND (rank IS NULL) = (wins IS NULL) AND (rank IS NULL) = (faults"
            " IS NULL)",
            name=op.f("ck_season_places_fixed"),
        ),
        sa.CheckConstraint("rank >= 1", name=op.f("ck_season_places_rank")),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_season_places_entry_id_entries")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_season_places_owner_id_users")),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_season_places_season_id_seasons")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_season_places_team_id_teams")),
        sa.PrimaryKeyConstraint("entry_id", name=op.f("pk_season_places")),
    )
    op.create_index("ix_season_places_season_id", "season_places", ["season_id", "rank"], unique=False)
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.String(length=16), nullable=False),
        sa.Column("trial_version_id", sa.Integer(), nullable=True),
        sa.Column("epoch_id", sa.Integer(), nullable=True),
        sa.Column("challenger_id", sa.Integer(), nullable=True),
        sa.Column("seed_digest", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("lease_token", sa.String(length=64), nullable=True),
        sa.Column("leased_at", sa.Float(), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("begun_at", sa.Float(), nullable=True),
        sa.Column("beat_at", sa.Float(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("void_reason", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("done_at", sa.Float(), nullable=True),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("trimmed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("host_id", sa.Integer(), nullable=True),
        sa.Column("audit_of", sa.Integer(), nullable=True),
        sa.Column("rating_order", sa.Integer(), nullable=True),
        sa.Column("is_final", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("cpu_s", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "(number >= 1) = (purpose NOT IN ('check', 'audit'))", name=op.f("ck_matches_number_from_one")
        ),
        sa.CheckConstraint("(purpose = 'audit') = (audit_of IS NOT NULL)", name=op.f("ck_matches_audit")),
        sa.CheckConstraint("purpose = 'tournament' OR NOT is_final", name=op.f("ck_matches_is_final")),
        sa.CheckConstraint("(purpose = 'challenge') = (challenger_id IS NOT NULL)", name=op.f("ck_matches_challenger")),
        sa.CheckConstraint("(purpose = 'ladder') = (epoch_id IS NOT NULL)", name=op.f("ck_matches_ladder_epoch")),
        sa.CheckConstraint(
            "(purpose IN ('check', 'trial')) = (trial_version_id IS NOT NULL)", name=op.f("ck_matches_trial_version")
        ),
        sa.CheckConstraint("(state = 'done') = (digest IS NOT NULL)", name=op.f("ck_matches_done_digest")),
        sa.CheckConstraint("(state = 'leased') = (lease_token IS NOT NULL)", name=op.f("ck_matches_leased_token")),
        sa.CheckConstraint("(state = 'leased') = (lease_until IS NOT NULL)", name=op.f("ck_matches_leased_until")),
        sa.CheckConstraint("(state = 'void') = (void_reason IS NOT NULL)", name=op.f("ck_matches_void_reason")),
        sa.CheckConstraint("(state IN ('done', 'void')) = (done_at IS NOT NULL)", name=op.f("ck_matches_done_at")),
        sa.CheckConstraint(
            "CASE WHEN rating_order IS NULL THEN purpose NOT IN ('tournament', 'ladder') OR is_final"
            " OR state IN ('scheduled', 'void') ELSE rating_order >= 1 AND purpose IN ('tournament', 'ladder')"
            " AND NOT is_final END",
            name=op.f("ck_matches_rating_order"),
        ),
        sa.CheckConstraint(
            "CASE state WHEN 'leased' THEN leased_at IS NOT NULL WHEN 'done' THEN TRUE ELSE leased_at IS NULL END",
            name=op.f("ck_matches_leased_at"),
        ),
        sa.CheckConstraint(
            "purpose IN ('check', 'trial', 'challenge', 'tournament', 'ladder', 'audit')",
            name=op.f("ck_matches_purpose"),
        ),
        sa.CheckConstraint("state = 'leased' OR begun_at IS NULL", name=op.f("ck_matches_begun_is_leased")),
        sa.CheckConstraint("state IN ('scheduled', 'leased', 'done', 'void')", name=op.f("ck_matches_state")),
        sa.CheckConstraint("(begun_at IS NULL) = (beat_at IS NULL)", name=op.f("ck_matches_begun_beats")),
        sa.CheckConstraint("attempt BETWEEN 0 AND 3", name=op.f("ck_matches_attempt")),
        sa.CheckConstraint("trimmed BETWEEN 0 AND 2", name=op.f("ck_matches_trimmed")),
        sa.ForeignKeyConstraint(["audit_of"], ["matches.id"], name=op.f("fk_matches_audit_of_matches")),
        sa.ForeignKeyConstraint(["challenger_id"], ["users.id"], name=op.f("fk_matches_challenger_id_users")),
        sa.ForeignKeyConstraint(["epoch_id"], ["epochs.id"], name=op.f("fk_matches_epoch_id_epochs")),
        sa.ForeignKeyConstraint(["host_id"], ["worker_hosts.id"], name=op.f("fk_matches_host_id_worker_hosts")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_matches_tournament_id_tournaments")
        ),
        sa.ForeignKeyConstraint(
            ["trial_version_id"], ["versions.id"], name=op.f("fk_matches_trial_version_id_versions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("tournament_id", "number", name=op.f("uq_matches_tournament_id_number")),
    )
    op.create_index(
        "ix_matches_challenger",
        "matches",
        ["challenger_id", "created_at"],
        unique=False,
        sqlite_where=sa.text("challenger_id IS NOT NULL"),
        postgresql_where=sa.text("challenger_id IS NOT NULL"),
    )
    op.create_index("ix_matches_epoch", "matches", ["epoch_id", "state", "number"], unique=False)
    op.create_index("ix_matches_fold", "matches", ["tournament_id", "state", "rating_order", "id"], unique=False)
    op.create_index("ix_matches_host", "matches", ["host_id", "done_at"], unique=False)
    op.create_index(
        "ix_matches_progress",
        "matches",
        ["tournament_id", "done_at"],
        unique=False,
        sqlite_where=sa.text("purpose = 'tournament' AND done_at IS NOT NULL"),
        postgresql_where=sa.text("purpose = 'tournament' AND done_at IS NOT NULL"),
    )
    op.create_index(
        "ix_matches_over",
        "matches",
        ["purpose", "done_at", "id"],
        unique=False,
        sqlite_where=sa.text("state = 'done'"),
        postgresql_where=sa.text("state = 'done'"),
    )
    op.create_index("ix_matches_queue", "matches", ["state", "purpose", "id"], unique=False)
    op.create_index("ix_matches_sent", "matches", ["state", "purpose", "leased_at"], unique=False)
    op.create_index("ix_matches_trial_version_id", "matches", ["trial_version_id"], unique=False)
    op.create_index(
        "ix_matches_trimmed",
        "matches",
        ["trimmed", "done_at"],
        unique=False,
        sqlite_where=sa.text("state = 'done'"),
        postgresql_where=sa.text("state = 'done'"),
    )
    op.create_index(
        "uq_matches_final",
        "matches",
        ["tournament_id"],
        unique=True,
        sqlite_where=sa.text("is_final"),
        postgresql_where=sa.text("is_final"),
    )
    op.create_index("uq_matches_rating_order", "matches", ["tournament_id", "rating_order"], unique=True)
    op.create_table(
        "version_steps",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("ok", sa.Boolean(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "state IN ('received', 'scanned', 'imported', 'legal', 'timed', 'trial', 'active', 'rejected', 'retired')",
            name=op.f("ck_version_steps_state"),
        ),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_version_steps_version_id_versions")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_version_steps")),
        sa.UniqueConstraint("version_id", "state", name=op.f("uq_version_steps_version_id_state")),
    )
    op.create_table(
        "audits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("lapsed_for", sa.Text(), nullable=False),
        sa.Column("host_id", sa.Integer(), nullable=True),
        sa.Column("second_id", sa.Integer(), nullable=True),
        sa.Column("second_host_id", sa.Integer(), nullable=True),
        sa.Column("third_id", sa.Integer(), nullable=True),
        sa.Column("third_host_id", sa.Integer(), nullable=True),
        sa.Column("games_compared", sa.Integer(), nullable=False),
        sa.Column("games_left_out", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float(), nullable=True),
        sa.CheckConstraint("(state = 'lapsed') = (lapsed_for <> '')", name=op.f("ck_audits_lapsed_for")),
        sa.CheckConstraint("(state = 'open') = (ended_at IS NULL)", name=op.f("ck_audits_ended_at")),
        sa.CheckConstraint("state IN ('open', 'agreed', 'differed', 'lapsed')", name=op.f("ck_audits_state")),
        sa.CheckConstraint("games_compared >= 0 AND games_left_out >= 0", name=op.f("ck_audits_games")),
        sa.CheckConstraint("length(digest) = 64", name=op.f("ck_audits_digest")),
        sa.ForeignKeyConstraint(["host_id"], ["worker_hosts.id"], name=op.f("fk_audits_host_id_worker_hosts")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_audits_match_id_matches")),
        sa.ForeignKeyConstraint(
            ["second_host_id"], ["worker_hosts.id"], name=op.f("fk_audits_second_host_id_worker_hosts")
        ),
        sa.ForeignKeyConstraint(["second_id"], ["matches.id"], name=op.f("fk_audits_second_id_matches")),
        sa.ForeignKeyConstraint(
            ["third_host_id"], ["worker_hosts.id"], name=op.f("fk_audits_third_host_id_worker_hosts")
        ),
        sa.ForeignKeyConstraint(["third_id"], ["matches.id"], name=op.f("fk_audits_third_id_matches")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audits")),
    )
    op.create_index(op.f("ix_audits_host_id"), "audits", ["host_id"], unique=False)
    op.create_index(op.f("ix_audits_match_id"), "audits", ["match_id"], unique=False)
    op.create_index("ix_audits_state", "audits", ["state", "id"], unique=False)
    op.create_index(
        "uq_audits_one_open",
        "audits",
        ["match_id"],
        unique=True,
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_table(
        "directives",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("entry_id", sa.Integer(), nullable=True),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("ordered_by", sa.Integer(), nullable=False),
        sa.Column("ordered_at", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("done_at", sa.Float(), nullable=True),
        sa.Column("before", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("(state = 'waiting') = (done_at IS NULL)", name=op.f("ck_directives_done_at")),
        sa.CheckConstraint(
            "kind IN ('move', 'deadline', 'rerun', 'void', 'disqualify', 'randomness')", name=op.f("ck_directives_kind")
        ),
        sa.CheckConstraint("state IN ('waiting', 'done', 'refused')", name=op.f("ck_directives_state")),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_directives_entry_id_entries")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_directives_match_id_matches")),
        sa.ForeignKeyConstraint(["ordered_by"], ["users.id"], name=op.f("fk_directives_ordered_by_users")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_directives_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_directives")),
    )
    op.create_index("ix_directives_tournament", "directives", ["tournament_id", "id"], unique=False)
    op.create_index(
        "ix_directives_waiting",
        "directives",
        ["id"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("replay", sa.Text(), nullable=False),
        sa.Column("views", sa.String(length=64), nullable=False),
        sa.Column("seating", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("places", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("luck", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("leads", sa.Integer(), nullable=True),
        sa.Column("faults", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("logs", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("block >= 0 AND rotation >= 0", name=op.f("ck_games_coordinates")),
        sa.CheckConstraint("length(views) = 64", name=op.f("ck_games_views")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_games_match_id_matches")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("match_id", "block", "rotation", name=op.f("uq_games_match_id_block_rotation")),
    )
    op.create_table(
        "imported_entries",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("start_mu", sa.Float(), nullable=False),
        sa.Column("start_sigma", sa.Float(), nullable=False),
        sa.CheckConstraint("number >= 0", name=op.f("ck_imported_entries_number")),
        sa.CheckConstraint("start_sigma > 0", name=op.f("ck_imported_entries_start_sigma")),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_imported_entries_entry_id_entries")),
        sa.PrimaryKeyConstraint("entry_id", name=op.f("pk_imported_entries")),
    )
    op.create_table(
        "match_seats",
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("mean_place_num", sa.Integer(), nullable=True),
        sa.Column("mean_place_den", sa.Integer(), nullable=True),
        sa.Column("luck", sa.Float(), nullable=True),
        sa.Column("adjusted", sa.Float(), nullable=True),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("think", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("mu_before", sa.Float(), nullable=True),
        sa.Column("sigma_before", sa.Float(), nullable=True),
        sa.Column("mu_after", sa.Float(), nullable=True),
        sa.Column("sigma_after", sa.Float(), nullable=True),
        sa.CheckConstraint("(luck IS NULL) = (adjusted IS NULL)", name=op.f("ck_match_seats_adjusted")),
        sa.CheckConstraint("(mean_place_num IS NULL) = (luck IS NULL)", name=op.f("ck_match_seats_luck")),
        sa.CheckConstraint(
            "(mean_place_num IS NULL) = (mean_place_den IS NULL)", name=op.f("ck_match_seats_mean_place")
        ),
        sa.CheckConstraint("(mu_before IS NULL) = (mu_after IS NULL)", name=op.f("ck_match_seats_mu_folded")),
        sa.CheckConstraint("(sigma_before IS NULL) = (sigma_after IS NULL)", name=op.f("ck_match_seats_sigma_folded")),
        sa.CheckConstraint("mean_place_den IS NULL OR mean_place_den > 0", name=op.f("ck_match_seats_mean_place_den")),
        sa.CheckConstraint("position BETWEEN 0 AND 3", name=op.f("ck_match_seats_position")),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_match_seats_entry_id_entries")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_match_seats_match_id_matches")),
        sa.PrimaryKeyConstraint("match_id", "position", name=op.f("pk_match_seats")),
        sa.UniqueConstraint("entry_id", "match_id", name=op.f("uq_match_seats_entry_id_match_id")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_match_seats_faults",
        "match_seats",
        ["entry_id", "match_id"],
        unique=False,
        sqlite_where=sa.text("faults > 0"),
        postgresql_where=sa.text("faults > 0"),
    )
    op.create_table(
        "audit_differences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("audit_id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("decision", sa.Integer(), nullable=True),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("blamed_id", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "(blamed_id IS NOT NULL) = (verdict IN ('recorded', 'again'))", name=op.f("ck_audit_differences_blamed")
        ),
        sa.CheckConstraint(
            "verdict IN ('open', 'bot', 'recorded', 'again', 'unclear')", name=op.f("ck_audit_differences_verdict")
        ),
        sa.CheckConstraint(
            "block >= 0 AND rotation >= 0 AND round >= 0", name=op.f("ck_audit_differences_coordinates")
        ),
        sa.ForeignKeyConstraint(["audit_id"], ["audits.id"], name=op.f("fk_audit_differences_audit_id_audits")),
        sa.ForeignKeyConstraint(
            ["blamed_id"], ["worker_hosts.id"], name=op.f("fk_audit_differences_blamed_id_worker_hosts")
        ),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_audit_differences_entry_id_entries")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_differences")),
        sa.UniqueConstraint("audit_id", "rotation", name=op.f("uq_audit_differences_audit_id_rotation")),
    )
    op.create_index(op.f("ix_audit_differences_blamed_id"), "audit_differences", ["blamed_id"], unique=False)
    op.create_index(op.f("ix_audit_differences_entry_id"), "audit_differences", ["entry_id"], unique=False)
    op.create_table(
        "audit_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("act", sa.String(length=64), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=True),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("details", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("directive_id", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["actor_id"], ["users.id"], name=op.f("fk_audit_log_actor_id_users")),
        sa.ForeignKeyConstraint(["directive_id"], ["directives.id"], name=op.f("fk_audit_log_directive_id_directives")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_audit_log_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_log")),
    )
    op.create_index("ix_audit_log_actor", "audit_log", ["actor_id", "id"], unique=False)
    op.create_index("ix_audit_log_tournament", "audit_log", ["tournament_id", "id"], unique=False)
    op.create_table(
        "analyses",
        sa.Column("game_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("requested_by", sa.String(length=16), nullable=False),
        sa.Column("requested_at", sa.Float(), nullable=False),
        sa.Column("lease_token", sa.String(length=64), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("begun_at", sa.Float(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failed_for", sa.Text(), nullable=True),
        sa.Column("done_at", sa.Float(), nullable=True),
        sa.Column("cpu_s", sa.Float(), nullable=True),
        sa.Column("version", sa.String(length=64), nullable=True),
        sa.Column("complete", sa.Boolean(), nullable=True),
        sa.Column("course", sa.LargeBinary(), nullable=True),
        sa.Column("figures", sa.LargeBinary(), nullable=True),
        sa.Column("continued", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("(state = 'failed') = (failed_for IS NOT NULL)", name=op.f("ck_analyses_failed_for")),
        sa.CheckConstraint("(state = 'leased') = (lease_token IS NOT NULL)", name=op.f("ck_analyses_leased_token")),
        sa.CheckConstraint("(state = 'leased') = (lease_until IS NOT NULL)", name=op.f("ck_analyses_leased_until")),
        sa.CheckConstraint("requested_by IN ('opened', 'sample')", name=op.f("ck_analyses_requested_by")),
        sa.CheckConstraint(
            "state <> 'done' OR (course IS NOT NULL AND figures IS NOT NULL AND done_at IS NOT NULL)",
            name=op.f("ck_analyses_done"),
        ),
        sa.CheckConstraint("state = 'leased' OR begun_at IS NULL", name=op.f("ck_analyses_begun_is_leased")),
        sa.CheckConstraint("state IN ('waiting', 'leased', 'done', 'failed')", name=op.f("ck_analyses_state")),
        sa.CheckConstraint(
            "course IS NULL OR (version IS NOT NULL AND complete IS NOT NULL)", name=op.f("ck_analyses_course")
        ),
        sa.CheckConstraint("attempt BETWEEN 0 AND 3", name=op.f("ck_analyses_attempt")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_analyses_game_id_games"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_analyses")),
    )
    op.create_index("ix_analyses_done", "analyses", ["requested_by", "done_at"], unique=False)
    op.create_index("ix_analyses_queue", "analyses", ["state", "requested_by", "requested_at", "game_id"], unique=False)
    op.create_table(
        "analysis_seats",
        sa.Column("game_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=True),
        sa.Column("good", sa.Integer(), nullable=True),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.Column("costs", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint("(decisions IS NULL) = (cost IS NULL)", name=op.f("ck_analysis_seats_cost")),
        sa.CheckConstraint("(decisions IS NULL) = (costs IS NULL)", name=op.f("ck_analysis_seats_costs")),
        sa.CheckConstraint("(decisions IS NULL) = (good IS NULL)", name=op.f("ck_analysis_seats_good")),
        sa.CheckConstraint("seat BETWEEN 0 AND 3", name=op.f("ck_analysis_seats_seat")),
        sa.CheckConstraint("seats BETWEEN 2 AND 4", name=op.f("ck_analysis_seats_seats")),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_analysis_seats_entry_id_entries")),
        sa.ForeignKeyConstraint(
            ["game_id"], ["analyses.game_id"], name=op.f("fk_analysis_seats_game_id_analyses"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_analysis_seats_version_id_versions")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_analysis_seats")),
    )
    op.create_index("ix_analysis_seats_entry", "analysis_seats", ["entry_id", "game_id"], unique=False)
    op.create_index("ix_analysis_seats_version", "analysis_seats", ["version_id", "seats", "game_id"], unique=False)
    op.create_table(
        "play_tables",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=True),
        sa.Column("visitor", sa.String(length=64), nullable=True),
        sa.Column("setup", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("limits", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("practice", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("opened_at", sa.Float(), nullable=False),
        sa.Column("active_at", sa.Float(), nullable=False),
        sa.Column("lease_token", sa.String(length=64), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("host_id", sa.Integer(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("differing", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("ended_for", sa.Text(), nullable=True),
        sa.Column("shared_at", sa.Float(), nullable=True),
        sa.Column("shared_name", sa.String(length=64), nullable=True),
        sa.CheckConstraint("(state = 'ended') = (ended_for IS NOT NULL)", name=op.f("ck_play_tables_ended_for")),
        sa.CheckConstraint("(state = 'leased') = (lease_token IS NOT NULL)", name=op.f("ck_play_tables_leased_token")),
        sa.CheckConstraint("(state = 'leased') = (lease_until IS NOT NULL)", name=op.f("ck_play_tables_leased_until")),
        sa.CheckConstraint("shared_at IS NULL OR state = 'over'", name=op.f("ck_play_tables_shared_is_over")),
        sa.CheckConstraint("state IN ('bots', 'leased', 'person', 'over', 'ended')", name=op.f("ck_play_tables_state")),
        sa.CheckConstraint("attempt BETWEEN 0 AND 3", name=op.f("ck_play_tables_attempt")),
        sa.CheckConstraint("owner_id IS NOT NULL OR visitor IS NOT NULL", name=op.f("ck_play_tables_somebodys")),
        sa.ForeignKeyConstraint(["host_id"], ["worker_hosts.id"], name=op.f("fk_play_tables_host_id_worker_hosts")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_play_tables_owner_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_play_tables")),
        sa.UniqueConstraint("token", name=op.f("uq_play_tables_token")),
    )
    op.create_index(
        "ix_play_tables_open",
        "play_tables",
        ["state", "active_at"],
        unique=False,
        sqlite_where=sa.text("state IN ('bots', 'leased', 'person')"),
        postgresql_where=sa.text("state IN ('bots', 'leased', 'person')"),
    )
    op.create_index(op.f("ix_play_tables_owner_id"), "play_tables", ["owner_id"], unique=False)
    op.create_index(op.f("ix_play_tables_visitor"), "play_tables", ["visitor"], unique=False)
    op.create_table(
        "play_rows",
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("record", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.CheckConstraint("number >= 0", name=op.f("ck_play_rows_number")),
        sa.ForeignKeyConstraint(
            ["table_id"], ["play_tables.id"], name=op.f("fk_play_rows_table_id_play_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_play_rows")),
    )
    op.create_table(
        "play_hints",
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint("(state = 'done') = (options IS NOT NULL)", name=op.f("ck_play_hints_done")),
        sa.CheckConstraint("(state = 'leased') = (lease_until IS NOT NULL)", name=op.f("ck_play_hints_leased_until")),
        sa.CheckConstraint("attempt BETWEEN 0 AND 3", name=op.f("ck_play_hints_attempt")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_play_hints_number")),
        sa.CheckConstraint("state IN ('waiting', 'leased', 'done', 'failed')", name=op.f("ck_play_hints_state")),
        sa.ForeignKeyConstraint(
            ["table_id"], ["play_tables.id"], name=op.f("fk_play_hints_table_id_play_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_play_hints")),
    )
    op.create_index(
        "ix_play_hints_open",
        "play_hints",
        ["state"],
        unique=False,
        sqlite_where=sa.text("state IN ('waiting', 'leased')"),
        postgresql_where=sa.text("state IN ('waiting', 'leased')"),
    )
    op.create_table(
        "channel_items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("channel", sa.String(length=48), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("rotation", sa.Integer(), nullable=False),
        sa.Column("again", sa.Boolean(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("starts_at", sa.Float(), nullable=False),
        sa.Column("ends_at", sa.Float(), nullable=False),
        sa.CheckConstraint("number >= 1", name=op.f("ck_channel_items_number_from_one")),
        sa.CheckConstraint("block >= 0 AND rotation >= 0", name=op.f("ck_channel_items_coordinates")),
        sa.CheckConstraint("ends_at > starts_at", name=op.f("ck_channel_items_ends_later")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_channel_items_match_id_matches")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_channel_items")),
        sa.UniqueConstraint("channel", "number", name=op.f("uq_channel_items_channel_number")),
    )
    op.create_index("ix_channel_items_match", "channel_items", ["match_id", "channel"], unique=False)
    op.create_table(
        "play_analyses",
        sa.Column("table_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("requested_at", sa.Float(), nullable=False),
        sa.Column("lease_token", sa.String(length=64), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("begun_at", sa.Float(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failed_for", sa.Text(), nullable=True),
        sa.Column("done_at", sa.Float(), nullable=True),
        sa.Column("cpu_s", sa.Float(), nullable=True),
        sa.Column("version", sa.String(length=64), nullable=True),
        sa.Column("complete", sa.Boolean(), nullable=True),
        sa.Column("course", sa.LargeBinary(), nullable=True),
        sa.Column("figures", sa.LargeBinary(), nullable=True),
        sa.Column("continued", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("(state = 'failed') = (failed_for IS NOT NULL)", name=op.f("ck_play_analyses_failed_for")),
        sa.CheckConstraint(
            "(state = 'leased') = (lease_token IS NOT NULL)", name=op.f("ck_play_analyses_leased_token")
        ),
        sa.CheckConstraint(
            "(state = 'leased') = (lease_until IS NOT NULL)", name=op.f("ck_play_analyses_leased_until")
        ),
        sa.CheckConstraint(
            "state <> 'done' OR (course IS NOT NULL AND figures IS NOT NULL AND done_at IS NOT NULL)",
            name=op.f("ck_play_analyses_done"),
        ),
        sa.CheckConstraint("state = 'leased' OR begun_at IS NULL", name=op.f("ck_play_analyses_begun_is_leased")),
        sa.CheckConstraint("state IN ('waiting', 'leased', 'done', 'failed')", name=op.f("ck_play_analyses_state")),
        sa.CheckConstraint(
            "course IS NULL OR (version IS NOT NULL AND complete IS NOT NULL)", name=op.f("ck_play_analyses_course")
        ),
        sa.CheckConstraint("attempt BETWEEN 0 AND 3", name=op.f("ck_play_analyses_attempt")),
        sa.ForeignKeyConstraint(
            ["table_id"], ["play_tables.id"], name=op.f("fk_play_analyses_table_id_play_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_play_analyses")),
    )
    op.create_index("ix_play_analyses_queue", "play_analyses", ["state", "requested_at", "table_id"], unique=False)
    op.create_table(
        "ladder_records",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("cursor", sa.Integer(), nullable=False),
        sa.Column("leader_id", sa.Integer(), nullable=True),
        sa.Column("leads_since", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["leader_id"], ["bots.id"], name=op.f("fk_ladder_records_leader_id_bots")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_ladder_records_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_ladder_records")),
    )
    op.create_table(
        "records",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.Column("block", sa.Integer(), nullable=True),
        sa.Column("rotation", sa.Integer(), nullable=True),
        sa.Column("about", sa.JSON(none_as_null=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('reign', 'upset', 'streak', 'longest', 'closest', 'luck')", name=op.f("ck_records_kind")
        ),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_records_bot_id_bots")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_records_match_id_matches")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_records_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_records")),
        sa.UniqueConstraint("tournament_id", "kind", "bot_id", name=op.f("uq_records_tournament_id_kind_bot_id")),
    )
    op.create_index(op.f("ix_records_bot_id"), "records", ["bot_id"], unique=False)
    op.create_table(
        "streaks",
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("blocks", sa.Integer(), nullable=False),
        sa.Column("first_match_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_streaks_entry_id_entries")),
        sa.ForeignKeyConstraint(["first_match_id"], ["matches.id"], name=op.f("fk_streaks_first_match_id_matches")),
        sa.PrimaryKeyConstraint("entry_id", name=op.f("pk_streaks")),
    )
    op.create_table(
        "follows",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("team_id", sa.Integer(), nullable=True),
        sa.Column("since", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "CASE WHEN bot_id IS NULL THEN 0 ELSE 1 END + CASE WHEN person_id IS NULL THEN 0 ELSE 1 END"
            " + CASE WHEN team_id IS NULL THEN 0 ELSE 1 END = 1",
            name=op.f("ck_follows_one"),
        ),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_follows_bot_id_bots")),
        sa.ForeignKeyConstraint(["person_id"], ["users.id"], name=op.f("fk_follows_person_id_users")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_follows_team_id_teams")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_follows_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_follows")),
        sa.UniqueConstraint("user_id", "bot_id", name=op.f("uq_follows_user_id_bot_id")),
        sa.UniqueConstraint("user_id", "person_id", name=op.f("uq_follows_user_id_person_id")),
        sa.UniqueConstraint("user_id", "team_id", name=op.f("uq_follows_user_id_team_id")),
    )
    op.create_index(op.f("ix_follows_bot_id"), "follows", ["bot_id"], unique=False)
    op.create_index(op.f("ix_follows_person_id"), "follows", ["person_id"], unique=False)
    op.create_table(
        "follow_marks",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("read_at", sa.Float(), nullable=False),
        sa.Column("ranks", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("feed_hash", sa.String(length=64), nullable=True),
        sa.CheckConstraint("length(feed_hash) = 64", name=op.f("ck_follow_marks_feed_hash_length")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_follow_marks_user_id_users")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_follow_marks")),
    )
    op.create_table(
        "draft_runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("draft_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("setup", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("limits", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("lease_token", sa.String(length=64), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("begun_at", sa.Float(), nullable=True),
        sa.Column("host_id", sa.Integer(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failed_for", sa.Text(), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("done_at", sa.Float(), nullable=True),
        sa.CheckConstraint("(state = 'done') = (result IS NOT NULL)", name=op.f("ck_draft_runs_result")),
        sa.CheckConstraint("(state = 'failed') = (failed_for IS NOT NULL)", name=op.f("ck_draft_runs_failed_for")),
        sa.CheckConstraint("(state = 'leased') = (lease_token IS NOT NULL)", name=op.f("ck_draft_runs_leased_token")),
        sa.CheckConstraint("(state = 'leased') = (lease_until IS NOT NULL)", name=op.f("ck_draft_runs_leased_until")),
        sa.CheckConstraint("state = 'leased' OR begun_at IS NULL", name=op.f("ck_draft_runs_begun_is_leased")),
        sa.CheckConstraint("state IN ('waiting', 'leased', 'done', 'failed')", name=op.f("ck_draft_runs_state")),
        sa.CheckConstraint("kind IN ('check', 'play', 'duel')", name=op.f("ck_draft_runs_kind")),
        sa.CheckConstraint("attempt BETWEEN 0 AND 3", name=op.f("ck_draft_runs_attempt")),
        sa.CheckConstraint("length(text) <= 262144", name=op.f("ck_draft_runs_text_length")),
        sa.ForeignKeyConstraint(
            ["draft_id"], ["bot_drafts.id"], name=op.f("fk_draft_runs_draft_id_bot_drafts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["host_id"], ["worker_hosts.id"], name=op.f("fk_draft_runs_host_id_worker_hosts")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_draft_runs_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft_runs")),
    )
    op.create_index(op.f("ix_draft_runs_draft_id"), "draft_runs", ["draft_id"], unique=False)
    op.create_index("ix_draft_runs_queue", "draft_runs", ["state", "id"], unique=False)
    op.create_index(op.f("ix_draft_runs_user_id"), "draft_runs", ["user_id"], unique=False)
    op.create_table(
        "draft_analyses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("requested_at", sa.Float(), nullable=False),
        sa.Column("lease_token", sa.String(length=64), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("begun_at", sa.Float(), nullable=True),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failed_for", sa.Text(), nullable=True),
        sa.Column("done_at", sa.Float(), nullable=True),
        sa.Column("cpu_s", sa.Float(), nullable=True),
        sa.Column("version", sa.String(length=64), nullable=True),
        sa.Column("complete", sa.Boolean(), nullable=True),
        sa.Column("course", sa.LargeBinary(), nullable=True),
        sa.Column("figures", sa.LargeBinary(), nullable=True),
        sa.Column("continued", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("(state = 'failed') = (failed_for IS NOT NULL)", name=op.f("ck_draft_analyses_failed_for")),
        sa.CheckConstraint(
            "(state = 'leased') = (lease_token IS NOT NULL)", name=op.f("ck_draft_analyses_leased_token")
        ),
        sa.CheckConstraint(
            "(state = 'leased') = (lease_until IS NOT NULL)", name=op.f("ck_draft_analyses_leased_until")
        ),
        sa.CheckConstraint(
            "state <> 'done' OR (course IS NOT NULL AND figures IS NOT NULL AND done_at IS NOT NULL)",
            name=op.f("ck_draft_analyses_done"),
        ),
        sa.CheckConstraint("state = 'leased' OR begun_at IS NULL", name=op.f("ck_draft_analyses_begun_is_leased")),
        sa.CheckConstraint("state IN ('waiting', 'leased', 'done', 'failed')", name=op.f("ck_draft_analyses_state")),
        sa.CheckConstraint(
            "course IS NULL OR (version IS NOT NULL AND complete IS NOT NULL)", name=op.f("ck_draft_analyses_course")
        ),
        sa.CheckConstraint("attempt BETWEEN 0 AND 3", name=op.f("ck_draft_analyses_attempt")),
        sa.CheckConstraint("number >= 0", name=op.f("ck_draft_analyses_number")),
        sa.ForeignKeyConstraint(
            ["run_id"], ["draft_runs.id"], name=op.f("fk_draft_analyses_run_id_draft_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft_analyses")),
        sa.UniqueConstraint("run_id", "number", name=op.f("uq_draft_analyses_run_id_number")),
    )
    op.create_index("ix_draft_analyses_queue", "draft_analyses", ["state", "requested_at", "id"], unique=False)
