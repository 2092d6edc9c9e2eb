"""A zip with a file at a place of its own choice."""

from tests.sandbox.zip_kit import BOT, zipped


def build():
    return zipped({"bot.py": BOT, "/etc/cron.d/mine": b"* * * * * root id"})
