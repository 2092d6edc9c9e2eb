"""Which results are audited: drawn once they are recorded, so that no host can know it when it sends them."""

import secrets
from typing import Final

from sqlmodel import Session

from gangland_web.audits.lifecycle import SUSPECTS_PERCENT
from gangland_web.audits.models import Audit
from gangland_web.clock import now_s
from gangland_web.columns import stored
from gangland_web.hosts.models import WorkerHost
from gangland_web.matches.models import Match
from gangland_web.tournaments.models import Tournament

PERCENT: Final = 2
"""So many of 100 rated matches are audited where nobody says otherwise."""


def draw(session: Session, tournament: Tournament, match: Match, percent: int) -> bool:
    """Draw whether a rated match whose result was just recorded is audited, and note it if so.

    Args:
        percent: of the site; the tournament may have its own, such as 100 in a final.
    """
    share = percent if tournament.audit_percent is None else tournament.audit_percent
    if share and match.host_id is not None and session.get_one(WorkerHost, match.host_id).suspected_at is not None:
        share = max(share, SUSPECTS_PERCENT)
    if match.digest is None or secrets.randbelow(100) >= share:
        return False
    session.add(
        Audit(match_id=stored(match.id), digest=match.digest, host_id=match.host_id, created_at=now_s()),
    )
    session.flush()
    return True
