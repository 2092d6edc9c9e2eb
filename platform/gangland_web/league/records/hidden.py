"""Which records are not shown: of house bots, of people who left, of matches with a bot of theirs, of void ones."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, select
from sqlmodel import Session, col
from sqlmodel import select as select_model

from gangland_web.models.accounts import User
from gangland_web.models.bots import Bot, Version
from gangland_web.models.matches import Match, MatchSeat, MatchState
from gangland_web.models.tournaments import Entry, Record, Tournament


class Hidden(NamedTuple):
    """Bots that hold no record, matches that are proof of none, and house bots with the ladders that rank them."""

    bots: Set[int]
    matches: Set[int]
    house: Set[int]
    ranked: Set[int]

    def hides(self, bot_id: int, match_id: int | None, ladder_id: int) -> bool:
        """Tell whether a record of a bot, or at a match, is not shown."""
        is_outside = bot_id in self.house and ladder_id not in self.ranked
        return is_outside or bot_id in self.bots or match_id in self.matches


def hidden_among(session: Session, held: Iterable[tuple[int, int | None]]) -> Hidden:
    """Return which of some bots and matches, by record, hold none that is shown."""
    pairs = list(held)
    bots, matches = {bot for bot, _ in pairs}, {match for _, match in pairs if match is not None}
    house: Any = session.connection().execute(_HOUSE, {"bots": list(bots)}).scalars()
    ranked: Any = session.connection().execute(_RANKED).scalars()
    gone: Any = session.connection().execute(_GONE_BOTS, {"bots": list(bots)}).scalars()
    at: Any = session.connection().execute(_GONE_MATCHES, {"matches": list(matches)}).scalars()
    void: Any = session.connection().execute(_VOID, {"matches": list(matches)}).scalars()
    return Hidden({*gone}, {*at, *void}, {*house}, {*ranked})


def hidden_records(session: Session, ladder_id: int | None = None) -> list[Record]:
    """Return the records, of a ladder or of all, that nobody may see any more."""
    chosen = select_model(Record)
    if ladder_id is not None:
        chosen = chosen.where(Record.tournament_id == ladder_id)
    kept = session.exec(chosen.order_by(col(Record.id))).all()
    hidden = hidden_among(session, [(record.bot_id, record.match_id) for record in kept])
    return [record for record in kept if hidden.hides(record.bot_id, record.match_id, record.tournament_id)]


_many: Any = bindparam("matches", expanding=True)
_GONE_BOTS: Final = (
    select(col(Bot.id))
    .join(User, col(User.id) == Bot.owner_id)
    .where(col(Bot.id).in_(bindparam("bots", expanding=True)), col(User.deleted_at).is_not(None))
)
_HOUSE: Final = select(col(Bot.id)).where(
    col(Bot.id).in_(bindparam("bots", expanding=True)), col(Bot.is_house).is_(True)
)
_RANKED: Final = select(col(Tournament.id)).where(
    col(Tournament.kind) == "ladder", col(Tournament.house_ranked).is_(True)
)
_GONE_MATCHES: Final = (
    select(col(MatchSeat.match_id))
    .join(Entry, col(Entry.id) == MatchSeat.entry_id)
    .join(Version, col(Version.id) == Entry.version_id)
    .join(Bot, col(Bot.id) == Version.bot_id)
    .join(User, col(User.id) == Bot.owner_id)
    .where(col(MatchSeat.match_id).in_(_many), col(User.deleted_at).is_not(None))
)
_VOID: Final = select(col(Match.id)).where(col(Match.id).in_(_many), col(Match.state) != MatchState.DONE.value)
