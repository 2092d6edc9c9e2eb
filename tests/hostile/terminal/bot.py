"""Push characters into the terminal of whoever runs the referee."""

import fcntl

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for descriptor in range(5):
            for request in (0x5412, 0x1_0000_5412, 0x541C):
                self.log(*escaped(lambda d=descriptor, r=request: fcntl.ioctl(d, r & 0xFFFFFFFF, b"x")))
        return 1
