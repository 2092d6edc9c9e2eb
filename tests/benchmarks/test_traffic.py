"""What benchmarks/results/speed.md says of people on the site comes from a whole platform with real customers on it."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from random import Random
from statistics import median
from typing import Any

import pytest
from benchmarks.harness import columns
from benchmarks.processes import JAILS, WEB, WORKER
from benchmarks.site import CORES
from benchmarks.traffic import __main__, client, figures
from benchmarks.traffic.crowd import PAGE, POLL, Crowd, Size
from benchmarks.traffic.site import GENERATOR, OTHERS, Shape, Stretch, Visited, together, visited
from benchmarks.traffic.soak import Held, Sample, Stay, steady_slope

from gangland_web.queries.matches import MAX_COUNTED


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visited]:
    """A site that counts at most a thousand matches in front of a queued one."""
    shape = Shape(bots=12, played=30, matches=MAX_COUNTED + 300)
    with visited(tmp_path_factory.mktemp("site"), shape, 1) as site:
        yield site


def result_by(act: Callable[[Visited, Crowd, Namespace], int], site: Visited, words: str) -> Any:
    """Return the report of a run; its exit status depends on time and is ignored."""
    chosen = __main__.arguments([*words.split(), "--json"])
    size = Size(chosen.pollers, chosen.readers, chosen.uploads)
    out = StringIO()
    with redirect_stdout(out):
        act(
            site, Crowd(site.up.port, size, site.tournament, site.cookies, site.tokens, Random(1), site.waiting), chosen
        )
    return json.loads(out.getvalue())


@pytest.mark.long("a benchmark runs")
@pytest.mark.flow
@pytest.mark.slow
def test_a_site_that_plays_answers_everybody_who_comes_by(site: Visited) -> None:
    result = result_by(__main__.measured, site, "--seconds 5 --pollers 20 --readers 8 --uploads 30")
    lines = {(line["part"], line["kind"]): line for line in result["requests"]}
    assert [one for one in result["broken"] if " x " in one] == []
    assert {part for part, _ in lines} == {"page", "poll", "file", "upload"}
    assert lines["poll", "all"]["requests"] >= 20
    assert lines["poll", "match"]["unchanged"] > 0  # of a match that waits
    assert lines["page", "all"]["requests"] >= 4
    assert result["void"] == []
    assert result["busy"]["cpu_s"][WEB] > 0
    assert result["busy"]["cpu_s"][GENERATOR] > 0
    assert result["busy"]["cpu_s"][JAILS] + result["busy"]["cpu_s"][WORKER] > 0


@pytest.mark.long("a benchmark runs")
@pytest.mark.flow
@pytest.mark.slow
def test_a_stay_samples_every_process(site: Visited) -> None:
    result = result_by(__main__.soaked, site, "--soak 4 --pollers 4 --readers 2 --uploads 0")
    names = {one["name"] for one in result["growth"]}
    wanted = {"supervisor", "web, arbiter", "web 1", "web 2", "broker", "beat", "record worker", "match worker 1"}
    assert names >= wanted
    assert all(held["pss_kib"] > 0 and held["descriptors"] > 0 for held in result["samples"][-1]["held"].values())
    assert [one for one in result["broken"] if " x " in one or "processes" in one] == []


def run(pages_ms: list[float], *, alone: int, busy: int, web_s: float, others_s: float = 0.0) -> figures.Run:
    tally = client.Tally()
    for took in pages_ms:
        tally.add(PAGE, "bot", 200, took / 1e3)
    taken = {WEB: web_s, GENERATOR: 0.0, OTHERS: others_s}
    return figures.Run(Size(1, 1), 10, tally, Stretch(10.0, alone, {}), Stretch(10.0, busy, taken), [])


def test_matches_that_went_with_the_cpu_of_web_and_neighbors_are_not_held_against_the_site() -> None:
    half = CORES * 10.0 / 2
    fine = run([50.0], alone=100, busy=50, web_s=half)
    assert (fine.drop, round(fine.beyond, 6), fine.broken) == (0.5, 0.0, [])
    assert run([50.0], alone=100, busy=50, web_s=0.0, others_s=half).broken == []
    (lost,) = run([50.0], alone=100, busy=40, web_s=half).broken
    assert "20% fewer matches" in lost


def test_one_slow_page_in_a_hundred_is_forgiven_and_two_are_not() -> None:
    assert run([50.0] * 199 + [900.0], alone=9, busy=9, web_s=0).broken == []
    (slow,) = run([50.0] * 98 + [900.0] * 2, alone=9, busy=9, web_s=0).broken
    assert "p99 is 900 ms" in slow


def test_every_answer_that_is_none_and_every_void_match_is_told() -> None:
    busy = run([1.0], alone=9, busy=9, web_s=0)
    busy.tally.add(POLL, "home", 429, 0.01)
    busy.tally.add(POLL, "home", 304, 0.01)
    busy.tally.failed(PAGE, "bot", "TimeoutError")
    assert busy.broken == ["1 x status 429 at home (poll)", "1 x TimeoutError at bot (page)"]
    assert "WRONG: 1 x status 429" in figures.section(busy).drawn(columns, "{}")
    (line,) = [one for one in busy.tally.lines(10.0) if one.part == POLL]
    assert (line.requests, line.unchanged, line.errors) == (2, 1, 1)


def test_a_share_of_values_is_one_of_them() -> None:
    values = [float(one) for one in range(1000)]
    assert client.at_share(values, 0.5) == median(values) + 0.5
    assert client.at_share(values, 0.99) == 990.0
    assert client.at_share([], 0.99) == 0.0


def test_stretches_add_up() -> None:
    both = together(Stretch(10, 5, {WEB: 1.0}, 2.0), Stretch(30, 15, {WEB: 2.0, JAILS: 4.0}, 1.0))
    assert both == Stretch(40, 20, {WEB: 3.0, JAILS: 4.0}, 2.0)


def stay(kib_of: dict[str, list[int]]) -> Stay:
    count = len(next(iter(kib_of.values())))
    return Stay(
        [Sample(10.0 * at, {name: Held(7, those[at], 9, 3) for name, those in kib_of.items()}) for at in range(count)],
        warm_at_s=900.0,
    )


def test_what_grows_after_its_warm_up_is_told_and_what_filled_a_cache_or_jumped_once_is_not() -> None:
    leak = [100_000 + 100 * at for at in range(360)]
    cache = [min(50_000 + 2000 * at, 150_000) for at in range(360)]
    jump = [100_000 + (30_000 if at == 200 else 0) for at in range(360)]
    found = stay({"leak": leak, "cache": cache, "jump": jump}).broken()
    assert [one.split(":")[0] for one in found] == ["leak"]


def test_a_process_that_was_started_again_is_told() -> None:
    first = Sample(0.0, {"web 1": Held(7, 1, 1, 1)})
    assert Stay([first, Sample(10.0, {"web 1": Held(8, 1, 1, 1)})]).ended() == [
        "web 1 was 2 processes, one after the other"
    ]
    assert Stay([first, first]).ended() == []


def test_outliers_do_not_move_the_slope() -> None:
    points = [(float(at), 2.0 * at) for at in range(50)]
    points[10], points[40] = (10.0, 5000.0), (40.0, -5000.0)
    assert round(steady_slope(points), 2) == 2.0
