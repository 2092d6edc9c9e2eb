"""From an upload to the leaderboard with the real jail, broker and workers, and what hostile bots come to."""

from __future__ import annotations

import re
import urllib.error
from collections.abc import Iterator
from functools import partial

import pytest
from tests.flow.flow_kit import HOSTILE, Browser, Up, last_words, running_up, state_of, submit, submit_for

pytestmark = [pytest.mark.flow, pytest.mark.slow]

GAME = "gang-of-dice"

NEWCOMER = """from gangland import gang_of_dice


class Newcomer(gang_of_dice.Bot):
    def choose_dice(self, view):
        want = 2 if view.card.yellow else 4
        return min(want, view.pool)
"""

HOSTILE_BOTS = {
    "import_crash": "E201",
    "illegal_dice": "E203",
    "segfault": "E204",
    "cpu_loop": "E205",
    "garbage_frames": "E210",
    "socket_uncaught": "E204",
}
"""Bots that misbehave, and the finding that their authors are told."""


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with running_up(tmp_path_factory.mktemp("up") / "data", workers=3) as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def sleeper(up: Up) -> int:
    """A bot that sleeps: its check is over at once, and the others go on."""
    return submit(up, "sleeper", GAME, "sleeper", (HOSTILE / "sleep" / "bot.py").read_bytes())


def faults_of(up: Up, bot: str) -> int:
    return sum(row["faults"] for seats in (2, 3, 4) for row in up.ladder(GAME, seats) if row["bot"] == bot)


def test_an_upload_by_a_person_plays_and_climbs_to_the_leaderboard(up: Up) -> None:
    browser = Browser(up)
    fields = {"name": "Ann", "password": "correct horse battery"}
    browser.post("/sign-up", fields)
    path, _ = browser.post("/upload", {"game": GAME, "name": "newcomer", "source": NEWCOMER})
    assert path.startswith("/bots/")
    up.wait_until(lambda: "active" in browser.get(path), "the trial")
    for seats in (2, 3, 4):
        up.wait_until(partial(played, up, "newcomer", seats), f"games at {seats} seats")
        row = next(row for row in up.ladder(GAME, seats) if row["bot"] == "newcomer")
        assert (row["owner"], row["version"], row["faults"]) == ("Ann", 1, 0)
        assert row["rating"] == pytest.approx(row["mu"] - 3 * row["sigma"])


def test_a_challenge_is_played_in_the_jail_at_once_and_seen_by_who_sits_there(up: Up) -> None:
    browser = Browser(up)
    browser.post("/sign-up", {"name": "Cleo", "password": "correct horse battery"})
    submit_for(up, "Cleo", GAME, "needle", NEWCOMER.encode())
    bot = re.search(r'<option value="(\d+)"[^>]*>needle', browser.get("/challenges"))
    assert bot is not None
    house = [row["bot"] for row in up.ladder(GAME, 2) if row["owner"] == "house"][:2]
    path, _ = browser.post("/challenges", {"bot": bot.group(1), "opponent1": house[0], "opponent2": house[1]})
    up.wait_until(lambda: "Every game" in browser.get(path), "the challenge")
    assert "challenges are not rated" in browser.get(path)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        up.get(path)


def all_played(up: Up, game: str, seats: int) -> bool:
    return all(row["games"] for row in up.ladder(game, seats))


def played(up: Up, bot: str, seats: int) -> bool:
    return any(row["bot"] == bot and row["games"] > 0 for row in up.ladder(GAME, seats))


@pytest.mark.parametrize("game", ["gang-of-dice", "gangster-dice"])
def test_all_house_bots_play_in_both_games_without_a_fault(up: Up, game: str) -> None:
    for seats in (2, 3, 4):
        up.wait_until(partial(all_played, up, game, seats), f"{game} at {seats}")
        rows = [row for row in up.ladder(game, seats) if row["owner"] != "Ann"]
        assert len(rows) >= 4
        assert {row["faults"] for row in rows} == {0}


@pytest.mark.parametrize("bot", HOSTILE_BOTS)
def test_a_hostile_bot_is_rejected_and_its_author_told_why(up: Up, bot: str) -> None:
    source = (HOSTILE / bot / "bot.py").read_bytes()
    version = submit(up, f"owner-{bot}", GAME, bot, source)
    up.wait_until(lambda: state_of(up, version) in ("active", "rejected"), f"the verdict on {bot}")
    assert state_of(up, version) == "rejected"
    assert last_words(up, version).startswith(HOSTILE_BOTS[bot]), last_words(up, version)
    assert {row["faults"] for seats in (2, 3, 4) for row in up.ladder(GAME, seats)} == {0}


def test_a_bot_that_misbehaves_on_the_ladder_is_blamed_by_name_and_nobody_else(up: Up) -> None:
    version = submit(up, "turncoat", GAME, "turncoat", (HOSTILE / "illegal_dice" / "bot.py").read_bytes(), trial=False)
    up.wait_until(lambda: faults_of(up, "turncoat"), "its faults")
    assert state_of(up, version) == "active"
    others = [row for seats in (2, 3, 4) for row in up.ladder(GAME, seats) if row["bot"] != "turncoat"]
    assert {row["faults"] for row in others} == {0}


def test_a_match_page_and_its_replay_can_be_read(up: Up) -> None:
    up.wait_until(lambda: any(match.state == "done" for match in up.matches()), "a match")
    done = next(match for match in up.matches() if match.state == "done" and match.purpose == "ladder")
    assert "_gang" in up.get(f"/matches/{done.id}")


def test_a_bot_that_sleeps_is_rejected_and_told_so(up: Up, sleeper: int) -> None:
    up.wait_until(lambda: state_of(up, sleeper) in ("active", "rejected"), "the verdict")
    assert last_words(up, sleeper).startswith("E230")
