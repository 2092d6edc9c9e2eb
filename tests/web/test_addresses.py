"""The addresses of the site are promises: bookmarks, printed sheets, programs and feeds hold them."""

import re
from pathlib import Path

from tests.kits.routes_kit import RULES

ADDRESSES = Path(__file__).parent / "addresses.txt"  # each route and its methods; none is removed without a redirect


def test_every_address_that_was_given_out_is_still_answered() -> None:
    routes = {f"{rule.rule} {' '.join(sorted((rule.methods or set()) - {'HEAD', 'OPTIONS'}))}" for rule in RULES}
    assert sorted(routes) == ADDRESSES.read_text(encoding="utf-8").splitlines()


def test_every_link_that_a_template_or_a_view_names_leads_to_a_page(root: Path) -> None:
    files = [file for end in ("py", "html") for file in (root / "platform/gangland_web").rglob(f"*.{end}")]
    pattern = re.compile(r"""\burl_for\(\s*["'](\w+\.\w+)["']""")
    named = {(file.name, name) for file in files for name in pattern.findall(file.read_text(encoding="utf-8"))}
    assert len(named) > 100
    assert {(file, name) for file, name in named if name not in {rule.endpoint for rule in RULES}} == set()


def test_every_form_that_is_posted_has_its_token(root: Path) -> None:
    pattern = re.compile(r"<form\b((?:\{[%{].*?[%}]\}|[^>])*)>(.*?)</form>", re.DOTALL)
    pages = {file.name: file.read_text(encoding="utf-8") for file in (root / "platform/gangland_web").rglob("*.html")}
    forms = [(name, inside) for name, page in pages.items() for form, inside in pattern.findall(page) if "post" in form]
    assert len(forms) > 50
    assert [name for name, inside in forms if "csrf_field()" not in inside] == []
