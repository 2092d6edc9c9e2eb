"""What audits say of each host: of how many owners its plays were compared, and whose bots stand against it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median_low
from typing import Any

from sqlalchemy import case, true
from sqlmodel import Session, col, func, select

from gangland_ladder.proof.auditing.evidence import BASE, base_share, evidence, is_forging, is_suspect
from gangland_ladder.proof.auditing.verdicts import Verdict
from gangland_web.league.open_audits import without_stopped
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.models.matches import ENDED, Audit, AuditDifference, MatchSeat, WorkerHost
from gangland_web.models.tournaments import Entry

_ALL = true()


@dataclass(slots=True)
class Tally:
    """What audits say of one host.

    Attributes:
        owners: whose bots were compared in plays of the host; a house bot counts as an owner of its own.
        against: of those, the owners of bots with a decision in which the host's play stands alone.
        audits: results of the host that were audited; left_out: games of them that were not compared.
        base: the share of owners that may stand against an honest host.
    """

    owners: set[str] = field(default_factory=set)
    against: set[str] = field(default_factory=set)
    audits: int = 0
    left_out: int = 0
    base: float = BASE

    @property
    def evidence(self) -> float:
        """How many times likelier this is of a host that forges."""
        return evidence(len(self.owners), len(self.against), self.base)

    @property
    def is_forging(self) -> bool:
        """Whether the host is to be stopped."""
        return is_forging(len(self.owners), len(self.against), self.base)

    @property
    def is_suspect(self) -> bool:
        """Whether more of its results are to be audited."""
        return is_suspect(len(self.owners), len(self.against), self.base)


def tallies(session: Session, counted: Any = _ALL) -> dict[int, Tally]:
    """Return what the ended audits say of each host, by its id.

    Each host is held to what was drawn since the operator last let it go on.  Bots that decided differently in a way
    that nobody else is behind are left out: they do not decide alike anywhere.

    Args:
        counted: a condition on the audits that are.
    """
    hosts = {stored(host.id): host for host in session.exec(select(WorkerHost)).all()}
    found = {host: Tally() for host in hosts}
    unsteady = _unsteady(session, counted)
    for plays, owner, drawn_at in _compared(session, counted):
        for host in plays:
            if owner not in unsteady and drawn_at > trusted_since(hosts[host]):
                found[host].owners.add(owner)
    for host, owner, drawn_at in _blamed(session, counted):
        if owner not in unsteady and drawn_at > trusted_since(hosts[host]):
            found[host].owners.add(owner)
            found[host].against.add(owner)
    _count_audits(session, hosts, found, counted)
    for host, tally in found.items():
        tally.base = _base(hosts, found, host)
    return found


def trusted_since(host: WorkerHost) -> float:
    """Return since when a host is held to its audits: when the operator last let it go on, or ever."""
    return host.trusted_from or 0.0


def owner_of(group: str | None, bot_id: int) -> str:
    """Return who counts as a bot's owner in audits."""
    return group if group is not None else f"b{bot_id}"


def _base(hosts: Mapping[int, WorkerHost], found: Mapping[int, Tally], host: int) -> float:
    """What the others show, the middle one of them, so that another host that forges does not cover for this one."""
    others = [
        base_share(len(tally.owners), len(tally.against))
        for other, tally in found.items()
        if other != host and hosts[other].stopped_at is None and tally.owners
    ]
    return median_low(others) if others else BASE


def _owned(statement: Any) -> Any:
    """Join the bot to a statement that has its entry."""
    return statement.join(Version, col(Version.id) == Entry.version_id).join(Bot, col(Bot.id) == Version.bot_id)


def _compared(session: Session, counted: Any) -> list[tuple[set[int], str, float]]:
    """Return which hosts' plays of an owner's bots were compared, and when that was last drawn."""
    plays = (Audit.host_id, Audit.second_host_id, Audit.third_host_id)
    grouped = (*plays, Bot.owner_group, Bot.id)
    chosen: Any = select(*grouped, func.max(Audit.created_at))  # type: ignore[call-overload]
    chosen = chosen.join(MatchSeat, col(MatchSeat.match_id) == Audit.match_id)
    chosen = _owned(chosen.join(Entry, col(Entry.id) == MatchSeat.entry_id)).group_by(*grouped)
    rows = session.exec(chosen.where(col(Audit.state).in_(ENDED), col(Audit.games_compared) > 0, counted)).all()
    return [
        ({host for host in hosts if host is not None}, owner_of(group, bot), drawn_at)
        for *hosts, group, bot, drawn_at in rows
    ]


def _differences(counted: Any) -> Any:
    """Select differences by the owner and the moment of the draw; where a stopped host played, nothing is said."""
    chosen: Any = select(AuditDifference.blamed_id, Bot.owner_group, Bot.id, Audit.created_at)
    chosen = chosen.join(Audit, col(Audit.id) == AuditDifference.audit_id)
    return _owned(chosen.join(Entry, col(Entry.id) == AuditDifference.entry_id)).where(counted)


def _blamed(session: Session, counted: Any) -> list[tuple[int, str, float]]:
    """Return whom differences are held against, by owners; not those in which a stopped host is the accuser."""
    recorded, again = col(Audit.host_id), col(Audit.second_host_id)
    accuser = case((col(AuditDifference.verdict) == Verdict.RECORDED.value, again), else_=recorded)
    accusers = without_stopped(accuser, col(Audit.third_host_id))
    rows = session.exec(_differences(counted).where(col(AuditDifference.blamed_id).is_not(None), accusers)).all()
    return [(host, owner_of(group, bot), drawn_at) for host, group, bot, drawn_at in rows]


def _unsteady(session: Session, counted: Any) -> set[str]:
    """Return the owners of bots that decided differently by themselves."""
    honest = without_stopped(col(Audit.host_id), col(Audit.second_host_id), col(Audit.third_host_id))
    rows = session.exec(_differences(counted).where(AuditDifference.verdict == Verdict.BOT.value, honest)).all()
    return {owner_of(group, bot) for _, group, bot, _ in rows}


def _count_audits(session: Session, hosts: Mapping[int, WorkerHost], found: Mapping[int, Tally], counted: Any) -> None:
    for number, host in hosts.items():
        chosen = select(func.count(), func.sum(Audit.games_left_out)).where(Audit.host_id == number, counted)
        chosen = chosen.where(col(Audit.state).in_(ENDED), col(Audit.created_at) > trusted_since(host))
        found[number].audits, left_out = session.exec(chosen).one()
        found[number].left_out = left_out or 0
