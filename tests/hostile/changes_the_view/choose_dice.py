"""Change what it was shown."""

from attempts import escaped


def choose_dice(self, view):
    self.log(*escaped(lambda: setattr(view, "wire", ())))
    self.log(*escaped(lambda: delattr(view, "wire")))
    for part in ("_wire", "_parts"):
        object.__setattr__(view, part, ())
    return 1
