"""Every step of a replay is one moment: table, panel, story, figures and chart tell the same, as the rules have it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from playwright.sync_api import Browser, Page

from gangland.game import Event
from gangland.games import game_named
from gangland.gang_of_dice.warnings import NUMBER_OF, WARNINGS
from gangland.gangster_dice.cards import COLOUR_NAMES, TOKEN_NAMES
from gangland.replay import Replay, StepAnswer, expand, load
from gangland_ladder.viewer.page import replay_page
from gangland_ladder.viewer.timeline import timeline_of

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
NAMES = ("Ada", "Bo", "Cy", "Di")
PER_TABLE_SIZE = 7  # number of replays of each game and table size, in the long suite

READ = """(key) => {
  const root = document.querySelector("[data-replay]");
  const press = name => root.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  const text = (from, name) => from?.querySelector(name)?.textContent.trim() ?? "";
  const texts = (from, name) => [...(from?.querySelectorAll(name) ?? [])].map(each => each.textContent.trim());
  const labels = (from, name) => [...from.querySelectorAll(name)].map(each => each.getAttribute("aria-label"));
  const seen = [];
  press(key);
  press("Home");
  for (let last = -1; ;) {
    const now = root.querySelector("[data-now]");
    const story = document.querySelector(".v-story [aria-current=step]");
    const index = Number(root.querySelector("[data-scrub]").value);
    if (index === last) return seen;
    last = index;
    seen.push({
      index, x: Number(root.querySelector("[data-cursor]").getAttribute("x1")),
      view: text(root, "[data-view]"), place: text(root, "[data-place]"),
      at: text(now, ".v-at"), asked: text(now, ".v-asked"), did: text(now, ".v-did"), ending: text(now, ".v-ending"),
      told: texts(now, ".v-events li"), opens: texts(now, ".v-opens li"),
      story: { at: text(story, "a.at"), did: text(story, ".did"), told: texts(story, ".told") },
      dice: texts(root, ".v-seat .v-count b"), figures: texts(root, "[data-dice]"), luck: texts(root, "[data-luck]"),
      pot: text(root, ".v-pot .v-count b"), award: text(root, ".v-award"), card: text(root, ".v-card-head b"),
      turn: [...root.querySelectorAll(".v-seat")].findIndex(seat => seat.matches(".turn")),
      rolls: [...root.querySelectorAll(".v-seat .v-roll")].map(seat => labels(seat, ".v-dice")[0] ?? ""),
      bids: [...root.querySelectorAll(".v-seat")].map(seat => labels(seat, ".v-bid")),
      hands: [...root.querySelectorAll(".v-seat")].map(seat => labels(seat, ".v-favors")[0] ?? ""),
      plans: [...root.querySelectorAll(".v-seat")].map(seat => text(seat, ".v-plan")),
      badges: [...root.querySelectorAll(".v-seat")].map(seat => texts(seat, ".v-badge")),
      holders: texts(root, ".v-token .v-holder"), on: labels(root, ".v-token .v-counts"),
    });
    press("ArrowRight");
  }
}"""


@dataclass
class Expected:
    """What a step has to show, from the rules' states and events only."""

    number: int
    answer: StepAnswer
    asked: tuple[StepAnswer, ...]
    before: Any
    state: Any
    events: list[Event] = field(default_factory=list)
    round_events: list[Event] = field(default_factory=list)
    ends_round: bool = False

    @property
    def last_of_ply(self) -> bool:
        return self.asked[-1] is self.answer


def expected(replay: Replay) -> list[Expected]:
    steps: list[Expected] = []
    of_round: list[Event] = []
    for step in expand(replay):
        asked = tuple(answer for answer in step.answers if answer.number is not None)
        steps += [
            Expected(answer.number, answer, asked, step.before, step.before, round_events=list(of_round))
            for answer in asked
            if answer.number is not None
        ]
        began = bool(steps) and steps[-1].ends_round
        for event in step.events:
            if event[0] == "round":
                began, of_round = True, []
            of_round.append(event)
            if steps and not began:
                steps[-1].events.append(event)
                steps[-1].round_events.append(event)
        if steps and not steps[-1].ends_round:
            steps[-1].state = step.after
            steps[-1].ends_round = began
    return steps


def replays() -> Iterator[ParameterSet]:
    """Yield games of all table sizes; the first of each size is short, with a fault if there is one."""
    for game in ("gang-of-dice", "gangster-dice"):
        every = [load(line) for line in (GOLDEN / f"{game}.ndjson").read_text().splitlines()]
        for seats in (2, 3, 4):
            fit = [each for each in every if each.seats == seats and 4 <= len(each.decisions) <= 150]
            first = min(
                (each for each in fit if len(each.decisions) > 25),
                key=lambda each: (not each.faults, len(each.decisions)),
            )
            yield pytest.param(first, id=f"{game} at {seats}")
            mark = pytest.mark.long("more games of the same table size")
            more = fit[:: len(fit) // PER_TABLE_SIZE][:PER_TABLE_SIZE]
            assert len(more) == PER_TABLE_SIZE
            yield from (pytest.param(each, id=f"{game} at {seats}, {n}", marks=mark) for n, each in enumerate(more, 1))


def faces(dice: Sequence[int]) -> str:
    count = f"{len(dice)} {'die' if len(dice) == 1 else 'dice'}"
    return f"{count}: {', '.join(str(face or 'gangster') for face in sorted(dice, reverse=True))}"


def hand(cards: Sequence[int]) -> str:
    return f"favors {', '.join('+4' if card == 4 else str(card) for card in cards) or 'none'}"


def check_gang(step: Expected, shown: dict[str, Any], replay: Replay) -> None:
    began = next(event for event in reversed(step.round_events) if event[0] == "round")
    assert shown["card"] == WARNINGS[NUMBER_OF[began[2]]].id
    rolls = {event[1]: faces(event[5]) for event in step.round_events if event[0] == "rolled"}
    assert shown["rolls"] == [rolls.get(seat, "") for seat in range(replay.seats)]
    for event in step.events:
        if event[0] == "won":
            assert f"won {event[3]}" in shown["badges"][event[1]]
            assert shown["award"].endswith(NAMES[event[1]])
            assert int(shown["pot"]) == 0
        if event[0] == "eliminated":
            assert all("out" in shown["badges"][seat] for seat in event[1])
        if event[0] == "busted":
            assert {"bust", "out"} & set(shown["badges"][event[1]])
    whole = 36 if replay.seats == 4 else 48
    bonus = sum({10: 3, 11: 6, 12: 9}.get(number, 0) for number in range(1, began[1] + 1))
    assert sum(map(int, shown["dice"])) + int(shown["pot"]) == whole * replay.seats + bonus
    if not step.ends_round and step.last_of_ply:
        assert shown["dice"] == [str(pool) for pool in step.state.pools]


def check_gangster(step: Expected, shown: dict[str, Any], replay: Replay) -> None:
    over = step.last_of_ply
    state = step.state if over else step.before
    assert shown["dice"] == [str(sum(stash)) for stash in state.stashes]
    for token, holder in enumerate(state.control):
        assert shown["holders"][token] == ("nobody's" if holder is None else f"{holder + 1}{NAMES[holder]}")
        words = [f"{count} {COLOUR_NAMES[colour]}" for colour, count in enumerate(state.dice[token]) if count]
        assert shown["on"][token] == (", ".join(words) or "no dice")
    hands = [list(cards) for cards in state.hands]
    if step.answer.kind == "bids" and not over:
        for answer in step.asked[: step.asked.index(step.answer) + 1]:
            decision: Any = answer.decision
            laid = [f"lays {'+4' if favor == 4 else favor} on the {TOKEN_NAMES[token]}" for token, favor in decision]
            assert shown["bids"][answer.seat] == laid
            for _, favor in decision:
                hands[answer.seat].remove(favor)
    assert shown["hands"] == [hand(cards) for cards in hands]
    revealed = {event[1]: event[2] for event in step.round_events if event[0] == "revealed"}
    won = {event[1]: event[2] for event in step.round_events if event[0] == "won"}
    for seat, bids in revealed.items():
        assert shown["bids"][seat] == [
            f"bids {'+4' if favor == 4 else favor} on the {TOKEN_NAMES[token]}, {score} in all"
            + (", and wins it" if won.get(token) == seat else "")
            for token, favor, score in bids
        ]
    if step.answer.kind in ("exchange", "stake", "dump") and (not over or game_named(replay.game).half_answered(state)):
        assert shown["plans"][step.answer.seat]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One tab for all timelines: a new process costs as much as walking through a short one."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield context.new_page()


@pytest.mark.parametrize("replay", list(replays()))
def test_at_each_decision_table_panel_and_story_tell_the_same(page: Page, tmp_path: Path, replay: Replay) -> None:
    shown = timeline_of(replay, NAMES[: replay.seats])
    file = tmp_path / "game.html"
    file.write_text(replay_page(shown), encoding="utf-8")
    page.goto(file.as_uri())
    steps, views = page.evaluate(READ, "0"), [page.evaluate(READ, str(seat + 1)) for seat in range(replay.seats)]

    wanted = expected(replay)
    assert len(steps) == len(wanted) + 1
    check = check_gang if replay.game == "gang-of-dice" else check_gangster
    rules = game_named(replay.game)
    for want, step in zip(wanted, steps, strict=False):
        assert step["at"] == step["story"]["at"]
        assert step["did"] == step["story"]["did"]
        assert step["told"] == step["story"]["told"]
        sentences = [rules.sentence(event, NAMES[: replay.seats]) for event in want.events]
        fault = "is at fault and plays default decisions from now on."
        failed = [f"{NAMES[answer.seat]} {fault}" for answer in want.asked if answer.by_default]
        assert step["told"] == ([*failed, *filter(None, sentences)] if want.last_of_ply else [])
        assert step["turn"] == want.answer.seat
        assert step["figures"] == step["dice"]
        assert step["x"] == pytest.approx(1000 * step["index"] / len(wanted))
        check(want, step, replay)
    end = steps[-1]
    assert end["figures"] == end["dice"] == [str(held) for held in shown.counts[-1][1]]
    assert end["ending"]
    if replay.reason != "all_at_fault":
        assert [seat for seat, badges in enumerate(end["badges"]) if "won" in badges] == [
            seat for seat, place in enumerate(replay.places) if place == 1
        ]
    result = [*(line for step in steps for line in (*step["opens"], *step["told"]) if step is not end), *end["opens"]]
    assert sorted(result) == sorted(
        [
            *(t for _, t in shown.opening),
            *(t for s in shown.frames for t in (*s.sentences, *(o for _, o in s.next_round_sentences))),
        ]
    )

    for seat, view in enumerate(views):
        own = [want for want in wanted if want.answer.seat == seat]
        assert [step["index"] for step in view] == [*(want.number for want in own), len(wanted)]
        for want, step in zip(own, view, strict=False):
            assert step["view"] == f"What {NAMES[seat]} saw at {step['at']}"
            assert step["at"] == step["story"]["at"]
            assert step["told"] == step["opens"] == []
            assert step["figures"] == step["dice"]
            pools = want.before.pools if replay.game == "gang-of-dice" else [sum(s) for s in want.before.stashes]
            assert step["dice"] == [str(pool) for pool in pools]
