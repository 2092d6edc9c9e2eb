"""Ask the standard library for temporary files and a database."""

import logging
import os
import shelve
import tempfile

from gangland import gang_of_dice


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        for make in (tempfile.mkstemp, tempfile.mkdtemp, tempfile.TemporaryFile, tempfile.NamedTemporaryFile):
            self.log(*escaped(make))
        self.log(*escaped(lambda: shelve.open("/tmp/memory")))
        self.log(*escaped(lambda: logging.FileHandler("bot.log")))
        self.log(*escaped(lambda: os.memfd_create("memory")))
        self.log(*escaped(lambda: os.mkdir("/tmp")))
        return 1
