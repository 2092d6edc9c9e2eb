"""A person at a table in a real browser: by keyboard alone on a phone, and by clicking what lies on the felt."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from playwright.sync_api import Browser, Page, Request, expect
from tests.browser import looking, site
from tests.kits.play_site_kit import PlaySite, add_bot, opened_hall
from tests.kits.served_kit import served

from gangland.games import GAME_NAMES
from gangland_web.models.jobs import PlayTable
from gangland_web.services import play as tables
from gangland_web.web.limits import Rates

MAX_KEYS = 3000


@pytest.fixture(scope="module")
def play_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlaySite]:
    """A site whose tables have fixed dice and the person in the first seat."""
    drawn = SimpleNamespace(
        randbelow=lambda _: 0, token_hex=lambda size: "5a" * size, token_urlsafe=secrets.token_urlsafe
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "secrets", drawn)
        with opened_hall(tmp_path_factory.mktemp("play_site"), Rates(*["10000 per hour"] * 10)) as opened:
            for game in GAME_NAMES:
                add_bot(opened.site, game)
            yield opened


@pytest.fixture(scope="module")
def address(play_site: PlaySite) -> Iterator[str]:
    with served(play_site.site.app) as opened:
        yield opened


Tabs = Callable[..., Page]


@pytest.fixture
def tab(address: str, browser: Browser) -> Iterator[Tabs]:
    with ExitStack() as stack:

        def opened(pace: int | None = 0, **how: Any) -> Page:
            context = stack.enter_context(browser.new_context(**{"base_url": address, "viewport": site.PHONE, **how}))
            if pace is not None:
                context.add_init_script(f"localStorage.setItem('gangland-pace', '{pace}')")
            context.add_init_script(looking.WATCH)
            return context.new_page()

        yield opened


def begun(page: Page, game: str, seats: int, *, practice: bool = False, rounds: int | None = None) -> None:
    page.goto(f"/{game}")
    if rounds is not None:
        page.get_by_text("Options", exact=True).click()
        page.locator("#option_round_limit").fill(str(rounds))
    if practice:
        page.get_by_label("With hints").check()
    for number in range(1, seats):
        select = page.locator(f"#opponent{number}")
        select.select_option(select.locator("option", has_text="dicer").get_attribute("value"))
    page.get_by_role("button", name="Start game").click()
    expect(page.locator("#question")).to_be_visible()
    page.wait_for_load_state()  # with its style


SMALL = {"width": 375, "height": 667}  # a small phone


ALL = 1000  # more answers than any game asks for


def _games(short: dict[tuple[str, int], int], long: int) -> list[ParameterSet]:
    mark = pytest.mark.long("more answers at every table")
    every = [(game, seats) for game in GAME_NAMES for seats in (2, 4) if short.get((game, seats)) != long]
    return [
        *(pytest.param(*table, answers, id="-".join(map(str, table))) for table, answers in short.items()),
        *(pytest.param(*table, long, id=f"{table[0]}-{table[1]}-long", marks=mark) for table in every),
    ]


@pytest.mark.parametrize(("game", "seats", "answers"), _games({("gang-of-dice", 4): 2, ("gangster-dice", 2): 2}, 8))
def test_on_a_small_phone_the_question_is_near_the_top(tab: Tabs, game: str, seats: int, answers: int) -> None:
    page = tab(viewport=SMALL, java_script_enabled=False)
    begun(page, game, seats)
    for number in range(answers):
        if page.locator("#question").count() == 0:
            break
        top = page.locator("#question").bounding_box()
        assert top is not None
        if number:
            assert 0 <= top["y"] <= SMALL["height"] / 2, "an answer does not lead to the next question"
        page.goto(page.url.partition("?")[0].partition("#")[0])
        top = page.locator("#question").bounding_box()
        assert top is not None
        assert top["y"] <= 1.6 * SMALL["height"]
        while not page.locator("[data-answer] button").count():
            if page.locator("[data-more] button").count():
                with page.expect_navigation():
                    page.locator("[data-more] button").first.click()
            else:  # the bots still decide, as the page says
                page.reload()
        if page.locator("[data-answer] input[type=radio]").count():
            page.locator("[data-answer] input[type=radio]").first.check()
        elif page.locator("#amount").count():
            page.locator("#amount").fill("1")
        with page.expect_navigation():  # a press ends before the next page is there
            page.locator("[data-answer] button").last.click()


def first_of_a_page(request: Request) -> bool:
    return request.is_navigation_request() and request.redirected_from is None


def pressed(page: Page) -> None:
    """Press the focused element unless it is already chosen."""
    focus = """() => {
      const at = document.activeElement;
      if (!at.matches("[data-play] *") || at.hasAttribute("data-picked")) return "";
      if (at.hasAttribute("data-part")) return "part";
      return at.type === "number" ? "number" : at.closest("[data-answer]") ? "button" : "";
    }"""
    match page.evaluate(focus):
        case "part" if not page.locator("#amount, [data-answer] button:not(.quiet)").count():
            page.keyboard.press("Space")
            page.wait_for_timeout(50)
        case "number":
            page.keyboard.type("1")
            page.keyboard.press("Enter")
            page.wait_for_timeout(50)
        case "button":
            page.keyboard.press("Enter")
            page.wait_for_timeout(50)
        case _:
            page.keyboard.press("Tab")


@pytest.mark.parametrize(("game", "seats", "answers"), _games({("gang-of-dice", 2): ALL, ("gangster-dice", 4): 2}, ALL))
def test_a_game_is_played_by_keys_alone_on_a_phone(
    play_site: PlaySite, tab: Tabs, game: str, seats: int, answers: int
) -> None:
    page = tab()
    # At random a game of Gangster Dice has up to 100 rounds.
    begun(page, game, seats, rounds=3 if (game, answers) == ("gangster-dice", ALL) else None)
    looked = looking.Looked(page)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert (looked.axe(), looked.refused()) == ([], [])
    loads: list[str] = []
    sent: list[str] = []
    page.on("request", lambda asked: loads.append(asked.url) if first_of_a_page(asked) else None)
    page.on("requestfinished", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
    for _ in range(MAX_KEYS):
        if play_site.table().state == "over" or len(sent) >= answers:
            break
        pressed(page)
    if answers == ALL:
        expect(page.get_by_role("button", name="Play again")).to_be_visible()
        assert len(loads) == 1, "only the end is another page"
    else:
        assert len(sent) >= answers
        assert not loads


def in_view(page: Page) -> bool:
    """Return whether the question and its buttons, three at most, are completely visible."""
    bar = (
        "() => { const at = document.querySelector('[data-bar]').getBoundingClientRect(); return [at.top, at.bottom] }"
    )
    top, bottom = page.evaluate(bar)
    is_whole: bool = top >= 0 and bottom <= page.evaluate("() => innerHeight") + 1
    return is_whole and page.locator("[data-bar] button:visible").count() <= 3


@pytest.mark.parametrize("size", [site.DESK, {"width": 390, "height": 844}], ids=["desk", "phone"])
def test_what_lies_on_the_felt_is_chosen_by_a_click_laid_exchanged_taken_back_and_spoken(
    tab: Tabs, size: dict[str, int]
) -> None:
    page = tab(pace=None, viewport=size)
    begun(page, "gangster-dice", 4)
    assert in_view(page)
    expect(page.locator("#question")).to_have_text("Place your bid: pick a token and a favor card.")
    assert not page.locator("[data-play] :is(input[type=radio], [data-more] button):visible").count(), "no list"
    favor = page.locator("[data-felt] [data-part^='favor']").first
    box = favor.bounding_box()
    assert box is not None
    assert box["width"] >= 24  # enough for a finger
    shown = favor.inner_text()
    favor.click()
    expect(page.locator("[data-felt] [data-picked]")).to_have_count(1)
    expect(favor).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-said]")).to_have_text(f"Chosen: the favor {shown}.")
    for token in (page.locator("[data-felt] [data-part^='token']").nth(at) for at in (0, 1)):  # the second in its place
        name = token.locator(".v-token-name").inner_text()
        token.click()
        expect(token.locator("[data-laid]")).to_have_text(shown)
        expect(page.locator("[data-laid]")).to_have_count(1)
        expect(page.locator("[data-said]")).to_have_text(
            f"Chosen: the favor {shown} on the {name}. Buttons: Place bid."
        )
    assert in_view(page)
    page.keyboard.press("Escape")
    expect(page.locator("[data-laid]")).to_have_count(0)
    page.get_by_role("link", name="Undo").click()
    expect(page.locator("[data-picks]")).to_have_count(0)
    expect(page.locator("[data-felt] [data-part]").first).to_be_focused()
    page.locator("#pace").select_option("1800")  # so that a busy machine sees it play
    for part in ("favor", "token"):
        page.locator(f"[data-felt] [data-part^='{part}']").first.click()
        expect(page.locator("[data-picks]")).to_contain_text(part if part == "favor" else "on the")
    page.get_by_role("button", name="Place bid").click()
    expect(page.locator("[data-now]")).to_be_visible()
    expect(page.locator("[data-question], [data-bots]")).to_be_hidden()
    assert in_view(page)
    page.locator("[data-skip]").click()
    expect(page.locator("#question")).to_be_visible()
    expect(page.locator("[data-now]")).to_be_hidden()
    assert len(page.locator("[data-said]").inner_text()) > len(page.locator("#question").inner_text())
    expect(page.locator("[data-log] li").first).to_be_hidden()
    page.get_by_text("Log", exact=True).click()
    expect(page.locator("[data-log] li").first).to_be_visible()


def test_of_dice_alike_the_one_that_is_clicked_is_marked_and_taken_back(tab: Tabs) -> None:
    page = tab()
    begun(page, "gang-of-dice", 2)
    picked = page.locator("[data-felt] [data-picked]")
    expect(picked).to_have_count(3)
    expect(page.get_by_role("button", name="Roll 3 dice")).to_be_visible()
    page.locator("[data-part='number:8']").click()  # two of eight show the same
    expect(picked).to_have_count(8)
    page.keyboard.press("Escape")
    expect(picked).to_have_count(0)
    page.locator("#amount").fill("3")
    expect(picked).to_have_count(3)
    number = page.locator("[data-answer] [name=number]").first
    while page.locator("#amount").count():
        before = number.input_value()
        page.locator("[data-part='number:8']").click()
        page.get_by_role("button", name="Roll 8 dice").click()
        expect(number).not_to_have_value(before)
    dice = page.locator("[data-felt] [data-part]")
    expect(dice.first).to_be_focused()
    assert in_view(page)
    expect(page.locator("#question")).to_have_text("Reroll any dice? (2 rerolls left)")
    faces = [each.get_attribute("data-part") for each in dice.all()]
    last = max(place for place, face in enumerate(faces) if faces.count(face) > 1)
    first, chosen = faces.index(faces[last]), page.locator("[data-picks] > strong")
    for place, marked in ((last, {last}), (first, {first, last}), (last, {first}), (first, set[int]())):
        dice.nth(place).click()
        expect(chosen).to_have_count(len(marked))
        expect(picked).to_have_count(len(marked))
        shown = [die.get_attribute("data-picked") is not None for die in dice.all()]
        assert {place for place, is_picked in enumerate(shown) if is_picked} == marked
        words = [f"Reroll {len(marked)} {'die' if len(marked) == 1 else 'dice'}", "Stop"] if marked else ["Stop"]
        expect(page.locator("[data-answer] button")).to_have_text(words)


def test_a_hint_comes_by_itself_and_leaves_focus_and_number_as_they_are(play_site: PlaySite, tab: Tabs) -> None:
    page = tab()
    begun(page, "gang-of-dice", 2, practice=True)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("[data-hint]")).to_contain_text("Computing a hint")
    page.locator("#amount").fill("7")
    assert play_site.work_out_hints()
    expect(page.locator("[data-hint] li")).to_have_count(3)
    expect(page.locator("#amount")).to_be_focused()
    expect(page.locator("#amount")).to_have_value("7")
    expect(page.get_by_role("button", name="Roll 7 dice")).to_be_visible()
    expect(page.locator("[data-said]")).to_contain_text("Best first")
    expect(page.locator("[data-felt] [data-best]").first).to_be_visible()


def test_an_answer_that_another_tab_has_given_is_refused_in_sight(tab: Tabs) -> None:
    page = tab(viewport=SMALL)
    other = page.context.new_page()
    begun(page, "gang-of-dice", 4)
    other.goto(page.url)
    for each in (page, other):
        each.locator("#amount").fill("1")
        each.get_by_role("button", name="Roll 1 die").click()
        expect(each.locator("[data-answer] [name=number]").first).not_to_have_value("1")
    expect(other.get_by_role("alert")).to_contain_text("The game has moved on.")
    expect(other.get_by_role("alert")).to_be_in_viewport()


def test_a_table_that_is_open_says_so_each_minute_and_is_not_drawn_anew_before_it_ends(
    play_site: PlaySite, tab: Tabs
) -> None:
    page = tab()
    page.clock.install()
    begun(page, "gang-of-dice", 2)
    page.locator("#amount").fill("2")
    page.evaluate("() => { document.querySelector('#question').kept = true; }")
    asked: list[tuple[str, int]] = []
    page.on("response", lambda answer: asked.append((answer.request.method, answer.status)))

    def minutes(count: int) -> None:
        for _ in range(count):
            with page.expect_response(lambda answer: answer.request.method == "HEAD"):
                page.clock.fast_forward(60_000)

    minutes(3)
    assert asked == [("HEAD", 204)] * 3
    assert page.evaluate("() => document.querySelector('#question').kept")
    expect(page.locator("#amount")).to_have_value("2")
    with play_site.site.database.write() as db:
        tables.end_table(db, db.get_one(PlayTable, play_site.table().id), tables.LEFT_REASON)
    minutes(1)
    expect(page.locator("[data-open]")).to_have_count(0)
    assert asked[3:5] == [("HEAD", 200), ("GET", 200)]
    page.clock.fast_forward(600_000)
    page.wait_for_load_state("networkidle")
    assert [method for method, _ in asked].count("HEAD") == 4, "a table that has ended is asked for no more"
