"""The replay viewer in a browser: keys, addresses, what each seat saw, and that nothing moves but the game."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from gangland.replay import Replay, load
from gangland_ladder.viewer.page import replay_page
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.timeline import Timeline, timeline_of

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
NAMES = ("Steady", "Nervous", "Bold", "The Reader of All the Cards in the House")
PHONE, DESK = {"width": 375, "height": 812}, {"width": 1280, "height": 900}
Opens = Callable[..., Page]

# What each step is like: the boxes that may not change, and what is said.
WALK = """async () => {
  const root = document.querySelector("[data-replay]");
  const part = name => root.querySelector(`[data-${name}]`);
  const key = name => root.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  const seen = [];
  key("Home");
  for (let step = 0; step <= Number(part("scrub").max); step += 1) {
    seen.push({
      boxes: [".v-table", "[data-now]", "[data-replay]"].map(name => document.querySelector(name).offsetHeight).join(),
      wide: document.documentElement.scrollWidth > innerWidth,
      place: part("place").textContent, said: part("spoken").textContent,
      did: root.querySelector(".v-did")?.textContent ?? "",
      asked: root.querySelectorAll(".v-seat.turn").length,
    });
    key("ArrowRight");
  }
  return seen;
}"""

# What each step's panel has on a phone, once a frame has shown it: whether it has more than it shows, and says so.
PANEL = """async () => {
  const root = document.querySelector("[data-replay]");
  const [now, more] = ["now", "more"].map(name => root.querySelector(`[data-${name}]`));
  const seen = [];
  for (let step = 1; step <= Number(root.querySelector("[data-scrub]").max); step += 1) {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    const clipped = now.scrollHeight > now.clientHeight + 1, wide = now.scrollWidth > now.clientWidth;
    seen.push({ clipped, wide, says: more.checkVisibility({ visibilityProperty: true }) });
    root.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  }
  return seen;
}"""
AT_THE_END = "() => scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1"


@cache
def timeline(game: str, seats: int, *, faulty: bool = False) -> Timeline:
    fit: list[Replay] = []
    for line in (GOLDEN / f"{game}.ndjson").read_text().splitlines():
        replay = load(line)
        failed = any(decision is not None for _, decision in replay.faults)
        if replay.seats == seats and failed == faulty and 40 <= len(replay.decisions) <= 130:
            fit.append(replay)
    notes = {decision: "out of time" for _, decision in fit[0].faults if decision is not None}
    return timeline_of(fit[0], NAMES[:seats], notes=notes, logs={3: "<b>I think</b>"})


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """One tab for all timelines: a new process costs as much as a timeline."""
    with browser.new_context() as context:
        yield context.new_page()


@pytest.fixture
def opens(browser: Browser, tab: Page, tmp_path: Path) -> Iterator[Opens]:
    with ExitStack() as stack:

        def open_page(shown: Timeline, address: str = "", viewport: Any = DESK, **how: Any) -> Page:
            (tmp_path / "game.html").write_text(replay_page(shown), encoding="utf-8")
            page = stack.enter_context(browser.new_context(**how)).new_page() if how else tab
            page.set_viewport_size(viewport)
            page.goto("about:blank")  # an address that differs by its decision only is not loaded again
            page.goto(f"{(tmp_path / 'game.html').as_uri()}{address}")
            return page

        yield open_page
        tab.evaluate("() => localStorage.clear()")


def place(index: int, shown: Timeline) -> str:
    if index == shown.last:
        return "The end"
    return f"Round {shown.frames[index].round} of {shown.rounds}, decision {index + 1} of {shown.last}"


def stands(page: Page, index: int, shown: Timeline) -> None:
    expect(page.locator("[data-place]")).to_have_text(place(index, shown))
    page.wait_for_function("at => location.hash === at", arg=f"#{shown.at(index)}")


def test_arrow_keys_step_while_the_viewer_is_on_screen_and_nothing_else_has_the_focus(opens: Opens) -> None:
    shown = timeline("gang-of-dice", 3)
    page = opens(shown)
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-place]")).to_have_text(place(1, shown))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("End")
    page.wait_for_function(AT_THE_END)  # the browser's own scrolling, which would take the page away again below
    expect(page.locator("[data-place]")).to_have_text(place(0, shown))

    page.evaluate("() => { document.body.append(document.createElement('textarea')); }")
    page.locator("textarea").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-place]")).to_have_text(place(0, shown))
    page.locator("textarea").blur()
    page.evaluate("() => scrollTo(0, document.querySelector('.story').offsetTop)")
    expect(page.locator("[data-replay]")).not_to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    page.evaluate("() => scrollTo(0, 0)")
    expect(page.locator("[data-replay]")).to_be_in_viewport()
    expect(page.locator("[data-place]")).to_have_text(place(0, shown))
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-place]")).to_have_text(place(1, shown))


def test_keys_step_while_the_viewer_has_the_focus_and_the_address_and_back_follow(opens: Opens) -> None:
    shown = timeline("gang-of-dice", 3)
    page = opens(shown)
    page.locator("[data-replay]").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    stands(page, 3, shown)
    page.keyboard.press("Shift+ArrowRight")
    stands(page, shown.round_index(2), shown)
    page.keyboard.press("]")
    marked = min(index for index in shown.marks if index > shown.round_index(2))
    stands(page, marked, shown)
    page.keyboard.press("End")
    stands(page, shown.last, shown)
    taken = page.evaluate(
        "() => ['ArrowUp', 'ArrowDown'].map(key => !document.querySelector('[data-replay]').dispatchEvent("
        "new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))"
    )
    assert taken == [False, False]
    for index in (marked, shown.round_index(2), 3):
        page.go_back()
        stands(page, index, shown)
    page.go_forward()
    stands(page, shown.round_index(2), shown)
    page.keyboard.press("ArrowRight")
    stands(page, shown.round_index(2) + 1, shown)


def test_a_page_opens_at_its_address_and_links_lead_into_the_viewer(opens: Opens) -> None:
    shown = timeline("gangster-dice", 3)
    index = shown.round_index(3) + 1
    page = opens(shown, f"#{shown.at(index)}")
    expect(page.locator("[data-place]")).to_have_text(place(index, shown))
    expect(page.locator("[data-replay]")).to_be_focused()
    page.locator(".v-story a.at").nth(2).click()
    stands(page, 2, shown)
    expect(page.locator("[data-replay]")).to_be_focused()
    expect(page.locator("[data-stage]")).to_be_in_viewport()
    expect(page.locator(".v-story [aria-current=step] a.at")).to_have_text(shown.at(2))
    page.evaluate("() => { location.hash = 'r4.s9.d9'; }")
    expect(page.locator("[data-place]")).to_have_text(place(shown.round_index(4), shown))
    page.locator("summary", has_text="Result").click()
    page.locator(".v-why a").first.click()
    expect(page.locator("[data-place]")).to_have_text("The end")


def test_how_a_game_ended_is_not_shown_before_its_end(opens: Opens) -> None:
    shown = timeline("gang-of-dice", 3)
    page = opens(shown)
    result, cover, last = page.locator(".v-outcome"), page.locator(".v-ahead").first, page.locator(".v-ends").first
    expect(page.locator("[data-place]")).to_have_text(place(0, shown))
    expect(page.locator(".v-places")).to_be_hidden()
    expect(page.locator(".v-why")).to_be_hidden()
    expect(last).to_be_hidden()
    assert cover.get_attribute("width") == "1004"  # the chart, and the ends of its lines
    page.locator("[data-replay]").press("ArrowRight")
    assert cover.get_attribute("width") != "1004"
    page.locator("[data-replay]").press("End")
    expect(page.locator("[data-now] .v-ending")).to_be_visible()
    expect(last).to_be_visible()
    expect(cover).to_be_hidden()
    expect(result).to_be_hidden()  # its sentences are in the panel now


def test_a_seats_view_hides_what_its_bot_was_not_shown(opens: Opens) -> None:
    shown = timeline("gangster-dice", 4)
    page = opens(shown, f"#{shown.at(shown.round_index(2))}")
    hands = page.locator(".v-stash .v-favors")
    assert page.locator(".v-favor.back").count() == 0
    page.keyboard.press("2")
    sight = shown.latest_view_frame(shown.round_index(2), 1)
    assert sight is not None
    expect(page.locator("[data-view]")).to_have_text(f"What {shown.names[1]} saw at {sight.at}")
    for seat in range(4):
        expect(hands.nth(seat).locator(".back")).to_have_count(
            0 if seat == 1 else sight.observation["seats"][str(seat)]["favors"]
        )
    assert page.locator('[data-do="seat2"]').get_attribute("aria-pressed") == "true"
    expect(page.locator("[data-spoken]")).to_have_text(f"What {shown.names[1]} saw at {sight.at}")
    page.keyboard.press("0")
    expect(page.locator("[data-view]")).to_be_empty()


def test_a_seats_view_is_walked_decision_by_decision_of_its_own_with_nothing_that_others_drew(opens: Opens) -> None:
    shown = timeline("gangster-dice", 4)
    page = opens(shown, "#r2")
    page.keyboard.press("2")
    page.keyboard.press("l")
    now, output = page.locator("[data-now]"), page.locator("[data-spoken]")
    own = [index for index, frame in enumerate(shown.frames) if frame.seat == 1 and 2 <= frame.round <= 4]
    assert len(own) > 3
    for index in own:
        frame = shown.frames[index]
        stands(page, index, shown)
        expect(now.locator(".v-at")).to_have_text(frame.at)
        expect(page.locator("[data-view]")).to_have_text(f"What {shown.names[1]} saw at {frame.at}")
        expect(page.locator(".v-story [aria-current=step] a.at")).to_have_text(frame.at)
        expect(now.locator(".v-asked")).to_have_text(frame.question)
        expect(now.locator(".v-events, .v-opens")).to_have_count(0)
        mine = [each for each in shown.frames[: index + 1] if each.round == frame.round and each.seat == 1]
        expect(now.locator(".v-log li")).to_have_text([f"{shown.names[1]} {each.did}." for each in mine])
        for seat, held in enumerate(presentation_of(shown.game).held(frame.observation)):
            expect(page.locator(f'[data-dice="{seat}"]')).to_have_text(str(held))
            expect(page.locator(".v-stash .v-count b").nth(seat)).to_have_text(str(held))
        if index > own[0]:
            expect(output).to_contain_text(f"{shown.names[1]} {frame.did}.")
        page.keyboard.press("ArrowRight")
    page.keyboard.press("0")
    expect(page.locator("[data-view]")).to_be_empty()


def test_a_fault_shows_what_was_asked_what_went_wrong_and_what_the_bot_logged(opens: Opens) -> None:
    shown = timeline("gang-of-dice", 4, faulty=True)
    index = min(at for at, frame in enumerate(shown.frames) if frame.fault)
    page = opens(shown, f"#{shown.at(index)}")
    now = page.locator("[data-now]")
    for text in (shown.frames[index].question, "out of time", f"{shown.names[shown.frames[index].seat]} is at fault."):
        expect(now).to_contain_text(text)
    logged = next(at for at, frame in enumerate(shown.frames) if frame.log)
    page.evaluate("at => { location.hash = at; }", shown.at(logged))
    page.keyboard.press("d")
    expect(now.locator("pre")).to_have_text("<b>I think</b>")
    page.keyboard.press("l")
    expect(now.locator(".v-log li").first).to_contain_text(shown.names[shown.frames[shown.round_index(1)].seat])


def test_a_change_of_the_lead_names_who_leads_and_stands_beside_no_other_bot(opens: Opens) -> None:
    shown = timeline("gang-of-dice", 3)
    frame = next(each for each in shown.frames if each.leader not in (None, each.seat))
    said = f"{NAMES[frame.leader or 0]} now leads the game."
    page = opens(shown, f"#{frame.at}")
    expect(page.locator("[data-now] .v-lead")).to_have_text(said)
    expect(page.locator("[data-now] .v-who .v-badge")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-spoken]")).to_contain_text(said)


def test_usual_names_stand_whole_in_the_panel_and_in_the_figures(opens: Opens) -> None:
    names = tuple(f"cautious_ganger{seat} v1{seat}" for seat in range(3))
    shown = replace(timeline("gang-of-dice", 3, faulty=True), names=names)
    fault = next(frame for frame in shown.frames if frame.fault)
    page = opens(shown, f"#{fault.at}")
    expect(page.locator("[data-now] .v-who .v-badge")).to_have_text("fault")
    for shown_in, count in (("[data-now] .v-name", 1), (".v-figures tbody th", 3)):
        cut = page.locator(shown_in).evaluate_all("all => all.map(each => each.scrollWidth > each.clientWidth)")
        assert cut == [False] * count, shown_in


@pytest.mark.parametrize(("game", "words"), [("gang-of-dice", ".v-pot .v-count"), ("gangster-dice", ".v-token-name")])
def test_the_words_in_the_middle_of_the_table_fit_their_boxes(opens: Opens, game: str, words: str) -> None:
    page = opens(timeline(game, 4))
    for width in (360, 375, 1000):
        page.set_viewport_size({"width": width, "height": 667})
        page.reload()
        over = page.locator(words).evaluate_all("""all => all.flatMap(each =>
            [each.scrollWidth - each.clientWidth, each.offsetWidth - each.parentElement.clientWidth])""")
        assert over
        assert max(over) <= 0, width


def test_the_keys_can_be_switched_off_and_stay_off(opens: Opens) -> None:
    shown = timeline("gang-of-dice", 3)
    page = opens(shown)
    page.locator("[data-replay]").focus()
    for key, index in (("End", shown.last), ("Home", 0)):
        page.keyboard.press(key)
        stands(page, index, shown)
    page.keyboard.press("?")
    page.get_by_label("Use keys").uncheck()
    page.reload()
    page.locator("[data-replay]").focus()
    for key in ("ArrowRight", "End"):
        page.keyboard.press(key)
        expect(page.locator("[data-place]")).to_have_text(place(0, shown))
    page.keyboard.press("?")
    page.get_by_label("Use keys").check()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-place]")).to_have_text(place(1, shown))


def test_it_plays_by_itself_at_the_speed_asked_for_until_it_is_stopped(opens: Opens) -> None:
    shown = timeline("gang-of-dice", 3)
    page = opens(shown, locale="en-US")  # a context of its own: a clock that was installed stays
    page.clock.install()
    page.locator("[data-replay]").focus()
    page.keyboard.press(".")
    expect(page.locator("[data-speed]")).to_have_text("2×")
    page.keyboard.press("Space")
    page.clock.run_for(700 * 3 + 100)
    expect(page.locator("[data-place]")).to_have_text(place(3, shown))
    page.keyboard.press("Space")
    page.clock.run_for(5000)
    expect(page.locator("[data-place]")).to_have_text(place(3, shown))


@pytest.mark.parametrize(
    "game", [pytest.param("gang-of-dice", marks=pytest.mark.long("it fits there")), "gangster-dice"]
)
def test_on_a_phone_the_panel_says_where_it_has_more_than_it_shows(opens: Opens, game: str) -> None:
    shown = timeline(game, 4)
    page = opens(shown, viewport=PHONE)
    page.locator("[data-replay]").focus()
    now, more = page.locator("[data-now]"), page.locator("[data-more]")
    page.keyboard.press("ArrowRight")
    steps = page.evaluate(PANEL)
    assert len(steps) == shown.last
    assert not [step for step in steps if step["wide"] or step["clipped"] != step["says"]]
    clipped = [index for index, step in enumerate(steps, 1) if step["clipped"]]
    if clipped:
        page.evaluate("at => { location.hash = at; }", shown.at(clipped[0]))
        expect(more).to_be_visible()
        now.evaluate("p => p.scrollTo(0, p.scrollHeight)")
        expect(more).to_be_hidden()
    assert clipped or game == "gang-of-dice"


@pytest.mark.parametrize(
    ("game", "seats", "window"),
    [
        ("gang-of-dice", 3, DESK),
        ("gangster-dice", 2, PHONE),
        pytest.param("gang-of-dice", 4, PHONE, marks=pytest.mark.long("the other sizes")),
        pytest.param("gangster-dice", 4, DESK, marks=pytest.mark.long("the other sizes")),
    ],
)
def test_nothing_moves_at_steps_that_are_said(opens: Opens, game: str, seats: int, window: Mapping[str, int]) -> None:
    shown = timeline(game, seats)
    steps = opens(shown, viewport=window).evaluate(WALK)
    assert [step["place"] for step in steps] == [place(index, shown) for index in range(shown.last + 1)]
    assert {step["boxes"] for step in steps} == {steps[0]["boxes"]}
    assert not any(step["wide"] for step in steps)
    assert [step["did"] for step in steps[:-1]] == [f"{shown.names[frame.seat]} {frame.did}." for frame in shown.frames]
    assert {step["asked"] for step in steps[:-1]} == {1}
    assert all(step["said"] for step in steps[1:])


def test_dice_roll_unless_less_motion_is_asked_for(opens: Opens, tab: Page) -> None:
    shown = timeline("gang-of-dice", 3)
    rolled = next(index for index, frame in enumerate(shown.frames) if frame.kind == "reroll")
    moving = "() => document.querySelector('.v-table').getAnimations({ subtree: true }).length"
    running = {}
    for motion in ("no-preference", "reduce"):
        tab.emulate_media(reduced_motion=motion)
        opens(shown, f"#{shown.at(rolled - 1)}").locator("[data-replay]").focus()
        tab.keyboard.press("ArrowRight")
        running[motion] = tab.evaluate(moving)
    tab.emulate_media(reduced_motion="null")
    assert running["no-preference"] > 0
    assert running["reduce"] == 0


def test_without_scripts_the_story_is_the_page(opens: Opens) -> None:
    shown = timeline("gangster-dice", 3)
    page = opens(shown, java_script_enabled=False)
    expect(page.locator("[data-replay]")).to_be_hidden()
    expect(page.locator(f'[id="{shown.at(5)}"] .did')).to_be_visible()
