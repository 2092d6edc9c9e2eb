"""Why a game ended as it did, in sentences that agree with the game and lead to their places in it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from gangland.luck import luck_of
from gangland.replay import Replay, load
from gangland_ladder.watching.film import Film, film_of
from gangland_ladder.watching.turning import dice_in_count, luck_in_words, turning_points

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
GAMES = ("gang-of-dice", "gangster-dice")
NAMES = ("Ada", "Bo", "Cy", "Di")


@cache
def films(game: str) -> list[tuple[Replay, Film]]:
    replays = [load(line) for line in (GOLDEN / f"{game}.ndjson").read_text().splitlines()[::4]]
    return [
        (replay, film_of(replay, NAMES[: replay.seats], notes=dict.fromkeys(range(400), "it slept")))
        for replay in replays
    ]


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_leads_to_a_place_of_the_game(game: str) -> None:
    for _, film in films(game):
        for point in turning_points(film):
            assert 0 <= film.index_of(point.at) <= film.last


@pytest.mark.parametrize("game", GAMES)
def test_the_first_sentence_names_the_winners_and_the_last_ones_every_fault_and_the_luck(game: str) -> None:
    for replay, film in films(game):
        first, *rest = [point.text for point in turning_points(film)]
        winners = [name for name, place in zip(film.names, film.places, strict=True) if place == 1]
        if replay.reason == "all_at_fault":
            assert first == "Every seat is at fault: nobody wins."
        else:
            assert first.startswith(" and ".join(", ".join(winners).rsplit(", ", 1)) + " won")
            assert f"with {dice_in_count(film.dice[-1][1][film.places.index(1)])} in round {film.rounds}" in first
        faults = [text for text in rest if "was played by default from there" in text]
        assert len(faults) == sum(decision is not None for _, decision in replay.faults)
        assert all("(it slept)" in text for text in faults)
        luck = luck_of(replay)
        assert luck == film.luck
        if replay.reason != "all_at_fault" and max(luck) - min(luck) > 0.01:
            assert f"gave {film.names[luck.index(max(luck))]} the most (" in rest[-1]
            assert f"and {film.names[luck.index(min(luck))]} the least (" in rest[-1]


@pytest.mark.parametrize("game", GAMES)
def test_the_largest_swing_is_the_largest_change_of_dice_in_a_round(game: str) -> None:
    sign = 1 if game == "gang-of-dice" else -1
    told = 0
    for _, film in films(game):
        for point in turning_points(film):
            found = re.search(r"^(\w+) (?:won|got rid of) the most dice at once in round (\d+): (\d+)\.$", point.text)
            if found is None:
                continue
            told += 1
            gains = {
                (name, number): sign * (after - before)
                for (number, held), (_, later) in zip(film.dice, film.dice[1:], strict=False)
                for name, before, after in zip(film.names, held, later, strict=True)
            }
            assert gains[found[1], int(found[2])] == int(found[3]) == max(gains.values())
    assert told > 5


@pytest.mark.parametrize("game", GAMES)
def test_who_led_from_when_on_held_the_best_stash_alone_in_every_later_round(game: str) -> None:
    best = max if game == "gang-of-dice" else min
    told = 0
    for _, film in films(game):
        for point in turning_points(film):
            found = re.search(r"(\w+) (?:alone led|had it for good) from round (\d+) on", point.text)
            if found is None:
                continue
            told += 1
            seat, since = film.names.index(found[1]), int(found[2])
            alone = {number: held.count(best(held)) == 1 and held[seat] == best(held) for number, held in film.dice}
            assert all(leads for number, leads in alone.items() if number >= since)
            assert not alone.get(since - 1, False)
    assert told > 3


def test_numbers_are_written_as_people_do() -> None:
    assert [dice_in_count(count) for count in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]
    assert [luck_in_words(luck, "wins") for luck in (0.126, -0.05, -0.001)] == ["+0.13 wins", "−0.05 wins", "0.00 wins"]
    assert luck_in_words(1.5, "") == "+1.50"
