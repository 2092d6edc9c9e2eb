"""Open sockets of every family; play on when refused."""

import socket

from attempts import escaped


def choose_dice(self, view):
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK, socket.AF_PACKET):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            self.log(*escaped(lambda family=family, kind=kind: socket.socket(family, kind)))
    self.log(*escaped(socket.socketpair))
    self.log(*escaped(lambda: socket.create_connection(("127.0.0.1", 22), 1)))
    return 1
