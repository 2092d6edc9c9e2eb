"""The examples of a page of the documentation."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PAGES = ("README.md", "docs/write-a-bot.md", "docs/numpy.md", "docs/duel.md", "docs/ladder.md", "docs/diff.md")

FENCE = re.compile(r"^```python (?P<name>\w+\.py)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> dict[str, str]:
    pages = [(ROOT / page).read_text(encoding="utf-8") for page in PAGES]
    return {found["name"]: found["code"] for page in pages for found in FENCE.finditer(page)}
