"""A game that brings no drawing of its own has a table all the same: figures, and views as names and values."""

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, expect
from tests.third_game.kit import HERE, with_bust


def test_a_replay_of_a_third_game_is_walked_through(browser: Browser, tmp_path: Path) -> None:
    env, bots = with_bust(tmp_path / "third"), sorted(map(str, (HERE / "bots").glob("*.py")))
    for command in (["play", *bots, "--seed", "7", "--out", "it.json"], ["replay", "it.json", "--html", "game.html"]):
        subprocess.run([sys.executable, "-m", "gangland_ladder.cli", *command], cwd=tmp_path, env=env, check=True)
    page, wrong = browser.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda output: wrong.append(output.text))
    page.goto(f"{(tmp_path / 'game.html').as_uri()}#r5.s2.d1")
    stage = page.locator("[data-stage]")
    expect(stage.locator(".v-seat")).to_have_count(3)
    expect(stage.locator(".v-center dt")).to_have_text(["round", "banked", "at_risk"])
    expect(stage.locator(".v-plan")).to_have_count(2)  # two have decided, the third has not
    page.keyboard.press("2")
    expect(page.locator("[data-view]")).to_contain_text("saw at r5.s2.d1")
    expect(stage.locator(".v-center dt")).to_have_text(["round", "banked", "at_risk"])
    page.keyboard.press("End")
    expect(page.locator("[data-now]")).to_contain_text("won with")
    assert wrong == []
    page.close()
