"""Hook into every event of the interpreter and refuse them all."""

import sys


def refuse(event, arguments):
    raise RuntimeError(event)


def choose_dice(self, view):
    sys.addaudithook(refuse)
    return 1
