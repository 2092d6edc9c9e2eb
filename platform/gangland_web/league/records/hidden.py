"""Which records nobody may see any more: of whom has left, of matches at which such a bot sat, of void ones."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any, Final, NamedTuple

from sqlalchemy import bindparam, select
from sqlmodel import Session, col
from sqlmodel import select as select_model

from gangland_web.store.lifecycles.matches import MatchState
from gangland_web.store.models.accounts import User
from gangland_web.store.models.bots import Bot, Version
from gangland_web.store.models.matches import Match, MatchSeat
from gangland_web.store.models.records import Record
from gangland_web.store.models.tournaments import Entry


class Hidden(NamedTuple):
    """Bots that hold no record, and matches that are proof of none."""

    bots: Set[int]
    matches: Set[int]

    def hides(self, bot_id: int, match_id: int | None) -> bool:
        """Tell whether nobody may see a record of a bot, or at a match."""
        return bot_id in self.bots or match_id in self.matches


def hidden_among(session: Session, held: Iterable[tuple[int, int | None]]) -> Hidden:
    """Return which of some bots and matches, by record, hold none that may be seen."""
    pairs = list(held)
    bots, matches = {bot for bot, _ in pairs}, {match for _, match in pairs if match is not None}
    gone: Any = session.connection().execute(_GONE_BOTS, {"bots": list(bots)}).scalars()
    at: Any = session.connection().execute(_GONE_MATCHES, {"matches": list(matches)}).scalars()
    void: Any = session.connection().execute(_VOID, {"matches": list(matches)}).scalars()
    return Hidden({*gone}, {*at, *void})


def hidden_records(session: Session, ladder_id: int | None = None) -> list[Record]:
    """Return the records, of a ladder or of all, that nobody may see any more."""
    chosen = select_model(Record)
    if ladder_id is not None:
        chosen = chosen.where(Record.tournament_id == ladder_id)
    kept = session.exec(chosen.order_by(col(Record.id))).all()
    hidden = hidden_among(session, [(record.bot_id, record.match_id) for record in kept])
    return [record for record in kept if hidden.hides(record.bot_id, record.match_id)]


_many: Any = bindparam("matches", expanding=True)
_GONE_BOTS: Final = (
    select(col(Bot.id))
    .join(User, col(User.id) == Bot.owner_id)
    .where(col(Bot.id).in_(bindparam("bots", expanding=True)), col(User.deleted_at).is_not(None))
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
