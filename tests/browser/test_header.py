"""The header of every page: one row on a phone and at a desk, and no button's text broken inside a word."""

from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize
from tests.browser.site import COOKIE, DESK, PATIENCE_MS, PHONE
from tests.kits import pages_kit, served_kit
from tests.kits.models import User, select

ONE_ROW_PX = 66
WIDTHS = (PHONE["width"], 560, 768, 1024, DESK["width"], 1920)

_BROKEN = """() => Array.from(document.querySelectorAll("button, .button")).filter(one => one.checkVisibility()
).flatMap(
  part => Array.from(part.childNodes).filter(node => node.nodeType === 3).flatMap(node =>
    Array.from(node.data.matchAll(/\\S+/g)).filter(word => {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      return new Set(Array.from(range.getClientRects(), edge => Math.round(edge.top))).size > 1;
    }).map(word => word[0])))"""


def test_the_header_is_one_row_and_no_button_breaks_a_word(tmp_path: Path, browser: Browser) -> None:
    for site in pages_kit.open_site(tmp_path):
        organizer = site.person("Bartholomew of Kathmandu")  # who has the longest header
        with site.database.write() as db:
            db.exec(select(User).where(User.name == "Bartholomew of Kathmandu")).one().role = "organizer"
        with served_kit.served(site.app) as address, closing(browser.new_context(base_url=address)) as context:
            context.set_default_timeout(PATIENCE_MS)
            page = context.new_page()
            for cookie in (None, organizer.client.get_cookie(COOKIE)):
                if cookie:
                    context.add_cookies([{"name": COOKIE, "value": cookie.value, "url": address}])
                page.goto("/search?q=fox")
                for width in WIDTHS:
                    page.set_viewport_size(ViewportSize(width=width, height=800))
                    assert page.evaluate(_BROKEN) == [], width
                    high = page.locator("header.sign").evaluate("part => part.offsetHeight")
                    assert high <= ONE_ROW_PX or 1024 <= width < DESK["width"], (width, high)
                page.set_viewport_size(ViewportSize(width=PHONE["width"], height=PHONE["height"]))
                page.get_by_text("Menu").click()
                page.locator("header").get_by_role("searchbox").fill("straight")
                page.locator("header").get_by_role("button", name="Search").click()
                page.wait_for_url("**/search?q=straight")
