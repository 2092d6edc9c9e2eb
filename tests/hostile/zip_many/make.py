"""A zip of ten thousand files."""

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
        for number in range(10_000):
            file.writestr(f"f{number}.txt", b"")
    return packed.getvalue()
