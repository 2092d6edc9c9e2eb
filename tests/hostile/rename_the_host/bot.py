"""Rename the host while being imported."""

import socket

from gangland import gang_of_dice


socket.sethostname("owned")


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
