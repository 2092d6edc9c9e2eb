"""A replay as one file: the story without script, the data that the viewer walks through, and nothing that gets out."""

import json
import re
from base64 import b64encode
from functools import cache
from gzip import compress
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from tests.contract import players, run
from tests.golden.store import stored
from tests.kits.command_kit import Ran, gangland
from tests.kits.html_kit import Page

from gangland import games, match, story
from gangland.replay import Replay, expand, load
from gangland_ladder.analysis import account, analyzer
from gangland_ladder.viewer import commentary, navigation
from gangland_ladder.viewer.assets import MAIN, STAGE, bundle, modules, script, style
from gangland_ladder.viewer.page import replay_page, viewer_markup
from gangland_ladder.viewer.timeline import Timeline, timeline_of
from gangland_ladder.viewer.timeline_data import timeline_data

GAMES = ("gang-of-dice", "gangster-dice")
HOSTILE = ("</script><script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "\u202eevil\x1b[2J")


@cache
def golden(game: str) -> list[Replay]:
    return stored(game)[::9]


def longest(game: str, seats: int) -> Replay:
    fit = [each for each in golden(game) if each.seats == seats and len(each.decisions) <= 150]
    return max(fit, key=lambda each: len(each.decisions))


@cache
def analyzed(game: str, seats: int, most: int = 10_000) -> Timeline:
    replay, steps = longest(game, seats), iter(range(most))
    return timeline_of(replay, analysis=analyzer.analyze(replay, has_time=lambda: next(steps, None) is not None))


class Hoarder:
    """Gives no die away where it may keep it, so that a game never ends."""

    def __init__(self, game: players.Watched, seat: int) -> None:
        self.game, self.rng = game, Random(seat)

    def decide(self, kind: str, view: Any, number: int) -> object:
        state, seat = self.game.asked
        if kind == "stake":
            return None
        if kind == "dump":
            return min(range(3), key=lambda colour: view.spare[colour])
        return self.rng.choice(list(self.game.choices(state, seat)))


def long_game() -> Replay:
    """Return a game of 100 rounds at four seats, the maximum."""
    watched = players.Watched(games.game_named("gangster-dice"))
    played = match.play(cast(Any, watched), [Hoarder(watched, seat) for seat in range(4)], run.seed_of(7))
    return played.replay


def merged(before: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    now = dict(before)
    for name, value in change.items():
        now[name] = merged(now.get(name) or {}, value) if isinstance(value, dict) else value
    return now


def unpacked(data: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    table: dict[str, Any] = {}
    scenes = []
    for reported in data["frames"]:
        before = merged(table, reported.get("before", {}))
        table = merged(before, reported.get("table", {}))
        scenes.append((table, merged(before, reported.get("seen", {}))))
    return scenes


@pytest.mark.parametrize("game", GAMES)
def test_without_script_the_page_is_the_whole_story_with_every_decision_under_its_address(game: str) -> None:
    for replay in golden(game)[::3]:
        timeline = timeline_of(replay)
        page = Page(replay_page(timeline))
        assert page.open == []
        *reported, _ = [line.text for line in story.tell(replay)]
        assert [text for text in (*reported, commentary.result_sentence(timeline)) if text not in page.text] == []
        addresses = [attributes["id"] for attributes in page.all("li") if "id" in attributes]
        assert addresses == [frame.at for frame in timeline.frames]
        assert [frame.question for frame in timeline.frames if frame.question not in page.text] == []
        assert [point.text for point in commentary.turning_points(timeline) if point.text not in page.text] == []
        links = [attributes.get("href") or "" for attributes in page.all("a")]
        ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
        assert [link for link in links if link.removeprefix("#") not in ids] == []
    assert "@media (scripting: none) { .viewer:not(.drawn) { display: none; } }" in style()


@pytest.mark.parametrize("game", GAMES)
def test_the_data_of_the_viewer_gives_back_every_table_and_every_observation(game: str) -> None:
    for replay in golden(game):
        timeline = timeline_of(replay)
        data = json.loads(json.dumps(timeline_data(timeline)))
        scenes = unpacked(data)
        assert scenes == [(frame.table, frame.observation) for frame in timeline.frames]
        assert [frame.get("mark") for frame in data["frames"]] == [
            timeline.marks.get(index) for index in range(timeline.last)
        ]
        assert [reported.get("leader") for reported in data["frames"]] == [frame.leader for frame in timeline.frames]
        assert merged(scenes[-1][0] if scenes else {}, data["end"]["table"]) == timeline.table
        plies = [1, *(1 - reported.get("with", 0) for reported in data["frames"][1:])]
        assert list(accumulate(plies))[: timeline.last] == ranks([frame.ply for frame in timeline.frames])
    assert {replay.seats for replay in golden(game)} == {2, 3, 4}


def ranks(plies: list[int]) -> list[int]:
    order = {ply: rank for rank, ply in enumerate(sorted(set(plies)), 1)}
    return [order[ply] for ply in plies]


def test_no_more_dice_are_drawn_than_a_seat_has() -> None:
    gone = 0
    for replay in golden("gangster-dice"):
        timeline = timeline_of(replay)
        for scene in (
            *(frame.table for frame in timeline.frames),
            *(frame.observation for frame in timeline.frames),
            timeline.table,
        ):
            for seat in scene["seats"].values():
                drawn = [len(faces) for faces in seat["faces"]]
                assert all(dice <= left for dice, left in zip(drawn, seat["dice"], strict=True)), seat
        *_, last = expand(replay)
        gone += sum(
            any(faces) and not any(stash)
            for faces, stash in zip(last.after.opening.faces, last.after.stashes, strict=True)
        )
    assert gone > 0


def test_the_policy_of_the_page_allows_its_own_style_and_script_and_nothing_else() -> None:
    page = Page(replay_page(timeline_of(longest("gangster-dice", 3))))
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
    hostile = timeline_of(replay, HOSTILE, logs={0: f"<!--{HOSTILE[0]}"}, notes={0: HOSTILE[1]})
    text = replay_page(hostile)
    page = Page(text)
    plain = timeline_of(replay, timeline_of(replay).names, logs={0: "x"}, notes={0: "y"})
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in Page(replay_page(plain)).tags]
    assert "<img" not in text
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert HOSTILE[0] in page.text
    assert f"<!--{HOSTILE[0]}" in page.text
    data = json.loads(next(text for _, attributes, text in page.blocks if attributes.get("id") == "timeline"))
    assert data["names"][0] == HOSTILE[0]
    links = viewer_markup(hostile, sprite=HOSTILE[1], game_logs={0: HOSTILE[0]})
    assert Page(links).open == []
    assert "<img" not in links


def test_pages_of_usual_games_are_small_and_one_of_100_rounds_at_four_seats_is_within_its_bound() -> None:
    for game in GAMES:
        for seats in (2, 4):
            assert len(compress(replay_page(timeline_of(longest(game, seats))).encode())) <= 40_000
    assert len(script().encode()) <= 45_000
    replay = long_game()
    assert (replay.rounds, replay.seats) == (100, 4)
    assert len(compress(replay_page(timeline_of(replay)).encode())) <= 160_000


def test_every_key_of_the_map_and_every_button_does_something(root: Path) -> None:
    viewer = modules()["js/viewer.js"]
    named = viewer[viewer.index("  named() {") : viewer.index("  key(event) {")]
    done = set(re.findall(r"^ {6}(\w+):", named, re.MULTILINE)) | {f"seat{seat}" for seat in range(1, 5)}
    keys = navigation.keys_for("browser", analyzed("gang-of-dice", 4, 9))
    assert {key.action for key in keys} == done
    names = [name for key in keys for name in key.browser]
    assert len(names) == len(set(names))
    assert set(re.findall(r'data-do="(\w+)"', replay_page(analyzed("gang-of-dice", 4, 9)))) <= done
    assert not {"ArrowUp", "ArrowDown"} & set(names)
    parts = set(re.findall(r'this\.part\("(\w+)"\)', viewer))
    assert [
        part for part in parts if f"data-{part}" not in viewer_markup(timeline_of(longest("gang-of-dice", 2)))
    ] == []


def test_an_analyzed_game_says_what_each_decision_was_worth_and_what_was_better() -> None:
    timeline = analyzed("gang-of-dice", 2)
    page, data = replay_page(timeline), timeline_data(timeline)

    assert timeline.mistakes
    for index, mark in timeline.mistakes.items():
        frame = timeline.frames[index]
        assert frame.judged is not None
        assert frame.judged.mark is mark
        assert data["frames"][index]["verdict"] == mark
        cost, best = f"{100 * frame.judged.cost:.1f}% of a win", f"{100 * frame.judged.best.value:.1f}%"
        found = re.search(rf'<li id="{frame.at}".*?<p class="judged {mark}">(.*?)</p>', page, re.DOTALL)
        assert found is not None
        assert f"{mark.value.capitalize()}: costs {cost}. Best: " in found[1]
        assert f", {best} instead of " in found[1]
    values: list[float] = []
    for frame, packed in zip(timeline.frames, data["frames"], strict=True):
        values = packed.get("values", packed.get("values_before", values))
        assert values == [round(each, 3) for each in frame.values]
        assert sum(frame.values) == pytest.approx(1)
    assert data["end"]["values"] == [float(place == 1) for place in timeline.places]
    assert "Chance to win, 0 to 100%" in page
    plain = replay_page(timeline_of(longest("gang-of-dice", 2)))
    assert "Chance to win" not in plain
    assert "mistake" not in plain.partition('<section class="viewer')[2].partition("<script")[0].replace("v-ticks", "")
    timeline = analyzed("gang-of-dice", 2, 9)
    assert [bool(frame.values) for frame in timeline.frames[:12]] == [True] * 8 + [False] * 4, "it ran out of time"
    assert f"0 to 100%; analyzed up to round {timeline.frames[8].round} of {timeline.rounds}<" in replay_page(timeline)


def test_the_modules_become_one_script_with_each_behind_those_that_it_imports() -> None:
    files = {
        "a.js": 'import { two } from "./b.js";\nimport { three } from "./c.js";\n/** A comment. */\ntwo(three);\n',
        "b.js": 'import {\n  three,\n} from "./c.js";\n\nexport function two(x) {\n  // Why.\n  return x + three;\n}\n',
        "c.js": "// @ts-check\nexport const three = 3;\n",
    }

    assert bundle(files, "a.js") == "const three = 3;\nfunction two(x) {\n  return x + three;\n}\ntwo(three);\n"
    assert not re.search(r"^(import|export)\b", script(), re.MULTILINE)
    assert "@typedef" not in script()
    for name in modules():
        assert modules()[name].startswith("// @ts-check\n"), name
    reached = bundle(modules(), MAIN)
    assert [
        name
        for name, text in modules().items()
        if name not in ("js/types.js", "js/stage.js", STAGE)  # what a page that plays by itself takes
        and "export " in text
        and len(text) > 0
        and re.findall(r"^export (?:function|class|const) (\w+)", text, re.MULTILINE)[0] not in reached
    ] == []


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.js": 'import { b } from "./b.js";\n'}, "a.js imports b.js, which does not exist"),
        ({"a.js": 'import b from "./b.js";\n'}, "a.js: expected import"),
        ({"a.js": "export default 1;\n"}, "a.js: expected import"),
        ({"a.js": 'import { b } from "./b.js";\nconst x = 1;\n', "b.js": "export const x = 2;\n"}, "both declare x"),
        (
            {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'},
            "in a circle: a.js > b.js",
        ),
    ],
)
def test_modules_that_cannot_become_one_are_refused_by_name(files: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        bundle(files, "a.js")


def test_a_game_is_written_as_a_page_that_opens_at_the_address_given(tmp_path: Path) -> None:
    replay, out = longest("gang-of-dice", 3), tmp_path / "game.html"
    (tmp_path / "game.json").write_text(replay.to_json())
    assert gangland("replay", tmp_path / "game.json", "--html", out, "--at", "r3") == Ran(0, "", f"written: {out}\n")
    page = Page(out.read_text())
    data = json.loads(next(text for _, attributes, text in page.blocks if attributes.get("id") == "timeline"))
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
    timeline = timeline_of(load(json.dumps(document["replay"])))
    rows = {row["decision"]: row["text"] for seat in document["seats"] for row in seat["logged"]}
    for frame in timeline.frames:
        expected = f"dice in round {frame.round}" if frame.kind == "dice" else "faces ("
        assert rows[frame.number].startswith(expected)
    assert all(seat["log"].startswith("good evening\ndice in round 1\nfaces (") for seat in document["seats"])
    assert "  | dice in round 2" in gangland("replay", out, "--at", "r2.s1.d1").out

    assert gangland("play", bot, bot, "--seed", 1, "--trusted", "--out", out).code == 0
    assert not {"log", "logged"} & set(json.loads(out.read_text())["seats"][0])


def test_a_cost_that_was_sampled_is_said_with_its_standard_error_and_nothing_below_two_of_them() -> None:
    best = account.Option(1, 0.6)

    def said(error: float) -> str:
        judged = account.Judged(1, 0, 0, "dice", account.Option(2, 0.55, error), best, (best,), 2, "")
        return commentary.verdict("gang-of-dice", judged)

    assert said(0.01).startswith("Mistake: costs 5.0% ± 1.0% of a win. ")
    assert said(0.0).startswith("Mistake: costs 5.0% of a win. ")
    assert said(0.03) == "Best: 55.0%."
