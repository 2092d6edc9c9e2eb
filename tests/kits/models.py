"""The models of the web and what selects from them, under one name: a test reads many of them."""

# isort: off
from sqlmodel import Session, col, delete, func, select, update

from gangland_web.models.accounts import (
    ON_A_TOURNAMENT, ROLES, Act, EmailAddress, EmailCode, Follow, FollowMark, Identity, Kind, Mail, Role,
    SetupCode, SignIn, Team, Token, User, may,
)  # fmt: skip
from gangland_web.models.bots import PATH, Bot, Code, ForbiddenMove, Version, VersionState, VersionStep, move, party_of
from gangland_web.models.columns import stored
from gangland_web.models.database import Database, migrate, migrations_folder, normal_url, revision_of, revisions
from gangland_web.models.jobs import OPEN_TABLES, Clip, Job, PlayHint, PlayTable, TableState, Verdict
from gangland_web.models.matches import (
    LASTS_S, MOST_SLOTS, PENDING, Audit, AuditDifference, Match, MatchSeat, MatchState, PlayedGame, Purpose,
    WorkerHost,
)  # fmt: skip
from gangland_web.models.organizing import COMMAND_LINE, Actor, AuditEntry, Directive, DirectiveKind, note_act, read_log
from gangland_web.models.site import Fact, Import, StoredAnswer, begin_maintenance, end_maintenance, keep_fact
from gangland_web.models.tournaments import (
    ChannelItem, Entrant, Entry, Epoch, Event, LadderRound, LadderTurns, Record, StoredStandings, Tournament,
    hold_tournament, hold_versions,
)  # fmt: skip

__all__ = [
    "COMMAND_LINE", "LASTS_S", "MOST_SLOTS", "ON_A_TOURNAMENT", "OPEN_TABLES", "PATH", "PENDING", "ROLES", "Act",
    "Actor", "Audit", "AuditDifference", "AuditEntry", "Bot", "ChannelItem", "Clip", "Code", "Database",
    "Directive", "DirectiveKind", "EmailAddress", "EmailCode", "Entrant", "Entry", "Epoch", "Event", "Fact",
    "Follow", "FollowMark", "ForbiddenMove", "Identity", "Import", "Job", "Kind", "LadderRound", "LadderTurns",
    "Mail", "Match", "MatchSeat", "MatchState", "PlayHint", "PlayTable", "PlayedGame", "Purpose", "Record",
    "Role", "Session", "SetupCode", "SignIn", "StoredAnswer", "StoredStandings", "TableState", "Team", "Token",
    "Tournament", "User", "Verdict", "Version", "VersionState", "VersionStep", "WorkerHost", "begin_maintenance",
    "col", "delete", "end_maintenance", "func", "hold_tournament", "hold_versions", "keep_fact", "may", "migrate",
    "migrations_folder", "move", "normal_url", "note_act", "party_of", "read_log", "revision_of", "revisions",
    "select", "stored", "update",
]  # fmt: skip
