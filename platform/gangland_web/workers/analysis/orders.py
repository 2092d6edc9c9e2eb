"""The orders of those who analyse games, as they come."""

import logging
from typing import TypeVar

import msgspec

from gangland_ladder.analysis.received import AnalysisOrder
from gangland_ladder.common.release import refusal, this_release
from gangland_ladder.playing.hints import HintOrder
from gangland_web.base.clock import now_s
from gangland_web.broker.clips import ClipRequest

log = logging.getLogger("gangland_web.workers.analysis")

OrderT = TypeVar("OrderT", AnalysisOrder, ClipRequest, HintOrder)


def due_order(text: str, form: type[OrderT]) -> OrderT | None:
    """Return an order; None for one that nobody waits for any more, or of another release: it is dropped."""
    order = msgspec.json.decode(text, type=form)
    if order.release != this_release():
        log.error("nothing is analyzed for the site: %s", refusal(order.release))
        return None
    if now_s() > order.until:
        log.warning("an order came after nobody waited for it any more; dropped: %s", form.__name__)
        return None
    return order
