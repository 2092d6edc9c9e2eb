"""Recurse in C through a comparison."""

import sys

from gangland import gang_of_dice


class Deep:
    def __lt__(self, other):
        return min([Deep(), Deep()]) < other


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        sys.setrecursionlimit(10**8)
        return min([Deep(), Deep()])
