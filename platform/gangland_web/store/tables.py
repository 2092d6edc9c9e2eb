"""Every table of the platform in one place, for migrations and for tests."""

from sqlalchemy import MetaData

from gangland_web.store.columns import Table
from gangland_web.store.models.accounts import EmailAddress, EmailCode, PasswordCode, SetupCode, SignIn, User
from gangland_web.store.models.audits import Audit, AuditDifference
from gangland_web.store.models.bots import Bot, Code, Version, VersionStep
from gangland_web.store.models.hosts import WorkerHost
from gangland_web.store.models.idempotency import KeptAnswer
from gangland_web.store.models.imports import Import, ImportedEntry
from gangland_web.store.models.mail import Mail
from gangland_web.store.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.store.models.oidc import Identity
from gangland_web.store.models.organising import AuditEntry, Directive
from gangland_web.store.models.site_settings import HouseFact
from gangland_web.store.models.teams import Invitation, Membership, OwnerName, Team
from gangland_web.store.models.tokens import Token
from gangland_web.store.models.tournaments import (
    Entrant,
    Entry,
    Epoch,
    Event,
    KeptStandings,
    LadderRound,
    LadderTurns,
    Tournament,
)

metadata: MetaData = Table.metadata

__all__ = [
    "Audit",
    "AuditDifference",
    "AuditEntry",
    "Bot",
    "Code",
    "Directive",
    "EmailAddress",
    "EmailCode",
    "Entrant",
    "Entry",
    "Epoch",
    "Event",
    "HouseFact",
    "Identity",
    "Import",
    "ImportedEntry",
    "Invitation",
    "KeptAnswer",
    "KeptStandings",
    "LadderRound",
    "LadderTurns",
    "Mail",
    "Match",
    "MatchSeat",
    "Membership",
    "OwnerName",
    "PasswordCode",
    "PlayedGame",
    "SetupCode",
    "SignIn",
    "Team",
    "Token",
    "Tournament",
    "User",
    "Version",
    "VersionStep",
    "WorkerHost",
    "metadata",
]
