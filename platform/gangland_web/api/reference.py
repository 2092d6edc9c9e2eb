"""The reference of all calls: as a page of the documentation, and what the site's own page shows.

`python -m gangland_web.api.reference` prints the page of the documentation.
"""

from __future__ import annotations

import gc
import sys
from dataclasses import dataclass
from typing import Any, Final

import gangland_web.api.views  # noqa: F401 (which declares the calls)
from gangland_web.api.framework.curl import curl_line
from gangland_web.api.framework.declared import ANY_TOKEN, CALLS, Call
from gangland_web.api.framework.openapi import SUBJECTS, openapi
from gangland_web.queries.tables import BASE
from gangland_web.services.tokens import Scope

HEAD: Final = """# Calls of the API

Every call of `/api/v1`, by subject, with the scope of the token that it needs, if any. [The guide](api.md) says what
they share.

<!-- Made by `python -m gangland_web.api.reference`. -->
"""


@dataclass(frozen=True, slots=True)
class CallEntry:
    """A call as the reference shows it; `operation` is that of the OpenAPI document."""

    call: Call
    needs: str
    line: str
    operation: dict[str, Any]

    @property
    def path(self) -> str:
        """Its whole path."""
        return BASE + self.call.path


def calls_by_subject() -> list[tuple[str, str, list[CallEntry]]]:
    """Return all calls by subject: its name, its words, and its calls in the order of their paths."""
    return [(name, words, _entries(name)) for name, words in SUBJECTS.items()]


def _entries(subject: str) -> list[CallEntry]:
    paths = openapi()["paths"]
    calls = sorted(
        (call for call in CALLS.values() if call.subject == subject), key=lambda call: (call.path, call.method)
    )
    return [
        CallEntry(call, needs_of(call), curl_line(call), paths[BASE + call.path][call.method.lower()]) for call in calls
    ]


def needs_of(call: Call) -> str:
    """Return what a call needs, in words."""
    if isinstance(call.needs, Scope):
        return f"a token with the scope `{call.needs.value}`"
    return "any good token" if call.needs == ANY_TOKEN else "nothing"


def page() -> str:
    """Return the page of the documentation, in Markdown."""
    parts = [HEAD]
    for _, words, calls in calls_by_subject():
        parts.append(f"## {words}\n")
        parts += [_line(each.call) for each in calls] + [""]
    return "\n".join(parts)


def _line(call: Call) -> str:
    needs = call.needs.value if isinstance(call.needs, Scope) else "any token" if call.needs == ANY_TOKEN else ""
    return f"- `{call.method} {call.path or '/'}`: {call.summary}{f' ({needs})' if needs else ''}."


def main() -> int:
    """Print the page."""
    sys.stdout.write(page())
    gc.freeze()  # msgspec 0.22 may crash in the interpreter's last collection, once schemas were made of many models
    return 0


if __name__ == "__main__":
    sys.exit(main())
