"""Raise the limits that it was given."""

import resource

from attempts import escaped


def choose_dice(self, view):
    for name in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
        most = resource.RLIM_INFINITY
        self.log(*escaped(lambda name=name: resource.setrlimit(name, (most, most)) or "lifted"))
    return 1
