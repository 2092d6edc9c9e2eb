"""A zip whose files lie above the folder that it is unpacked in."""

from tests.sandbox.zip_kit import BOT, zipped


def build():
    return zipped({"bot.py": BOT, "../../usr/lib/jail/helper.py": b"value = 1"})
