"""The addresses of the site are promises: bookmarks, printed sheets, programs and feeds hold them."""

from pathlib import Path

from tests.kits.routes_kit import RULES

ADDRESSES = Path(__file__).parent / "addresses.txt"
"""Every route with its methods, one a line; a new one is added by hand, none is taken away without a redirect."""


def test_every_address_that_was_given_out_is_still_answered() -> None:
    routes = {f"{rule.rule} {' '.join(sorted((rule.methods or set()) - {'HEAD', 'OPTIONS'}))}" for rule in RULES}

    assert sorted(routes) == ADDRESSES.read_text(encoding="utf-8").splitlines()
