"""Working out what the reference would do in a person's place."""

import logging

from gangland_ladder.playing.hints import HintAnswer, HintOrder, answer_order
from gangland_web.workers.analysis.orders import due_order

log = logging.getLogger("gangland_web.workers.analysis")


def work_out_hint(text: str) -> HintAnswer | None:
    """Return what the reference says of an order; None for one whose lease has run out, or of another release."""
    order = due_order(text, HintOrder)
    if order is None:
        return None
    try:
        return answer_order(order)
    except Exception as bug:  # a bug of ours: the person reads that no hint came, and the log says why
        log.exception("the hint of table %d failed", order.id)
        return HintAnswer(order.id, order.number, order.token, failed=f"{type(bug).__name__}: {bug}"[:400])
