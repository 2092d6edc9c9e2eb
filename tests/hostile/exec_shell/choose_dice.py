"""Replace the process by a shell."""

import os


def choose_dice(self, view):
    os.execv("/bin/sh", ["sh", "-c", "id"])
