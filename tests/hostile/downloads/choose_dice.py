"""Fetch its next move from the world, and let the refusal pass through."""

import urllib.request


def choose_dice(self, view):
    return int(urllib.request.urlopen("http://192.0.2.1/move").read())
