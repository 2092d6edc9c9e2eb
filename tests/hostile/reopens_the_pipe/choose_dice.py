"""Open its own descriptors again by path."""

from attempts import escaped


def choose_dice(self, view):
    for number in range(16):
        self.log(*escaped(lambda number=number: open(f"/dev/fd/{number}", "rb", buffering=0)))
        self.log(*escaped(lambda number=number: open(f"/proc/self/fd/{number}", "rb", buffering=0)))
    return 1
