"""A zip that holds a link out of itself."""

from tests.sandbox.zip_kit import Item, handmade


def build():
    return handmade(Item(), Item(b"secrets.txt", b"/etc/passwd", attributes=0o120777 << 16))
