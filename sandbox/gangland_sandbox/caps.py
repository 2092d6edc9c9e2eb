"""Size limits of uploads."""

from dataclasses import dataclass
from typing import Final

from gangland_sandbox.limits import KIB, Profile

_MIB: Final = 1024 * KIB


@dataclass(frozen=True, slots=True)
class Caps:
    """The maximum sizes of one upload."""

    source_bytes: int  # of one Python file, single or in a zip
    zip_bytes: int  # of a zip as uploaded
    unpacked_bytes: int  # of all files in a zip together
    entries: int  # the number of files and folders in a zip
    ratio: int = 100  # of a file's unpacked to packed size, for files larger than `ratio_from_bytes`
    ratio_from_bytes: int = 64 * KIB
    depth: int = 8  # the number of parts of a path; `a/b/c.py` has three
    path_chars: int = 128

    @property
    def largest_bytes(self) -> int:
        """The maximum number of bytes of any upload."""
        return max(self.source_bytes, self.zip_bytes)


PLAIN: Final = Caps(source_bytes=256 * KIB, zip_bytes=_MIB, unpacked_bytes=4 * _MIB, entries=64)
NUMERIC: Final = Caps(source_bytes=256 * KIB, zip_bytes=8 * _MIB, unpacked_bytes=32 * _MIB, entries=64)
CAPS: Final = {Profile.PLAIN: PLAIN, Profile.NUMERIC: NUMERIC}
"""The limits by the profile of the matches."""
