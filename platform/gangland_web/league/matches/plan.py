"""Writing match rows: numbered within their tournament, with seats in entry order."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session, col, func, select

from gangland_ladder.matches.seeds import entries_digest
from gangland_web.base.clock import now_s
from gangland_web.models.bots import Version
from gangland_web.models.columns import stored
from gangland_web.models.locks import hold_tournaments
from gangland_web.models.matches import Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import Entry, Tournament

BATCH = 5_000
"""Rows that are written at once."""
FEW = 500
"""Values that fit into a statement on any database."""


def next_number(session: Session, tournament: Tournament) -> int:
    """Return the lowest match number of a tournament that is still free above all others.

    Whoever asks next waits until this transaction is over, so no two get the same number.
    """
    hold_tournaments(session, Tournament.id == tournament.id)
    highest = session.exec(select(func.max(Match.number)).where(Match.tournament_id == tournament.id)).one()
    return max(highest or 0, 0) + 1


def plan_check(session: Session, tournament: Tournament, entry: Entry, code: str) -> None:
    """Write the check of a version that is entered in a trials tournament; its number moves no match that counts.

    Args:
        code: the SHA-256 of the version's source.
    """
    planned = _plan_aside(
        session,
        tournament,
        purpose=Purpose.CHECK.value,
        trial_version_id=entry.version_id,
        seed_digest=entries_digest([code]).hex(),
    )
    _seat(session, [(planned.id, [stored(entry.id)])])


def plan_audit(session: Session, tournament: Tournament, match: Match) -> Match:
    """Write a scheduled match that plays another one again; return it.

    It has no seats and a number below those of all matches that count, so that it moves nothing.

    Args:
        tournament: where it is kept: trials, of which nothing is shown or rated.
        match: what is played again.
    """
    purpose = Purpose.AUDIT.value
    return _plan_aside(session, tournament, purpose=purpose, audit_of=match.id, seed_digest=match.seed_digest)


def _plan_aside(session: Session, tournament: Tournament, **values: Any) -> Match:
    """Write a scheduled match under a number below those of all matches that count, and below 1."""
    hold_tournaments(session, Tournament.id == tournament.id)
    lowest = session.exec(select(func.min(Match.number)).where(Match.tournament_id == tournament.id)).one()
    number = min(lowest or 0, 1) - 1
    planned = Match(tournament_id=stored(tournament.id), number=number, created_at=now_s(), **values)
    session.add(planned)
    session.flush()
    return planned


def plan_tables(
    session: Session,
    tournament: Tournament,
    tables: Iterable[Sequence[int]],
    *,
    purpose: Purpose,
    epoch_id: int | None = None,
    trial_version_id: int | None = None,
    challenger_id: int | None = None,
    is_final: bool = False,
) -> range:
    """Write one scheduled match a table, in their order; return the numbers that they got.

    The dice of a match hang on the code of everybody in a tournament, else of those at the table.

    Args:
        is_final: whether it is the one final table of a tournament, which has no place in the rating order.
    """
    seated = [sorted(table) for table in tables]
    first = next_number(session, tournament)
    codes = _codes(session, tournament, {entry for table in seated for entry in table})
    common = {
        "tournament_id": stored(tournament.id),
        "purpose": purpose.value,
        "epoch_id": epoch_id,
        "trial_version_id": trial_version_id,
        "challenger_id": challenger_id,
        "is_final": is_final,
        "state": MatchState.SCHEDULED.value,
        "attempt": 0,
        "created_at": now_s(),
    }
    roster = tournament.roster_digest if purpose is Purpose.TOURNAMENT else None
    is_ordered = purpose is Purpose.TOURNAMENT and not is_final
    for at in range(0, len(seated), BATCH):
        batch = seated[at : at + BATCH]
        rows = [
            {
                **common,
                "number": first + at + i,
                "rating_order": first + at + i if is_ordered else None,
                "seed_digest": roster or entries_digest([codes[entry] for entry in table]).hex(),
            }
            for i, table in enumerate(batch)
        ]
        made = session.scalars(insert(Match).returning(col(Match.id), sort_by_parameter_order=True), rows).all()
        _seat(session, zip(made, batch, strict=True))
    return range(first, first + len(seated))


def _seat(session: Session, tables: Iterable[tuple[int | None, Sequence[int]]]) -> None:
    rows = [
        {"match_id": match, "position": position, "entry_id": entry, "wins": 0, "faults": 0}
        for match, table in tables
        for position, entry in enumerate(table)
    ]
    session.execute(insert(MatchSeat), rows)


def _codes(session: Session, tournament: Tournament, wanted: set[int]) -> dict[int, str]:
    """The SHA-256 of each entry's code; of all in the tournament where many are wanted."""
    chosen = select(Entry.id, Version.code_sha256).join(Version, col(Version.id) == Entry.version_id)
    chosen = chosen.where(Entry.tournament_id == tournament.id)
    if len(wanted) <= FEW:
        chosen = chosen.where(col(Entry.id).in_(wanted))
    return {stored(entry): code for entry, code in session.exec(chosen)}
