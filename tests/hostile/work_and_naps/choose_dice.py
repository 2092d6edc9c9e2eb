"""Work a little, nap a little, again and again: is it asleep, or kept waiting?"""

import time


def choose_dice(self, view):
    while True:
        until = time.process_time() + 0.0005
        while time.process_time() < until:
            pass
        time.sleep(0.005)
