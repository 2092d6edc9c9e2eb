"""How large an upload may be."""

from dataclasses import dataclass
from typing import Final

from gangland_sandbox.limits import KIB, Profile

_MIB: Final = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that intake takes of one upload.

    Attributes:
        source_bytes: of one Python file, alone or in a zip; zip_bytes: of a zip as it is sent.
        unpacked_bytes: of all files of a zip together; entries: files and folders that a zip lists.
        ratio: how many times its packed size a file may have once unpacked, if it is larger than `ratio_from_bytes`.
        depth: parts of a path, so that `a/b/c.py` has three; path_chars: characters of a path.
    """

    source_bytes: int
    zip_bytes: int
    unpacked_bytes: int
    entries: int
    ratio: int = 100
    ratio_from_bytes: int = 64 * KIB
    depth: int = 8
    path_chars: int = 128

    @property
    def largest_bytes(self) -> int:
        """The most bytes that any upload may have."""
        return max(self.source_bytes, self.zip_bytes)


PLAIN: Final = Caps(source_bytes=256 * KIB, zip_bytes=_MIB, unpacked_bytes=4 * _MIB, entries=64)
NUMERIC: Final = Caps(source_bytes=256 * KIB, zip_bytes=8 * _MIB, unpacked_bytes=32 * _MIB, entries=64)
CAPS: Final = {Profile.PLAIN: PLAIN, Profile.NUMERIC: NUMERIC}
"""What may be uploaded for matches of a profile."""
