"""Making the clips that pages ask for."""

import logging

from redis import Redis

from gangland_ladder.viewer.pictures.orders import NotMade, carried_out
from gangland_web.broker.clips import ClipRequest, send_made
from gangland_web.workers.analysis.orders import due_order

log = logging.getLogger("gangland_web.workers.analysis")


def make_clip(text: str, broker: Redis) -> None:
    """Carry out an order; one that nobody waits for any more, or of another release, is dropped.

    Raises:
        RedisError: the broker is away.
    """
    request = due_order(text, ClipRequest)
    if request is None:
        return
    try:
        body = carried_out(request.order)
    except NotMade as failure:
        log.error("a clip was not made: %s", failure)
        body = b""
    send_made(broker, request, body)
