"""A zip that brings its own `random`, for the harness to import."""

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
        file.writestr("random.py", "class Random: random = lambda self: 0.5")
    return packed.getvalue()
