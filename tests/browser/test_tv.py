"""A screen for a wall: it plays by itself, fits, takes keys, and keeps nothing of what it has shown."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.browser import looking, world
from tests.browser.screens import WALL, MovedClock, kept, missed, move_on, moved_clock, results, told
from tests.browser.site import PHONE, FilledSite

from gangland_web.models.tournaments import Tournament
from gangland_web.services import corrections, final_tables, matches
from gangland_web.site import tv

_MEASURED = """() => {
  const page = document.documentElement, row = document.querySelector(".tv-places li");
  return [page.scrollHeight, page.scrollWidth, parseFloat(getComputedStyle(row).fontSize)];
}"""
_PLACED_WITH_RANK = """rank => {
  for (const part of document.querySelectorAll("[data-rank]")) part.textContent = rank;
  return Array.from(document.querySelectorAll("[data-best]"), part => part.getBoundingClientRect().x);
}"""
_TITLED = "title => document.querySelector('[data-stake-title]').textContent === title"
SIZES = [(1280, 720), (1920, 1080), (3840, 2160)]


@contextmanager
def screen(
    filled: FilledSite, browser: Browser, path: str, *, clock: MovedClock | None = None, **given: Any
) -> Iterator[Page]:
    with filled.visitor(browser, **({"viewport": WALL} | given)) as context:
        page = context.new_page()
        if clock is not None:
            clock.watch(page)
        page.goto(path)
        yield page


@pytest.fixture(autouse=True)
def _asks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tv, "LIVE_S", 0.5)


@pytest.mark.parametrize(
    ("first", "last"),
    [pytest.param(1, 3, id="a few"), pytest.param(3, 24, id="many", marks=pytest.mark.long("many games"))],
)
def test_a_game_plays_by_itself_and_the_next_follows(
    own_site: FilledSite, browser: Browser, first: int, last: int
) -> None:
    with moved_clock(play_s=0.5) as clock, screen(own_site, browser, "/tv", clock=clock) as page:
        expect(page.locator("[data-game-stake]")).to_contain_text(re.compile("rated|Rating|would pass"))
        expect(page.locator("[data-game-stake]")).to_contain_text("Rating gain for a win, about:")
        assert " won" not in page.locator("[data-caption]").inner_text()
        shown = told(page)
        move_on(clock, first, page)
        early = kept(page)
        assert " won " in page.locator(".tv-won").inner_text()
        for title in ("Result", "At stake"):  # of the game that follows
            clock.move_until(_TITLED, page, arg=title)
        move_on(clock, last, page)
        late = kept(page)
    assert len(shown) >= last
    assert not missed(own_site, shown)
    assert late.nodes < early.nodes + 1500  # a table of four seats in place of one of two
    assert late.listeners <= early.listeners + 2
    assert late.heap_kib < early.heap_kib * 1.3 + 500


def test_a_screen_that_was_held_up_shows_the_results_it_missed(own_site: FilledSite, browser: Browser) -> None:
    with (
        moved_clock(play_s=0.5) as clock,
        screen(own_site, browser, "/tv", clock=clock, reduced_motion="reduce") as held,
        screen(own_site, browser, "/tv", clock=clock, reduced_motion="reduce") as other,
    ):
        shown, also = told(held), told(other)
        move_on(clock, 1, held, other)
        held.context.set_offline(True)
        move_on(clock, results(other) + 2, other, held)
        expect(held.locator("[data-lost]")).to_be_visible()
        held.context.set_offline(False)
        move_on(clock, 3, held, other)
        expect(held.locator("[data-lost]")).to_be_hidden()
    assert not missed(own_site, shown)
    assert max(shown) - max(also) <= 1  # up with the other again


@pytest.mark.parametrize(
    "path", [pytest.param("/tv/gang-of-dice", marks=pytest.mark.long("the other game")), "/tv/gangster-dice"]
)
def test_on_a_phone_the_table_stays_where_it_is_in_a_game(own_site: FilledSite, browser: Browser, path: str) -> None:
    with moved_clock(play_s=5) as clock, own_site.visitor(browser, viewport=PHONE) as context:
        page = context.new_page()
        clock.watch(page)
        page.add_init_script(looking.WATCH)
        page.goto(path)
        move_on(clock, 1, page)
        gates = page.evaluate("() => window.gates")
        places = [page.evaluate(_PLACED_WITH_RANK, rank) for rank in ("", "rank 1", "rank 10")]
    assert gates["shift"] == 0, gates["shifted"]
    assert places[0] == places[1] == places[2]


def test_an_answer_about_the_channel_before_changes_nothing_after_a_switch(
    filled: FilledSite, browser: Browser
) -> None:
    held: list[Route] = []
    with filled.visitor(browser, viewport=WALL) as context:
        page = context.new_page()
        page.route("**/tv/gangster-dice/live", without_a_game)
        page.goto("/tv")
        expect(page.locator("[data-round]")).to_contain_text("Round")
        page.route("**/tv/items/*", lambda route: held.append(route))
        with page.expect_request("**/tv/items/*"):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("s")
        expect(page.locator("[data-players]")).to_have_text("Now playing")
        page.unroute("**/tv/items/*")
        with page.expect_response("**/tv/items/*"):
            for route in held:
                route.continue_()
        for _ in range(2):
            with page.expect_response("**/tv/gangster-dice/live"):
                pass
        expect(page.locator("[data-players]")).to_have_text("Now playing")
        page.unroute_all(behavior="wait")


def without_a_game(route: Route) -> None:
    page = re.sub(r'data-now="\d+"', 'data-now=""', route.fetch().text())
    players = re.compile(r"(<h2 id=\"on\" data-players>).*?(</h2>)", re.DOTALL)
    route.fulfill(body=players.sub(r"\1Now playing\2", page), content_type="text/html")


def test_keys_pause_skip_switch_and_help(own_site: FilledSite, browser: Browser) -> None:
    with own_site.visitor(browser, viewport=WALL) as context:
        page = context.new_page()
        page.route("**/tv/gang-of-dice/live", without_a_game)  # early: a page that is open may ask once more unseen
        page.goto("/tv")
        pause = page.get_by_role("button", name="Pause")
        expect(page.locator("[data-round]")).to_contain_text("Round")
        about = page.locator("[data-about]").inner_text()
        page.keyboard.press("ArrowRight")
        expect(page.locator("[data-about]")).not_to_have_text(about)
        page.evaluate("() => { window.same = true }")
        page.keyboard.press(" ")
        expect(pause).to_have_attribute("aria-pressed", "true")
        page.keyboard.press(" ")
        expect(pause).to_have_attribute("aria-pressed", "false")
        page.keyboard.press("?")
        expect(page.locator("#help")).to_be_visible()
        page.keyboard.press("s")
        expect(page.get_by_role("heading", level=1)).to_have_text("Gangster Dice")
        expect(page).to_have_url(re.compile("/tv/gangster-dice$"))
        expect(page.locator("[data-about]")).to_contain_text("Get rid of all your dice")
        assert page.evaluate("() => window.same")
        page.keyboard.press("s")
        expect(page.get_by_role("heading", level=1)).to_have_text("Gang of Dice")
        expect(page.locator("[data-players]")).to_have_text("Now playing")
        expect(page.locator("[data-game-stake]")).to_be_empty()
        page.unroute_all(behavior="wait")
        expect(page.locator("[data-about]")).to_contain_text("most dice after 12 rounds")
        pause.focus()
        page.keyboard.press(" ")  # the button's own, once
        expect(pause).to_have_attribute("aria-pressed", "true")


def test_ranks_beside_the_players_are_of_their_own_ladder(filled: FilledSite, browser: Browser) -> None:
    def of_another(route: Route) -> None:
        page = re.sub(r'data-subject="\d+"', 'data-subject="0"', route.fetch().text())
        route.fulfill(body=page, content_type="text/html")

    with screen(filled, browser, "/tv") as page:
        ranks = page.locator(".tv-player .soft").filter(has_text=re.compile(r"rank \d+"))
        expect(ranks).not_to_have_count(0)  # a bot that has left its ladder has none
        page.route("**/tv/live", of_another)
        expect(ranks).to_have_count(0)
        expect(page.locator(".tv-on")).to_have_count(0)
        page.unroute_all(behavior="wait")  # one that is on its way would fail in the next test


_FOUR_NAMES = """() => {
  const players = document.querySelector("[data-players]"), first = players.children[0];
  players.replaceChildren(...[1, 2, 3, 4].map(() => first.cloneNode(true)));
  const names = [...players.querySelectorAll("bdi")];
  for (const name of names) name.textContent = "searching_gang";
  for (const rank of players.querySelectorAll(".soft")) rank.textContent = "rank 10";
  return names.filter(name => name.scrollWidth > name.clientWidth).length;
}"""


@pytest.mark.parametrize(
    ("path", "sizes"),
    [
        pytest.param("/tv/gang-of-dice", SIZES, marks=pytest.mark.long("the other game")),
        pytest.param("/tv/gangster-dice", SIZES[::2], id="small and large"),
        pytest.param("/tv/gangster-dice", SIZES[1:2], marks=pytest.mark.long("the size between")),
        pytest.param("/tournaments/{revealed four}/tv", SIZES[:1], id="tournament"),
        pytest.param("/tournaments/{revealed four}/tv", SIZES[1:], marks=pytest.mark.long("the other sizes")),
    ],
)
def test_all_of_a_screen_is_seen_without_scrolling_and_large_enough_and_four_names_stand_whole(
    filled: FilledSite, browser: Browser, path: str, sizes: list[tuple[int, int]]
) -> None:
    path = re.sub(r"\{(.*)\}", lambda found: str(filled.places[found[1]]), path)
    with screen(filled, browser, path) as page:
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            page.goto(path)
            expect(page.locator("[data-round]")).to_contain_text(re.compile("Round|The end"))
            tall, wide, text = page.evaluate(_MEASURED)
            assert (tall <= height, wide <= width) == (True, True), (width, tall, wide)
            assert text >= 0.022 * height
            assert page.evaluate(_FOUR_NAMES) == 0, width


_FEW = """list => {
  const needed = [...list.children].filter((row, at) => !at || row.classList.contains("tv-on"));
  needed[0].style.minHeight = "3em";  // taller than the others, as a long name makes it
  list.style.maxHeight = `${needed.reduce((sum, row) => sum + row.offsetHeight, 1)}px`;
}"""
_LISTED = """() => {
  const list = document.querySelector(".tv-places"), rows = [...list.children];
  const right = row => row.getBoundingClientRect().right;
  const seen = rows.filter(row => row.offsetParent && right(row) <= right(list));
  const unseen = rows.filter(row => row.matches(".tv-on") && !seen.includes(row));
  return [rows.length, seen.length, seen[0] === rows[0], unseen.length];
}"""


def test_few_lines_of_the_standings_are_the_leader_and_those_who_play(filled: FilledSite, browser: Browser) -> None:
    with screen(filled, browser, "/tv", viewport={"width": 1280, "height": 720}) as page:
        expect(page.locator(".tv-on")).not_to_have_count(0)
        needed = page.locator(".tv-places > .tv-on, .tv-places > :first-child").count()
        page.locator(".tv-places").evaluate(_FEW)
        page.evaluate("() => dispatchEvent(new Event('resize'))")
        every = page.locator(".tv-places > *").count()
        # A table of four can leave no line out: all five bots of the world's ladder are the leader or play.
        page.wait_for_function(
            f"""() => {{ const [every, seen, hasLeader, unseen] = ({_LISTED})();
                return seen <= {needed} && (every > seen || {needed} === every) && hasLeader && !unseen }}"""
        )
    assert every >= needed


_ROOM = """() => {
  const bottom = document.querySelector("[data-caption]").getBoundingClientRect().bottom;
  return document.querySelector(".tv-foot").getBoundingClientRect().top - bottom;
}"""


_LONG = """() => new Promise(resolve => {
  const stage = document.querySelector("[data-stage]"), caption = document.querySelector("[data-caption]");
  new MutationObserver(() => resolve((ROOM)())).observe(stage, { attributeFilter: ["style"] });
  const line = document.createElement("p");
  line.className = "tv-won";
  line.textContent = "four long names ".repeat(20);
  caption.replaceChildren(line);
})""".replace("ROOM", _ROOM)


@pytest.mark.parametrize(
    "path", [pytest.param("/tv/gang-of-dice", marks=pytest.mark.long("the other game")), "/tv/gangster-dice"]
)
def test_the_table_makes_room_for_a_long_result_at_once_or_what_grows(
    filled: FilledSite, browser: Browser, path: str
) -> None:
    with screen(filled, browser, path) as page:
        expect(page.locator("[data-round]")).to_contain_text(re.compile("Round|The end"))
        page.keyboard.press(" ")  # no step comes that would measure anew
        assert page.evaluate(_ROOM) >= 0
        assert page.evaluate(_LONG) >= 0
        grown = f"() => {{ document.querySelector('.tv-head').style.paddingBottom = '3rem'; return ({_ROOM})() }}"
        assert page.evaluate(grown) < 0  # at once: the screen measures anew whenever it has asked what is new
        page.wait_for_function(f"() => ({_ROOM})() >= 0")


def test_without_scripts_a_screen_shows_standings_a_still_and_the_game(filled: FilledSite, browser: Browser) -> None:
    with screen(filled, browser, "/tv", java_script_enabled=False) as page:
        assert page.locator(".tv-places li").count() > 2
        assert page.locator(".tv-stage .v-seat").count() >= 2
        assert page.get_by_role("link", name="Watch this game").get_attribute("href")
        assert page.locator("[data-keys]").is_hidden()


def test_a_step_of_a_premiere_appears_on_a_screen_that_stands_open(own_site: FilledSite, browser: Browser) -> None:
    number = own_site.places["premiere"]
    with screen(own_site, browser, f"/tournaments/{number}/tv") as page:
        places = page.locator(".tv-podium .rank")
        expect(places).to_have_text(["3."])
        page.evaluate("() => { window.same = true }")
        for after, seen in ((world.PREMIERED, ["2.", "3."]), (world.PREMIERED + 1, ["1.", "2.", "3."])):
            with own_site.app.extensions["gangland_database"].write() as session:
                final_tables.show_step(session, session.get_one(Tournament, number), after)
            expect(places).to_have_text(seen)
        assert page.evaluate("() => window.same")


def test_a_screen_leaves_the_game_of_a_final_that_becomes_void(own_site: FilledSite, browser: Browser) -> None:
    number, database = own_site.places["premiere"], own_site.app.extensions["gangland_database"]
    with database.write() as session:
        session.get_one(Tournament, number).premiered = world.PREMIERED - 1  # the last game, and no place of the podium
    with screen(own_site, browser, f"/tournaments/{number}/tv") as page:
        expect(page.locator("[data-players] .tv-player")).to_have_count(3)
        expect(page.locator("[data-stage] .v-table")).to_be_visible()
        with database.write() as session:
            found = session.get_one(Tournament, number)
            final = matches.final_match(session, found)
            assert final is not None
            corrections.void_match(session, found, final, "a bug of the rules")
        expect(page.locator("[data-players]")).to_have_text("Now playing")
        expect(page.locator("[data-stage]")).to_have_count(0)
        expect(page.locator("[data-game-stake]")).to_be_empty()
