"""What every test of a site gets: what is costly and the same each time is made once a process."""

from tests.kits.cheap_kit import cheap, real_hasher

__all__ = ["cheap", "real_hasher"]
