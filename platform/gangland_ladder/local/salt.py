"""The salt of this machine, which makes the dice of local runs unpredictable."""

import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

# The same `--seed` gives different dice on different machines. Without a salt, an author could compute the dice for all
# small seeds, and a bot could contain a table of them. The salt is drawn on first use and stored in the data folder,
# which is not in any jail or in a bot's environment.
SALT_BYTES = 32
_MAX_DIGITS = 128
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+\Z")


class NoSalt(ValueError):
    """The machine's salt can neither be read nor created; the message explains why."""


def data_folder(env: Mapping[str, str]) -> Path:
    """Return GANGLAND_DATA, else `gangland` in the user's data folder. Raises RuntimeError: the user has no home."""
    if folder := env.get("GANGLAND_DATA"):
        return Path(folder).expanduser().absolute()
    base = env.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "gangland"


def salt_file(env: Mapping[str, str]) -> Path:
    """Return the file of the machine's salt. Raises NoSalt: the user has no data folder."""
    try:
        return data_folder(env) / "local" / "salt"
    except RuntimeError as error:
        raise NoSalt(f"no folder for the salt: {error}; set GANGLAND_DATA") from error


def parsed_salt(text: str) -> bytes:
    """Return a salt from hexadecimal digits. Raises ValueError: the digits are invalid."""
    if len(text) > _MAX_DIGITS or not _HEX.match(text):
        raise ValueError(f"--salt must be an even number of hexadecimal digits, 2 to {_MAX_DIGITS}, not {text[:80]!r}")
    return bytes.fromhex(text)


def machine_salt(env: Mapping[str, str]) -> bytes:
    """Return this machine's salt, created on first use. Raises NoSalt: it is invalid, or cannot be read or stored."""
    file = salt_file(env)
    try:
        with suppress(FileNotFoundError):
            return _read(file)
        _create(file)
        return _read(file)
    except OSError as error:
        raise NoSalt(f"cannot store a salt in {file}: {error.strerror}") from error


def is_machine_salt(salt: bytes, env: Mapping[str, str]) -> bool:
    """Return whether this machine has stored this salt; False if its salt cannot be read."""
    try:
        return _read(salt_file(env)) == salt
    except (NoSalt, OSError):
        return False


def _read(file: Path) -> bytes:
    with file.open("rb") as stream:
        text = stream.read(2 * SALT_BYTES + 2).decode("ascii", "replace").strip()
    if len(text) != 2 * SALT_BYTES or not _HEX.match(text):
        raise NoSalt(f"no salt in {file}: expected {2 * SALT_BYTES} hexadecimal digits; delete it to get a new one")
    return bytes.fromhex(text)


def _create(file: Path) -> None:
    """Write a new salt in one step; if another process has written one first, keep that one."""
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
