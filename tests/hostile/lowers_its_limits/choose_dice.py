"""Lower its own memory, and fail for want of it."""

import resource


def choose_dice(self, view):
    resource.setrlimit(resource.RLIMIT_AS, (40_000_000, 40_000_000))
    kept = []
    while True:
        kept.append(bytearray(1_000_000))
