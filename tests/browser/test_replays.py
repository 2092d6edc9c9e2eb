"""Replays on the site: addresses, stillness, the embedded page, and links to pictures and clips."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect
from tests.browser.conftest import Visits
from tests.browser.looking import DESK, PHONE, looked_at
from tests.browser.pages import GAMES, PAGES
from tests.browser.site import FilledSite

from gangland_ladder.viewer.presentation import presentation_of
from gangland_web.site.sharing import WIDTH

REPLAYS = [shown for shown in PAGES if shown.name in {f"replay of {game} at 4" for game in GAMES}]
_STEP = """async steps => {
  const viewer = document.querySelector("[data-replay=timeline]");
  for (let step = 0; step < steps; step += 1) {
    viewer.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  }
}"""
_GO = """async addresses => {
  const shown = [];
  for (const address of addresses) {
    const moved = new Promise(done => addEventListener("hashchange", () => setTimeout(done), { once: true }));
    location.hash = address;
    await moved;
    shown.push(Number(document.querySelector("[data-scrub]").value));
  }
  return shown;
}"""


@pytest.mark.parametrize("game", [GAMES[0], pytest.param(GAMES[1], marks=pytest.mark.long("the other game"))])
def test_the_address_of_any_decision_opens_at_it_and_back_works(
    filled: FilledSite, browser: Browser, game: str
) -> None:
    path = f"/matches/{filled.places[f'match {game} 2']}/games/0/0"
    with filled.visitor(browser, viewport=DESK) as context:
        page = context.new_page()
        page.goto(path)
        scrub = page.locator("[data-scrub]")
        last = int(scrub.get_attribute("max") or 0)
        named = page.evaluate("() => Array.from(document.querySelectorAll('.story-text [id]'), each => each.id)")
        decisions = [name.removeprefix("story-") for name in named if name.count(".") == 2]
        replay = page.request.get(f"{filled.address}{path}/replay.json").json()
        assert len(decisions) == replay["decisions"] > 0
        shown = page.evaluate(_GO, decisions)
        assert len(shown) == len(decisions)
        assert len(set(shown)) == len(shown), "two decisions open at one place"
        assert all(0 <= index <= last for index in shown)
        middle = len(decisions) // 2
        fresh = context.new_page()
        fresh.goto(f"{path}#{decisions[middle]}")
        expect(fresh.locator("[data-scrub]")).to_have_value(str(shown[middle]))
        fresh.get_by_text("Details", exact=True).first.click()
        expect(fresh.get_by_role("link", name="Picture of this decision", exact=True)).to_have_attribute(
            "href", re.compile(rf"/{re.escape(decisions[middle])}\.png$")
        )
        fresh.close()
        page.go_back()
        expect(scrub).to_have_value(str(shown[-2]))
        page.go_forward()
        expect(scrub).to_have_value(str(shown[-1]))


@pytest.mark.parametrize(
    ("shown", "size"),
    [
        pytest.param(REPLAYS[0], PHONE, id="gang-of-dice, phone"),
        pytest.param(REPLAYS[1], DESK, id="gangster-dice, desk", marks=pytest.mark.long("the other sizes")),
        pytest.param(REPLAYS[0], DESK, id="gang-of-dice, desk", marks=pytest.mark.long("the other sizes")),
        pytest.param(REPLAYS[1], PHONE, id="gangster-dice, phone", marks=pytest.mark.long("the other sizes")),
    ],
)
def test_nothing_else_moves_as_a_replay_steps(
    filled: FilledSite, browser: Browser, shown: Any, size: dict[str, int]
) -> None:
    with looked_at(filled, browser, shown, size=size) as looked:
        looked.page.evaluate(_STEP, 25)
        looked.settle()
        assert not looked.shift()
        assert not looked.sideways()
        assert not looked.said + looked.refused()


OFFERED = {game: {"width": WIDTH, "height": presentation_of(game).embed_height_px} for game in GAMES}


@pytest.mark.parametrize(
    ("game", "sizes"),
    [
        (GAMES[0], (OFFERED[GAMES[0]], PHONE)),
        (GAMES[1], (OFFERED[GAMES[1]],)),
        pytest.param(GAMES[0], ({"width": 720, "height": 720},), marks=pytest.mark.long("other sizes")),
        pytest.param(GAMES[1], ({"width": 720, "height": 720}, PHONE), marks=pytest.mark.long("other sizes")),
    ],
)
def test_the_embedded_page_shows_the_decision_and_its_table_in_the_frame_that_is_offered(
    filled: FilledSite, visit: Visits, game: str, sizes: tuple[dict[str, int], ...]
) -> None:
    page = visit()
    for size in sizes:
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto("about:blank")  # a page whose address differs by its decision only is not loaded again
        page.goto(f"/embed/matches/{filled.places[f'match {game} 4']}/games/0/0")
        did = page.locator("[data-now] .v-did")
        expect(did).to_be_in_viewport(ratio=1)
        before = page.locator("[data-now] .v-at").inner_text()
        page.keyboard.press("ArrowRight")
        expect(page.locator("[data-now] .v-at")).not_to_have_text(before)
        expect(did).to_be_in_viewport(ratio=1)
        if size == OFFERED[game]:
            expect(page.locator("[data-stage]")).to_be_in_viewport(ratio=0.99)


def test_links_to_pictures_follow_the_decision_and_what_a_link_named_stays(filled: FilledSite, visit: Visits) -> None:
    path = f"/matches/{filled.places[f'match {GAMES[0]} 3']}/games/0/0"
    page = visit(viewport=DESK)
    page.goto(f"{path}?at=r2")
    page.get_by_text("Details", exact=True).first.click()
    links = ("Picture of this decision", "Clip of this round WebP", "Clip of this round GIF")
    picture, clip, gif = (page.get_by_role("link", name=name, exact=True) for name in links)
    named = page.locator("[data-now] .v-at").inner_text()
    assert named.startswith("r2.")
    expect(page).to_have_url(re.compile(r"/games/0/0#r2$"))
    expect(picture).to_have_attribute("href", f"{path}/picture/{named}.png")
    expect(clip).to_have_attribute("href", f"{path}/clip/r2.webp")
    expect(gif).to_have_attribute("href", f"{path}/clip/r2.gif")
    page.locator("[data-replay]").press("End")
    expect(picture).to_have_attribute("href", f"{path}/picture/end.png")
    assert page.request.get(f"{path}/picture/end.png").headers["content-type"] == "image/png"
    expect(clip).to_have_attribute("href", re.compile(rf"{path}/clip/r\d+\.webp"))


def test_a_page_that_waits_for_a_clip_asks_ever_more_seldom_and_opens_nothing_but_what_came(visit: Visits) -> None:
    waits = '<!doctype html><div data-again="2"></div><script type="module" src="/static/js/again.js"></script>'
    asked: list[tuple[str, float]] = []

    def answer(route: Route) -> None:
        asked.append((route.request.resource_type, float(route.request.headers.get("x-at", 0))))
        made, too_many = len(asked) > 9, len(asked) == 4
        again = {} if made else {"Retry-After": "100" if too_many else "2"}
        route.fulfill(
            status=200 if made else 429 if too_many else 202,
            headers={"Content-Type": "text/html", **again},
            body="made" if made else waits,
        )

    page = visit()
    page.clock.install()
    page.add_init_script(
        "const send = fetch; window.fetch = address => send(address, { headers: { 'x-at': String(Date.now()) } });"
    )
    page.route("**/clip/game.webp", answer)
    page.goto("/matches/1/games/0/0/clip/game.webp")
    while len(asked) < 11:
        page.clock.run_for(2000)
    expect(page.locator("body")).to_have_text("made")
    assert [what for what, _ in asked] == ["document", *["fetch"] * 9, "document"]
    times = [at for _, at in asked[1:10]]
    gaps = [round((after - before) / 1000) for before, after in pairwise(times)]
    least = [3, 4, 100, 30, 30, 30, 30, 30]
    assert all(gap >= each for gap, each in zip(gaps, least, strict=True)), gaps
