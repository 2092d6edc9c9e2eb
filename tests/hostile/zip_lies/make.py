"""A zip whose directory lies about the size of what is in it."""

from tests.sandbox.zip_kit import BOT, zipped


def build():
    honest = zipped({"bot.py": BOT, "data.bin": bytes(3 << 20)})
    return honest.replace((3 << 20).to_bytes(4, "little"), (30).to_bytes(4, "little"))
