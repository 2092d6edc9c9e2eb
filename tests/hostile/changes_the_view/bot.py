"""Change what it was shown."""

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        self.log(*escaped(lambda: setattr(view, "wire", ())))
        self.log(*escaped(lambda: delattr(view, "wire")))
        for part in ("_wire", "_parts"):
            object.__setattr__(view, part, ())
        return 1
