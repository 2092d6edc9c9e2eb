"""What holds on every page and in every state of it, in light and dark, on a phone and at a desk."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser
from tests.browser.looking import DESK, LONG, PHONE, SEEN_RULES, Looked, looked_at
from tests.browser.pages import FILE, NO_PAGES, PAGES, PART, Shown, states
from tests.browser.site import Town

_DATA = r"type=\"application/(?:ld\+)?json\""
_INLINE = re.compile(
    rf"<script(?![^>]*\bsrc=)(?![^>]*\b{_DATA})[^>]*>|<style\b|<[a-z]+[^>]*\s(?:style|on[a-z]+)=[^>]*>"
)
"""Script or style inside of a page; data that a script reads is none."""


SEEN = states() if LONG else [alike[::2] for alike in states()]
"""The states that are opened here, those of a kind together: its first one, and every other one behind it."""


@pytest.mark.parametrize("shown", [shown for alike in SEEN for shown in alike], ids=lambda shown: shown.name)
def test_a_page_holds_in_light_and_dark_on_a_phone_and_at_a_desk(town: Town, browser: Browser, shown: Shown) -> None:
    found: dict[str, list[str]] = {}
    alike = next(alike for alike in SEEN if shown in alike)
    alone, odd = len(alike) == 1, alike.index(shown) % 2
    with looked_at(town, browser, shown) as looked:
        assert looked.status == shown.status, looked.html[:2000]
        found["moved by itself on a phone"] = looked.shift()
        found["too heavy"] = _too_heavy(looked, shown)
        found["shape"] = _ill_shaped(looked)
        looked.page.emulate_media(reduced_motion="reduce")
        if LONG or alone or not odd:
            found["axe, light, phone"] = looked.axe()
        found["sideways on a phone"] = looked.sideways()
        found["focus"] = looked.unseen_focus()
        looked.as_on(DESK, dark=True)
        if LONG or alone or odd:
            found["axe, dark, desk"] = looked.axe(*(SEEN_RULES if LONG or alone else ()))
        found["sideways at a desk"] = looked.sideways()
        found["columns cut off at a desk"] = looked.cut_tables()
        if LONG or shown is alike[0]:
            found |= _enlarged_and_forced(looked)
        if LONG:
            found |= _in_the_other_pairs(looked)
        found["console"] = [line for line in looked.said if str(shown.status) not in line]
        found["asked elsewhere"] = looked.foreign
        found["refused by the policy"] = looked.refused()
        found["inline"] = _INLINE.findall(looked.html)
    wrong = [f"{what}: {line}" for what, lines in found.items() for line in lines]
    assert not wrong, "\n".join(wrong)


def _in_the_other_pairs(looked: Looked) -> dict[str, list[str]]:
    """The other two of light and dark on phone and desk."""
    found = {}
    looked.as_on(PHONE, dark=True)
    found["axe, dark, phone"] = looked.axe(*SEEN_RULES)
    looked.as_on(DESK)
    found["axe, light, desk"] = looked.axe(*SEEN_RULES)
    return found


def _enlarged_and_forced(looked: Looked) -> dict[str, list[str]]:
    """At a desk: text of twice the size, and the system's own colours."""
    found = {}
    looked.as_on(DESK)
    looked.page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    looked.settle()
    found["text twice as large"] = looked.sideways() + looked.clipped()
    looked.page.evaluate("() => { document.documentElement.style.fontSize = '' }")
    looked.as_on(DESK, forced=True)
    looked.page.mouse.move(0, 0)
    found["forced colours"] = looked.faint()
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
    """One title, one main heading, no level left out, no id twice."""
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


def test_text_that_is_hard_to_read_is_found_wherever_it_stands_among_many_alike(browser: Browser) -> None:
    rows = ["<li>easy to read</li>"] * 60
    rows[7] = "<li style='color: #bbb'>faint by itself</li>"
    rows[23] = "<li><span style='background: #222'>faint on its ground</span></li>"
    rows[41] = "<li><b style='opacity: .3'>faint as a whole</b></li>"
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content(f"<html lang=en><title>t</title><main><h1>t</h1><ul>{''.join(rows)}</ul></main></html>")
        found = Looked(page).axe("color-contrast")
        weighed = page.locator("[data-weighed]").count()
    assert sorted(re.findall("faint [a-z ]+", " ".join(found))) == [
        "faint as a whole",
        "faint by itself",
        "faint on its ground",
    ]
    assert weighed == (61 if LONG else 7)


def test_every_page_that_the_site_has_is_looked_at(town: Town) -> None:
    adapter = town.app.url_map.bind("localhost")
    paths = [shown.address(town.places).partition("?")[0] for shown in PAGES if shown.status != 404]
    covered = {adapter.match(path)[0] for path in paths}
    rules = [rule for rule in town.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    pages = {rule.endpoint for rule in rules if not (FILE.search(rule.rule) or PART.search(rule.rule))}
    calls = {endpoint for endpoint in pages if endpoint.startswith("api.")}  # JSON for programs
    left_out = pages - covered - calls - NO_PAGES.keys()
    assert not left_out, f"put them into tests/browser/pages.py: {sorted(left_out)}"


def test_every_page_has_a_title_of_its_own(town: Town) -> None:
    visitor, owner, boss = (town.app.test_client() for _ in range(3))
    owner.set_cookie("gangland", town.session)
    boss.set_cookie("gangland", town.boss)
    titles: dict[str, str] = {}
    for shown in PAGES:
        if shown.empty or shown.act or shown.status != 200:
            continue
        path = re.sub(r"^(/upload|(.*)(?=\?seats=2))\?.*", r"\1", shown.address(town.places))
        answer = (boss if shown.boss else owner if shown.owner else visitor).get(path)
        found = re.search(r"<title>(.*?)</title>", answer.text, re.DOTALL)
        assert found, path
        assert titles.setdefault(found.group(1), path) == path, f"{path} and {titles[found.group(1)]} share a title"


def test_the_rating_is_seen_on_a_phone_without_scrolling(town: Town, browser: Browser) -> None:
    ladders = [shown for shown in PAGES if shown.path.startswith("/ladders/") and "/matches" not in shown.path]
    for shown in ladders[:3]:
        with looked_at(town, browser, shown, size={"width": 390, "height": 844}) as looked:
            edges = looked.page.locator("table.board tr > :nth-child(3)").evaluate_all(
                "cells => cells.map(cell => cell.getBoundingClientRect().right)"
            )
        assert edges, shown.name
        assert max(edges) <= 390, f"{shown.name}: {edges}"


def test_printed_standings_fit_one_page(town: Town, browser: Browser) -> None:
    paper = {"width": 688, "height": 1016}  # A4 within its margins
    for shown in [shown for shown in PAGES if shown.name == "tournament, revealed"]:
        with looked_at(town, browser, shown, size=paper) as looked:
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
        assert (high <= paper["height"], wide <= paper["width"]) == (True, True), (shown.name, high, wide)


@pytest.mark.parametrize("path", ["/", "/bots/{bot cautious_gang}"])
def test_a_list_of_matches_shows_on_a_phone_who_came_first(town: Town, browser: Browser, path: str) -> None:
    with town.visitor(browser, viewport=PHONE) as context:
        page = context.new_page()
        page.goto(path.format_map(town.places))
        name = page.locator("td.wide bdi").first
        lines, right = name.evaluate("name => [name.getClientRects().length, name.getBoundingClientRect().right]")
        assert lines == 1, "the name is broken"
        assert right <= PHONE["width"]
