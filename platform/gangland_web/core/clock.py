"""The one place where the platform reads the time of day."""

import time


def now_s() -> float:
    """Return the seconds since the epoch, UTC."""
    return time.time()
