"""The standings of a finished tournament: one fit to all blocks, in any order, and no more said than is known."""

import json
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

import numpy as np
import pytest
from benchmarks.evidence.ties import DETERMINISTIC, BotCopies, mean_places
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import asdict

from gangland.blocks import seating
from gangland_ladder.rating.bradley_terry import BlockResult, block_of
from gangland_ladder.rating.final_standings import FinalStandings, first_shares, ordered_values, standings

WIN, TIE, LOSS = (1, 2), (Fraction(3, 2), Fraction(3, 2)), (2, 1)


def met(one: int, other: int, *, won: int = 0, tied: int = 0, lost: int = 0) -> list[BlockResult]:
    places = [WIN] * won + [TIE] * tied + [LOSS] * lost
    return [BlockResult((one, other), place) for place in places]


def drawn(entries: Sequence[int], seats: int, blocks: int, seed: int) -> list[BlockResult]:
    """Return blocks at every table; a lower entry is slightly better."""
    random, result = Random(seed), []
    for table in combinations(entries, seats):
        for _ in range(blocks):
            sums = [Fraction(0)] * seats
            for _ in range(seats):
                shown = [random.randrange(8) + bot // 6 for bot in table]
                sums = [
                    s + Fraction(sum((x < y) + (x <= y) for x in shown) + 1, 2)
                    for s, y in zip(sums, shown, strict=True)
                ]
            result.append(BlockResult(table, tuple(each / seats for each in sums)))
    return result


def turned(blocks: Iterable[BlockResult], seed: int) -> list[BlockResult]:
    random, result = Random(seed), []
    for block in blocks:
        order = random.sample(range(len(block.entries)), len(block.entries))
        result.append(BlockResult(tuple(block.entries[i] for i in order), tuple(block.mean_places[i] for i in order)))
    random.shuffle(result)
    return result


def test_who_plays_outside_the_ranking_has_no_rank_and_its_games_count_for_the_others() -> None:
    blocks = met(9, 1, won=12) + met(9, 2, won=8, lost=4) + met(9, 3, won=12) + met(1, 2, won=6, lost=6)
    whole, found = standings(blocks), standings(turned(blocks, 3), outside={9})
    assert [row.entry for row in whole.rows] == [9, 2, 1, 3]
    assert [(row.entry, row.rank, row.strength) for row in found.rows] == [
        (row.entry, row.rank - 1, row.strength) for row in whole.rows if row.entry != 9
    ]
    assert [(row.entry, row.tally.won, row.tally.lost) for row in found.outside] == [(9, 32, 4)]
    document = found.document((1, 2, 3))
    assert document.podium == [2, 1, 3]
    assert sum(row.best or 0.0 for row in found.rows) == pytest.approx(1)
    assert {entry for top in document.top for entry in (*top.inside, *top.open)} <= {1, 2, 3}
    assert max(row.rank_high for row in found.rows) <= 3
    assert [row.entry for row in standings(blocks, outside={1, 2, 3, 9}).document().outside or ()] == [9, 2, 1, 3]


def separated(found: FinalStandings, entry: int, other: int) -> bool:
    one, two = found.counts.entries.index(entry), found.counts.entries.index(other)
    return bool(found.ranks.ahead[one, two] or found.ranks.ahead[two, one])


def lines(found: FinalStandings) -> list[tuple[int, int, str, int | None]]:
    return [(row.entry, row.rank, row.range, row.next_below) for row in found.rows]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_standings_are_the_same_to_the_last_bit_in_any_order_of_the_results(seats: int) -> None:
    blocks = drawn([3, 5, 8, 9, 20, 21, 40], seats, 3, seed=seats)
    first = standings(blocks)
    for seed in range(2):
        again = standings(turned(blocks, seed))
        assert again.fitted.strength.tobytes() == first.fitted.strength.tobytes()
        assert again.fitted.variance.tobytes() == first.fitted.variance.tobytes()
        assert json.dumps(again.to_json()) == json.dumps(first.to_json())


@pytest.mark.parametrize(("game", "stem"), [(game, stem) for game, stems in DETERMINISTIC.items() for stem in stems])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_identical_deterministic_bots_tie_exactly_over_every_block(game: str, stem: str, seats: int) -> None:
    orders = math.factorial(seats - 1)
    blocks = [
        BlockResult(tuple(range(seats)), tuple(mean_places(BotCopies(game, seats, stem), n))) for n in range(orders)
    ]
    assert all(set(block.mean_places) == {Fraction(seats + 1, 2)} for block in blocks)
    below = [*range(1, seats), None]
    found = standings(blocks)
    assert lines(found) == [(entry, 1, f"1-{seats}", below[entry]) for entry in range(seats)]
    assert [row.best for row in found.rows] == pytest.approx([1 / seats] * seats)


def test_equal_results_share_a_rank_whatever_the_entries_are_called() -> None:
    found = standings(met(7, 3, won=2, lost=2) + met(3, 9, won=3, lost=1) + met(9, 7, won=1, lost=3))
    assert [(row.entry, row.rank) for row in found.rows] == [(3, 1), (7, 1), (9, 3)]
    assert found.rows[0].strength == found.rows[1].strength
    one, other = (asdict(row.document(row.best)) for row in found.rows[:2])
    assert {**one, "entry": 7, "next_below": 9, "next_above": 3} == other


def test_two_entries_come_to_what_can_be_worked_out_by_hand() -> None:
    found = standings(met(1, 2, won=6, tied=2, lost=3))
    share = (6 + 2 / 2 + 1 / 2) / 12
    slope = 12 * share * (1 - share)
    left_over = 6 * (1 - share) ** 2 + 2 * (0.5 - share) ** 2 + 3 * share**2 + (share**2 + (1 - share) ** 2) / 2
    error = math.sqrt(left_over / slope**2 * (11 + 2) / (11 + 1))
    gap, expected = math.log(share / (1 - share)), found.expected(1, 2)
    assert expected
    assert expected.value == pytest.approx(share)
    assert math.log(expected.high / (1 - expected.high)) == pytest.approx(gap + 1.959964 * error, abs=1e-5)


def test_errors_at_tables_of_three_agree_with_leaving_out_a_block_at_a_time() -> None:
    blocks = drawn([0, 6, 12], 3, 60, seed=4)
    whole, without = standings(blocks), [standings(blocks[:i] + blocks[i + 1 :]) for i in range(60)]
    for one, other in combinations(range(3), 2):
        gaps = [float(found.fitted.strength[one] - found.fitted.strength[other]) for found in without]
        mean = sum(gaps) / 60
        jackknife = 59 / 60 * sum((gap - mean) ** 2 for gap in gaps)
        assert float(whole.fitted.variance[one, other]) == pytest.approx(jackknife, rel=0.15)


def test_a_table_of_three_comes_to_what_can_be_worked_out_by_hand() -> None:
    table = (1, 2, 3)  # two blocks in which the first is ahead, one in which all tie
    found = standings([BlockResult(table, (1, Fraction(5, 2), Fraction(5, 2)))] * 2 + [BlockResult(table, (2, 2, 2))])
    # The first is ahead of two others in 2 + 2 + 1 of 6 comparisons with the weight 2/3; of an assumed block in half.
    share = (2 / 3 * 5 + 1 / 2) / (2 / 3 * 6 + 1)
    against_all = found.rows[0].against_all
    assert against_all
    assert against_all.value == pytest.approx(share)
    assert [row.block_score for row in found.rows] == [Fraction(5, 6), Fraction(1, 3), Fraction(1, 3)]
    assert [(row.won, row.tied, row.lost) for row in found.rows] == [(4, 2, 0), (0, 4, 2), (0, 4, 2)]


def test_a_block_of_four_counts_for_three_blocks_of_two_and_as_one_observation() -> None:
    order = [BlockResult((1, 2, 3, 4), (1, 2, 3, 4)), BlockResult((1, 2, 3, 4), (4, 3, 2, 1))] * 6
    as_pairs = [BlockResult(pair, places) for pair in combinations(range(1, 5), 2) for places in (WIN, LOSS)] * 6
    table, pairs = standings(order), standings(as_pairs)
    assert [row.block_score for row in table.rows] == [Fraction(1, 2)] * 4
    assert table.fitted.variance[0, 3] > 2 * pairs.fitted.variance[0, 3]  # the ends of a table swap places together
    assert table.counts.games == 48


@pytest.mark.parametrize("blocks", [1, 12, 1_000])
def test_the_unbeaten_have_a_strength_and_an_interval(blocks: int) -> None:
    found = standings(met(1, 2, won=blocks) + met(2, 3, won=blocks) + met(1, 3, won=blocks))
    assert [row.entry for row in found.rows] == [1, 2, 3]
    assert all(math.isfinite(row.strength) and row.error > 0 for row in found.rows)
    assert found.rows[0].block_score == 1


def test_a_long_chain_of_unbeaten_entries_is_in_order_without_a_number_that_is_none() -> None:
    found = standings(block for one in range(150) for block in met(one, one + 1, won=12))
    assert [row.entry for row in found.rows] == list(range(151))
    figures = [row.against_all for row in found.rows]
    assert all(share and 0 <= share.low <= share.value <= share.high <= 1 for share in figures)
    assert separated(found, 0, 150)


def test_one_match_is_enough_for_standings_and_few_blocks_for_no_verdict() -> None:
    assert lines(standings(met(1, 2, won=3))) == [(1, 1, "1-2", 2), (2, 2, "1-2", None)]
    assert lines(standings(met(1, 2, won=12))) == [(1, 1, "1", None), (2, 2, "2", None)]


def test_entries_that_nothing_joins_are_never_separated() -> None:
    found = standings(met(1, 2, won=40) + met(3, 4, won=40), [5])
    assert separated(found, 1, 2)
    assert not separated(found, 1, 4)
    assert found.expected(1, 4) is None
    assert [row.range for row in found.rows] == ["1-4", "1-4", "2-5", "2-5", "1-5"]
    assert found.top(1).games_needed is None
    assert [row.best for row in found.rows] == [None] * 5
    assert not found.has_enough_blocks


def test_one_block_between_two_halves_says_little_about_them() -> None:
    halves = [
        met(one, other, won=20, lost=20) for half in ((1, 2, 3), (4, 5, 6)) for one, other in combinations(half, 2)
    ]
    found = standings([*(block for each in halves for block in each), *met(1, 4, won=1)])
    assert found.rows[0].entry == 1
    assert {row.range for row in found.rows} == {"1-6"}


def test_an_entry_without_a_block_is_listed_last_with_no_score() -> None:
    last = standings(met(1, 2, won=4), [9]).rows[-1]
    assert (last.entry, last.rank, last.range, last.block_score, last.against_all) == (9, 3, "1-3", None, None)
    assert standings([]).rows == ()


def test_in_a_round_robin_the_order_is_that_of_block_scores() -> None:
    found = standings(drawn(range(8), 2, 6, seed=1))
    scores = [row.block_score for row in found.rows]
    assert scores == sorted(scores, reverse=True, key=lambda score: score or Fraction(0))
    for row in found.rows:
        assert row.against_all is not None
        assert row.against_all.value == pytest.approx(float(row.block_score or 0), abs=0.02)
        assert row.against_all.low < row.against_all.value < row.against_all.high


def test_meeting_the_weak_alone_is_not_taken_for_strength() -> None:
    blocks = met(1, 2, won=30, lost=10) + met(2, 3, won=39, lost=1) + met(3, 4, won=10, lost=30)
    found = standings(blocks)
    assert [row.entry for row in found.rows] == [1, 2, 4, 3]
    assert found.rows[2].block_score == found.rows[0].block_score == Fraction(3, 4)


def test_a_forfeit_counts_as_the_places_that_it_left_and_rotations_are_put_together() -> None:
    places = (Fraction(1), Fraction(2), Fraction(3))  # whoever sits last has forfeited
    games = [(seating(0, turn, 3), places) for turn in range(3)]
    lost = [(seating(4, turn, 3), [Fraction(bot + 1) for bot in seating(4, turn, 3)]) for turn in range(3)]
    assert block_of([10, 20, 30], games) == BlockResult((10, 20, 30), (Fraction(2),) * 3)
    assert block_of([10, 20, 30], lost) == BlockResult((10, 20, 30), (Fraction(1), Fraction(2), Fraction(3)))


def test_a_block_that_lacks_a_rotation_is_no_block() -> None:
    game = ((0, 1), (Fraction(1), Fraction(2)))
    for games in ([game], [game, game]):
        with pytest.raises(ValueError, match="in a block, each of 2 bots must play once in every seat"):
            block_of([1, 2], games)


def clear(*groups: Sequence[int]) -> list[BlockResult]:
    """Return a round robin of distant groups with equal bots in each."""
    rank = {entry: number for number, group in enumerate(groups) for entry in group}
    return [
        block
        for one, other in combinations(rank, 2)
        for block in met(one, other, **({"tied": 40} if rank[one] == rank[other] else {"won": 38, "lost": 2}))
    ]


def test_only_equal_strengths_share_a_rank_and_the_first_are_settled_where_all_are_separated() -> None:
    found = standings(clear([5], [2, 8, 9], [1, 4]))
    assert lines(found) == [
        (5, 1, "1", None), (2, 2, "2-4", 8), (8, 2, "2-4", 9), (9, 2, "2-4", None), (1, 5, "5-6", 4),
        (4, 5, "5-6", None),
    ]  # fmt: skip
    assert [row.next_above for row in found.rows] == [None, None, 2, 8, None, 1]
    assert [k for k in range(1, 7) if found.top(k).settled] == [1, 4, 6]
    assert (found.top(3).inside, found.top(3).open) == ([5], [2, 8, 9])
    assert (found.top(4).inside, found.top(4).open, found.top(4).games_needed) == ([2, 5, 8, 9], [], 0)
    assert found.top(3).games_needed is None  # no number of games parts the equal


def test_not_being_separated_is_between_two_and_handed_on_to_nobody() -> None:
    blocks = met(1, 2, won=14, lost=10) + met(2, 3, won=14, lost=10) + met(1, 3, won=19, lost=5)
    found = standings(blocks)
    assert separated(found, 1, 3)
    assert lines(found) == [(1, 1, "1-2", 2), (2, 2, "1-3", 3), (3, 3, "2-3", None)]


def hopeless(bots: int, blocks: int, seed: int) -> list[BlockResult]:
    """Return a round robin in which the last bot loses every game and the others are alike."""
    random, found = Random(seed), []
    for one, other in combinations(range(bots), 2):
        for _ in range(blocks):
            won = 2 if other == bots - 1 else random.randrange(2) + random.randrange(2)
            found.append(BlockResult((one, other), (2 - Fraction(won, 2), 1 + Fraction(won, 2))))
    return found


@pytest.mark.parametrize(("bots", "blocks"), [(8, 2), (8, 6), (8, 12), (4, 12), (4, 60), (30, 1)])
def test_who_lost_everything_is_last_and_separated_from_all(bots: int, blocks: int) -> None:
    for seed in range(2):
        last = standings(hopeless(bots, blocks, seed)).rows[-1]
        assert (last.entry, last.range, last.next_above) == (bots - 1, str(bots), None)
        assert last.against_all
        assert last.against_all.high < 0.2
        assert last.error < 3  # and it does not grow with how often it lost


@settings(max_examples=25)
@given(st.integers(2, 9), st.integers(1, 14), st.integers(0, 2**32), st.sampled_from([0, 1, 4]))
def test_who_did_worse_against_the_same_has_no_better_range(bots: int, blocks: int, seed: int, apart: int) -> None:
    random = Random(seed)
    strengths = [random.randrange(1 + apart) for _ in range(bots)]
    results = []
    for one, other in combinations(range(bots), 2):
        for _ in range(blocks):
            won = sum(strengths[one] + random.random() * 3 > strengths[other] + random.random() * 3 for _ in range(2))
            results.append(BlockResult((one, other), (2 - Fraction(won, 2), 1 + Fraction(won, 2))))
    rows = standings(results).rows

    for better, worse in pairwise(rows):
        assert better.block_score is not None
        assert worse.block_score is not None
        assert better.against_all
        assert worse.against_all
        assert better.block_score >= worse.block_score
        assert better.rank_low <= worse.rank_low
        assert better.rank_high <= worse.rank_high
        assert (better.best or 0) >= (worse.best or 0)
        assert better.against_all.low >= worse.against_all.low
        assert better.against_all.high >= worse.against_all.high
        if better.block_score == worse.block_score:
            assert (better.rank, better.range, better.best) == (worse.rank, worse.range, worse.best)
        else:
            assert better.rank < worse.rank
    assert sum(row.best or 0 for row in rows) == pytest.approx(1)


def round_robin(bots: int, blocks: int, seed: int) -> list[BlockResult]:
    random, results = Random(seed), []
    for one, other in combinations(range(bots), 2):
        for _ in range(blocks):
            won = random.randrange(2) + random.randrange(2)
            results.append(BlockResult((one, other), (2 - Fraction(won, 2), 1 + Fraction(won, 2))))
    return results


@pytest.mark.parametrize(
    ("bots", "blocks", "seed", "ranks"),
    [
        (3, 5, 2, [1, 2, 3]), (3, 5, 17, [1, 1, 1]), (4, 4, 0, [1, 2, 2, 4]), (4, 4, 37, [1, 1, 1, 4]),
        (5, 4, 24, [1, 1, 3, 3, 5]), (6, 3, 19, [1, 2, 3, 3, 5, 6]),
    ],
)  # fmt: skip
def test_shares_of_the_first_place_are_one_and_fairly_cut(bots: int, blocks: int, seed: int, ranks: list[int]) -> None:
    found = standings(round_robin(bots, blocks, seed))
    rows = found.to_json()["rows"]
    assert [row["rank"] for row in rows] == ranks
    assert sum(round((row.best or 0.0) * 10**6) for row in found.rows) != 10**6, "each rounded for itself"
    shares = [row["best"] for row in rows]
    assert abs(sum(shares) - 1) < 1e-14
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == len(set(ranks))
    assert shares == pytest.approx([row.best for row in found.rows], abs=2e-6)


def test_equal_ranks_of_unequal_number_keep_the_sum_of_their_shares_when_they_are_put_in_order() -> None:
    """The stronger two came first less often than the third; together all came first in each draw."""
    reached, alike = np.array([[2048.0], [2048.0], [4096.0], [0.0]]) / 8192, [np.array([0, 1, 2])]
    ordered = ordered_values(reached, alike, np.array([1.0, 1.0, 0.0, 9.0]))
    assert ordered.sum() != 1
    assert sum(first := first_shares(reached, ordered, alike)) == 1
    assert first[0] == first[1] == first[2]


def test_how_sure_the_first_place_is_comes_with_enough_blocks_and_is_never_certain_after_one() -> None:
    one = standings(met(1, 2, won=1) + met(1, 3, won=1) + met(2, 3, won=1))
    assert not one.has_enough_blocks
    assert one.rows[0].best is not None
    assert one.rows[0].best < 0.9
    assert {row["best"] for row in one.to_json()["rows"]} == {None}
    more = standings(met(1, 2, won=9, lost=3) + met(1, 3, won=10, lost=2) + met(2, 3, won=6, lost=6)).to_json()
    assert more["enough"]
    assert more["podium"] == [1, 2, 3]
    first, second, third = (row["best"] for row in more["rows"])
    assert 0.8 < first < 1
    assert first + second + third == pytest.approx(1)


@pytest.mark.parametrize("lost", [11, 13, 15])
def test_with_the_games_needed_and_the_same_differences_the_first_are_settled(lost: int) -> None:
    blocks = met(1, 2, won=19, lost=lost) + met(1, 3, won=25, lost=5) + met(2, 3, won=24, lost=6)
    found = standings(blocks)
    needed = found.top(1).games_needed
    assert needed
    assert standings(blocks * math.ceil(1 + needed / found.counts.games)).top(1).settled
    assert not standings(blocks * max(1, round((1 + needed / found.counts.games) / 4))).top(1).settled


def test_a_higher_level_says_no_more_than_a_lower_one() -> None:
    blocks = drawn(range(8), 2, 12, seed=3)
    sure, bold = standings(blocks, level=0.999), standings(blocks, level=0.5)
    pairs = list(combinations(range(8), 2))
    assert all(separated(bold, *pair) for pair in pairs if separated(sure, *pair))
    assert sum(separated(bold, *pair) for pair in pairs) > sum(separated(sure, *pair) for pair in pairs)


def test_what_cannot_be_a_block_or_a_question_is_refused_with_what_was_expected() -> None:
    found = standings(met(1, 2, won=1))

    with pytest.raises(ValueError, match="different entries, not \\(1, 1\\)"):
        standings([BlockResult((1, 1), (1, 2))])
    with pytest.raises(ValueError, match="two or more different entries"):
        standings([BlockResult((1,), (1,))])
    with pytest.raises(ValueError, match="expected 2 mean places, at least 1 each and 3 in total, not"):
        standings([BlockResult((1, 2), (1, 2, 0))])
    with pytest.raises(ValueError, match="expected 2 mean places, at least 1 each and 3 in total, not"):
        standings([BlockResult((1, 2), (1, 1))])
    with pytest.raises(ValueError, match="multiple of 1/6, not 13/7"):
        standings([BlockResult((1, 2, 3), (Fraction(13, 7), 2, Fraction(15, 7)))])
    with pytest.raises(ValueError, match="between 0 and 1, not 95"):
        standings(met(1, 2, won=1), level=95)
    with pytest.raises(ValueError, match="expected a number from 1 to 2, not 3"):
        found.top(3)
    with pytest.raises(ValueError, match="no entry 7"):
        found.expected(1, 7)
    with pytest.raises(ValueError, match="entry 1 cannot be compared with itself"):
        found.expected(1, 1)


def test_standings_for_programs_are_plain_and_rounded() -> None:
    found = to_builtins(standings(met(1, 2, won=12) + met(2, 3, tied=5), [4]).document(first=(1, 2, 10)))
    assert json.loads(json.dumps(found)) == found
    assert [each["k"] for each in found["top"]] == [1, 2]
    assert (found["schema"], found["blocks"], found["games"]) == ("gangland/standings/1", 17, 34)
