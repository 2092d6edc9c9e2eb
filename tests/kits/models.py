"""Import the models of the web package, and functions that select from them, from one module."""

# ruff: noqa: F401
# isort: off
from sqlmodel import Session, col, delete, func, select, update

from gangland_web.models.accounts import (
    ROLES, TOURNAMENT_ACTS, Act, EmailAddress, EmailCode, Follow, FollowMark, Identity, Kind, Mail, Role,
    SetupCode, SignIn, Team, Token, User, may,
)  # fmt: skip
from gangland_web.models.bots import (
    PATH, BadTransition, Bot, Code, Version, VersionState, VersionStep, party_of, transition,
)  # fmt: skip
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database, migrate, migrations_folder, normal_url, revision_of, revisions
from gangland_web.models.jobs import OPEN_TABLES, Clip, Job, PlayHint, PlayTable, TableState, Verdict
from gangland_web.models.matches import (
    AUDIT_S, MAX_SLOTS, PENDING, Audit, AuditDifference, Match, MatchSeat, MatchState, PlayedGame, Purpose,
    WorkerHost,
)  # fmt: skip
from gangland_web.models.organizing import (
    COMMAND_LINE, ActionKind, Actor, AuditEntry, OrganizerAction, log_action, read_log,
)  # fmt: skip
from gangland_web.models.site import Fact, Import, StoredAnswer, begin_maintenance, end_maintenance, store_fact
from gangland_web.models.tournaments import (
    ChannelItem, Entrant, Entry, LadderDay, Event, LadderRound, LadderTurns, Record, StoredStandings, Tournament,
    lock_tournament, lock_versions,
)  # fmt: skip
