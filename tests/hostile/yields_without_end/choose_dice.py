"""Give the core away again and again."""

import os


def choose_dice(self, view):
    while True:
        os.sched_yield()
