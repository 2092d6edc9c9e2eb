"""Ways through the site that somebody goes: by the keyboard alone, and where no script runs."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser import conftest, world
from tests.browser.pages import PAGES, Shown, firsts
from tests.browser.site import DESK, PHONE, FilledSite
from tests.kits.core_kit import FakeBroker, Platform, failed_check, play_job

from gangland_web.broker.names import QUEUE_MATCHES
from gangland_web.models.database import Database
from gangland_web.settings import sqlite_url
from gangland_web.workers.records import Recorder

BOT = """from gangland import gang_of_dice


class Mine(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
"""
_HERE = """() => {
  const part = document.activeElement;
  const label = part.labels?.[0]?.textContent ?? part.getAttribute("aria-label") ?? part.textContent ?? "";
  return label.replace(/\\s+/g, " ").trim();
}"""


def tab_to(page: Page, words: str, *, most: int = 150) -> None:
    met = []
    for _ in range(most):
        page.keyboard.press("Tab")
        met.append(str(page.evaluate(_HERE)))
        if re.search(words, met[-1]):
            return
    raise AssertionError(f"Tab does not come to {words!r}, but to {met}")


def enter(page: Page) -> None:
    with page.expect_navigation():
        page.keyboard.press("Enter")


@pytest.fixture
def page(filled: FilledSite, browser: Browser) -> Iterator[Page]:
    with filled.visitor(browser, viewport=DESK) as context:
        yield context.new_page()


def test_an_author_signs_up_and_sends_a_bot_in_by_the_keyboard_alone(page: Page) -> None:
    page.goto("/")
    tab_to(page, "^Skip to content$", most=1)
    tab_to(page, "^Sign up$")
    enter(page)
    for label, words in (("^Name", "Keys Only"), ("^Password", world.PASSWORD)):
        tab_to(page, label)
        page.keyboard.type(words)
    enter(page)
    page.wait_for_url("**/write/gang-of-dice")
    tab_to(page, "^Bot name")
    page.keyboard.type("By keys")
    tab_to(page, "^Upload$")
    page.keyboard.press("Enter")
    expect(page.locator("[data-headline]")).to_have_text("Waiting to be checked.")
    expect(page.get_by_text("Next: after all steps")).to_be_visible()
    later = page.context.new_page()  # the upload is shown there, too
    later.goto(page.url)
    expect(later.locator("[data-headline]")).to_have_text("Waiting to be checked.")
    later.close()
    page.keyboard.press("Tab")  # into the code
    page.keyboard.press("Escape")
    tab_to(page, "^This version's page$")
    enter(page)
    expect(page.locator("h1")).to_contain_text("By keys")
    expect(page.locator("main")).to_contain_text("being checked")


def test_a_spectator_comes_from_the_ladder_to_a_replay_and_walks_through_it_by_the_keyboard_alone(page: Page) -> None:
    page.goto("/")
    tab_to(page, "^Gangster Dice$")
    enter(page)
    tab_to(page, "^Watch$")
    enter(page)
    tab_to(page, "^#?\\d+$|^Match \\d+")
    enter(page)
    assert re.search(r"/matches/\d+", page.url)


def test_the_viewer_is_come_to_and_left_by_tab_and_leaves_scrolling_to_the_page(filled: FilledSite, page: Page) -> None:
    page.goto(f"/matches/{filled.places['match gang-of-dice 2']}/games/0/0")
    tab_to(page, "Replay")
    expect(page.locator("[data-replay=timeline]")).to_be_focused()
    scrub = page.locator("[data-scrub]")
    page.keyboard.press("End")
    expect(scrub).to_have_value(scrub.get_attribute("max") or "")
    page.wait_for_function("() => location.hash === '#end'")
    before = page.evaluate("() => scrollY")
    page.keyboard.press("ArrowUp" if before > 100 else "ArrowDown")
    page.wait_for_function("before => scrollY !== before", arg=before)
    expect(scrub).to_have_value(scrub.get_attribute("max") or "")
    assert page.evaluate("() => document.activeElement.closest('[data-replay=timeline]') !== null")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.closest('[data-replay=timeline]') === null"):
            return
    raise AssertionError("Tab does not leave the viewer")


SOME = [shown for number, shown in enumerate(firsts()) if number % 10 == 0 or shown.path == "/replays/open"]
"""Every tenth kind of page, and the one that says what only a script can do."""


@pytest.mark.parametrize(
    "pages",
    [pytest.param(SOME, id="some"), pytest.param(PAGES, id="all", marks=pytest.mark.long("every state of every page"))],
)
def test_every_page_is_read_where_no_script_runs(
    filled: FilledSite, visit: conftest.Visits, pages: list[Shown]
) -> None:
    page = visit(signed_in=True, java_script_enabled=False)
    for shown in pages:
        if shown.empty or shown.act or shown.status != 200 or "Sign" in shown.name:
            continue
        page.goto(shown.address(filled.places))
        assert page.locator("main").inner_text().strip(), shown.name
        waits = page.locator("main [hidden], main [data-script]:visible").evaluate_all(
            "parts => parts.filter(part => !part.hidden).map(part => part.outerHTML.slice(0, 100))"
        )
        assert not waits, f"{shown.name}: shown although it needs the script: {waits}"


def test_an_author_signs_in_and_sends_a_bot_in_where_no_script_runs(visit: conftest.Visits) -> None:
    page = visit(java_script_enabled=False)
    page.goto("/sign-in")
    page.get_by_label("Name").fill(world.OWNER)
    page.get_by_label("Password").fill(world.PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.goto("/upload")
    source = BOT.replace("gang_of_dice", "gangster_dice").encode()
    page.get_by_label("Bot file").set_input_files({"name": "Sly.py", "mimeType": "text/x-python", "buffer": source})
    page.get_by_role("button", name="Upload file").click()
    expect(page.locator("h1")).to_contain_text("Sly")
    expect(page.locator("main")).to_contain_text("being checked")


def test_a_replay_tells_its_story_where_no_script_runs(filled: FilledSite, visit: conftest.Visits) -> None:
    page = visit(java_script_enabled=False)
    page.goto(f"/matches/{filled.places['match gangster-dice 4']}/games/0/0#r2")
    expect(page.get_by_role("heading", name="Round 2", exact=True)).to_be_visible()
    assert len(page.locator(".story-text").inner_text()) > 2_000
    expect(page.locator("[data-replay=timeline]")).to_be_hidden()


@contextmanager
def carried(filled: FilledSite) -> Iterator[None]:
    database, post, over = Database(sqlite_url(filled.files)), FakeBroker(slot_count=64), Event()
    recorder = Recorder(database, post)
    platform = Platform(database, post, recorder)

    def carry() -> None:
        while not over.wait(0.1):
            recorder.dispatch()
            match_jobs = [job for queue, job in post.sent if queue != QUEUE_MATCHES and job.game == "gang-of-dice"]
            post.sent.clear()
            for match_job in match_jobs:
                wrong = b"return 99" in post.codes[match_job.seats[0].code]
                platform.finish(match_job, failed_check(match_job) if wrong else play_job(match_job))

    thread = Thread(target=carry)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        database.close()


def slip(filled: FilledSite, browser: Browser, name: str) -> str:
    with filled.visitor(browser, boss=True) as context:
        page = context.new_page()
        page.goto("/organize/people")
        page.get_by_label("Names").fill(name)
        page.get_by_role("button", name="Create accounts").click()
        return page.locator(".slips code").first.inner_text()  # the other one is for joining


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_an_organizer_finds_what_comes_next_without_scrolling(
    own_site: FilledSite, browser: Browser, size: dict[str, int]
) -> None:
    with own_site.visitor(browser, boss=True, viewport=size) as context:
        page = context.new_page()
        page.goto("/organize")
        page.get_by_role("link", name="New tournament").click()
        page.get_by_role("link", name="Evening with premiere").click()
        page.get_by_label("Name", exact=True).fill(f"Dice Night {size['width']}")
        page.get_by_role("button", name="Save draft").click()
        page.wait_for_url("**/organize/events/*")
        expect(page.get_by_role("button", name="Announce")).to_be_in_viewport()
        page.get_by_role("link", name="Gang of Dice", exact=True).last.click()
        expect(page.get_by_role("button", name="Start rehearsal")).to_be_visible()
        page.goto(f"/organize/{own_site.places['premiere']}")
        expect(page.get_by_role("button", name="Show place 2")).to_be_in_viewport()


def write(page: Page, source: str) -> None:
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)


@pytest.mark.parametrize(
    "size",
    [pytest.param(PHONE, id="phone"), pytest.param(DESK, id="desk", marks=pytest.mark.long("the same at a desk"))],
)
def test_a_pupil_comes_from_the_slip_to_an_active_bot(
    own_site: FilledSite, browser: Browser, size: dict[str, int]
) -> None:
    filled = own_site
    name = f"Pupil {size['width']}"
    code = slip(filled, browser, name)
    with carried(filled), filled.visitor(browser, viewport=size) as context:
        page = context.new_page()

        def fits() -> None:
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

        page.goto("/set-password")
        page.get_by_label("Name on slip").fill(name)
        page.get_by_label("Code on slip").fill(code)
        page.get_by_label("New password").fill("foxes like grapes")
        page.get_by_role("button", name="Set password and sign in").click()
        page.wait_for_url("**/write/gang-of-dice")
        expect(page.get_by_role("main")).to_contain_text("Press Check bot")
        expect(page.get_by_role("link", name=re.compile("Cup|open|code", re.IGNORECASE)).first).to_be_visible()
        fits()

        expect(page.locator("textarea")).to_be_hidden()
        page.get_by_label("Bot name").fill(f"pupil_{size['width']}")
        write(page, BOT.replace("return 1", "return 99"))
        page.get_by_role("button", name="Check bot").click()
        expect(page.locator("[data-run=problems] [data-say]")).to_have_text("The check found 1 problem.")
        fits()

        write(page, BOT)
        page.get_by_role("button", name="Check bot").click()
        expect(page.locator("[data-run] [data-say]")).to_contain_text("No problem found")
        page.get_by_text("Game", exact=True).click()
        page.get_by_role("button", name="Play match").click()
        expect(page.locator("[data-run] [data-say]")).to_contain_text("Your bot won")
        expect(page.locator("[data-run] [data-result]")).to_be_focused()
        expect(page.locator("[data-run] [data-result]")).to_be_in_viewport()
        expect(page.locator("[data-status]")).not_to_contain_text("Your bot won")
        expect(page.get_by_role("link", name="Watch game 1")).to_be_visible()
        fits()

        page.get_by_role("button", name="Upload", exact=True).click()
        expect(page.locator("[data-headline]")).to_have_text("This version plays on the ladders.")
        expect(page.locator("[data-run] [data-result]")).to_have_count(0)
        expect(page.locator("[data-headline]")).to_be_in_viewport()
        page.locator("[data-version]").click()
        expect(page.get_by_role("main")).to_contain_text("Active on the ladders")
        fits()


def test_a_check_says_what_came_of_it_where_no_script_runs(own_site: FilledSite, browser: Browser) -> None:
    with carried(own_site), own_site.visitor(browser, signed_in=True, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/write/gang-of-dice")
        page.get_by_label("Bot name").fill("without_script")
        page.get_by_label("Source").fill(BOT.replace("return 1", "return 99"))
        page.get_by_role("button", name="Check bot").click()
        page.wait_for_url("**/runs/*")
        expect(page.get_by_role("main")).to_contain_text("The check found 1 problem.")
        expect(page.get_by_label("Source")).to_have_value(re.compile("return 99"))
