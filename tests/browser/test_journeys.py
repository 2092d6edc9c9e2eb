"""Ways through the site that somebody goes: by the keyboard alone, and where no script runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.looking import LONG
from tests.browser.pages import PAGES, firsts
from tests.browser.site import DESK, Town
from tests.browser.world import OWNER, PASSWORD

BOT = """from gangland import gang_of_dice


class Mine(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
"""
_HERE = """() => {
  const part = document.activeElement;
  const label = part.labels?.[0]?.textContent ?? part.getAttribute("aria-label") ?? part.textContent ?? "";
  return (part.type === "radio" ? "radio: " : "") + label.replace(/\\s+/g, " ").trim();
}"""


def tab_to(page: Page, words: str, *, most: int = 150) -> None:
    """Press Tab until what has the focus is called so; the words are a pattern."""
    met = []
    for _ in range(most):
        page.keyboard.press("Tab")
        met.append(str(page.evaluate(_HERE)))
        if re.search(words, met[-1]):
            return
    raise AssertionError(f"Tab does not come to {words!r}, but to {met}")


def enter(page: Page) -> None:
    """Press Enter and wait for the page that it leads to."""
    with page.expect_navigation():
        page.keyboard.press("Enter")


@pytest.fixture
def page(town: Town, browser: Browser) -> Iterator[Page]:
    with town.visitor(browser, viewport=DESK) as context:
        yield context.new_page()


def test_an_author_signs_up_and_sends_a_bot_in_by_the_keyboard_alone(page: Page) -> None:
    page.goto("/")
    tab_to(page, "^Skip to content$", most=1)
    tab_to(page, "^Sign up$")
    enter(page)
    for label, words in (("^Name", "Keys Only"), ("^Password", PASSWORD)):
        tab_to(page, label)
        page.keyboard.type(words)
    enter(page)
    tab_to(page, "^Upload")
    enter(page)
    tab_to(page, "^radio: ")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
        if page.locator("[name=game][value=gang-of-dice]").is_checked():
            break
    tab_to(page, "paste the source")
    page.keyboard.insert_text(BOT)
    tab_to(page, "^Bot name")
    page.keyboard.type("By keys")
    tab_to(page, "^Upload$")
    enter(page)
    expect(page.locator("h1")).to_contain_text("By keys")
    expect(page.locator("main")).to_contain_text("being checked")


def test_a_spectator_comes_from_the_ladder_to_a_replay_and_walks_through_it_by_the_keyboard_alone(page: Page) -> None:
    page.goto("/")
    tab_to(page, "^Gangster Dice$")
    enter(page)
    tab_to(page, "[Mm]atches")
    enter(page)
    tab_to(page, "^#?\\d+$|^Match \\d+")
    enter(page)
    assert re.search(r"/matches/\d+", page.url)


def test_the_viewers_keys_step_scroll_and_let_go(town: Town, page: Page) -> None:
    page.goto(f"/matches/{town.places['match gang-of-dice 2']}/games/0/0")
    tab_to(page, "Replay")
    viewer = page.locator("[data-replay=film]")
    expect(viewer).to_be_focused()
    scrub = page.locator("[data-scrub]")
    for key, index in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(scrub).to_have_value(str(index))
    page.keyboard.press("End")
    expect(scrub).to_have_value(scrub.get_attribute("max") or "")
    page.wait_for_function("() => location.hash === '#end'")
    before = page.evaluate("() => scrollY")
    page.keyboard.press("ArrowUp" if before > 100 else "ArrowDown")
    page.wait_for_function("before => scrollY !== before", arg=before)
    expect(scrub).to_have_value(scrub.get_attribute("max") or "")

    page.keyboard.press("?")
    off = page.locator("[data-keys]")
    expect(off).to_be_visible()
    off.focus()
    page.keyboard.press("Space")
    viewer.focus()
    page.keyboard.press("Home")
    expect(scrub).to_have_value(scrub.get_attribute("max") or "")
    assert page.evaluate("() => document.activeElement.closest('[data-replay=film]') !== null")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.closest('[data-replay=film]') === null"):
            return
    raise AssertionError("Tab does not leave the viewer")


def test_every_page_is_read_where_no_script_runs(town: Town, browser: Browser) -> None:
    with town.visitor(browser, signed_in=True, java_script_enabled=False) as context:
        page = context.new_page()
        for shown in PAGES if LONG else firsts():
            if shown.empty or shown.act or shown.status != 200 or "Sign" in shown.name:
                continue
            page.goto(shown.address(town.places))
            assert page.locator("main").inner_text().strip(), shown.name
            waits = page.locator("main [hidden], main [data-script]:visible").evaluate_all(
                "parts => parts.filter(part => !part.hidden).map(part => part.outerHTML.slice(0, 100))"
            )
            assert not waits, f"{shown.name}: shown although it needs the script: {waits}"


def test_an_author_signs_in_and_sends_a_bot_in_where_no_script_runs(town: Town, browser: Browser) -> None:
    with town.visitor(browser, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/sign-in")
        page.get_by_label("Name").fill(OWNER)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Sign in").click()
        page.goto("/upload")
        page.get_by_label("Gangster Dice").check()
        page.get_by_label("Or paste the source").fill(BOT.replace("gang_of_dice", "gangster_dice"))
        page.get_by_label("Bot name").fill("Sly")
        page.get_by_role("button", name="Upload").click()
        expect(page.locator("h1")).to_contain_text("Sly")
        expect(page.locator("main")).to_contain_text("being checked")


def test_a_replay_tells_its_story_where_no_script_runs(town: Town, browser: Browser) -> None:
    with town.visitor(browser, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"/matches/{town.places['match gangster-dice 4']}/games/0/0#r2")
        expect(page.get_by_role("heading", name="Round 2", exact=True)).to_be_visible()
        assert len(page.locator(".story-text").inner_text()) > 2_000
        expect(page.locator("[data-replay=film]")).to_be_hidden()
