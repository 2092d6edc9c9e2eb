"""Rename the host while being imported."""

import socket


socket.sethostname("owned")


def choose_dice(self, view):
    return 1
