"""Ladders take turns by CPU time: by simulated costs, and as the record worker sends what lies in the database."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random

import msgspec
import pytest
import time_machine
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kits import ladder_kit, models, tournaments_kit
from tests.kits.core_kit import Platform, Sent, play_job

from gangland_web.services.dispatch import MATCHES_PER_SLOT, quarter_limit
from gangland_web.services.ladder_queue import NEW_WEIGHT, NEWCOMERS_AHEAD, Lane, choose_matches, raise_idle_accounts

SEATS = (2, 3, 4, 2, 3, 4)  # of the ladders of two games
COSTS = st.lists(st.floats(0.05, 30.0), min_size=2, max_size=6)


class Farm:
    """Workers that take matches in order of sending, on their own clock; `had` is CPU time by ladder, in seconds."""

    def __init__(self, costs: Sequence[float], slots: int, seed: int, spread: float) -> None:
        self.costs, self.slots, self.spread = costs, slots, spread
        self.lanes = [Lane(number, SEATS[number]) for number in range(len(costs))]
        self.had = [0.0] * len(costs)
        self.waits = [True] * len(costs)
        self._chance, self._now, self._ids = Random(seed), 0.0, count()
        self._sent: deque[int] = deque()
        self._played: list[tuple[float, int, float]] = []
        self._over = [0.0] * len(costs)

    def most(self, ladder: int) -> float:
        return self.costs[ladder] * (1 + self.spread)

    def send(self) -> list[int]:
        whose: dict[int, int] = {}
        for lane in self.lanes:
            started = [self._now - began for began, ladder, _ in self._played if ladder == lane.ladder]
            lane.running_s = started + [0.0] * self._sent.count(lane.ladder)
            while self.waits[lane.ladder] and len(lane.others) < self.slots * MATCHES_PER_SLOT:
                lane.others.append(next(self._ids))
            whose |= dict.fromkeys((*lane.newcomers, *lane.others), lane.ladder)
        raise_idle_accounts(self.lanes)
        free = self.slots * MATCHES_PER_SLOT - sum(len(lane.running_s) for lane in self.lanes)
        sent = [whose[match] for match in choose_matches(self.lanes, free=free, slots=self.slots)]
        self._sent.extend(sent)
        return sent

    def step(self) -> None:
        self.send()
        while self._sent and len(self._played) < self.slots:
            ladder = self._sent.popleft()
            took = self.costs[ladder] * self._chance.uniform(1 - self.spread, 1 + self.spread)
            self._played.append((self._now, ladder, took))
        began, ladder, took = first = min(self._played, key=lambda one: one[0] + one[2])
        self._played.remove(first)
        self._now = began + took
        self._over[ladder] += took
        lane = self.lanes[ladder]
        lane.spent_s += took
        lane.match_cpu_s = took if lane.match_cpu_s is None else lane.match_cpu_s * (1 - NEW_WEIGHT) + took * NEW_WEIGHT
        self.had = list(self._over)
        for began, ladder, _ in self._played:
            self.had[ladder] += self._now - began

    def beyond(self, since: Sequence[float] | None = None) -> float:
        """Return by how many matches beyond one a ladder has had more than twice another's share."""
        had = [now - before for now, before in zip(self.had, since or [0.0] * len(self.had), strict=True)]
        worst = 0.0
        for one, theirs in enumerate(had):
            for other, others in enumerate(had):
                worst = max(worst, (theirs - 2 * others) / max(self.most(one), self.most(other)) - 1)
        return worst


@given(COSTS, st.integers(1, 4), st.integers(0, 99), st.sampled_from([0.0, 0.3, 0.5]))
@settings(max_examples=60, deadline=None)
def test_no_ladder_has_more_than_twice_the_cpu_time_of_another_beyond_one_match(
    costs: list[float], slots: int, seed: int, spread: float
) -> None:
    farm = Farm(costs, slots, seed, spread)
    for lane in farm.lanes:
        lane.match_cpu_s = costs[lane.ladder]
    for _ in range(150):
        farm.step()
        assert farm.beyond() <= spread + 1e-9, "by how much a match takes longer than the estimate"


@given(COSTS, st.integers(1, 2), st.integers(0, 99), st.sampled_from([0.0, 0.5]))
@settings(max_examples=60, deadline=None)
def test_before_any_match_it_is_one_more_at_most(costs: list[float], slots: int, seed: int, spread: float) -> None:
    farm = Farm(costs, slots, seed, spread)
    for _ in range(150):
        farm.step()
        assert farm.beyond() <= 1 + 1e-9


@given(COSTS, st.integers(1, 3), st.integers(0, 99), st.integers(1, 60))
@settings(max_examples=40, deadline=None)
def test_a_ladder_with_nothing_to_play_saves_nothing(costs: list[float], slots: int, seed: int, alone: int) -> None:
    farm = Farm(costs, slots, seed, 0.0)
    for lane in farm.lanes:
        lane.match_cpu_s = costs[lane.ladder]
    farm.waits = [lane.ladder == 0 for lane in farm.lanes]
    for _ in range(alone):
        farm.step()
    farm.send()
    since = list(farm.had)
    farm.waits = [True] * len(costs)
    ahead = len(farm.lanes[0].running_s)
    for _ in range(100):
        farm.step()
        assert farm.beyond(since) <= ahead + 1e-9


@given(st.permutations(range(6)))
def test_at_the_first_start_every_ladder_is_sent_a_match_and_two_seats_come_first(order: list[int]) -> None:
    lanes = [Lane(number, SEATS[number], others=deque(range(10 * number, 10 * number + 9))) for number in order]
    sent = [match // 10 for match in choose_matches(lanes, free=6, slots=2)]
    assert [SEATS[ladder] for ladder in sent] == [2, 2, 3, 3, 4, 4]


def test_newcomers_go_before_all_others_until_their_ladder_is_some_matches_ahead() -> None:
    lanes = [
        Lane(number, 2, match_cpu_s=1.0, others=deque(range(100 * number, 100 * number + 90))) for number in (1, 2)
    ]
    lanes[0].newcomers = deque(range(900, 990))
    sent = choose_matches(lanes, free=60, slots=60)
    assert sent[:NEWCOMERS_AHEAD] == list(range(900, 900 + NEWCOMERS_AHEAD))
    assert sum(200 <= match < 300 for match in sent) == (60 - NEWCOMERS_AHEAD) // 2
    lanes[1].resent.append(5)
    assert choose_matches(lanes, free=1, slots=60) == [5], "ratings wait for it"


# As the record worker sends.

CPU_S = {2: 1.0, 3: 6.0, 4: 15.0}


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(1_800_000_000, tick=False) as found:
        yield found


def finish(platform: Platform, match_job: Sent, cpu_s: float, clock: time_machine.Traveller | None = None) -> None:
    platform.begin(match_job)
    if clock is not None:
        clock.shift(cpu_s)
    platform.result(match_job, msgspec.structs.replace(play_job(match_job), match_cpu_s=cpu_s))


def crowded(platform: Platform) -> None:
    for seats in (2, 3, 4):
        ladder_kit.crowd(platform, [f"{name}at{seats}" for name in ladder_kit.FORTY[:14]], seats)
    platform.recorder.schedule()


def test_ladders_are_sent_by_turns_and_the_turn_is_kept(platform: Platform, clock: time_machine.Traveller) -> None:
    crowded(platform)
    chance, had, played = Random(3), Counter[int](), Counter[int]()
    for number in range(90):
        match_job = platform.take()
        seats = len(match_job.seats)
        cpu_s = CPU_S[seats] * chance.uniform(0.6, 1.4)
        had[seats] += cpu_s  # type: ignore[assignment]
        played[seats] += 1
        finish(platform, match_job, cpu_s, clock)
        if number % 10 == 5:
            platform.recorder.schedule()
        for one in (2, 3, 4):
            for other in (2, 3, 4):
                match_s = 1.4 * CPU_S[max(one, other)] * (1 if number > 20 else 2)
                assert had[one] <= 2 * had[other] + match_s, (number, had, played)
    assert played[2] > played[3] > played[4] > 0
    kept = {turns.tournament_id: turns for turns in platform.rows(models.select(models.LadderTurns))}
    for match in platform.matches(state="done"):
        assert match.cpu_s is not None
        kept[match.tournament_id].spent_s -= match.cpu_s
    assert sorted(turns.spent_s for turns in kept.values())[:3] == pytest.approx([0.0] * 3, abs=1e-6)


def test_a_workers_lie_of_cpu_time_is_bounded_by_a_match(platform: Platform, clock: time_machine.Traveller) -> None:
    crowded(platform)
    at_once, first, second = platform.take(), platform.take(), platform.take()
    clock.shift(2)
    finish(platform, at_once, 1e300)
    clock.shift(3600)
    finish(platform, first, 1e300)
    finish(platform, second, -5.0)
    spent = {turns.tournament_id: turns.spent_s for turns in platform.rows(models.select(models.LadderTurns))}
    passed, most, least = (platform.match(match_job.id) for match_job in (at_once, first, second))
    assert passed.cpu_s == spent[passed.tournament_id] == pytest.approx(2)
    assert 60 < (most.cpu_s or 0.0) == spent[most.tournament_id] < 3600
    assert 0 < spent[least.tournament_id] < 1


def test_what_a_match_took_that_came_to_nothing_counts_for_its_ladders_turns(platform: Platform) -> None:
    crowded(platform)
    match_job = platform.take()
    platform.begin(match_job)
    platform.give_back(match_job)
    turns = platform.get(models.LadderTurns, platform.match(match_job.id).tournament_id)
    assert (turns.spent_s > 0, turns.match_cpu_s) == (True, None)


def test_a_tournament_goes_first_and_leaves_ladders_a_share(platform: Platform, clock: time_machine.Traveller) -> None:
    platform.post.slot_count = 1
    number = tournaments_kit.begin_tournament(platform)
    crowded(platform)
    assert quarter_limit(1) == 1
    order_of_play = []
    while platform.matches(tournament_id=number, state="scheduled"):
        assert Counter(match.purpose for match in platform.matches(state="leased"))["ladder"] <= 1
        match_job = platform.take()
        order_of_play.append(platform.match(match_job.id).purpose)
        finish(platform, match_job, 1.0, clock)
    assert order_of_play[:3] == ["tournament", "tournament", "ladder"]
