"""What a site's database holds, looked through for what is lost or counts twice; prints one JSON document.

It runs within a container of the site (`docker compose exec -T records python -`), so it imports nothing of the tests.
"""

import json
import sys
from collections import Counter
from typing import Any

from sqlmodel import Session, col, func, select

from gangland_web.models.database import Database
from gangland_web.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.settings import read_settings


def audit(session: Session) -> dict[str, Any]:
    """Return counts of all matches and the digest of each recorded one; `missing` are unused tournament numbers."""
    tournaments = {tournament.id: tournament for tournament in session.exec(select(Tournament)).all()}
    matches = session.exec(select(Match).order_by(col(Match.id))).all()
    states = Counter(match.state for match in matches)
    return {
        "matches": len(matches), "done": states["done"], "void": states["void"],
        "void_reasons": Counter(str(match.void_reason) for match in matches if match.state == "void"),
        "open": states["scheduled"] + states["leased"], "trials": sum(match.purpose == "trial" for match in matches),
        "begun_again": sum(match.attempt > 1 for match in matches), "missing": _missing(matches),
        "doubled": _wrong_games(session, tournaments, matches) + _wrong_entries(session, tournaments, matches),
        "digests": {str(match.id): match.digest for match in matches if match.state == "done"},
    }  # fmt: skip


def _missing(matches: Any) -> int:
    """Return the number of unused numbers in each tournament; audits are numbered below 1."""
    numbers: dict[int, set[int]] = {}
    for match in matches:
        if match.number < 1:
            continue
        numbers.setdefault(match.tournament_id, set()).add(match.number)
    return sum(max(given) - len(given) for given in numbers.values())


def _wrong_games(session: Session, tournaments: Any, matches: Any) -> int:
    kept = dict(session.exec(select(PlayedGame.match_id, func.count()).group_by(col(PlayedGame.match_id))).all())
    rated = [match for match in matches if match.purpose == "ladder"]
    return sum(kept.get(match.id, 0) != _games(tournaments[match.tournament_id], match) for match in rated)


def _wrong_entries(session: Session, tournaments: Any, matches: Any) -> int:
    done = {match.id: match for match in matches if match.state == "done" and match.purpose == "ladder"}
    games, wins = Counter[int](), Counter[int]()
    for seat in session.exec(select(MatchSeat)).all():
        if (match := done.get(seat.match_id)) is not None:
            games[seat.entry_id] += _games(tournaments[match.tournament_id], match)
            wins[seat.entry_id] += seat.wins
    entries = [one for one in session.exec(select(Entry)).all() if tournaments[one.tournament_id].kind == "ladder"]
    return sum((one.games, one.wins) != (games[one.id or 0], wins[one.id or 0]) for one in entries)


def _games(tournament: Any, match: Any) -> int:
    return tournament.blocks * tournament.seats if match.state == "done" else 0


if __name__ == "__main__":
    with Database(read_settings().need_database_url()).read() as site:
        json.dump(audit(site), sys.stdout)
