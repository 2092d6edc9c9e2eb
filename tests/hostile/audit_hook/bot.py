"""Hook into every event of the interpreter and refuse them all."""

import sys

from gangland import gang_of_dice


def refuse(event, arguments):
    raise RuntimeError(event)


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        sys.addaudithook(refuse)
        return 1
