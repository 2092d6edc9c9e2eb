"""Count its descriptors: five are its own, and a sixth would be somebody else's."""

import os
import stat

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for number in range(5, 1024):
            try:
                facts = os.fstat(number)
            except OSError:
                continue
            self.log("ESCAPED", number, facts)
        for number in (0, 1, 2, 3, 4):
            if not stat.S_ISFIFO(os.fstat(number).st_mode):
                self.log("ESCAPED", number, "is no pipe")
        return 1
