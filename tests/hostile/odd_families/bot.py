"""Open sockets of the families that nobody thinks of."""

import socket

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for family in range(0, 48):
            for kind in (1, 2, 3, 5, 10):
                self.log(*escaped(lambda: socket.socket(family, kind).fileno()))
        return 1
