"""What the record worker does about audits with every beat."""

from sqlmodel import Session, col, func, select

from gangland_web.league.audits.plays import plan_plays
from gangland_web.league.jobs.stopping import judge_hosts, take_back_results
from gangland_web.models.database import Database
from gangland_web.models.locks import hold_versions
from gangland_web.models.matches import ENDED, Audit
from gangland_web.models.site import maintenance


class Auditor:
    """Carries audits on; it looks at the hosts again only when an audit has ended since it last did."""

    def __init__(self, database: Database) -> None:
        """Work on a database."""
        self._database = database
        self._judged: tuple[int, float | None] = (-1, None)

    def run(self) -> int:
        """Plan plays, stop hosts and take back results, a bounded part of it; return how many plays were planned."""
        with self._database.write() as session:
            if maintenance(session) is not None:
                return 0
            hold_versions(session)
            planned = plan_plays(session)
            ended = _ended(session)
            if ended != self._judged:
                judge_hosts(session)
        self._judged = ended
        with self._database.write() as session:
            take_back_results(session)
        return planned


def _ended(session: Session) -> tuple[int, float | None]:
    chosen = select(func.count(), func.max(Audit.ended_at)).where(col(Audit.state).in_(ENDED))
    count, latest = session.exec(chosen).one()
    return count, latest
