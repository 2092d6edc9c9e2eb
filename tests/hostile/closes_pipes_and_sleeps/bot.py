"""Close every descriptor and sleep."""

import os
import time

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        os.closerange(0, 64)
        time.sleep(3600)
