"""A zip whose files lie above the folder that it is unpacked in."""

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
        file.writestr("../../usr/lib/jail/helper.py", "value = 1")
    return packed.getvalue()
