"""Search everything that Python can reach for the source or the name of another bot."""

import gc
import sys


def choose_dice(self, view):
    needles = ["".join(parts) for parts in (("class ", "Honest("), ("class ", "Puppet("), *(("bot", f"_{n}.py") for n in range(3)))]
    needles.remove(__file__)
    seen, waiting = set(), [*gc.get_objects(), *sys.modules.values()]
    while waiting and len(seen) < 60_000:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, (str, bytes)):
            text = thing if isinstance(thing, str) else thing.decode("latin-1")
            for needle in needles:
                if needle in text and text not in needles:
                    self.log("ESCAPED", needle, text[:100])
        elif isinstance(thing, (dict, list, tuple)):
            waiting += thing.values() if isinstance(thing, dict) else thing
    return 1
