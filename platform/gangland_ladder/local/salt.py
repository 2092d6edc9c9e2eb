"""The salt of this machine: it makes the dice of local runs others than those of the same `--seed` anywhere else.

A bot's author can work out beforehand what each small seed gives, so a bot could carry a table of seeds and know all
dice.  The salt is drawn at first need and kept in the data folder, which no jail holds and no bot's environment names.
"""

import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

SALT_BYTES = 32
_MOST_DIGITS = 128
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+\Z")


class NoSalt(ValueError):
    """The machine's salt can be neither read nor made; the message says why."""


def data_folder(env: Mapping[str, str]) -> Path:
    """Return GANGLAND_DATA, else `gangland` in the user's data folder.  Raises RuntimeError: the user has no home."""
    if given := env.get("GANGLAND_DATA"):
        return Path(given).expanduser().absolute()
    base = env.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "gangland"


def salt_file(env: Mapping[str, str]) -> Path:
    """Return where the machine's salt is kept.  Raises NoSalt: the user has no data folder."""
    try:
        return data_folder(env) / "local" / "salt"
    except RuntimeError as error:
        raise NoSalt(f"no folder to keep a salt in: {error}; GANGLAND_DATA can name one") from error


def parsed_salt(text: str) -> bytes:
    """Return a salt that is written as hexadecimal digits.  Raises ValueError: it is not."""
    if len(text) > _MOST_DIGITS or not _HEX.match(text):
        raise ValueError(f"a salt is 2 to {_MOST_DIGITS} hexadecimal digits, two for each byte, not {text[:80]!r}")
    return bytes.fromhex(text)


def machine_salt(env: Mapping[str, str]) -> bytes:
    """Return this machine's salt, made if there is none.  Raises NoSalt: it cannot be read or kept, or is no salt."""
    file = salt_file(env)
    try:
        with suppress(FileNotFoundError):
            return _read(file)
        _make(file)
        return _read(file)
    except OSError as error:
        raise NoSalt(f"cannot keep a salt in {file}: {error.strerror}") from error


def _read(file: Path) -> bytes:
    with file.open("rb") as stream:
        text = stream.read(2 * SALT_BYTES + 2).decode("ascii", "replace").strip()
    if len(text) != 2 * SALT_BYTES or not _HEX.match(text):
        raise NoSalt(f"{file} holds no salt: expected {2 * SALT_BYTES} hexadecimal digits; delete it to have one made")
    return bytes.fromhex(text)


def _make(file: Path) -> None:
    """Write a new salt, whole or not at all; another process's that came first stays."""
    file.parent.parent.mkdir(parents=True, exist_ok=True)
    file.parent.mkdir(mode=0o700, exist_ok=True)
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_hex(SALT_BYTES).encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(FileExistsError):
            os.link(draft, file)
    finally:
        draft.unlink()
