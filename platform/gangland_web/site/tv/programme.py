"""What a channel shows now, with its next item planned if nobody has done it."""

from __future__ import annotations

from typing import Final

from gangland_web.base.clock import now_s
from gangland_web.queries.channels import Channel, Schedule, choose, schedule_at
from gangland_web.services.channels import add_item, bring_forward, last_number
from gangland_web.web.middleware import closed_for
from gangland_web.web.sessions import database, reading

_TRIES: Final = 4
"""An item for now, one for next, and as often somebody else was faster."""


def on_air(channel: Channel) -> Schedule:
    """Return what a channel shows; what is missing of now and next is planned, but not under maintenance.

    If what was on counts no more, what is next begins.  Several may plan at once: one of them is first, and the others
    read what it wrote.
    """
    found = Schedule(None, None)
    for _ in range(_TRIES):
        with reading() as db:
            at = now_s()
            found = schedule_at(db, channel, at)
            if (found.now and found.next) or closed_for():
                break
            planned = choose(db, channel) if found.next is None else None
            number = last_number(db, channel.key) + 1
        if found.next is not None:
            bring_forward(database(), found.next, at)
        elif planned is None:
            break
        else:
            add_item(database(), channel.key, number, planned, at if found.now is None else found.now.ends_at)
    return found
