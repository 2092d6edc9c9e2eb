"""A zip of ten thousand files."""

from tests.sandbox.zip_kit import BOT, zipped


def build():
    return zipped({"bot.py": BOT} | {f"f{number}.txt": b"" for number in range(10_000)})
