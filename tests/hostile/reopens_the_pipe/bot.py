"""Open its own descriptors again by path."""

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for number in range(16):
            self.log(*escaped(lambda number=number: open(f"/dev/fd/{number}", "rb", buffering=0)))
            self.log(*escaped(lambda number=number: open(f"/proc/self/fd/{number}", "rb", buffering=0)))
        return 1
