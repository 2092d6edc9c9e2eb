"""Read whatever lies ready on any descriptor."""

import os
import select

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        looking = select.poll()
        for number in (0, 1, 2, 3):
            looking.register(number, select.POLLIN)
        for number, _ in looking.poll(0):
            try:
                data = os.read(number, 65536)
            except OSError:
                continue
            if data:
                self.log("ESCAPED", number, data[:100])
        for number in range(5):
            self.log(*escaped(lambda: os.pread(number, 100, 0)))
        return 1
