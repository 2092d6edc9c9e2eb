"""A zip that brings machine code."""

from tests.sandbox.zip_kit import BOT, zipped


def build():
    return zipped({"bot.py": b"import fast\n" + BOT, "fast.cpython-311-x86_64-linux-gnu.so": b"\x7fELF" + bytes(100)})
