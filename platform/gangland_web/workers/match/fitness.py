"""Whether bots may be played here: looked at before the first match and every so often, and shown where people look."""

import logging
import time
from collections.abc import Iterable
from typing import Any, NoReturn

from celery.exceptions import WorkerShutdown
from celery.worker import state
from redis.exceptions import RedisError

from gangland_sandbox import doctor, machine
from gangland_sandbox.doctor import ALL_MENDS
from gangland_sandbox.errors import SandboxError
from gangland_web.broker.link import RELEASE, announce_stopped, withdraw_stopped

log = logging.getLogger(__name__)

PROBE_EVERY_S = 600.0
REFUSES_TO_PLAY = 3
"""Exit status of a worker that could not play safely here."""


class UnfitError(SandboxError):
    """Jails do not hold here; `cause` is why, in the doctor's terms."""

    def __init__(self, cause: str, message: str) -> None:
        """Name the cause, a key of `stopped.CAUSES`."""
        super().__init__(message)
        self.cause = cause


def look() -> int:
    """Try the real jail from all sides; return how many probes passed.

    Raises:
        UnfitError: one did not, or the trying itself failed: what is not proven does not hold.
    """
    try:
        probes = doctor.probe()
    except Exception as bug:  # whatever it is: a match may not be played on the strength of it
        log.exception("the probes of the jail broke off")
        raise UnfitError("unknown", f"the probes of the jail broke off: {type(bug).__name__}: {bug}") from bug
    if doctor.holds(probes):
        return len(probes)
    failed = [found for found in probes if not found.ok]
    reasons = "; ".join(f"{found.name}: {found.detail} ({found.mend})" for found in failed)
    raise UnfitError(failed[0].cause if failed else "unknown", reasons or "no probe of the jail answered")


class Fitness:
    """What this worker's place knows of its jails, and tells the site."""

    def __init__(self, client: Any, host: str, place: str) -> None:
        """Speak for a place of a host, which keeps its name when a worker is started anew there."""
        self._client = client
        self._host = host
        self._place = place
        self._looked_at = time.monotonic()
        self._is_of_the_sites_release = False

    def refuse(self, failure: SandboxError) -> None:
        """Let the site know that nothing is played at this place, and why."""
        cause = failure.cause if isinstance(failure, UnfitError) else machine.obstacle(str(failure))
        try:
            announce_stopped(self._client, self._host, self._place, cause)
        except RedisError as error:
            log.warning("the site could not be told: %s", error)

    def refuse_release(self, why: str) -> None:
        """Let the log and the site know that this place is of another release than the site; play no further match."""
        failure = UnfitError(RELEASE, why)
        log.error("this worker plays no further match: %s", failure)
        self.refuse(failure)
        state.should_stop = REFUSES_TO_PLAY

    def confirm_release(self) -> None:
        """Let the site know that this place is of its release: an order of that release was taken."""
        if self._is_of_the_sites_release:
            return
        self._withdraw([RELEASE])
        self._is_of_the_sites_release = True

    def confirm(self) -> None:
        """Look, and let the site know that jails hold at this place; its release is found out with an order alone.

        Raises:
            UnfitError: jails do not hold.
        """
        passed = look()
        self._looked_at = time.monotonic()
        log.info("%d probes of the jail passed", passed)
        self._withdraw(ALL_MENDS)

    def look_again(self) -> None:
        """Look if it is time; where jails do not hold any more, end before another match is taken.

        Called between matches.  Whoever starts the worker again has everything looked at afresh.
        """
        if time.monotonic() - self._looked_at < PROBE_EVERY_S:
            return
        try:
            self.confirm()
        except UnfitError as failure:
            self._end(failure)

    def _withdraw(self, causes: Iterable[str]) -> None:
        try:
            withdraw_stopped(self._client, self._host, self._place, causes)
        except RedisError as error:
            log.warning("the site could not be told: %s", error)

    def _end(self, failure: UnfitError) -> NoReturn:
        log.error("this worker plays no further match: %s", failure)
        self.refuse(failure)
        raise WorkerShutdown(REFUSES_TO_PLAY)
