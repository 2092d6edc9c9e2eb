"""A zip with a file at a place of its own choice."""

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
        file.writestr("/etc/cron.d/mine", "* * * * * root id")
    return packed.getvalue()
