"""Leave politely."""

import sys

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        sys.exit(0)
