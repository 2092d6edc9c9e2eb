"""Working out what the reference would do in a person's place."""

import logging

import msgspec

from gangland_ladder.common.release import this_release
from gangland_ladder.playing.hints import HintAnswer, HintOrder, answer_order
from gangland_web.core.clock import now_s

log = logging.getLogger("gangland_web.workers.analysis")


def work_out_hint(text: str) -> HintAnswer | None:
    """Return what the reference says of an order; None for one whose lease has run out, or of another release."""
    order = msgspec.json.decode(text, type=HintOrder)
    if order.release != this_release():
        log.error("this worker is %s, and the site is %s: start it again", this_release(), order.release)
        return None
    if now_s() > order.until:
        log.warning("the hint of table %d came after its lease had ended; dropped", order.id)
        return None
    try:
        return answer_order(order)
    except Exception as bug:  # a bug of ours: the person reads that no hint came, and the log says why
        log.exception("the hint of table %d failed", order.id)
        return HintAnswer(order.id, order.number, order.token, failed=f"{type(bug).__name__}: {bug}"[:400])
