"""Corrections of results: replaying or voiding matches, and disqualifying bots.  Ratings are updated immediately.

Only the record worker calls these functions.  Those for organizers' actions also return the former results, which are
stored with the action.
"""

import json
from collections.abc import Sequence
from typing import Any

import zstandard
from sqlmodel import Session, col, delete, select, update

from gangland_ladder.common.texts import counted
from gangland_ladder.tournaments.lifecycle import State, may_disqualify, may_rerun, may_void
from gangland_web.base.formats import now_s, state_label
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.matches import OVER, Match, MatchSeat, MatchState, PlayedGame
from gangland_web.models.tournaments import Entry, LadderDay, Tournament, lock_tournament, lock_versions
from gangland_web.services.final_tables import rewind_premiere
from gangland_web.services.matches import final_match, waits_for_organizer
from gangland_web.services.ratings import update_ratings_from


class ActionRefused(ValueError):
    """An action cannot be carried out; the message explains why, and what would help."""


def locked_tournament(session: Session, tournament_id: int) -> Tournament:
    """Lock a tournament until the end of the transaction, refresh it, and return it."""
    lock_versions(session)  # first, as when results are recorded: the same lock order everywhere prevents deadlocks
    tournament = session.get_one(Tournament, tournament_id)
    lock_tournament(session, tournament)
    return tournament


# Replaying or voiding a match.


def rerun_match(session: Session, tournament: Tournament, match: Match) -> tuple[str, bytes | None]:
    """Schedule a replay of a match with the same dice and versions, and remove its result.  Raises ActionRefused."""
    state = State(tournament.state)
    if not may_rerun(state):
        raise ActionRefused(f"no match can be played again now ({state_label(state)})")
    if tournament.finished_at is not None and match.created_at <= tournament.finished_at:
        raise ActionRefused(f"the result of match {match.number} is final: {tournament.name} is finished")
    if _is_before_final(session, tournament, match):
        raise ActionRefused(f"the result of match {match.number} is final: the final table is scheduled")
    if match.state not in OVER:
        raise ActionRefused(f"match {match.number} is not finished yet ({state_label(match.state)})")
    if disqualified := _disqualified_bot(session, match):
        raise ActionRefused(f"{disqualified}, a bot in match {match.number}, is disqualified")
    former = _reschedule(session, match)
    update_ratings_from(session, tournament, match.rating_order)
    return f"match {match.number} is queued to be played again", _pack(former)


def void_match(session: Session, tournament: Tournament, match: Match, reason: str) -> tuple[str, bytes | None]:
    """Void a match permanently; its replays are kept as proof.  Raises ActionRefused."""
    if not may_void(State(tournament.state)):
        raise ActionRefused(f"no match can be voided now ({state_label(tournament.state)})")
    if match.state == MatchState.VOID.value and not waits_for_organizer(session, match):
        raise ActionRefused(f"match {match.number} is already void: {match.void_reason}")
    former = _void(session, match, reason)
    update_ratings_from(session, tournament, match.rating_order)
    return f"match {match.number} is void", _pack(former)


def remove_results(session: Session, tournament: Tournament, matches: Sequence[Match], reason: str) -> int:
    """Remove results that cannot be trusted, and schedule replays of their matches; return the number of replays.

    A match that cannot be replayed, because its result is final or its secret is public, becomes void.  The caller has
    locked the tournament of all these matches (`locked_tournament`).
    """
    replays = 0
    for match in matches:
        if _can_replay(session, tournament, match):
            _reschedule(session, match)
            replays += 1
        else:
            _void(session, match, reason)
    if matches:
        update_ratings_from(session, tournament, _first_position(matches))
    return replays


def _can_replay(session: Session, tournament: Tournament, match: Match) -> bool:
    if match.ladder_day_id is not None:
        return session.get_one(LadderDay, match.ladder_day_id).revealed_at is None
    if _is_before_final(session, tournament, match):
        return False
    return may_rerun(State(tournament.state)) and _disqualified_bot(session, match) is None


def _is_before_final(session: Session, tournament: Tournament, match: Match) -> bool:
    """Return whether the final table is scheduled and is not this match, so that this match can no longer be played."""
    return not match.is_final and final_match(session, tournament) is not None


def _disqualified_bot(session: Session, match: Match) -> str | None:
    query = (
        select(Bot.name)
        .join(Version, col(Version.bot_id) == Bot.id)
        .join(Entry, col(Entry.version_id) == Version.id)
        .join(MatchSeat, col(MatchSeat.entry_id) == Entry.id)
        .where(MatchSeat.match_id == match.id, col(Entry.disqualified_at).is_not(None))
    )
    return session.exec(query.order_by(col(MatchSeat.position))).first()


def disqualify(session: Session, tournament: Tournament, entry: Entry, reason: str) -> tuple[str, bytes | None]:
    """Disqualify a bot and void all its matches, so that results against it do not count.  Raises ActionRefused."""
    if not may_disqualify(State(tournament.state)):
        raise ActionRefused(f"no bot can be disqualified now ({state_label(tournament.state)})")
    query = select(Bot.name).join(Version, col(Version.bot_id) == Bot.id).where(Version.id == entry.version_id)
    name = session.exec(query).one()
    if entry.disqualified_at is not None:
        raise ActionRefused(f"{name} is already disqualified: {entry.disqualified_for}")
    entry.disqualified_at, entry.disqualified_for, entry.active = now_s(), reason, False
    add_row(session, entry)
    entered = select(Match).join(MatchSeat, col(MatchSeat.match_id) == Match.id).where(MatchSeat.entry_id == entry.id)
    matches = session.exec(entered.where(Match.state != MatchState.VOID.value).order_by(col(Match.number))).all()
    former = [result for match in matches for result in _void(session, match, f"{name} is disqualified: {reason}")]
    if matches:
        update_ratings_from(session, tournament, _first_position(matches))
    count = f"{counted(len(matches), 'match')} {'is' if len(matches) == 1 else 'are'}"
    return f"{name} is disqualified; {count} void", _pack(former)


# Removing recorded results.


def _first_position(matches: Sequence[Match]) -> int | None:
    """Return the first of these matches' positions in the rating order, or None if no match has one."""
    return min((match.rating_order for match in matches if match.rating_order is not None), default=None)


def _reschedule(session: Session, match: Match) -> list[dict[str, Any]]:
    former = _remove_result(session, match)
    session.exec(delete(PlayedGame).where(col(PlayedGame.match_id) == match.id))
    values = {"state": MatchState.SCHEDULED.value, "attempt": 0, "void_reason": None, "done_at": None, "trimmed": 0}
    _write_match(session, match, values)
    return former


def _void(session: Session, match: Match, reason: str) -> list[dict[str, Any]]:
    former = _remove_result(session, match)
    _write_match(
        session, match, {"state": MatchState.VOID.value, "void_reason": reason, "done_at": now_s(), "attempt": 0}
    )
    rewind_premiere(session, match, was_played=bool(former))
    return former


def _remove_result(session: Session, match: Match) -> list[dict[str, Any]]:
    """Remove a match's result from the seats and the entries' counters; return the seats' results, or an empty list."""
    # The seats keep their ratings, because `update_ratings_from` needs them.
    if match.state != MatchState.DONE.value:
        return []
    former = _match_record(session, match)
    for seat in former["seats"]:
        session.exec(
            update(Entry)
            .where(col(Entry.id) == seat["entry_id"])
            .values(
                games=col(Entry.games) - len(former["games"]),
                wins=col(Entry.wins) - seat["wins"],
                faults=col(Entry.faults) - seat["faults"],
            )
            .execution_options(synchronize_session=False)
        )
    session.exec(
        update(MatchSeat)
        .where(col(MatchSeat.match_id) == match.id)
        .values(_NO_RESULT)
        .execution_options(synchronize_session=False)
    )
    return [former]


_NO_RESULT: dict[str, Any] = {
    "mean_place_num": None,
    "mean_place_den": None,
    "luck": None,
    "adjusted": None,
    "wins": 0,
    "faults": 0,
}


def _match_record(session: Session, match: Match) -> dict[str, Any]:
    seats = session.exec(select(MatchSeat).where(MatchSeat.match_id == match.id).order_by(col(MatchSeat.position)))
    games = session.exec(
        select(PlayedGame)
        .where(PlayedGame.match_id == match.id)
        .order_by(col(PlayedGame.block), col(PlayedGame.rotation))
    )
    return {
        "match": row_id(match.id),
        "number": match.number,
        "digest": match.digest,
        "done_at": match.done_at,
        "seats": [seat.model_dump() for seat in seats],
        "games": [game.model_dump(exclude={"logs", "id"}) for game in games],
    }


def _write_match(session: Session, match: Match, values: dict[str, Any]) -> None:
    """Update a match and clear its lease and result; a result that arrives later is refused."""
    values = {"sent_at": None, "digest": None, "python": None, "seconds": None, "cpu_s": None, **values}
    session.exec(
        update(Match).where(col(Match.id) == match.id).values(values).execution_options(synchronize_session=False)
    )
    session.refresh(match)


def _pack(matches: list[dict[str, Any]]) -> bytes | None:
    return zstandard.compress(json.dumps(matches).encode()) if matches else None
