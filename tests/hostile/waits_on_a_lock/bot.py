"""Wait for a lock that nobody gives back, with a time limit."""

import threading

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        lock = threading.Lock()
        lock.acquire()
        while not lock.acquire(timeout=0.001):
            pass
