"""A replay as one file: the story without script, the data that the viewer walks through, and nothing that gets out."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.ladder.command_kit import Ran, gangland

from gangland.replay import Replay, load
from gangland.story import tell
from gangland_ladder.watching.data import film_data
from gangland_ladder.watching.film import film_of
from gangland_ladder.watching.keys import keys_for
from gangland_ladder.watching.page import replay_page

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
GAMES = ("gang-of-dice", "gangster-dice")
HOSTILE = ("</script><script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "\u202eevil\x1b[2J")
VOID = {"meta", "input", "path", "circle", "use", "line", "polyline", "rect", "br"}


@cache
def golden(game: str) -> list[Replay]:
    return [load(line) for line in (GOLDEN / f"{game}.ndjson").read_text().splitlines()[::9]]


def longest(game: str, seats: int) -> Replay:
    """Return a game of usual length: the one with the most decisions that has no more than 150."""
    fit = [each for each in golden(game) if each.seats == seats and len(each.decisions) <= 150]
    return max(fit, key=lambda each: len(each.decisions))


class Page(HTMLParser):
    """A page, taken apart.

    Attributes:
        tags: each with its attributes; text: what people read; blocks: the contents of scripts and styles.
    """

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.blocks: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("script", "style"):
            self.blocks.append((tag, dict(attrs), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            tag, attributes, text = self.blocks.pop()
            self.blocks.append((tag, attributes, text + data))
        else:
            self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def merged(before: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Put a difference into a scene, as the viewer does."""
    now = dict(before)
    for name, value in change.items():
        now[name] = merged(now.get(name) or {}, value) if isinstance(value, dict) else value
    return now


@pytest.mark.parametrize("game", GAMES)
def test_without_script_the_page_is_the_whole_story_with_every_decision_under_its_address(game: str) -> None:
    for replay in golden(game)[::3]:
        film = film_of(replay)
        page = Page(replay_page(film))
        assert page.open == []
        assert [line.text for line in tell(replay) if line.text not in page.text] == []
        addresses = [attributes["id"] for attributes in page.all("li") if "id" in attributes]
        assert addresses == [stop.at for stop in film.stops]
        viewer = next(attributes for attributes in page.all("section") if "data-replay" in attributes)
        assert "hidden" in viewer


@pytest.mark.parametrize("game", GAMES)
def test_the_data_of_the_viewer_gives_back_every_table_and_every_observation(game: str) -> None:
    for replay in golden(game):
        film = film_of(replay)
        data = json.loads(json.dumps(film_data(film)))
        table: dict[str, Any] = {}
        seen: list[dict[str, Any]] = [{} for _ in film.names]
        for stop, told in zip(film.stops, data["stops"], strict=True):
            table = merged(table, told["table"])
            seen[told["seat"]] = merged(seen[told["seat"]], told["seen"])
            assert (table, seen[told["seat"]]) == (stop.table, stop.seen)
            assert told.get("mark") == film.marks.get(film.index_of(told["at"]))
        assert merged(table, data["end"]) == film.table


def test_the_policy_of_the_page_allows_its_own_style_and_script_and_nothing_else() -> None:
    page = Page(replay_page(film_of(longest("gangster-dice", 3))))
    policy = next(meta["content"] or "" for meta in page.all("meta") if "http-equiv" in meta)
    named = set(re.findall(r"'(sha256-[^']+)'", policy))

    running = [text for tag, attributes, text in page.blocks if attributes.get("type") != "application/json"]
    assert len(running) == 2
    assert named == {f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}" for text in running}
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag, attributes in page.tags:
        assert not {name for name in attributes if name.startswith("on") or name in ("style", "src", "srcset")}, tag
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search(r"url\(|@import", "".join(running))


@pytest.mark.parametrize("game", GAMES)
def test_what_a_bot_says_is_text_on_the_page_and_nothing_more(game: str) -> None:
    replay = next(each for each in golden(game) if each.seats == 3 and each.decisions)
    plain, film = film_of(replay), film_of(replay, HOSTILE, logs={0: f"<!--{HOSTILE[0]}"})
    page, text = Page(replay_page(film)), replay_page(film)

    assert [tag for tag, _ in page.tags] == [
        tag for tag, _ in Page(replay_page(film_of(replay, plain.names, logs={0: "x"}))).tags
    ]
    assert "<img" not in text
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert HOSTILE[0] in page.text
    data = json.loads(next(text for _, attributes, text in page.blocks if attributes.get("id") == "film"))
    assert data["names"][0] == HOSTILE[0]
    assert data["stops"][0]["log"] == f"<!--{HOSTILE[0]}"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_a_page_of_a_usual_game_is_small(game: str, seats: int) -> None:
    page = replay_page(film_of(longest(game, seats)))

    assert len(page.encode()) <= 160_000
    script = next(text for tag, attributes, text in Page(page).blocks if tag == "script" and not attributes)
    assert len(script.encode()) <= 45_000


def test_the_script_does_what_every_key_of_the_map_says(root: Path) -> None:
    script = (root / "platform" / "gangland_ladder" / "watching" / "js" / "viewer.js").read_text()
    named = script[script.index("  named() {") : script.index("  key(event) {")]
    done = set(re.findall(r"^ {6}(\w+):", named, re.MULTILINE)) | {f"seat{seat}" for seat in range(1, 5)}
    keys = keys_for("browser", 4)

    assert {key.action for key in keys} == done
    names = [name for key in keys for name in key.browser]
    assert len(names) == len(set(names))
    buttons = set(re.findall(r'data-do="(\w+)"', replay_page(film_of(longest("gang-of-dice", 4)))))
    assert buttons <= done


def test_the_dice_are_those_of_the_site(root: Path) -> None:
    site = root / "platform" / "gangland_web" / "static" / "dice.svg"

    assert (root / "platform" / "gangland_ladder" / "watching" / "dice.svg").read_text() == site.read_text()


def test_a_game_is_written_as_a_page_that_opens_at_the_address_given(tmp_path: Path) -> None:
    replay, out = longest("gang-of-dice", 3), tmp_path / "game.html"
    (tmp_path / "game.json").write_text(replay.to_json())

    assert gangland("replay", tmp_path / "game.json", "--html", out, "--at", "r3") == Ran(0, "", f"written: {out}\n")
    page = Page(out.read_text())
    data = json.loads(next(text for _, attributes, text in page.blocks if attributes.get("id") == "film"))
    assert data["start"].startswith("r3.s")
    assert gangland("replay", tmp_path / "game.json", "--html", tmp_path).code == 2
    assert "rounds 1 to" in gangland("replay", tmp_path / "game.json", "--html", out, "--at", "r99").err


def test_what_a_bot_logged_at_a_decision_is_kept_and_shown_beside_it(tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text(
        "from gangland import gang_of_dice\nclass Talker(gang_of_dice.Bot):\n"
        "    def on_game_start(self, info):\n        self.log('good evening')\n"
        "    def choose_dice(self, view):\n        self.log(f'dice in round {view.round}')\n        return 2\n"
        "    def choose_reroll(self, view):\n        print(f'faces {view.dice}')\n        return []\n"
    )
    bot, out = tmp_path / "talker.py", tmp_path / "game.json"

    assert gangland("play", bot, bot, "--seed", 1, "--trusted", "--log", "--out", out).code == 0

    document = json.loads(out.read_text())
    film = film_of(load(json.dumps(document["replay"])))
    rows = {row["decision"]: row["text"] for seat in document["seats"] for row in seat["logged"]}
    for stop in film.stops:
        expected = f"dice in round {stop.round}" if stop.kind == "dice" else "faces ("
        assert rows[stop.number].startswith(expected)
    assert all(seat["log"].startswith("good evening\ndice in round 1\nfaces (") for seat in document["seats"])
    assert "  | dice in round 2" in gangland("replay", out, "--at", "r2.s1.d1").out

    assert gangland("play", bot, bot, "--seed", 1, "--trusted", "--out", out).code == 0
    assert not {"log", "logged"} & set(json.loads(out.read_text())["seats"][0])
