"""Search every object for what belongs to other seats or to the host."""

import gc
import sys


def choose_dice(self, view):
    words = ("seed_secret", "rng_key", "opponent", "REDIS", "SECRET_KEY", "postgres")
    for found in gc.get_objects():
        if isinstance(found, dict):
            for key in list(found):
                if isinstance(key, str) and any(word == key for word in words):
                    self.log("ESCAPED", key)
    frame = sys._getframe()
    while frame is not None:
        for name in frame.f_locals:
            if "seed" in name and name != "rng_seed":
                self.log("ESCAPED", name)
        frame = frame.f_back
    return 1
