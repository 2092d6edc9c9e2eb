"""Close every descriptor and go on."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.closerange(0, 64)
        return 1
