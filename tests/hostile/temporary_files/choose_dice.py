"""Ask the standard library for temporary files and a database."""

import logging
import os
import shelve
import tempfile

from attempts import escaped


def choose_dice(self, view):
    for make in (tempfile.mkstemp, tempfile.mkdtemp, tempfile.TemporaryFile, tempfile.NamedTemporaryFile):
        self.log(*escaped(make))
    self.log(*escaped(lambda: shelve.open("/tmp/memory")))
    self.log(*escaped(lambda: logging.FileHandler("bot.log")))
    self.log(*escaped(lambda: os.memfd_create("memory")))
    self.log(*escaped(lambda: os.mkdir("/tmp")))
    return 1
