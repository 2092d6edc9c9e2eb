"""What a match worker must not have, and what it must give up before it touches a bot."""

import os
from collections.abc import Mapping

FORBIDDEN = ("DATABASE_URL", "SECRET_KEY", "REDIS_URL", "ANALYSIS_REDIS_URL")
"""Settings of other processes: the database, the site's secret, the broker's own user."""


AND_TABLES = "+tables"
"""What ends the slot (GANGLAND_SLOT) of a worker that asks the bots of tables between two matches."""


class NotForWorkers(RuntimeError):
    """A match worker was given what it must not have."""


def check_environment(environ: Mapping[str, str]) -> None:
    """Refuse an environment that holds another process's credentials.

    Raises:
        NotForWorkers: it does; the message names them.
    """
    found = [name for plain in FORBIDDEN for name in (plain, f"{plain}_FILE") if environ.get(name)]
    if found:
        raise NotForWorkers(f"a match worker must not be given {', '.join(found)}; it needs WORKER_REDIS_URL alone")


def pin_to_core(environ: Mapping[str, str]) -> None:
    """Keep this process and its jails on one core, if the supervisor says which.

    Referee and bots take turns, so one core serves them, and a message between two processes on
    one core takes less than half the time.
    """
    slot = environ.get("GANGLAND_SLOT", "").removesuffix(AND_TABLES)
    if slot.isdigit():
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(slot) % len(cores)]})
