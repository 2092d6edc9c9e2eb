"""A page that is left open tells what happens meanwhile, and leaves alone what its reader does."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.looking import WATCH, Looked
from tests.browser.site import DESK, PHONE
from tests.kits import analyses_kit, core_kit, served_kit, tournaments_kit

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.app import create_app
from gangland_web.settings import Settings
from gangland_web.site import ladders, tournaments
from gangland_web.web.limits import Rates


@dataclass
class House:
    """A site on real HTTP whose matches are played when a test says so."""

    platform: core_kit.Platform
    address: str

    def play(self, most: int) -> None:
        self.platform.recorder.dispatch()
        for _, match_job in self.platform.post.sent[:most]:
            self.platform.finish(match_job)
        del self.platform.post.sent[:most]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    platform = core_kit.open_platform("sqlite", tmp_path)
    settings = Settings(tmp_path, None, None, None, secret_key="for tests only")
    app = create_app(settings, database=platform.database, rates=Rates(*["100000 per hour"] * 10))
    with served_kit.served(app) as address:
        yield House(platform, address)
    platform.database.close()


@pytest.fixture(autouse=True)
def _asks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    for views in (ladders, tournaments):
        monkeypatch.setattr(views, "LIVE_S", 0.5)


@contextmanager
def opened(browser: Browser, address: str, size: dict[str, int]) -> Iterator[Looked]:
    with browser.new_context(viewport=size) as context:  # type: ignore[arg-type]
        context.add_init_script(WATCH)
        page = context.new_page()
        page.goto(address)
        looked = Looked(page)
        looked.settle()
        yield looked


def rows(page: Page, caption: str) -> list[list[str]]:
    cells: list[list[str]] = (
        page.locator("table")
        .filter(has_text=caption)
        .locator("tbody tr")
        .evaluate_all("rows => rows.map(row => Array.from(row.cells, cell => cell.innerText.trim()))")
    )
    return cells


@pytest.mark.parametrize(
    "size",
    [pytest.param(PHONE, id="phone"), pytest.param(DESK, id="desk", marks=pytest.mark.long("the same at a desk"))],
)
def test_a_page_left_alone_shows_standings_as_they_come(house: House, browser: Browser, size: dict[str, int]) -> None:
    number = tournaments_kit.make(house.platform)
    tournaments_kit.go(house.platform, number, State.ANNOUNCED, State.OPEN)
    with opened(browser, f"{house.address}/tournaments/{number}", size) as looked:
        page = looked.page
        expect(page.locator("main")).to_contain_text("bots can be entered")
        tournaments_kit.go(house.platform, number, State.FROZEN)
        expect(page.locator("table.so-far tbody tr")).to_have_count(4)
        assert {row[0] for row in rows(page, "So far")} == {""}
        tournaments_kit.go(house.platform, number, State.PLAYING)
        house.play(1)
        expect(page.locator("main")).to_contain_text("1 of 6 matches are played")
        assert {row[4] for row in rows(page, "So far")} == {"1", "0"}
        assert not looked.shift()
        page.get_by_role("link", name="Cross table").click()
        expect(page.locator("table.matrix tbody tr")).to_have_count(4)
        expect(page.locator("table.matrix a").filter(has_text="%")).to_have_count(2)
        house.play(1)
        expect(page.locator("table.matrix a").filter(has_text="%")).to_have_count(4)
        assert (looked.axe(), looked.shift()) == ([], [])
        page.get_by_role("link", name="Standings").click()
        house.platform.play_all()
        house.platform.recorder.schedule()
        assert tournaments_kit.seen(house.platform, number).state == "finished"
        expect(page.get_by_text("Calculated from all ")).to_be_visible()
        expect(page.locator("table.so-far")).to_have_count(0)
        assert len(rows(page, "Calculated from all ")) == 4
        page.get_by_text("Files", exact=True).click()
        expect(page.get_by_role("link", name="Archive", exact=True)).to_be_visible()
        looked.settle()
        assert (looked.axe(), looked.refused()) == ([], [])
        shifted = looked.shift()
        assert not shifted, shifted


def test_what_changes_leaves_focus_scroll_position_and_open_details_alone(house: House, browser: Browser) -> None:
    house.platform.play_all()
    with opened(browser, f"{house.address}/gang-of-dice/leaderboard", DESK | {"height": 320}) as looked:
        page = looked.page
        page.locator("summary", has_text="About the columns").click()
        link = page.locator("table.board tbody th a").last
        name = link.inner_text()
        link.focus()
        page.evaluate("() => { document.activeElement.dataset.same = 'yes' }")
        before, top = page.locator("table.board").inner_text(), link.bounding_box()
        house.platform.recorder.schedule()
        house.platform.play_all()
        page.wait_for_function("before => document.querySelector('table.board').innerText !== before", arg=before)
        here = page.evaluate("() => [document.activeElement.innerText, document.activeElement.dataset.same]")
        assert here == [name, "yes"]
        assert page.locator("details[open]").count() == 1
        after = page.locator(":focus").bounding_box()
        assert top is not None
        assert after is not None
        assert abs(after["y"] - top["y"]) < 2


def test_a_game_that_is_opened_is_analyzed_and_its_curve_drawn_meanwhile(house: House, browser: Browser) -> None:
    house.platform.play_all()
    house.platform.recorder.schedule()
    house.play(1)
    post = analyses_kit.with_analyses(house.platform)
    match = house.platform.matches(state="done", purpose="ladder")[0]
    with opened(browser, f"{house.address}/matches/{match.id}/games/0/0", DESK) as looked:
        page = looked.page
        expect(page.get_by_text("you are next")).to_be_visible()
        house.platform.recorder.dispatch()
        (sent_job,) = post.games
        house.platform.analyzed(sent_job, analyses_kit.answer(sent_job, steps=6), is_result=False)
        expect(page.get_by_text("Partial results are shown")).to_be_visible()
        curve = page.locator("[data-replay] .charts figure, [data-replay] figure").filter(has_text="Chance to win")
        expect(curve).to_be_visible()
        part = curve.inner_html()
        at = page.url
        # A busy site and a lost connection end nothing: what is stored meanwhile is shown afterwards.
        page.route("**/analysis.json", lambda route: route.fulfill(status=429), times=1)
        expect(page.get_by_text("Partial results are shown")).to_be_visible()
        house.platform.analyzed(sent_job, analyses_kit.answer(sent_job))
        expect(page.locator("form[data-analysis]")).to_have_count(0)
        expect(page.get_by_text("Analyzing ...")).to_have_count(0)
        expect(page.get_by_text("How analysis works")).to_be_visible()
        assert curve.inner_html() != part
        assert page.url == at
        assert (looked.axe(), looked.refused()) == ([], [])
