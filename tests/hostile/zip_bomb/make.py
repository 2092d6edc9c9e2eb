"""A few kilobytes that unpack to a gigabyte."""

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
        with file.open("data.bin", "w") as data:
            for _ in range(64):
                data.write(bytes(1 << 20))
    return packed.getvalue()
