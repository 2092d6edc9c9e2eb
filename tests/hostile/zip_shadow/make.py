"""A zip that brings its own `random`, for the harness to import."""

from tests.sandbox.zip_kit import BOT, zipped


def build():
    return zipped({"bot.py": BOT, "random.py": b"class Random: random = lambda self: 0.5"})
