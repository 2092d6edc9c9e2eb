"""End the process with status 159, as if the filter had struck."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os._exit(159)
