"""Wait for a lock that nobody gives back, with a time limit."""

import threading


def choose_dice(self, view):
    lock = threading.Lock()
    lock.acquire()
    while not lock.acquire(timeout=0.001):
        pass
