"""Raise the limits that it was given."""

import resource

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for name in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
            most = resource.RLIM_INFINITY
            self.log(*escaped(lambda name=name: resource.setrlimit(name, (most, most)) or "lifted"))
        return 1
