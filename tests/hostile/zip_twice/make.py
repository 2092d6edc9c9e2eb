"""A zip with two files of one name: one to be looked at, one to be run."""

import io
import zipfile

BOT = b"""
from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
"""


def build():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("bot.py", BOT)
        twin = zipfile.ZipInfo("bot.pY")
        file.writestr(twin, b"import os\nos._exit(0)\n")
    return packed.getvalue().replace(b"bot.pY", b"bot.py")
