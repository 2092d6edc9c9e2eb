"""Why a rating moved, as a match page says it: what the figures say, and never the opposite."""

from collections.abc import Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.kits.models import Entry, MatchSeat

from gangland_ladder.rating.trueskill import Rating, rate
from gangland_web.queries import matches, sources, tournament_tables, tournaments


def moved(before: list[Rating], places: list[int]) -> tuple[list[Rating], dict[int, Any]]:
    after = rate("gang-of-dice", before, [Fraction(place) for place in places], blocks=12)
    seats = []
    for position, (was, now, place) in enumerate(zip(before, after, places, strict=True)):
        seat = MatchSeat(match_id=1, position=position, entry_id=position)
        seat.mu_before, seat.sigma_before, seat.mu_after, seat.sigma_after = was.mu, was.sigma, now.mu, now.sigma
        seats.append(matches.SeatRow(position, position + 1, f"bot{position}", 1, None, None, None, place, seat))
    page: Any = SimpleNamespace(seats=tuple(seats))
    return list(after), matches.rating_moves(page)


def test_a_bot_that_only_loses_and_gains_is_told_that_its_uncertainty_fell_more() -> None:
    ratings, says = [Rating(), Rating()], dict[int, Any]()
    for _ in range(20):
        before = ratings
        ratings, says = moved(before, [1, 2])
        change, mu = says[1].after - says[1].before, ratings[1].mu - before[1].mu
        assert mu < 0
        assert f"Strength fell by {-mu:.2f}" in says[1].why
        assert ("So the rating rose" in says[1].why) == (change > 0)
        assert "So the rating" not in says[0].why
        assert "far" not in says[1].why
    assert says[1].why == (
        "Behind bot0 v1, which had a higher strength. Strength fell by 0.06, uncertainty fell by 0.04 "
        "(counts three times: +0.11). So the rating rose."
    )


def test_a_settled_bot_that_wins_as_expected_is_told_what_moved() -> None:
    _, says = moved([Rating(40.0, 0.9), Rating(10.0, 0.9), Rating(10.0, 0.9)], [1, 2, 3])
    assert "Strength hardly moved" in says[0].why or "rose by" in says[0].why
    assert ("So the rating fell" in says[0].why) == (says[0].after < says[0].before and "rose by" in says[0].why)


SOURCES = st.lists(st.sampled_from([*"abc", "\x0c", "\u2028d"]), max_size=30).map("\n".join)


@given(SOURCES, SOURCES)
def test_what_is_shown_makes_the_new_source_of_the_old(old: str, new: str) -> None:
    diff = sources.diff_of(old, new)
    assert diff is not None
    lines = [line for group in diff.groups for line in group]
    before, after = sources.lines_of(old), sources.lines_of(new)
    assert all(before[line.old - 1] == line.text for line in lines if line.old is not None)
    assert all(after[line.new - 1] == line.text for line in lines if line.new is not None)
    gone = {line.old for line in lines if line.mark == "-"}
    kept = [text for number, text in enumerate(before, 1) if number not in gone]
    came = {line.new for line in lines if line.mark == "+"}
    assert kept == [text for number, text in enumerate(after, 1) if number not in came]
    assert (diff.added, diff.removed) == (len(came), len(gone))


def test_lines_have_the_numbers_that_python_gives_them_and_changes_far_apart_groups_of_their_own() -> None:
    source = "a = 1\n\x0c\nb = 'x\u2028y\x85z'\nc = 3\n"
    diff = sources.diff_of(source, source.replace("3", "4"))
    assert diff is not None
    changed = [(line.mark, line.old or line.new, line.text) for line in diff.groups[0] if line.mark != " "]
    assert changed == [("-", 4, "c = 3"), ("+", 4, "c = 4")]
    old = [f"line {number}" for number in range(100)]
    new = [*old[:20], "twenty", *old[21:80], *old[81:]]
    diff = sources.diff_of("\n".join(old), "\n".join(new))
    assert diff is not None
    assert [[line.mark for line in group] for group in diff.groups] == [
        [" "] * sources.CONTEXT_LINES + ["-", "+"] + [" "] * sources.CONTEXT_LINES,
        [" "] * sources.CONTEXT_LINES + ["-"] + [" "] * sources.CONTEXT_LINES,
    ]


def test_sources_that_would_take_too_long_are_not_compared_and_equal_ones_have_no_change() -> None:
    assert sources.diff_of("a\nb\n" * 50_000, "c\nd\n" * 50_000) is None
    long = "a\n" * 60_000
    same, same_but_one = sources.diff_of("a\nb", "a\nb\n"), sources.diff_of(long, long + "b\n")
    assert same is not None
    assert same.groups == ()
    assert same_but_one is not None
    assert same_but_one.added == 1


HOUSE = None
NOT_RATED: Any = dict.fromkeys(("mu", "sigma", "rating", "round_mu", "round_sigma"), 0.0)


def game(*stood: tuple[int, int | None]) -> tournament_tables.FinishedGame:
    """Return a game in which owners (None: the house) came to these ranks."""
    parts, rows = [], []
    for entry, (rank, owner) in enumerate(stood, 1):
        kept = Entry(id=entry, tournament_id=1, version_id=entry, created_at=0.0, **NOT_RATED)
        name = None if owner is None else f"person {owner}"
        parts.append(tournaments.Part(entry, f"bot {entry}", owner, None, name, 1, "", kept))
        rows.append({"entry": entry, "rank": rank})
    return tournament_tables.FinishedGame(parts, rows)


def told(games: Sequence[tournament_tables.FinishedGame]) -> list[tuple[int, str, float]]:
    return [(line.rank, line.owner, float(line.total)) for line in tournament_tables.ranking(games)]


def test_house_bots_are_left_out_and_the_file_says_what_the_page_says() -> None:
    lines = tournament_tables.ranking([game((1, HOUSE), (2, 7), (3, HOUSE), (4, 8))])
    assert [(each.rank, each.owner, float(each.total)) for each in lines] == [(1, "person 7", 1), (2, "person 8", 0)]
    assert [stand.place for each in lines for stand in each.class_places if stand] == [1, 2]
    ranked = tournament_tables.ranking([game((1, 1), (2, 2)), game((1, 2))])
    rows = tournament_tables.ranking_table(ranked, [(4, "gang-of-dice"), (5, "gangster-dice")]).file_rows
    assert [(row["rank"], row["who"], row["game"], row["place"], row["of"], row["points"]) for row in rows] == [
        (1, "person 1", "gang-of-dice", 1, 2, 1.0), (1, "person 2", "gang-of-dice", 2, 2, 0.0),
        (1, "person 2", "gangster-dice", 1, 1, 1.0),
    ]  # fmt: skip


def test_points_are_the_share_of_the_class_that_ones_best_bot_stands_before_in_both_games() -> None:
    assert told([game((1, 1), (2, 2), (2, 3), (4, HOUSE), (5, 4), (6, 5))]) == [  # a tie is shared
        (1, "person 1", 1), (2, "person 2", 5 / 8), (2, "person 3", 5 / 8), (4, "person 4", 1 / 4),
        (5, "person 5", 0),
    ]  # fmt: skip
    one, other = game((1, 1), (2, 2), (3, 3)), game((1, 3), (2, 1))  # who is missing has nothing there
    assert told([one, other]) == [(1, "person 1", 1), (1, "person 3", 1), (3, "person 2", 1 / 2)]
    assert told([game((1, 1))]) == [(1, "person 1", 1)]
    assert told([]) == []
    assert told([game((1, 1), (2, 1), (3, 2))]) == [(1, "person 1", 1), (2, "person 2", 0)]
