"""Matches, replays, ladders and the home page."""

import json
import re
from itertools import product

import pytest
from sqlmodel import select
from tests.kits.pages_kit import Site, activate_bot, finished_match

from gangland.games import GAME_NAMES
from gangland.replay import from_dict, verify
from gangland_ladder.cli.replay_files import entries_of
from gangland_ladder.viewer.timeline import timeline_of
from gangland_web.base.text import finalize, name_key, normal_name, shown, with_line
from gangland_web.models.matches import PlayedGame

NASTY = "<img src=x onerror=alert(1)>"


def table(site: Site, name: str = "ann_bot", seats: int = 2) -> list[int]:
    site.person("Ann")
    return [activate_bot(site, "Ann", name), *(activate_bot(site, None, f"house_{n}") for n in range(1, seats))]


def test_every_ladder_has_its_page_alone(site: Site) -> None:
    stranger = site.stranger()
    for game, seats in product(GAME_NAMES, (2, 3, 4)):
        assert f"{seats} seats" in stranger.page(f"/{game}/leaderboard?seats={seats}")
    for wrong in ("5", "1", "two", "", "2.0", "-2", "02"):
        answer = stranger.get(f"/ladders/gang-of-dice.json?seats={wrong}")
        assert (answer.status_code, "seats must be 2, 3 or 4" in answer.text) == (400, True), wrong
        assert stranger.get(f"/gang-of-dice/leaderboard?seats={wrong}").status_code == 400
    for path in ("/poker", "/poker/leaderboard", "/ladders/poker.json?seats=2"):
        assert stranger.get(path).status_code == 404


def test_a_match_page_tells_seats_versions_games_faults_and_rating_change(site: Site) -> None:
    match = finished_match(site, table(site, seats=3), fails_at=2)
    page = site.stranger().page(f"/matches/{match}")
    for words in (
        "ann_bot",
        "v1",
        "1.50",
        "+4.50",  # of the rating, 1.00 to 5.50, as on the ladder
        "25.00 ± 8.00",
        "Rating before",
        '<td class="num">5.50<br>',
        "Luck (dice)",
        "+0.25",
        "1.75",
        "bot error",
        "version 1",
        ">Gangland</span>",
    ):
        assert words in page
    assert len(set(re.findall(rf"/matches/{match}/games/0/\d\"", page))) == 3
    assert "boom" not in page


def test_a_replay_is_a_file_that_verifies_also_by_forgotten_rules_and_logs_are_the_owners_alone(site: Site) -> None:
    match = finished_match(site, table(site))
    answer = site.stranger().get(f"/matches/{match}/games/0/0/replay.json")
    assert answer.mimetype == "application/json"
    assert "attachment" in answer.headers["Content-Disposition"]
    document = json.loads(answer.text)
    assert verify(from_dict(document["replay"])).places == tuple(seat["place"] for seat in document["seats"])
    assert [seat["bot"] for seat in document["seats"]] == ["ann_bot v1", "house_1 v1"]
    (entry,) = entries_of(answer.data, 9)
    assert entry.names == ["ann_bot v1", "house_1 v1"]
    other = site.stranger().get(f"/matches/{match}/games/0/1/replay.json").get_json()
    assert [seat["bot"] for seat in other["seats"]] == ["house_1 v1", "ann_bot v1"]
    lines = site.stranger().get(f"/matches/{match}/replays.ndjson").text.splitlines()
    assert len(lines) == 2
    assert json.loads(lines[0]) == json.loads(answer.text)
    path = f"/matches/{match}/games/0/0"
    ann, bob = site.stranger(), site.person("Bob")
    ann.sign_in("Ann")
    page = ann.page(path)
    assert "log of position 0 &lt;i&gt;" in page
    frame = timeline_of(from_dict(ann.get(f"{path}/replay.json").get_json()["replay"])).frames[5]
    item = re.search(rf'<li id="{re.escape(frame.at)}".*?</li>', page, re.DOTALL)
    assert item
    assert "<pre>log of position 0 &lt;i&gt;</pre>" in item.group(), "beside its decision"
    assert "log of position 1" not in page
    assert "log of position" not in bob.page(path)
    assert "log of position" not in site.stranger().page(path)
    with site.database.write() as db:
        for game in db.exec(select(PlayedGame)):
            game.replay = game.replay.replace('"rules":1', '"rules":0')
            db.add(game)
    stranger = site.stranger()
    answer = stranger.get(f"/matches/{match}/games/0/1")
    assert answer.status_code == 410
    assert "rules that this site no longer knows" in answer.text
    assert "version 0" in stranger.page(f"/matches/{match}")
    assert '"rules":0' in stranger.get(f"/matches/{match}/games/0/0/replay.json").text


def test_a_fault_stands_at_its_decision_and_its_details_are_the_owners(site: Site) -> None:
    match = finished_match(site, table(site), fails_at=4)
    path = f"/matches/{match}/games/0/0"
    ann = site.stranger()
    ann.sign_in("Ann")
    mine, theirs = ann.page(path), site.stranger().page(path)
    assert "bot error" in mine
    assert "bot error" in theirs
    assert "&lt;b&gt;boom&lt;/b&gt;" in mine
    assert "boom" not in theirs
    assert "plays default decisions from now on" in theirs
    shown = [re.search(r'class="note bad.*?</article>', page, re.DOTALL) for page in (mine, theirs)]
    assert all(shown)
    own, others = (found.group() for found in shown if found)
    at = re.search(r'href="#(r\d+\.s1\.d\d)"', others)
    assert at
    assert f'<li id="{at.group(1)}" class="fault">' in theirs
    assert re.search(r'<span class="fault">[A-D] ✕</span>', ann.page(f"/matches/{match}")), "which bot failed"
    assert "E2" in own
    assert "E2" not in others
    for words in ("choose_dice()", "It saw", "card ", "Legal", "from 1 to 47"):
        assert words in others


def test_a_match_that_is_not_over_shows_no_game_and_one_that_was_not_played_is_not_found(site: Site) -> None:
    bots, stranger = table(site), site.stranger()
    match, other = finished_match(site, bots, state="scheduled"), finished_match(site, bots)
    page = stranger.page(f"/matches/{match}")
    assert "not started" in page
    assert "Every game" not in page
    assert stranger.get(f"/matches/{other}/games/0/0").status_code == 200
    waits = (f"{match}{tail}" for tail in ("/games/0/0", "/games/0/0/replay.json", "/replays.ndjson"))
    for path in (*waits, f"{other}/games/7/0", f"{other}/games/0/9", f"{other}000", f"{other}000/games/0/0"):
        assert stranger.get(f"/matches/{path}").status_code == 404


@pytest.mark.parametrize(
    ("message", "line", "document"),
    [
        ("a NUL byte", 3, "line 3: a NUL byte"),
        ("line 3 is not UTF-8", 3, "line 3 is not UTF-8"),
        ("mine.py:3 choose_dice(): 99", 3, "mine.py:3 choose_dice(): 99"),
        ('File "mine.py", line 3, in choose_dice', 3, 'File "mine.py", line 3, in choose_dice'),
        ("line 1, in choose_dice, line 3, in help", 3, "line 3: line 1, in choose_dice, line 3, in help"),
        ("mine.py:31 and more", 3, "line 3: mine.py:31 and more"),
        ("too slow", None, "too slow"),
    ],
)
def test_a_problem_names_its_line_exactly_once(message: str, line: int | None, document: str) -> None:
    assert with_line(message, line) == document


@pytest.mark.parametrize(
    ("text", "observed"),
    [
        ("plain", "plain"),
        ("a\nb\tc\r\nd", "a\nb\tc\nd"),
        ("a\x1b[31mb", "a\ufffd[31mb"),
        ("a\u202eb\u2066c", "a\ufffdb\ufffdc"),
        ("a\u200bb\ufeffc", "a\ufffdb\ufffdc"),
        ("Zoë 李 😀", "Zoë 李 😀"),
        ("a\u2028b", "a\ufffdb"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_a_mark(text: str, observed: str) -> None:
    assert shown(text) == observed
    assert finalize(text) == observed


def test_a_long_text_is_cut_with_an_ellipsis_and_spellings_of_one_name_meet_under_one_key() -> None:
    assert shown("x" * 50, limit=10) == "x" * 9 + "…"
    assert name_key(normal_name("  Straße  Gang ")) == name_key("STRASSE gang")
    assert name_key("Ｚoë") == name_key("ZOË")
