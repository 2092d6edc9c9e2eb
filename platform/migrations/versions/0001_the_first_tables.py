"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


ACTIVE_VERSION = "fk_bots_active_version_id_versions"


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _inline_active_version() -> list[sa.ForeignKeyConstraint]:
    """The bots' reference to a later table: SQLite takes it now and only now, PostgreSQL only later."""
    reference = sa.ForeignKeyConstraint(["active_version_id"], ["versions.id"], name=ACTIVE_VERSION)
    return [reference] if _is_sqlite() else []


def upgrade() -> None:
    """Bring the tables up to this revision."""
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
        sa.Column("password_hash", sa.String(length=256), nullable=False),
        sa.Column("is_admin", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("session_epoch", sa.Integer(), nullable=False),
        sa.CheckConstraint("length(name) BETWEEN 2 AND 32", name=op.f("ck_users_name_length")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name_key", name=op.f("uq_users_name_key")),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("can_read", sa.Boolean(), nullable=False),
        sa.Column("can_upload", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=False),
        sa.Column("last_used_at", sa.Float(), nullable=True),
        sa.Column("revoked_at", sa.Float(), nullable=True),
        sa.CheckConstraint("can_read OR can_upload", name=op.f("ck_tokens_some_scope")),
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
        "kept_answers",
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint("length(fingerprint) = 64", name=op.f("ck_kept_answers_fingerprint_length")),
        sa.CheckConstraint("length(key) BETWEEN 1 AND 64", name=op.f("ck_kept_answers_key_length")),
        sa.CheckConstraint("status BETWEEN 200 AND 499", name=op.f("ck_kept_answers_status")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_kept_answers_owner_id_users")),
        sa.PrimaryKeyConstraint("owner_id", "key", name=op.f("pk_kept_answers")),
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
        sa.Column("house_bots", sa.Boolean(), nullable=False),
        sa.Column("tables_asked", sa.Integer(), nullable=True),
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
            "kind <> 'tournament' OR NOT (state IN ('frozen', 'playing', 'paused', 'finished', "
            "'revealed')) OR announced_at IS NOT NULL",
            name=op.f("ck_tournaments_frozen_announced"),
        ),
        sa.CheckConstraint(
            "kind <> 'tournament' OR NOT (state IN ('frozen', 'playing', 'paused', 'finished', "
            "'revealed')) OR length(roster_digest) = 64",
            name=op.f("ck_tournaments_frozen_roster"),
        ),
        sa.CheckConstraint("kind = 'tournament' OR state = 'playing'", name=op.f("ck_tournaments_standing_plays")),
        sa.CheckConstraint(
            "kind IN ('trials', 'ladder', 'challenges', 'tournament')", name=op.f("ck_tournaments_kind")
        ),
        sa.CheckConstraint(
            "state IN ('draft', 'announced', 'open', 'frozen', 'playing', 'paused', 'finished', "
            "'revealed', 'cancelled')",
            name=op.f("ck_tournaments_state"),
        ),
        sa.CheckConstraint(
            "state NOT IN ('finished', 'revealed') OR finished_at IS NOT NULL", name=op.f("ck_tournaments_finished_at")
        ),
        sa.CheckConstraint("blocks >= 1", name=op.f("ck_tournaments_blocks")),
        sa.CheckConstraint("cursor >= 1", name=op.f("ck_tournaments_cursor")),
        sa.CheckConstraint("matches_over BETWEEN 0 AND matches_planned", name=op.f("ck_tournaments_matches_over")),
        sa.CheckConstraint(
            "embargo_until IS NULL OR reveals_at IS NULL OR embargo_until <= reveals_at",
            name=op.f("ck_tournaments_embargo"),
        ),
        sa.CheckConstraint(
            "freezes_at IS NULL OR starts_at IS NULL OR freezes_at <= starts_at",
            name=op.f("ck_tournaments_freezes_first"),
        ),
        sa.CheckConstraint("length(commitment) = 64", name=op.f("ck_tournaments_commitment")),
        sa.CheckConstraint(
            "opens_at IS NULL OR freezes_at IS NULL OR opens_at <= freezes_at", name=op.f("ck_tournaments_opens_first")
        ),
        sa.CheckConstraint("rounds >= 0", name=op.f("ck_tournaments_rounds")),
        sa.CheckConstraint("seats BETWEEN 2 AND 4", name=op.f("ck_tournaments_seats")),
        sa.CheckConstraint("tables_asked IS NULL OR tables_asked >= 1", name=op.f("ck_tournaments_tables_asked")),
        sa.ForeignKeyConstraint(["organiser_id"], ["users.id"], name=op.f("fk_tournaments_organiser_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
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
        "bots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=True),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("name_key", sa.String(length=64), nullable=False),
        sa.Column("is_house", sa.Boolean(), nullable=False),
        sa.Column("import_id", sa.Integer(), nullable=True),
        sa.Column("foreign_owner", sa.String(length=80), nullable=True),
        sa.Column("active_version_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "(is_house OR import_id IS NOT NULL) = (owner_id IS NULL)", name=op.f("ck_bots_house_has_no_owner")
        ),
        sa.CheckConstraint("NOT is_house OR import_id IS NULL", name=op.f("ck_bots_imported_is_no_house_bot")),
        sa.CheckConstraint("(import_id IS NULL) = (foreign_owner IS NULL)", name=op.f("ck_bots_foreign_owner")),
        sa.CheckConstraint(
            "import_id IS NULL OR active_version_id IS NULL", name=op.f("ck_bots_imported_plays_no_more")
        ),
        sa.CheckConstraint("length(name) BETWEEN 1 AND 64", name=op.f("ck_bots_name_length")),
        *_inline_active_version(),
        sa.ForeignKeyConstraint(["import_id"], ["imports.tournament_id"], name=op.f("fk_bots_import_id_imports")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_bots_owner_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("game", "name_key", name=op.f("uq_bots_game_name_key")),
    )
    op.create_index("ix_bots_owner_id", "bots", ["owner_id"], unique=False)
    op.create_index(
        "uq_bots_one_active",
        "bots",
        ["owner_id", "game"],
        unique=True,
        sqlite_where=sa.text("active_version_id IS NOT NULL AND owner_id IS NOT NULL"),
        postgresql_where=sa.text("active_version_id IS NOT NULL AND owner_id IS NOT NULL"),
    )
    op.create_table(
        "versions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("bot_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("code_sha256", sa.String(length=64), nullable=False),
        sa.Column("filename", sa.String(length=128), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint(
            "state IN ('received', 'scanned', 'imported', 'legal', 'timed', 'trial', 'active', 'rejected', 'retired')",
            name=op.f("ck_versions_state"),
        ),
        sa.CheckConstraint("number >= 1", name=op.f("ck_versions_number_from_one")),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_versions_bot_id_bots")),
        sa.ForeignKeyConstraint(["code_sha256"], ["codes.sha256"], name=op.f("fk_versions_code_sha256_codes")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("bot_id", "number", name=op.f("uq_versions_bot_id_number")),
    )
    op.create_index("ix_versions_code_sha256", "versions", ["code_sha256"], unique=False)
    op.create_index("ix_versions_state", "versions", ["state", "id"], unique=False)
    op.create_index(
        "uq_versions_one_active",
        "versions",
        ["bot_id"],
        unique=True,
        sqlite_where=sa.text("state = 'active'"),
        postgresql_where=sa.text("state = 'active'"),
    )
    if not _is_sqlite():
        op.create_foreign_key(ACTIVE_VERSION, "bots", "versions", ["active_version_id"], ["id"])
    op.create_table(
        "entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("version_id", sa.Integer(), nullable=False),
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
        sa.Column("appearances", sa.Integer(), nullable=False),
        sa.Column("last_round", sa.Integer(), nullable=True),
        sa.Column("strikes", sa.Integer(), nullable=False),
        sa.Column("probation", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.CheckConstraint("appearances >= 0 AND strikes BETWEEN 0 AND 6", name=op.f("ck_entries_conduct")),
        sa.CheckConstraint("games >= 0 AND wins >= 0 AND faults >= 0", name=op.f("ck_entries_counters")),
        sa.CheckConstraint("round_sigma > 0", name=op.f("ck_entries_round_sigma_positive")),
        sa.CheckConstraint("sigma > 0", name=op.f("ck_entries_sigma_positive")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_entries_tournament_id_tournaments")
        ),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_entries_version_id_versions")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entries")),
        sa.UniqueConstraint("tournament_id", "version_id", name=op.f("uq_entries_tournament_id_version_id")),
    )
    op.create_index("ix_entries_board", "entries", ["tournament_id", "active", "rating", "id"], unique=False)
    op.create_index("ix_entries_version_id", "entries", ["version_id"], unique=False)
    op.create_index(
        "ix_entries_quarantined",
        "entries",
        ["version_id"],
        unique=False,
        sqlite_where=sa.text("quarantined"),
        postgresql_where=sa.text("quarantined"),
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
        "kept_standings",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("body", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_kept_standings_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_kept_standings")),
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
        sa.CheckConstraint("(purpose = 'challenge') = (challenger_id IS NOT NULL)", name=op.f("ck_matches_challenger")),
        sa.CheckConstraint("(purpose = 'ladder') = (epoch_id IS NOT NULL)", name=op.f("ck_matches_ladder_epoch")),
        sa.CheckConstraint(
            "(purpose = 'trial') = (trial_version_id IS NOT NULL)", name=op.f("ck_matches_trial_version")
        ),
        sa.CheckConstraint("(state = 'done') = (digest IS NOT NULL)", name=op.f("ck_matches_done_digest")),
        sa.CheckConstraint("(state = 'leased') = (lease_token IS NOT NULL)", name=op.f("ck_matches_leased_token")),
        sa.CheckConstraint("(state = 'leased') = (lease_until IS NOT NULL)", name=op.f("ck_matches_leased_until")),
        sa.CheckConstraint("(state = 'void') = (void_reason IS NOT NULL)", name=op.f("ck_matches_void_reason")),
        sa.CheckConstraint("(state IN ('done', 'void')) = (done_at IS NOT NULL)", name=op.f("ck_matches_done_at")),
        sa.CheckConstraint(
            "CASE state WHEN 'leased' THEN leased_at IS NOT NULL WHEN 'done' THEN TRUE ELSE leased_at IS NULL END",
            name=op.f("ck_matches_leased_at"),
        ),
        sa.CheckConstraint(
            "purpose IN ('trial', 'challenge', 'tournament', 'ladder')", name=op.f("ck_matches_purpose")
        ),
        sa.CheckConstraint("state = 'leased' OR begun_at IS NULL", name=op.f("ck_matches_begun_is_leased")),
        sa.CheckConstraint("state IN ('scheduled', 'leased', 'done', 'void')", name=op.f("ck_matches_state")),
        sa.CheckConstraint("(begun_at IS NULL) = (beat_at IS NULL)", name=op.f("ck_matches_begun_beats")),
        sa.CheckConstraint("attempt BETWEEN 0 AND 3", name=op.f("ck_matches_attempt")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_matches_number_from_one")),
        sa.ForeignKeyConstraint(["challenger_id"], ["users.id"], name=op.f("fk_matches_challenger_id_users")),
        sa.ForeignKeyConstraint(["epoch_id"], ["epochs.id"], name=op.f("fk_matches_epoch_id_epochs")),
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
    op.create_index("ix_matches_fold", "matches", ["tournament_id", "state", "number"], unique=False)
    op.create_index("ix_matches_queue", "matches", ["state", "purpose", "id"], unique=False)
    op.create_index("ix_matches_sent", "matches", ["state", "purpose", "leased_at"], unique=False)
    op.create_index("ix_matches_trial_version_id", "matches", ["trial_version_id"], unique=False)
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
        sa.Column("faults", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("logs", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("block >= 0 AND rotation >= 0", name=op.f("ck_games_coordinates")),
        sa.CheckConstraint("length(views) = 64", name=op.f("ck_games_views")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_games_match_id_matches")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("match_id", "block", "rotation", name=op.f("uq_games_match_id_block_rotation")),
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
        sa.Column("mu_before", sa.Float(), nullable=True),
        sa.Column("sigma_before", sa.Float(), nullable=True),
        sa.Column("mu_after", sa.Float(), nullable=True),
        sa.Column("sigma_after", sa.Float(), nullable=True),
        sa.CheckConstraint(
            "(mean_place_num IS NULL) = (mean_place_den IS NULL)", name=op.f("ck_match_seats_mean_place")
        ),
        sa.CheckConstraint("(mean_place_num IS NULL) = (luck IS NULL)", name=op.f("ck_match_seats_luck")),
        sa.CheckConstraint("(luck IS NULL) = (adjusted IS NULL)", name=op.f("ck_match_seats_adjusted")),
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


def downgrade() -> None:
    """Drop every table."""
    if not _is_sqlite():
        op.drop_constraint(ACTIVE_VERSION, "bots", type_="foreignkey")
    op.drop_table("match_seats")
    op.drop_table("games")
    op.drop_table("version_steps")
    op.drop_table("matches")
    op.drop_table("entrants")
    op.drop_table("ladder_rounds")
    op.drop_table("kept_standings")
    op.drop_table("epochs")
    op.drop_table("imported_entries")
    op.drop_table("entries")
    op.drop_table("versions")
    op.drop_table("bots")
    op.drop_table("imports")
    op.drop_table("tournaments")
    op.drop_table("kept_answers")
    op.drop_table("tokens")
    op.drop_table("users")
    op.drop_table("setup_codes")
    op.drop_table("codes")
