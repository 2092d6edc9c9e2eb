"""The page of audits: totals, worker hosts, and the latest differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, func, select

from gangland_ladder.proof.auditing import Verdict
from gangland_web.base.clock import now_s
from gangland_web.base.text import shown
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.models.matches import Audit, AuditDifference, AuditState, Match, WorkerHost
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.services.host_audits import Tally, tallies

DIFFERENCES_SHOWN = 50


@dataclass(frozen=True, slots=True)
class HostRow:
    """A worker host with the results of its audits."""

    host: WorkerHost
    tally: Tally

    @property
    def name(self) -> str:
        """Its name, safe to show."""
        return shown(self.host.name)

    @property
    def owners(self) -> int:
        """How many owners' bots it was compared with."""
        return len(self.tally.owners)

    @property
    def against(self) -> int:
        """How many of them differed."""
        return len(self.tally.against)

    @property
    def standing(self) -> str:
        """Whether it plays, in a word."""
        if self.host.revoked_at is not None:
            return "revoked"
        return "stopped" if self.host.stopped_at is not None else "plays"


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference, for admins: whose decision, in which match, and the verdict on it."""

    match_id: int
    bot_id: int
    bot: str
    version: int
    verdict: Verdict
    blamed: str | None
    at: float


def totals(db: Session) -> dict[str, int]:
    """Return how many audits there are in each state, without those of matches under embargo."""
    counted = dict(db.exec(select(Audit.state, func.count()).where(_shown()).group_by(col(Audit.state))).all())
    return {state.value: counted.get(state.value, 0) for state in AuditState}


def host_rows(db: Session) -> list[HostRow]:
    """Return all hosts, also former ones, by name, with their audits except those of matches under embargo."""
    found = tallies(db, _shown())
    hosts = db.exec(select(WorkerHost).order_by(col(WorkerHost.name))).all()
    return [HostRow(host, found[stored(host.id)]) for host in hosts]


def latest_differences(db: Session) -> Sequence[Difference]:
    """Return the latest differences, newest first."""
    query = (
        select(Audit.match_id, Bot.id, Bot.name, Version.number, AuditDifference, WorkerHost.name)  # type: ignore[call-overload]
        .select_from(AuditDifference)
        .join(Audit, col(Audit.id) == AuditDifference.audit_id)
        .join(Entry, col(Entry.id) == AuditDifference.entry_id)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .join(WorkerHost, col(WorkerHost.id) == AuditDifference.blamed_id, isouter=True)
        .add_columns(col(Audit.created_at))
        .order_by(col(AuditDifference.id).desc())
        .limit(DIFFERENCES_SHOWN)
    )
    return [
        Difference(match, bot, name, version, Verdict(row.verdict), blamed, at)
        for match, bot, name, version, row, blamed, at in db.exec(query).all()
    ]


def _shown() -> Any:
    """Select audits of matches that are not under embargo, since each result of a final is audited."""
    embargoed = select(Match.id).join(Tournament, col(Tournament.id) == Match.tournament_id)
    return col(Audit.match_id).not_in(embargoed.where(col(Tournament.embargo_until) > now_s()))
