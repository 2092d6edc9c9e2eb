"""Take its pipes for sockets, and send descriptors through them."""

import array
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
        for number in range(5):
            taken = socket.fromfd(number, socket.AF_UNIX, socket.SOCK_STREAM)
            for attempt in (taken.getpeername, taken.getsockname, lambda: taken.recv(1), lambda: taken.shutdown(2)):
                self.log(*escaped(attempt))
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))]
            self.log(*escaped(lambda: taken.sendmsg([b"x"], rights)))
        return 1
