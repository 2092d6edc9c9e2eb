"""House bots wherever they may be asked, and the bosses in the jail, within a fifth of their bank."""

from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from benchmarks.matches import play_match_in
from tests.contract.games import adapter_of
from tests.contract.run import played
from tests.kits.local_match import match_job_of

from gangland.bot import BaseBot, DecisionRequest
from gangland.games import GAME_NAMES, game_named
from gangland.view import Clock, View
from gangland_ladder.local.processes import Tables
from gangland_sandbox.limits import Limits

BLOCKS = 12
PART_OF_BANK = 0.2
ROOT = Path(__file__).resolve().parents[2]


def stems(game: str) -> list[str]:
    folder = ROOT / "bots" / "gangland_bots" / game.replace("-", "_")
    return sorted(path.stem for path in folder.glob("*_gang.py"))


HOUSE = [(game, stem) for game in GAME_NAMES for stem in stems(game)]


def house_module(game: str, stem: str) -> ModuleType:
    return import_module(f"gangland_bots.{game.replace('-', '_')}.{stem}")


def sit(game: str, stem: str, seed: int) -> BaseBot:
    module = house_module(game, stem)
    base = game_named(game).bot_class
    (found,) = [
        each for each in vars(module).values() if isinstance(each, type) and issubclass(each, base) and each is not base
    ]
    bot = found()
    bot.rng = Random(seed)
    return bot


def questions(game: str, number: int) -> Iterator[tuple[object, int, str]]:
    adapter, rng = adapter_of(game), Random(number)
    options = {option: rng.choice(values) for option, values in adapter.option_values.items()}
    seats = rng.choice(adapter.game.table_sizes)
    table = adapter.table(seats, number)
    run = played(type(table)(game, seats, {**options, **rng.choice(adapter.casts(seats))}), number)
    for state in rng.sample(run.states, min(12, len(run.states))):
        for question in run.game.pending(state):
            yield state, question.seat, question.kind


def sum_of_integers(values: Iterable[int], start: int = 0) -> int:
    """Refuse floats: since Python 3.12 `sum` rounds them differently."""
    total = sum(values, start)
    assert isinstance(total, int), f"sum() of floats: {total}"
    return total


@pytest.mark.parametrize(("game", "stem"), HOUSE)
def test_a_house_bot_answers_legally_and_the_same_again(game: str, stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module(game, stem), "sum", sum_of_integers, raising=False)
    rules = game_named(game)
    for number in range(3 if stem == "searching_gang" else 10):  # it plays each answer on, many times
        for state, seat, kind in questions(game, number):
            view = rules.observe(state, seat)
            answers = []
            for _ in range(2):
                bot = sit(game, stem, number)
                answers.append(rules.check(state, seat, bot.encode(kind, bot.act(DecisionRequest(kind, view)))))
            assert answers[0] == answers[1]


@pytest.mark.parametrize("bank_s", [1.0, 12.0])
@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_searching_bot_uses_two_fifths_of_a_bank(game: str, bank_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    draw, drawn = View.sample, list[View]()

    def counted(view: View, rng: Random) -> object:
        drawn.append(view)
        return draw(view, rng)

    monkeypatch.setattr(View, "sample", counted)
    bot = sit(game, "searching_gang", 1)
    state, seat, kind = next(questions(game, 1))
    view = game_named(game).observe(state, seat)
    samples = []
    for left_s in (bank_s, bank_s * 0.65, bank_s * 0.55):
        drawn.clear()
        bot.act(DecisionRequest(kind, type(view)(view.wire, Clock(0.5, left_s, 9.0), kind)))
        samples.append(len(drawn))
    assert samples[0] == samples[1] > samples[2] == 1


@pytest.mark.parametrize("seats", [2, pytest.param(4, marks=pytest.mark.long("plays four times as many games"))])
@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_boss_plays_its_jails_on_a_fifth_of_the_bank(game: str, seats: int) -> None:
    """CPU time as the referee charges it, import included."""
    limits = Limits.plain(BLOCKS)
    job = match_job_of(game, seats, BLOCKS, limits, seed=5)
    folder = ROOT / "bots" / "gangland_bots" / game.replace("-", "_")
    sources = [(folder / f"{stem}.py").read_bytes() for stem in ("boss_gang", *["cautious_gang"] * (seats - 1))]
    codes = {seat.code: source for seat, source in zip(job.seats, sources, strict=True)}
    with Tables(workers=1) as tables:
        (result,) = tables.run(play_match_in, [(job, codes)])
    assert result.void is None
    assert [fault for game_ in result.games for fault in game_.faults] == []
    assert 0 < result.cpu_s[0] / seats <= PART_OF_BANK * limits.bank_cpu_s
