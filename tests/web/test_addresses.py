"""The addresses of the site are promises: bookmarks, printed sheets, programs and feeds hold them."""

import re
from pathlib import Path

from tests.kits.routes_kit import RULES

ADDRESSES = Path(__file__).parent / "addresses.txt"
"""Every route with its methods, one a line; a new one is added by hand, none is taken away without a redirect."""


def test_every_address_that_was_given_out_is_still_answered() -> None:
    routes = {f"{rule.rule} {' '.join(sorted((rule.methods or set()) - {'HEAD', 'OPTIONS'}))}" for rule in RULES}

    assert sorted(routes) == ADDRESSES.read_text(encoding="utf-8").splitlines()


def test_every_link_that_a_template_or_a_view_names_leads_to_a_page(root: Path) -> None:
    endpoints = {rule.endpoint for rule in RULES}
    files = [
        file
        for file in (root / "platform/gangland_web").rglob("*")
        if file.suffix in (".py", ".html") and file.is_file()
    ]
    named = {
        (file.name, endpoint)
        for file in files
        for endpoint in re.findall(r"""\burl_for\(\s*["'](\w+\.\w+)["']""", file.read_text(encoding="utf-8"))
    }

    assert len(named) > 100
    assert {(name, endpoint) for name, endpoint in named if endpoint not in endpoints} == set()
