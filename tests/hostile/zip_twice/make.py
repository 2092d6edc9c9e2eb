"""A zip with two files of one name: one to be looked at, one to be run."""

from tests.sandbox.zip_kit import BOT, zipped


def build():
    return zipped({"bot.py": BOT, "bot.pY": b"import os\nos._exit(0)\n"}).replace(b"bot.pY", b"bot.py")
