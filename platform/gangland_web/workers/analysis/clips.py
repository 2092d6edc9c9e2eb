"""Making the clips that pages ask for."""

import logging

import msgspec
from redis import Redis

from gangland_ladder.common.release import this_release
from gangland_ladder.viewer.pictures.orders import NotMade, carried_out
from gangland_web.broker.clips import ClipRequest, send_made
from gangland_web.core.clock import now_s

log = logging.getLogger("gangland_web.workers.analysis")


def make_clip(text: str, broker: Redis) -> None:
    """Carry out an order; one that nobody waits for any more, or of another release, is dropped.

    Raises:
        RedisError: the broker is away.
    """
    request = msgspec.json.decode(text, type=ClipRequest)
    if request.release != this_release():
        log.error("this worker is %s, and the site is %s: start it again", this_release(), request.release)
        return
    if now_s() > request.until:
        log.warning("a clip came after nobody waited for it any more; dropped")
        return
    try:
        body = carried_out(request.order)
    except NotMade as failure:
        log.error("a clip was not made: %s", failure)
        body = b""
    send_made(broker, request, body)
