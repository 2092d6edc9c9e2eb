"""The files that a site offers, each with its size and its SHA-256."""

from __future__ import annotations

import hashlib
import io
import re
import stat
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import gangland_web
from gangland_ladder.local.new_bot import games_to_start_with, make

FOLDER: Final = Path(sys.prefix) / "share" / "gangland" / "download"
"""Where `make up` and the image put our own wheel: beside the Python that runs the site."""
FETCHED: Final = "download"
"""Where `gangland up --with-wheels` puts the packages, in the data folder."""
LOCK: Final = "base.txt"
PINS: Final = "requirements.txt"
STARTER: Final = "my_gang"
_WHEEL: Final = re.compile(r"[A-Za-z0-9_.]+-[A-Za-z0-9_.+!]+(-[A-Za-z0-9_.]+){3}\.whl")


@dataclass(frozen=True, slots=True)
class Offer:
    """A file that is handed out: by its path, or as it is made here."""

    name: str
    size_bytes: int
    sha256: str
    path: Path | None = None
    body: bytes = b""

    @property
    def project(self) -> str:
        """Whose wheel it is, as requirements name it."""
        return re.sub(r"[-_.]+", "-", self.name.split("-")[0]).lower()


def lock_text() -> str:
    """Return the lock of the base install: in the installed package, else in the source tree."""
    package = Path(str(gangland_web.__file__)).resolve().parent
    for folder in (package / "_locks", package.parents[1] / "requirements"):
        if (folder / LOCK).is_file():
            return (folder / LOCK).read_text(encoding="utf-8")
    raise FileNotFoundError(f"no {LOCK} in {package} or beside it")


def wheels(data: Path) -> list[Offer]:
    """Return the wheels that this site has, ours first; of two of one name the one that was installed with the site."""
    found: dict[str, Offer] = {}
    for folder in (FOLDER, data / FETCHED):
        for path in sorted(folder.glob("*.whl")) if folder.is_dir() else ():
            facts = path.lstat()
            if stat.S_ISREG(facts.st_mode) and _WHEEL.fullmatch(path.name):
                known = _hashed(path, facts.st_size, facts.st_mtime_ns)
                found.setdefault(path.name, Offer(path.name, facts.st_size, known, path))
    return sorted(found.values(), key=lambda offer: (offer.project != "gangland", offer.name.lower()))


def own_wheel(offers: Sequence[Offer]) -> Offer | None:
    """Return our own wheel among these."""
    return next((offer for offer in offers if offer.project == "gangland"), None)


def is_whole(offers: Sequence[Offer]) -> bool:
    """Tell whether these are all that the base install needs, for one Python at least."""
    named = set(re.findall(r"^([a-z0-9][\w.-]*)==", lock_text(), re.MULTILINE)) | {"gangland"}
    return named <= {offer.project for offer in offers}


def pins(offers: Sequence[Offer]) -> Offer:
    """Return the wheels as requirements with hashes, for an install that takes nothing else."""
    lines: dict[str, list[str]] = {}
    for offer in offers:
        version = offer.name.split("-")[1]
        lines.setdefault(f"{offer.project}=={version}", []).append(f" \\\n    --hash=sha256:{offer.sha256}")
    return _made(PINS, "".join(f"{pin}{''.join(hashes)}\n" for pin, hashes in lines.items()).encode())


@cache
def fixed() -> tuple[Offer, ...]:
    """Return what every site has: the lock, and a starter for each game that has one."""
    return (
        _made(LOCK, lock_text().encode()),
        *(_made(f"starter-{game}.zip", _starter(game)) for game in games_to_start_with()),
    )


def _starter(game: str) -> bytes:
    """Return what `gangland new my_gang` makes, as a zip that is the same whenever it is made."""
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in make(STARTER, game, Path(place) / STARTER):
            text = (Path(place) / STARTER / name).read_bytes()
            archive.writestr(zipfile.ZipInfo(f"{STARTER}/{name}", (1980, 1, 1, 0, 0, 0)), text)
    return packed.getvalue()


def _made(name: str, body: bytes) -> Offer:
    return Offer(name, len(body), hashlib.sha256(body).hexdigest(), body=body)


@lru_cache(maxsize=256)
def _hashed(path: Path, _size: int, _changed_ns: int) -> str:
    """Return a file's SHA-256, kept until its size or time changes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
