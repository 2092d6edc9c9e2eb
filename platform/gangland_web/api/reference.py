"""The reference of all calls: as a page of the documentation, and what the site's own page shows.

`python -m gangland_web.api.reference` prints the page of the documentation.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import gangland_web.api.views  # noqa: F401 (which declares the calls)
from gangland_web.api.framework.curl import curl_line
from gangland_web.api.framework.declared import ANY_TOKEN, CALLS, Call
from gangland_web.api.framework.openapi import SUBJECTS, openapi
from gangland_web.people.tokens import Scope
from gangland_web.resources.fields import BASE

HEAD: Final = """# Calls of the API

Every call of `/api/v1`, by subject, with what it needs and a line for a shell. [The guide](api.md) tells what they
share: tokens, paging, errors and rates. The same, with all models, is on each site at `/api` for people and at
`/api/v1/openapi.json` for programs (OpenAPI 3.1).

In the lines `$SITE` is the site's address, `token.header` the file with the token's header that the guide creates.
Other words in capitals stand for numbers.

<!-- Made by `python -m gangland_web.api.reference`. -->
"""


@dataclass(frozen=True, slots=True)
class Told:
    """A call as the reference shows it; `operation` is that of the OpenAPI document."""

    call: Call
    needs: str
    line: str
    operation: dict[str, Any]

    @property
    def path(self) -> str:
        """Its whole path."""
        return BASE + self.call.path


def told_by_subject() -> list[tuple[str, str, list[Told]]]:
    """Return all calls by subject: its name, its words, and its calls in the order of their paths."""
    return [(name, words, _told(name)) for name, words in SUBJECTS.items()]


def _told(subject: str) -> list[Told]:
    paths = openapi()["paths"]
    calls = sorted(
        (call for call in CALLS.values() if call.subject == subject), key=lambda call: (call.path, call.method)
    )
    return [Told(call, needs_of(call), curl_line(call), paths[BASE + call.path][call.method.lower()]) for call in calls]


def needs_of(call: Call) -> str:
    """Return what a call needs, in words."""
    if isinstance(call.needs, Scope):
        return f"a token with the scope `{call.needs.value}`"
    return "any good token" if call.needs == ANY_TOKEN else "nothing"


def page() -> str:
    """Return the page of the documentation, in Markdown."""
    parts = [HEAD]
    for _, words, calls in told_by_subject():
        parts.append(f"## {words}\n")
        parts += [_section(each) for each in calls]
    return "\n".join(parts)


def _section(each: Told) -> str:
    call = each.call
    lines = [f"### {call.method} {call.path or '/'}", "", f"{call.summary}. It needs {each.needs}."]
    if call.about:
        lines += ["", call.about]
    if asked := _asked(each.operation["parameters"]):
        lines += ["", asked]
    return "\n".join([*lines, "", "```sh", each.line, "```", ""])


def _asked(parameters: Sequence[dict[str, Any]]) -> str:
    """Return the parameters behind the question mark, in a sentence."""
    told = [f"`{each['name']}`" for each in parameters if each["in"] == "query"]
    return f"Parameters: {', '.join(told)}." if told else ""


def main() -> int:
    """Print the page."""
    sys.stdout.write(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
