"""Every table of the platform in one place, for migrations and for tests."""

from sqlalchemy import MetaData

from gangland_web.accounts.models import EmailAddress, EmailCode, PasswordCode, SetupCode, SignIn, User
from gangland_web.api.models import KeptAnswer
from gangland_web.audits.models import Audit, AuditDifference
from gangland_web.bots.models import Bot, Code, Version, VersionStep
from gangland_web.columns import Table
from gangland_web.facts.models import HouseFact
from gangland_web.hosts.models import WorkerHost
from gangland_web.imports.models import Import, ImportedEntry
from gangland_web.mail.models import Mail
from gangland_web.matches.models import Match, MatchSeat, PlayedGame
from gangland_web.oidc.models import Identity
from gangland_web.organising.models import AuditEntry, Directive
from gangland_web.teams.models import Invitation, Membership, OwnerName, Team
from gangland_web.tokens.models import Token
from gangland_web.tournaments.models import (
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
