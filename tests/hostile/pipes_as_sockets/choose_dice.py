"""Take its pipes for sockets, and send descriptors through them."""

import array
import socket

from attempts import escaped


def choose_dice(self, view):
    for number in range(5):
        taken = socket.fromfd(number, socket.AF_UNIX, socket.SOCK_STREAM)
        for attempt in (taken.getpeername, taken.getsockname, lambda: taken.recv(1), lambda: taken.shutdown(2)):
            self.log(*escaped(attempt))
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))]
        self.log(*escaped(lambda: taken.sendmsg([b"x"], rights)))
    return 1
