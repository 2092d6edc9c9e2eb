"""Delete the builtins that everything stands on."""

import builtins

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for name in ("len", "isinstance", "str", "type", "Exception", "BaseException", "getattr", "memoryview"):
            builtins.__dict__.pop(name, None)
        return 1
