"""Open a socket in the other game too, and let the refusal pass through."""

import socket

from gangland import gangster_dice


class Subject(gangster_dice.Bot):
    def choose_bids(self, view):
        socket.create_connection(("192.0.2.1", 80))
