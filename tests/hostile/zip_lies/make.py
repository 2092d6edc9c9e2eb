"""A zip whose directory lies about the size of what is in it."""

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
        file.writestr("data.bin", bytes(3 << 20))
    return packed.getvalue().replace((3 << 20).to_bytes(4, "little"), (30).to_bytes(4, "little"))
