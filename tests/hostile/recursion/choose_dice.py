"""Recurse without end."""


def choose_dice(self, view):
    return self.choose_dice(view)
