"""Make a call that no honest program makes."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.chroot("/")
        return 1
