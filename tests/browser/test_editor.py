"""The editor of bots in the browser: it completes, lets the keyboard leave, and loses nothing that was typed."""

import re

from playwright.sync_api import Page, expect
from tests.browser.conftest import Visits
from tests.browser.world import OWNER, PASSWORD


def opened(page: Page, path: str = "/write/gang-of-dice?start=first_bot") -> Page:
    page.goto(path)
    expect(page.locator("textarea")).to_be_hidden()
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+End")
    return page


def test_the_editor_completes_what_a_view_has_with_its_docstring_and_its_reference_is_searched(visit: Visits) -> None:
    page = opened(visit())
    with page.expect_response("**/completions.json"):
        page.reload()
    opened(page)
    page.keyboard.type("        view.card.tri")
    expect(page.locator(".cm-tooltip-autocomplete [aria-selected]")).to_contain_text("triggered_by")
    expect(page.locator(".cm-completionInfo")).to_contain_text("trigger the warning")
    page.get_by_text("Reference", exact=True).click()
    page.get_by_role("searchbox", name="Search", exact=True).fill("rerolls_left")
    expect(page.locator("[data-entry]:visible")).to_have_count(1)
    expect(page.locator("[data-found]")).to_have_text("1 found")


OFFERED = {
    "\n    def ch": "choose_dice(self, view):", "\n        self.rng.randi": "randint",
    "\n        view.turns[0].sta": "stake", "\ncard = view.card\ncard.condition.ki": "kind",
    "\nfor turn in view.turns:\nturn.bu": "bust", "\nall_turns = view.turns\nall_turns[-1].fi": "final",
}  # fmt: skip


def test_what_is_offered_first_is_known_by_indexes_and_assignments(visit: Visits) -> None:
    page = visit()
    with page.expect_response("**/completions.json"):
        page.goto("/write/gang-of-dice")
    expect(page.locator("textarea")).to_be_hidden()
    source = page.locator("textarea").input_value()
    shown = page.locator(".cm-tooltip-autocomplete [role=option]")
    for typed, offered in OFFERED.items():
        page.locator(".cm-content").focus()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(source + typed[:-1])
        page.keyboard.type(typed[-1])
        expect(shown.first).to_contain_text(offered)
        expect(page.locator(".cm-tooltip-autocomplete")).not_to_contain_text("ChildProcessError")
        assert "ch" not in shown.all_inner_texts()


def test_what_was_typed_is_offered_again_and_a_second_tab_writes_over_nothing(visit: Visits) -> None:
    first = opened(visit())
    second = opened(first.context.new_page())
    first.keyboard.type("# one")
    expect(first.locator("[data-status]")).to_have_text("Kept in this browser.")
    expect(second.locator("[data-status]")).to_contain_text("Another tab")
    second.keyboard.type("# two")
    second.reload()
    assert second.locator("[data-restore]").bounding_box()["y"] < second.locator(".editor").bounding_box()["y"]  # type: ignore[index]
    when = re.compile(r"from \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d( [A-Z]+)? in this browser\.$")
    expect(second.locator("[data-kept]")).to_have_text(when)  # as the site writes times
    kept = "Object.values(localStorage).map(each => JSON.parse(each).text.slice(-5)).sort().join()"
    assert second.evaluate(kept) == "# one,# two"
    second.get_by_role("button", name="Restore my text").click()
    expect(second.locator("textarea")).to_have_value(re.compile("# two$"))


def test_no_draft_is_deleted_by_one_slip_and_the_search_of_the_text_is_closed_by_a_finger(visit: Visits) -> None:
    page = opened(visit(signed_in=True))
    page.get_by_label("Bot name").fill("short_lived")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("[data-status]")).to_have_text("The draft has been saved.")
    page.reload()
    page.get_by_text("Drafts", exact=True).click()
    row = page.locator("[aria-label='Your drafts'] > li", has_text="short_lived")
    row.locator("summary").click()
    expect(row).to_be_visible()
    row.get_by_role("button").click()
    expect(page.get_by_text("The draft has been deleted.")).to_be_visible()
    expect(row).to_have_count(0)

    expect(page.locator("textarea")).to_be_hidden()
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+f")
    size = page.locator(".cm-search [name=close]").bounding_box()
    assert size
    assert min(size["width"], size["height"]) >= 24


def test_an_upload_stays_on_the_page_and_shows_each_problem_on_its_line(visit: Visits) -> None:
    progress = {
        "headline": "This version was rejected.", "state": "rejected", "terminal": True,
        "steps": [{"label": "Received", "status": "done"}, {"label": "Legal", "status": "failed"}],
        "findings": [
            {"code": "E201", "title": "Not legal", "message": "9 dice of 4", "line": 3, "fix": "Choose fewer."},
            {"code": None, "title": None, "message": "No line", "line": None, "fix": None},
        ],
    }  # fmt: skip
    taken = {"id": 7, "version": 1, "page": "/bots/7", "progress": "/progress"}
    page = opened(visit(signed_in=True))
    page.route("**/write/*/upload", lambda route: route.fulfill(json=taken))
    page.route("**/progress", lambda route: route.fulfill(json=progress))
    page.get_by_role("button", name="Upload", exact=True).click()

    expect(page.locator("[data-headline]")).to_have_text("This version was rejected.")
    expect(page.locator("[data-steps] .failed")).to_have_text("✕Legal")
    expect(page.get_by_text("Next: fix the problem")).to_be_visible()
    expect(page.get_by_text("Next: it plays ladder matches")).to_be_hidden()
    expect(page.locator("[data-findings] li")).to_have_count(2)
    expect(page.locator("[data-findings] li").first).to_have_text(
        "Line 3: E201 Not legal: 9 dice of 4\nChoose fewer.", use_inner_text=True
    )
    expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
    expect(page.locator("[data-version]")).to_have_attribute("href", re.compile("/bots/7$"))
    assert page.url.endswith("/write/gang-of-dice?draft=7")


def test_a_draft_is_saved_without_leaving_the_page_and_a_late_tab_is_told(visit: Visits) -> None:
    first = opened(visit(signed_in=True))
    first.get_by_label("Bot name").fill("draft_fox")
    first.keyboard.press("Tab")
    first.get_by_role("button", name="Save draft").click()
    expect(first.locator("[data-status]")).to_have_text("The draft has been saved.")
    first.wait_for_url(re.compile(r"\?draft=\d+$"))
    second = opened(first.context.new_page(), first.url)
    second.keyboard.type("# second")
    second.get_by_role("button", name="Save draft").click()
    expect(second.locator("[data-status]")).to_have_text("The draft has been saved.")
    first.get_by_role("button", name="Save draft").click()
    expect(first.locator("[data-refused]")).to_contain_text("saved elsewhere")
    second.reload()
    expect(second.locator("textarea")).to_have_value(re.compile("# second$"))


def test_whoever_signs_in_again_elsewhere_saves_the_page_that_was_open(visit: Visits) -> None:
    page = opened(visit(signed_in=True))
    page.get_by_label("Bot name").fill("patient_fox")
    page.context.clear_cookies()
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("[data-refused]")).to_contain_text("You are signed out")
    again = page.context.new_page()
    again.goto("/sign-in")
    again.get_by_label("Name").fill(OWNER)
    again.get_by_label("Password").fill(PASSWORD)
    again.locator("main").get_by_role("button", name="Sign in").click()
    again.wait_for_url("**/account")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("[data-status]")).to_have_text("The draft has been saved.")


def test_what_is_typed_beside_an_offered_text_is_kept_and_escape_then_tab_leaves_the_editor(visit: Visits) -> None:
    page = opened(visit())
    page.keyboard.type("# first")
    expect(page.locator("[data-status]")).to_have_text("Kept in this browser.")
    page = opened(page)
    expect(page.locator("[data-restore]")).to_be_visible()
    page.keyboard.type("# other")
    expect(page.locator("[data-status]")).to_have_text("Kept in this browser.")
    page.keyboard.press("Tab")
    expect(page.locator(".cm-content")).to_be_focused()
    assert page.locator("textarea").input_value().endswith("    # other")
    assert "press Escape, then Tab" in (page.locator(".cm-content").get_attribute("aria-label") or "")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.locator(".cm-content")).not_to_be_focused()


def test_a_refused_duel_is_no_conflict_with_the_next_save(visit: Visits) -> None:
    page = opened(visit(signed_in=True))
    page.get_by_label("Bot name").fill("never_uploaded")
    page.get_by_text("Game", exact=True).click()
    page.get_by_role("button", name="Duel uploaded version").click()
    expect(page.locator("[data-refused]")).to_contain_text("Upload never_uploaded first: it has no active version")
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("[data-status]")).to_have_text("The draft has been saved.")
    expect(page.locator("[data-refused]")).to_be_hidden()
    page.evaluate("document.querySelector('[data-run=game]').textContent = 'No problem found'")  # of an earlier run
    page.get_by_role("button", name="Duel uploaded version").click()
    expect(page.locator("[data-refused]")).to_contain_text("Upload never_uploaded first: it has no active version")
    expect(page.locator("[data-run=game]")).to_be_empty()
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("[data-refused]")).to_be_hidden()


def test_ctrl_enter_checks_the_bot_and_the_result_stands_beside_code_that_does_not_wrap(visit: Visits) -> None:
    page = opened(visit(signed_in=True, viewport={"width": 1280, "height": 800}))
    page.get_by_label("Bot name").fill("quick_fox")
    page.locator(".cm-content").focus()
    before = page.locator("textarea").input_value()
    page.keyboard.press("Control+Enter")
    result = page.locator("[data-run=problems] [data-say]")
    expect(result).to_contain_text("Queued")
    assert page.locator("textarea").input_value() == before
    code, beside = page.locator(".editor").bounding_box(), result.bounding_box()
    assert code
    assert beside
    assert code["height"] > 450
    assert code["x"] + code["width"] < beside["x"]
    assert code["y"] < beside["y"] < code["y"] + code["height"]
    assert page.locator(".cm-scroller").evaluate("box => box.scrollWidth > box.clientWidth")
    page.goto(page.locator("#run").get_attribute("data-open").removesuffix("/live"))  # type: ignore[union-attr]
    expect(page.locator("textarea")).to_have_value(before)
    expect(result).to_contain_text("Queued")
