"""`gangland admin reproduce`: any match that was recorded, played again in the jail by all of its bots."""

from dataclasses import dataclass
from typing import Annotated

import typer
from sqlmodel import Session, col, select

from gangland_ladder.cli.report import say
from gangland_ladder.cli.reproduce import play_and_tell
from gangland_ladder.matches.judging import ResultRefused, judge, match_digest
from gangland_ladder.matches.orders import GameRecord, Order, Result
from gangland_web.base.text import shown
from gangland_web.models.bots import Code
from gangland_web.models.matches import Match, MatchState
from gangland_web.models.tournaments import Tournament
from gangland_web.ops.admin.shell import FINDINGS, Data, Json, Refused, open_database, refuse
from gangland_web.queries.matches import seats_of
from gangland_web.services.dispatch import played_order, recorded_games
from gangland_web.services.retention import NOT_KEPT, Trimmed


@dataclass(frozen=True, slots=True)
class _Recorded:
    """A match as the database has it: codes by SHA-256 as far as they are here, names by entry."""

    order: Order
    games: list[GameRecord]
    digest: str
    codes: dict[str, bytes]
    names: dict[int, str]
    python: str | None


def reproduce(
    match: Annotated[int, typer.Argument(min=1, help="The match, as in its page's address: /matches/12 is 12.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Play a recorded match again, all seats in the jail; name the first decision that differs, and exit 1.

    Where something differs the match is played twice, so that a bot that is not deterministic is told so.  A bot
    whose code is not here (of an imported match) gives what is recorded.

    Example: gangland admin reproduce 12
    """
    database = open_database(data)
    with database.read() as session:
        found = _recorded(session, match)
    database.close()
    try:
        judged = judge(found.order, Result(found.order.id, found.order.token, found.games))
    except ResultRefused as refused:
        refuse(f"the record of match {match} does not hold: {refused}", FINDINGS)
    if match_digest(found.order, judged) != found.digest:
        refuse(f"the record of match {match} does not hold: its games do not give its digest", FINDINGS)
    missing = [found.names[seat.entry] for seat in found.order.seats if seat.code not in found.codes]
    if len(missing) == len(found.order.seats):
        raise Refused(f"match {match} was played elsewhere, and no code of its bots is here")
    if missing:
        say(f"not here, so they give what is recorded: {', '.join(missing)}")
    play_and_tell(match, found.order, found.games, found.codes, found.names, found.python, as_json=as_json)


def _recorded(session: Session, number: int) -> _Recorded:
    match = session.get(Match, number)
    if match is None or match.audit_of is not None:
        raise Refused(f"there is no match {number}; a match's number is the one in its page's address")
    if match.state != MatchState.DONE.value:
        raise Refused(f"match {number} is {match.state}: there is nothing to play again")
    if match.trimmed >= Trimmed.REPLAYS:
        raise Refused(f"match {number} cannot be played again: {NOT_KEPT}")
    order = played_order(session, match, session.get_one(Tournament, match.tournament_id))
    games = recorded_games(session, number)
    chosen = select(Code).where(col(Code.sha256).in_([seat.code for seat in order.seats]))
    codes = {code.sha256: code.source for code in session.exec(chosen) if code.source is not None}
    names = {row.seat.entry_id: shown(row.label) for row in seats_of(session, [number])[number]}
    return _Recorded(order, games, match.digest or "", codes, names, match.python)
