"""Open a socket and let the refusal pass through."""

import socket

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        socket.socket()
        return 1
