"""Think for ever in an interpreter within the interpreter."""

import _xxsubinterpreters

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        inner = _xxsubinterpreters.create()
        _xxsubinterpreters.run_string(inner, "while True: pass")
        return 1
