"""Results folded in match number, and files of them rated by the command."""

import json
from collections.abc import Sequence
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from benchmarks.measured import chance_of_tie, tied
from tests.kits.command_kit import gangland

from gangland_ladder.rating.trueskill import Rating, rate
from gangland_ladder.rating.updater import FinishedMatch, RatingUpdater

ONE, TWO = (1, 1), (2, 1)


def results(count: int, seats: int, *, seed: int = 1) -> list[FinishedMatch]:
    chance = Random(seed)
    made = []
    for number in range(1, count + 1):
        table = tuple(sorted(chance.sample(range(6), seats)))
        made.append(FinishedMatch(number, table, tuple((chance.randint(2, 5), 2) for _ in table)))
    return made


def updater_of(results: Sequence[FinishedMatch], seats: int = 2) -> RatingUpdater:
    updater = RatingUpdater("gang-of-dice", seats, 12)
    for _ in updater.apply(results):
        pass
    return updater


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_fold_is_one_update_after_the_other_in_match_number(seats: int) -> None:
    played = results(25, seats)
    ratings = {entry: Rating() for entry in range(6)}
    updater = RatingUpdater("gang-of-dice", seats, 12)
    for result, moves in updater.apply(played):
        before = [ratings[int(entry)] for entry in result.entries]
        after = rate("gang-of-dice", before, [Fraction(*place) for place in result.places])
        assert [Rating(*move[:2]) for move in moves] == before
        assert [Rating(*move[2:]) for move in moves] == after
        ratings.update(zip(map(int, result.entries), after, strict=True))
    assert updater.ratings() == {entry: ratings[entry] for entry in ratings if updater.has_rating(entry)}


@pytest.mark.parametrize("seats", [2, 3])
def test_a_fold_that_stops_and_goes_on_is_the_same_to_the_last_bit(seats: int) -> None:
    played = results(40, seats)
    whole, parts = updater_of(played, seats), updater_of(played[:13], seats)
    later = RatingUpdater("gang-of-dice", seats, 12, cursor=parts.cursor)
    for entry, rating in parts.ratings().items():
        later.set_rating(entry, rating)
    list(later.apply(played[13:]))
    assert (later.cursor, later.ratings()) == (whole.cursor, whole.ratings())


def test_a_result_waits_until_every_lower_number_is_there() -> None:
    played = results(9, 2)
    waits = updater_of(played[:4] + played[5:])
    assert (waits.cursor, waits.ratings()) == (5, updater_of(played[:4]).ratings())


def test_a_void_match_closes_a_gap_and_moves_nobody() -> None:
    played = results(9, 2)
    void = FinishedMatch(5, played[4].entries, ())
    updater = RatingUpdater("gang-of-dice", 2, 12)
    moves = dict(updater.apply([*played[:4], void, *played[5:]]))
    assert (updater.cursor, moves[void]) == (10, ())


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (FinishedMatch(1, (1, 2), (ONE, TWO)), "match 1 has already been rated; expected match 2"),
        (FinishedMatch(2, (2, 1), (ONE, TWO)), "not in ascending order"),
        (FinishedMatch(2, (1, 1), (ONE, TWO)), "not in ascending order"),
        (FinishedMatch(2, (1, 2, 3), (ONE, TWO, TWO)), "2 entries and places, not 3 and 3"),
        (FinishedMatch(2, (1, 2), (ONE,)), "2 entries and places, not 2 and 1"),
        (FinishedMatch(2, (1, 2), (ONE, (3, 0))), "has an invalid denominator: 0"),
    ],
)
def test_a_result_that_does_not_fit_is_refused_and_moves_nobody(result: FinishedMatch, message: str) -> None:
    updater = updater_of(results(1, 2))
    before = updater.ratings()
    with pytest.raises(ValueError, match=message):
        list(updater.apply([result]))
    assert (updater.cursor, updater.ratings()) == (2, before)


# The command on a file.


def lines(played: Sequence[FinishedMatch], **fields: object) -> list[str]:
    return [
        json.dumps(
            {
                "number": result.number,
                "game": "gang-of-dice",
                "blocks": 12,
                "seats": [
                    {"entry": entry, "mean_place": str(Fraction(*place))}
                    for entry, place in zip(result.entries, result.places, strict=True)
                ],
                **fields,
            }
        )
        for result in played
    ]


def test_a_file_of_matches_is_rated_the_same_in_any_order_of_its_lines(tmp_path: Path) -> None:
    played = results(30, 3)
    file = tmp_path / "matches.ndjson"
    file.write_text("\n".join(lines(played)) + "\n")
    mixed = "\n\n".join(Random(2).sample(lines(played, note="let be"), 30)).encode()
    one, other = gangland("rate", file, "--json"), gangland("rate", "-", "--json", stdin=BytesIO(mixed))
    assert (one.code, one.out) == (0, other.out), one.err
    document = one.document
    assert (document["schema"], document["folded"], document["void"], document["waiting"], document["cursor"]) == (
        "gangland/rate/1", 30, 0, 0, 31,
    )  # fmt: skip
    expected = updater_of(played, 3).ratings()
    assert {row["entry"]: Rating(row["mu"], row["sigma"]) for row in document["ratings"]} == expected
    assert sum(row["matches"] for row in document["ratings"]) == 90
    assert [row["shown"] for row in document["ratings"]] == sorted((r.shown for r in expected.values()), reverse=True)


def test_a_file_with_a_gap_and_a_void_match_says_what_waits() -> None:
    given = [*lines(results(8, 2))[:3], '{"number": 4, "void": true}', *lines(results(8, 2))[6:]]
    found = gangland("rate", "-", stdin=BytesIO("\n".join(given).encode()))
    assert found.code == 0
    assert found.out.splitlines()[0].split()[:4] == ["#", "entry", "mu", "sigma"]
    assert "3 matches of gang-of-dice at 2 seats, 12 blocks each, plus 1 void match" in found.err
    assert "not rated: 2 matches after number 5, which is missing" in found.err


GOOD = '{"number": 1, "game": "gang-of-dice", "blocks": 12, "seats": [{"entry": 1, "mean_place": "1"}, {"entry": 2, "mean_place": "2"}]}'  # noqa: E501 (one line is what is tested)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "the file has no match that counts"),
        ("{", "line 1 is not a match"),
        (GOOD + "\n" + GOOD, "line 2: match 1 appears twice"),
        (
            GOOD + "\n" + GOOD.replace('"number": 1', '"number": 2').replace("12", "24"),
            "all matches must be of one ladder",
        ),
        (GOOD.replace("gang-of-dice", "chess"), "no draw probability is known for 'chess'"),
        (GOOD.replace('"mean_place": "1"', '"mean_place": "1.5"'), "line 1 is not a match"),
        (GOOD.replace('"mean_place": "1"', '"mean_place": "1/0"'), "line 1 is not a match"),
        (GOOD.replace('"entry": 1', '"entry": 2'), "an entry is listed twice"),
        (GOOD.replace('"entry": 1', '"entry": "one"'), "all be whole numbers or all be strings"),
        (GOOD.replace(', "blocks": 12', ""), "must have a game, blocks and seats"),
        (GOOD.replace('"number": 1', '"number": 0'), "line 1 is not a match"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_with_its_line(given: str, message: str) -> None:
    from gangland_ladder.rating.result_files import Results, ResultsRefused

    def read() -> None:
        results = Results()
        for at, line in enumerate(given.encode().splitlines(keepends=True), 1):
            results.read(at, line)
        results.ratings()

    with pytest.raises(ResultsRefused, match=message):
        read()


def test_the_command_needs_a_file_that_is_there_or_the_site(tmp_path: Path) -> None:
    missing = gangland("rate", tmp_path / "none.ndjson")
    assert (missing.code, "No such file" in missing.err) == (2, True)
    both = gangland("rate", tmp_path, "--rebuild")
    assert (both.code, "expected a FILE of results, or --rebuild" in both.err) == (2, True)


# What the documentation's figures come from.


def test_the_chance_of_a_tie_is_that_of_blocks_drawn_one_by_one() -> None:
    assert chance_of_tie([[1, -1]], 1) == 0
    assert chance_of_tie([[1, -1]], 2) == pytest.approx(1 / 2)
    assert chance_of_tie([[1, -1]], 4) == pytest.approx(6 / 16)
    assert chance_of_tie([[1, -1], [0, 0]], 3) == pytest.approx(1 / 2)
    assert tied([[1, -1, 2, 0], [0, 0, 0, 3]], 2) == (2, 4)
