"""Small files of the data folder that nobody else may read."""

import os
import secrets
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, whole or not at all."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def stored_secret(path: Path) -> str:
    """Return the secret kept in a 0600 file, drawing 256 bits on first use."""
    if not path.exists():
        write_private(path, secrets.token_hex(32) + "\n")
    return path.read_text(encoding="utf-8").strip()
