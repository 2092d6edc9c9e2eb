"""The best of each kind on a ladder: what is offered is kept if it is among the first few, one of each bot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlmodel import Session, col, select

from gangland_web.league.records.hidden import hidden_among
from gangland_web.models.tournaments import Record, RecordKind

KEPT: Final = 5
"""So many of a kind are kept: once one may not be shown, as its owner has left, the next holds the record."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that may be a record; the members are those of `Record`.

    `about` has, by kind: of a reign `since` when (seconds since the epoch); of an upset `other`, whom the bot finished
    ahead of, and `chance` to do so; of a streak `last`, the match with its last block.
    """

    kind: RecordKind
    bot_id: int
    score: float
    at: float
    match_id: int | None = None
    block: int | None = None
    rotation: int | None = None
    about: Mapping[str, Any] = field(default_factory=dict)


class Best:
    """The best of each kind on a ladder, as a transaction has them."""

    def __init__(self, session: Session, tournament_id: int) -> None:
        """Read what is kept so far."""
        self._session, self._tournament_id = session, tournament_id
        self._kept: dict[str, list[Record]] = {kind.value: [] for kind in RecordKind}
        self._hides: dict[tuple[int, int | None], bool] = {}
        chosen = select(Record).where(Record.tournament_id == tournament_id).order_by(col(Record.id))
        for record in session.exec(chosen):
            self._kept[record.kind].append(record)

    def offer(self, offer: Offer) -> None:
        """Keep what is better than the bot's own so far and among the first; of equals the earlier stays.

        What nobody may see is not kept, nor what was said of the luck in the same game before.
        """
        kept = self._kept[offer.kind.value]
        if offer.kind is RecordKind.LUCK:
            self._forget_game(kept, offer)
        own = next((record for record in kept if record.bot_id == offer.bot_id), None)
        if own is None and len(kept) >= KEPT:
            own = min(kept, key=_order)
        if (own is not None and offer.score <= own.score) or self._is_hidden(offer):
            return
        if own is None:
            own = Record(
                tournament_id=self._tournament_id, kind=offer.kind.value, bot_id=0, score=0.0, at=0.0, about={}
            )
            kept.append(own)
        own.bot_id, own.score, own.at, own.about = offer.bot_id, offer.score, offer.at, dict(offer.about)
        own.match_id, own.block, own.rotation = offer.match_id, offer.block, offer.rotation
        self._session.add(own)
        self._session.flush()  # now, as a bot that lost its place here may come back

    def _forget_game(self, kept: list[Record], offer: Offer) -> None:
        where = (offer.match_id, offer.block, offer.rotation)
        for record in [each for each in kept if (each.match_id, each.block, each.rotation) == where]:
            kept.remove(record)
            self._session.delete(record)
            self._session.flush()

    def _is_hidden(self, offer: Offer) -> bool:
        key = (offer.bot_id, offer.match_id)
        if key not in self._hides:
            self._hides[key] = hidden_among(self._session, [key]).hides(*key, self._tournament_id)
        return self._hides[key]


def _order(record: Record) -> tuple[float, float]:
    return record.score, -record.at
