"""Open sockets of the families that nobody thinks of."""

import socket

from attempts import escaped


def choose_dice(self, view):
    for family in range(0, 48):
        for kind in (1, 2, 3, 5, 10):
            self.log(*escaped(lambda: socket.socket(family, kind).fileno()))
    return 1
