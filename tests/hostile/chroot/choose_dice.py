"""Make a call that no honest program makes."""

import os


def choose_dice(self, view):
    os.chroot("/")
    return 1
