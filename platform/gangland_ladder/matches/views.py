"""What the bots of a game were shown, as one digest that anybody can make again from the replay.

It is the SHA-256 of every question of the game in the order of asking, a fault's too.  A question is
one byte with its seat, from 0, then its kind and the view's wire as marshal writes them in its version 2:
the very bytes that went to the bot.  What the bot was told of its clock stays outside.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

import msgspec

from gangland.game import Event, Outcome
from gangland.replay import Replay, ReplayError, Step, verify_events
from gangland.view import View
from gangland_sandbox.wire import shown_bytes


class ViewsDiffer(ReplayError):
    """The views that a replay gives are not those that the game's bots were sent."""


class ViewsDigest:
    """The digest of a game's observations, growing with each."""

    __slots__ = ("_hash",)

    def __init__(self) -> None:
        self._hash = sha256()

    def of_seat(self, seat: int) -> Callable[[bytes], None]:
        """Return what takes in the bytes of each question to this seat, as `wire.shown_bytes` makes them."""
        mark, update = bytes([seat]), self._hash.update

        def add(shown: bytes) -> None:
            update(mark + shown)

        return add

    def hexdigest(self) -> str:
        """Return the digest of all that was shown so far, 64 hexadecimal digits."""
        return self._hash.hexdigest()


class Verified(NamedTuple):
    """A game that came out as its replay says: its outcome, the digest of the observations, and all events."""

    outcome: Outcome
    views: str
    events: list[Event]


def verify_views(replay: Replay, on_step: Callable[[Step], None] | None = None) -> Verified:
    """Play the replay again and return what it came to.

    Raises:
        ReplayError: the replay does not come out as it says.
    """
    hashed = sha256()
    update, marks = hashed.update, [bytes([seat]) for seat in range(replay.seats)]

    def add(seat: int, kind: str, view: View) -> None:
        update(marks[seat] + shown_bytes(kind, view.wire))

    outcome, events = verify_events(replay, on_step, msgspec.json.encode, add)
    return Verified(outcome, hashed.hexdigest(), events)


def views_digest(replay: Replay) -> str:
    """Return the digest of the observations of a replay that comes out as it says.

    Raises:
        ReplayError: it does not.
    """
    return verify_views(replay).views


def agree(found: str, sent: str | None) -> None:
    """Check the digest of a replay's views against that of what was sent, where that is recorded.

    Raises:
        ViewsDiffer: they are not the same.
    """
    if sent is not None and found != sent:
        raise ViewsDiffer(f"the views sent have the digest {sent}, but played again they have {found}")
