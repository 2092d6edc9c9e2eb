"""A digest of results: equal for two databases in which the same matches came to the same, whoever played them when.

Times, tokens, attempts, logs, ratings, checks and audits stay outside; a replay is in it by the digest that the match
was given when it was recorded, so that it holds for as long as the match is kept, whether or not its replays are.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection, Text, and_, bindparam, cast, or_, select
from sqlmodel import col

from gangland_web.models.matches import OVER, Match, MatchSeat, PlayedGame, Purpose
from gangland_web.ops.backup.form import BackupRefused, Results

READ_ROWS: Final = 500

_ORDER: Final = (col(Match.tournament_id), col(Match.number))
_IS_OVER: Final = and_(
    col(Match.state).in_(OVER),
    col(Match.purpose).not_in([Purpose.CHECK.value, Purpose.AUDIT.value]),
)
_OVER_BY: Final = or_(
    col(Match.done_at) < bindparam("at"),
    and_(col(Match.done_at) == bindparam("at"), col(Match.id) <= bindparam("last")),
)
_LAST: Final = select(col(Match.id), col(Match.done_at)).where(_IS_OVER)
_STATEMENTS: Final[tuple[Any, ...]] = (
    select(*_ORDER, *(getattr(Match, name) for name in ("state", "seed_digest", "digest", "void_reason")))
    .where(_IS_OVER, _OVER_BY)
    .order_by(*_ORDER),
    select(
        *_ORDER,
        *(getattr(MatchSeat, name) for name in ("position", "entry_id", "mean_place_num", "mean_place_den")),
        *(getattr(MatchSeat, name) for name in ("wins", "faults")),
    )
    .join(MatchSeat, col(MatchSeat.match_id) == Match.id)
    .where(_IS_OVER, _OVER_BY)
    .order_by(*_ORDER, col(MatchSeat.position)),
    select(
        *_ORDER,
        *(getattr(PlayedGame, name) for name in ("block", "rotation", "views")),
        *(cast(getattr(PlayedGame, name), Text) for name in ("seating", "places", "faults")),
    )
    .join(PlayedGame, col(PlayedGame.match_id) == Match.id)
    .where(_IS_OVER, _OVER_BY)
    .order_by(*_ORDER, col(PlayedGame.block), col(PlayedGame.rotation)),
)


def results_digest(connection: Connection, up_to: int | None = None) -> Results:
    """Return the digest of all matches that were over when a certain one was; of all that are over, if none is named.

    Matches are over in the order in which they were recorded.  What is recorded later changes no digest up to an
    earlier match; only an organiser's order does, who has a match played again or taken out.

    Args:
        up_to: the number of the match, as in its page's address.

    Raises:
        BackupRefused: there is no such match, or it is not over.
    """
    if up_to is None:
        last = connection.execute(
            _LAST.order_by(col(Match.done_at).desc(), col(Match.id).desc()).limit(1)
        ).one_or_none()
    else:
        last = connection.execute(_LAST.where(col(Match.id) == up_to)).one_or_none()
        if last is None:
            raise BackupRefused(f"match {up_to} is not over, or not there: a digest goes up to one that was recorded")
    if last is None:
        return Results(sha256().hexdigest(), 0, None)
    whole, matches = sha256(), 0
    for number, statement in enumerate(_STATEMENTS):
        bound = {"last": last.id, "at": last.done_at}
        for row in connection.execute(statement, bound, execution_options={"yield_per": READ_ROWS}):
            whole.update(json.dumps(list(row), separators=(",", ":")).encode() + b"\n")
            matches += number == 0
        whole.update(b"\n")
    return Results(whole.hexdigest(), matches, last.id)
