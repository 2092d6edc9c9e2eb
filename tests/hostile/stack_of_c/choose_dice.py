"""Recurse in C through a comparison."""

import sys


class Deep:
    def __lt__(self, other):
        return min([Deep(), Deep()]) < other


def choose_dice(self, view):
    sys.setrecursionlimit(10**8)
    return min([Deep(), Deep()])
