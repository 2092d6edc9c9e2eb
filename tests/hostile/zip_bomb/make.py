"""A few kilobytes that unpack to a gigabyte."""

from tests.sandbox.zip_kit import BOT, zipped


def build():
    return zipped({"bot.py": BOT, "data.bin": bytes(64 << 20)})
