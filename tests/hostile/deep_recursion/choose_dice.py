"""Lift the recursion limit, then overflow the stack."""

import sys


def choose_dice(self, view):
    sys.setrecursionlimit(10**9)
    value = []
    for _ in range(1_000_000):
        value = [value]
    return repr(value)
