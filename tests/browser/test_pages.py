"""What holds on every page and in every state of it, in light and dark, on a phone and at a desk."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache

import pytest
from _pytest.mark import ParameterSet
from playwright.sync_api import Browser, Page, expect
from tests.browser.looking import DESK, PHONE, SEEN_RULES, Looked, looked_at, opened_tab
from tests.browser.pages import FILE, NO_PAGES, PAGES, PART, Shown, firsts
from tests.browser.site import FilledSite

_DATA = r"type=\"application/(?:ld\+)?json\""
_INLINE = re.compile(
    rf"<script(?![^>]*\bsrc=)(?![^>]*\b{_DATA})[^>]*>|<style\b|<[a-z]+[^>]*\s(?:style|on[a-z]+)=[^>]*>"
)
"""Script or style inside of a page; data that a script reads is none."""


WAYS = {
    "light phone": (PHONE, False), "dark desk": (DESK, True), "dark phone": (PHONE, True),
    "light desk": (DESK, False),
}  # fmt: skip


@dataclass(frozen=True)
class Look:
    ways: tuple[str, ...]
    contrast: bool = True
    enlarged: bool = True
    all_text: bool = False


def _looks() -> Iterator[ParameterSet]:
    """Yield the first page of each kind with one look in turn, then every state with all checks."""
    for number, shown in enumerate(firsts()):
        way = list(WAYS)[number % 4]
        look = Look((way,), contrast=number // 4 % 3 == 0, enlarged=number % 7 == 0)
        yield pytest.param(shown, look, id=f"{shown.name}, {way}")
    for shown in PAGES:
        mark = pytest.mark.long("every state of every page in every way")
        yield pytest.param(shown, Look(tuple(WAYS), all_text=True), id=f"{shown.name}, every way", marks=mark)


@pytest.fixture(scope="module")
def tabs(filled: FilledSite, browser: Browser) -> Iterator[Callable[[Shown], Page | None]]:
    with ExitStack() as stack:

        @cache
        def tab(owner: bool, boss: bool) -> Page:
            return stack.enter_context(opened_tab(filled, browser, owner=owner, boss=boss))

        yield lambda shown: None if shown.act or shown.empty else tab(shown.owner, shown.boss)


@pytest.mark.parametrize(("shown", "look"), list(_looks()))
def test_a_page_holds_in_light_and_dark_on_a_phone_and_at_a_desk(
    filled: FilledSite, browser: Browser, tabs: Callable[[Shown], Page | None], shown: Shown, look: Look
) -> None:
    found: dict[str, list[str]] = {}
    size, dark = WAYS[look.ways[0]]
    with looked_at(filled, browser, shown, size=size, dark=dark, tab=tabs(shown)) as looked:
        assert looked.status == shown.status, looked.html[:2000]
        if size == PHONE:
            found["moved by itself on a phone"] = looked.shift()
        found["too heavy"] = _too_heavy(looked, shown)
        found["shape"] = _ill_shaped(looked)
        looked.page.emulate_media(reduced_motion="reduce")
        for way in look.ways:
            size, dark = WAYS[way]
            if way != look.ways[0]:
                looked.as_on(size, dark=dark)
            rules = SEEN_RULES if way != look.ways[0] else ()
            found[f"axe, {way}"] = looked.axe(*rules, contrast=look.contrast, all_text=look.all_text)
            found[f"sideways, {way}"] = looked.sideways()
            found[f"columns cut off, {way}"] = looked.cut_tables()
            found[f"gaps behind times, {way}"] = looked.gaps()
            if not shown.path.startswith("/docs/"):
                found[f"too long, {way}"] = looked.too_long()
        found["focus"] = looked.unseen_focus()
        if look.enlarged:
            found |= _enlarged_and_forced(looked)
        found["console"] = [line for line in looked.said if str(shown.status) not in line]
        found["asked elsewhere"] = looked.foreign
        found["refused by the policy"] = looked.refused()
        found["inline"] = _INLINE.findall(looked.html)
    wrong = [f"{what}: {line}" for what, lines in found.items() for line in lines]
    assert not wrong, "\n".join(wrong)


def _enlarged_and_forced(looked: Looked) -> dict[str, list[str]]:
    found = {}
    looked.as_on(DESK)
    looked.page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    looked.settle()
    found["text twice as large"] = looked.sideways() + looked.clipped()
    looked.page.evaluate("() => { document.documentElement.style.fontSize = '' }")
    looked.as_on(DESK, forced=True)
    looked.page.mouse.move(0, 0)
    found["forced colors"] = looked.faint()
    return found


def _too_heavy(looked: Looked, shown: Shown) -> list[str]:
    most, most_script = shown.budget
    found = []
    if looked.bytes > most:
        found.append(f"{looked.bytes} bytes of at most {most}: {looked.weights}")
    if looked.script_bytes > most_script:
        found.append(f"{looked.script_bytes} bytes of script of at most {most_script}: {looked.scripts}")
    return found


def _ill_shaped(looked: Looked) -> list[str]:
    shape = looked.shape()
    levels = [level for level, _ in shape["headings"]]
    found = [f"the id {each!r} occurs twice" for each in shape["repeated"]]
    if shape["lang"] != "en" or not shape["title"].strip():
        found.append(f"language {shape['lang']!r}, title {shape['title']!r}")
    if levels.count(1) != 1 or (levels and levels[0] != 1):
        found.append(f"its headings begin {shape['headings'][:4]}, not with the only one of the first level")
    for above, (level, text) in zip(levels, shape["headings"][1:], strict=False):
        if level > above + 1:
            found.append(f"the heading {text!r} leaves out a level")
    return found


@pytest.mark.parametrize(("all_text", "texts"), [(False, 7), (True, 61)], ids=["a sample", "all text"])
def test_text_that_is_hard_to_read_is_found_among_many_alike(browser: Browser, all_text: bool, texts: int) -> None:
    rows = ["<li>easy to read</li>"] * 60
    rows[7] = "<li style='color: #bbb'>faint by itself</li>"
    rows[23] = "<li><span style='background: #222'>faint on its ground</span></li>"
    rows[41] = "<li><b style='opacity: .3'>faint as a whole</b></li>"
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content(f"<html lang=en><title>t</title><main><h1>t</h1><ul>{''.join(rows)}</ul></main></html>")
        found = Looked(page).axe("color-contrast", all_text=all_text)
        weighed = page.locator("[data-weighed]").count()
    assert sorted(re.findall("faint [a-z ]+", " ".join(found))) == [
        "faint as a whole", "faint by itself", "faint on its ground",
    ]  # fmt: skip
    assert weighed == texts


def test_every_page_that_the_site_has_is_looked_at(filled: FilledSite) -> None:
    adapter = filled.app.url_map.bind("localhost")
    paths = [shown.address(filled.places).partition("?")[0] for shown in PAGES if shown.status != 404]
    covered = {adapter.match(path)[0] for path in paths}
    rules = [rule for rule in filled.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    pages = {rule.endpoint for rule in rules if not (FILE.search(rule.rule) or PART.search(rule.rule))}
    calls = {endpoint for endpoint in pages if endpoint.startswith(("api.", "moved."))}  # JSON, or a redirect
    left_out = pages - covered - calls - NO_PAGES.keys()
    assert not left_out, f"put them into tests/browser/pages.py: {sorted(left_out)}"


def test_every_page_has_a_title_of_its_own_and_text_where_no_script_runs(filled: FilledSite) -> None:
    visitor, owner, boss = (filled.app.test_client() for _ in range(3))
    owner.set_cookie("gangland", filled.session)
    boss.set_cookie("gangland", filled.boss)
    titles: dict[str, str] = {}
    for shown in PAGES:
        if shown.empty or shown.act or shown.status != 200:
            continue
        path = re.sub(r"^(.*)(?=\?(?:seats=2|team|opponent|columns|table))\?.*", r"\1", shown.address(filled.places))
        answer = (boss if shown.boss else owner if shown.owner else visitor).get(path)
        found = re.search(r"<title>(.*?)</title>", answer.text, re.DOTALL)
        assert found, path
        assert titles.setdefault(found.group(1), path) == path, f"{path} and {titles[found.group(1)]} share a title"
        main = answer.text.partition("<main")[2].partition(">")[2].partition("</main>")[0]
        assert re.sub(r"<[^>]*>|\s", "", main), path
        assert not re.findall(r"<[^>]*\sdata-script[\s>=]", re.sub(r"<[^>]*\shidden[^>]*>", "", main)), path


def test_the_rating_is_seen_on_a_phone_without_scrolling(filled: FilledSite, browser: Browser) -> None:
    (shown,) = (shown for shown in PAGES if shown.name == "ladder of gang-of-dice at 3")
    with looked_at(filled, browser, shown, size={"width": 390, "height": 844}) as looked:
        edges = looked.page.locator("table.board tr > :nth-child(3)").evaluate_all(
            "cells => cells.map(cell => cell.getBoundingClientRect().right)"
        )
    assert edges
    assert max(edges) <= 390


def test_a_lesson_is_a_table_that_is_clicked_with_its_question_in_view(filled: FilledSite, browser: Browser) -> None:
    for size in (DESK, PHONE):
        with filled.visitor(browser, viewport=size) as context:
            page = context.new_page()
            page.goto("/gang-of-dice/learn")
            expect(page.locator("#question")).to_be_in_viewport(ratio=1)
            page.locator("[data-part='number:3']").click()
            page.get_by_role("button", name="Roll 3 dice").click()
            expect(page).to_have_url(re.compile(r"/learn\?d=3$"))
            page.locator("[data-felt] [data-part]").first.click()
            page.get_by_role("button", name="Reroll 1 die").click()
            expect(page).to_have_url(re.compile(r"/learn\?d=3&d=\d$"))
            page.get_by_role("link", name="Undo last decision").click()
            expect(page).to_have_url(re.compile(r"/learn\?d=3$"))


def test_printed_standings_fit_one_page(filled: FilledSite, browser: Browser) -> None:
    paper = {"width": 688, "height": 1016}  # A4 within its margins
    (shown,) = (shown for shown in PAGES if shown.name == "tournament, revealed")
    with looked_at(filled, browser, shown, size=paper) as looked:
        looked.page.emulate_media(media="print")
        looked.page.evaluate("""() => {  // 32 bots with names of the usual length
          const body = document.querySelector("section:has(> #standings) tbody");
          const usual = Array.from(body.rows).sort((one, other) => one.offsetHeight - other.offsetHeight)[0];
          body.replaceChildren(...Array.from({ length: 32 }, () => usual.cloneNode(true)));
        }""")
        looked.settle()
        high, wide = looked.page.locator("section:has(> #standings)").evaluate(
            "part => [part.scrollHeight, part.querySelector('table').getBoundingClientRect().right]"
        )
    assert (high <= paper["height"], wide <= paper["width"]) == (True, True), (high, wide)


def test_a_list_of_matches_shows_on_a_phone_who_came_first(filled: FilledSite, browser: Browser) -> None:
    with filled.visitor(browser, viewport=PHONE) as context:
        page = context.new_page()
        page.goto("/bots/{bot cautious_gang}".format_map(filled.places))
        name = page.locator("td.wide bdi").first
        lines, right = name.evaluate("name => [name.getClientRects().length, name.getBoundingClientRect().right]")
        assert lines == 1, "the name is broken"
        assert right <= PHONE["width"]
