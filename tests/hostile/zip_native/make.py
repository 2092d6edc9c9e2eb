"""A zip that brings machine code."""

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
        file.writestr("bot.py", b"import fast\n" + BOT)
        file.writestr("fast.cpython-311-x86_64-linux-gnu.so", b"\x7fELF" + bytes(100))
    return packed.getvalue()
