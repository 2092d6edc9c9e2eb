"""Why a game ended as it did, in sentences that agree with the game and lead to their places in it."""

import re
from collections import defaultdict
from functools import cache

import pytest
from tests.golden.store import stored

from gangland.game import Event, Unit
from gangland.games import game_named
from gangland.gangster_dice.cards import COLOUR_NAMES, TOKEN_NAMES
from gangland.luck import luck_of
from gangland.replay import Replay, expand
from gangland_ladder.viewer.commentary import luck_text, turning_points
from gangland_ladder.viewer.games.gangster_dice.sentences import gain_sentence
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.timeline import Timeline, timeline_of

GAMES = ("gang-of-dice", "gangster-dice")
NAMES = ("Ada", "Bo", "Cy", "Di")


@cache
def timelines(game: str) -> list[tuple[Replay, Timeline]]:
    return [
        (replay, timeline_of(replay, NAMES[: replay.seats], notes=dict.fromkeys(range(400), "it slept")))
        for replay in stored(game)[::4]
    ]


@pytest.mark.parametrize("game", GAMES)
def test_sentences_lead_to_the_game_from_who_won_to_every_fault_and_the_luck(game: str) -> None:
    for replay, timeline in timelines(game):
        points = turning_points(timeline)
        assert all(0 <= timeline.index_of(point.at) <= timeline.last for point in points)
        first, *rest = [point.text for point in points]
        winners = [name for name, place in zip(timeline.names, timeline.places, strict=True) if place == 1]
        if replay.reason == "all_at_fault":
            assert first == "Every seat is at fault: nobody wins."
        else:
            assert first.startswith(" and ".join(", ".join(winners).rsplit(", ", 1)) + " won")
            held = game_named(timeline.game).unit.counted(timeline.counts[-1][1][timeline.places.index(1)])
            assert f"with {held} in round {timeline.rounds}" in first
        faults = [text for text in rest if "default decisions were played" in text]
        assert len(faults) == sum(decision is not None for _, decision in replay.faults)
        assert all("(it slept)" in text for text in faults)
        luck = luck_of(replay)
        assert luck == timeline.luck
        if replay.reason != "all_at_fault" and max(luck) - min(luck) > 0.01:
            best, worst = (timeline.names[luck.index(each)] for each in (max(luck), min(luck)))
            high, low = (luck_text(each, game_named(game).luck_unit) for each in (max(luck), min(luck)))
            assert rest[-1] == f"Most luck: {best} ({high}). Least: {worst} ({low})."


def rounds_of(replay: Replay) -> dict[int, list[Event]]:
    rounds, number = defaultdict(list), 0
    for step in expand(replay):
        for event in step.events:
            number = event[1] if event[0] == "round" else number
            rounds[number].append(event)
    return rounds


def changes_of(timeline: Timeline) -> dict[tuple[str, int], int]:
    return {
        (name, number): after - before
        for (number, held), (_, later) in zip(timeline.counts, timeline.counts[1:], strict=False)
        for name, before, after in zip(timeline.names, held, later, strict=True)
    }


def turn_of(events: list[Event], seat: int) -> tuple[int, int | None]:
    """Return the dice that a seat of Gang of Dice staked in a round, and its total, None for a bust."""
    stake = next(len(event[5]) for event in events if event[0] == "rolled" and event[1] == seat)
    return stake, next((event[2] for event in events if event[0] == "stood" and event[1] == seat), None)


def test_the_most_dice_won_at_once_are_told_with_the_roll_that_won_and_what_all_others_came_to() -> None:
    result = set()
    for replay, timeline in timelines("gang-of-dice"):
        changes, rounds = changes_of(timeline), rounds_of(replay)
        points = [point for point in turning_points(timeline) if "won the most dice at once" in point.text]
        assert len(points) == (max(changes.values(), default=0) > 0 and replay.reason != "all_at_fault")
        for point in points:
            pattern = (
                r"(\w+) won the most dice at once in round (\d+): (\d+), with (\d+)( rolled first)? against (.+)\."
            )
            found = re.fullmatch(pattern, point.text)
            assert found, point.text
            events = rounds[int(found[2])]
            assert changes[found[1], int(found[2])] == int(found[3]) == max(changes.values())
            rolled = {timeline.names[event[1]] for event in events if event[0] == "rolled"}
            came = {name: turn_of(events, timeline.names.index(name))[1] for name in rolled}
            assert came.pop(found[1]) == int(found[4])
            totals, _, busts = re.sub("(?:a bust|busts) by ", "|", found[6]).partition("|")
            output = {name: int(total) for total, name in re.findall(r"(\d+) by (\w+)", totals)}
            output |= dict.fromkeys(re.findall(r"[A-Z]\w+", busts))
            assert output == came
            assert bool(found[5]) == (int(found[4]) in came.values())
            result.add(replay.seats)
    assert result == {2, 3, 4}


def test_the_most_dice_lost_at_once_are_told_with_what_the_stake_came_to() -> None:
    result = set()
    for replay, timeline in timelines("gang-of-dice"):
        changes, rounds = changes_of(timeline), rounds_of(replay)
        for point in turning_points(timeline):
            pattern = (
                r"(\w+) lost the most dice at once in round (\d+): (\d+), "
                r"staked on (?:a bust roll|(\d+) against (\d+))\."
            )
            found = re.fullmatch(pattern, point.text)
            assert found or "lost the most" not in point.text
            if found is None:
                continue
            events = rounds[int(found[2])]
            assert changes[found[1], int(found[2])] == -int(found[3]) == min(changes.values())
            stake, total = turn_of(events, timeline.names.index(found[1]))
            assert (stake, total) == (int(found[3]), found[4] and int(found[4]))
            if found[5]:
                assert [event[2] for event in events if event[0] == "won"] == [int(found[5])]
            result.add((replay.seats, bool(found[4])))
    assert {seats for seats, _ in result} == {2, 3, 4}
    assert {stood for _, stood in result} == {True, False}


def test_the_most_dice_got_rid_of_at_once_are_told_with_the_act_that_did_it() -> None:
    result, bare = set(), 0
    for replay, timeline in timelines("gangster-dice"):
        changes, rounds = changes_of(timeline), rounds_of(replay)
        for point in turning_points(timeline):
            found = re.match(r"(\w+) got rid of the most dice at once in round (\d+): (.+)\.$", point.text)
            if found is None:
                continue
            seat, events, most = timeline.names.index(found[1]), rounds[int(found[2])], -min(changes.values())
            assert changes[found[1], int(found[2])] == -most
            given = [0, 0, 0]
            acts = 0
            for kind, *what in events:
                if kind in ("staked", "dumped", "placed") and what[0] == seat and what[1] is not None:
                    dice = what[1] if kind == "placed" else [0, 0, 0]
                    if kind != "placed":
                        dice[what[1]] = 1 if kind == "staked" else what[2]
                    given = [held + more for held, more in zip(given, dice, strict=True)]
                    acts += any(dice)
            if found[3] == str(most):
                assert acts != 1
                bare += 1
                continue
            act = re.fullmatch(r"it won the (\w+) and (?:put|pinned) (.+) on (?:it|them)", found[3])
            assert act
            assert acts == 1
            output = {colour: int(count) for count, colour in re.findall(r"(\d+) (\w+) di", act[2])}
            assert output == {colour: count for colour, count in zip(COLOUR_NAMES, given, strict=True) if count}
            assert sum(output.values()) == most
            assert ("won", TOKEN_NAMES.index(act[1]), seat) in [event[:3] for event in events]
            result.add(replay.seats)
    assert result == {2, 3, 4}
    assert bare


GAINED = "Ada won the most dice at once in round 1:"


def rolled(seat: int, *dice: int) -> Event:
    return ("rolled", seat, 1, (), dice, dice)


def test_what_two_acts_did_or_none_explains_is_told_by_its_figure_alone() -> None:
    won = [("won", 2, 0, 5, ()), ("won", 3, 0, 4, ())]
    both = [*won, ("staked", 0, 1), ("dumped", 0, 2, 3)]
    assert gain_sentence("Ada was quick", both, 0, 4) == "Ada was quick: 4."
    assert gain_sentence("Ada was quick", [*both[:3], ("dumped", 0, 2, 0)], 0, 1) == (
        "Ada was quick: it won the Streets and put 1 red die on them."
    )
    assert gain_sentence("Ada was quick", [*won, ("placed", 0, (1, 0, 2))], 0, 3) == (
        "Ada was quick: it won the Investigator and pinned 1 white die and 2 blue dice on it."
    )
    assert gain_sentence("Ada was quick", [*won, ("dumped", 1, 0, 3)], 0, 3) == "Ada was quick: 3."
    gang = presentation_of("gang-of-dice")
    lost = gang.loss([rolled(0, 1, 2), ("busted", 0)], NAMES, 0, 2, 3)
    assert lost == "Ada lost the most dice at once in round 2: 3."
    assert gang.gain([rolled(0, 1), ("won", 0, 1, 3, "")], NAMES, 0, 1, 3) == f"{GAINED} 3."


def test_a_tie_is_told_with_what_broke_it() -> None:
    two = [rolled(0, 3, 3), ("stood", 0, 6)]
    one = [rolled(1, 6), ("stood", 1, 6)]
    dice = [*one, *two, ("won", 0, 6, 3, "dice")]
    gain = presentation_of("gang-of-dice").gain
    assert gain(dice, NAMES, 0, 1, 1) == f"{GAINED} 1, with 6 on more dice against 6 by Bo."
    both = [*one, *two, rolled(2, 2, 4), ("stood", 2, 6), ("won", 0, 6, 5, "turn")]
    assert gain(both, NAMES, 0, 1, 3) == f"{GAINED} 3."


def test_the_others_go_without_their_names_where_these_are_long() -> None:
    names = ("Ada", "B" * 40, "C" * 40, "D" * 40)
    turns = [rolled(0, 5), ("stood", 0, 5), rolled(1, 3), ("stood", 1, 3), rolled(2, 0), ("busted", 2)]
    events = [*turns, rolled(3, 0), ("busted", 3), ("won", 0, 5, 4, "")]
    result = presentation_of("gang-of-dice").gain(events, names, 0, 1, 3)
    assert result == f"{GAINED} 3, with 5 against 3 and 2 busts."


@pytest.mark.parametrize("game", GAMES)
def test_who_led_from_when_on_held_the_best_stash_alone_in_every_later_round(game: str) -> None:
    best = max if game == "gang-of-dice" else min
    result = 0
    for _, timeline in timelines(game):
        for point in turning_points(timeline):
            found = re.search(r"(\w+) led (?:alone|for good) from round (\d+)", point.text)
            if found is None:
                continue
            result += 1
            seat, since = timeline.names.index(found[1]), int(found[2])
            alone = {
                number: held.count(best(held)) == 1 and held[seat] == best(held) for number, held in timeline.counts
            }
            assert all(leads for number, leads in alone.items() if number >= since)
            assert not alone.get(since - 1, False)
    assert result > 3


def test_numbers_are_written_as_people_do() -> None:
    assert [Unit("die", "dice").counted(count) for count in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]
    assert [luck_text(luck, "wins") for luck in (0.126, -0.05, -0.001)] == ["+0.13 wins", "−0.05 wins", "0.00 wins"]
    assert luck_text(1.5, "") == "+1.50"


# Written by hand from the logs of the games: the way of each winner's dice, and how its last ones went.
READ = {
    "a5de6880": [
        "Ada's last dice went in round 22: 2 white on the Investigator, won with 10 against 3 by Bo.",
        (
            "Ada left 6 dice on the Investigator (rounds 3, 4 and 22) and 3 dice on the Streets (rounds 8, 16 and 19), "
            "and took 3 dice (rounds 6, 17 and 18)."
        ),
    ],
    "c946558d": [
        "Ada's last die went in round 9: 1 blue on the Investigator, won with 7 in a tie with Bo.",
        (
            "Ada left 6 dice on the Investigator (rounds 3, 4, 8 and 9) and 1 die on the Streets (round 3), "
            "and took 1 die (round 5)."
        ),
    ],
    "7cc358c8": [
        (
            "Ada's last dice went in round 8: 1 blue on the Streets, won with 6 unopposed; "
            "3 white on the Investigator, won with 4 unopposed."
        ),
        "Ada left 3 dice on the Investigator (round 8) and 3 dice on the Streets (rounds 6, 7 and 8).",
    ],
    "27e97155": [
        "Cy's last dice went in round 10: 2 red on the Investigator, won with 3 unopposed.",
        "Cy left 6 dice on the Investigator (rounds 4, 7 and 10).",
    ],
    "582e6c6c": [
        "Bo's last die went in round 12: 1 blue on the Investigator, won with 4 unopposed.",
        "Bo left 5 dice on the Investigator (rounds 6, 7 and 12) and 1 die on the Streets (round 10).",
    ],
    "e1d085bf": [  # the last round allowed: one die was left
        "Bo left 8 dice on the Investigator (rounds 44, 58, 97 and 98), and took 3 dice (rounds 45, 47 and 63)."
    ],
    "8906e901": ["Ada left 4 dice on the Investigator (rounds 2 and 3)."],
    "3b23a9d3": [  # two winners
        "Ada's last die went in round 10: 1 red on the Streets, won with 5 unopposed.",
        "Ada left 2 dice on the Investigator (round 8) and 4 dice on the Streets (rounds 4, 5, 7 and 10).",
        "Bo's last dice went in round 10: 2 blue on the Investigator, won with 4 unopposed.",
        "Bo left 7 dice on the Investigator (rounds 4, 6 and 10), and took 1 die (round 2).",
    ],
    "d212ba28": [
        "Ada's last dice went in round 5: 2 blue on the Investigator, won with 4 in a tie with Cy.",
        "Ada left 4 dice on the Investigator (rounds 4 and 5) and 2 dice on the Streets (rounds 2 and 3).",
    ],
    "62c9e03e": [
        "Ada's last die went in round 39: 1 red on the Streets, won with 10 against 4 by Bo.",
        "Ada left 3 dice on the Investigator (rounds 7 and 17) and 3 dice on the Streets (rounds 8, 9 and 39).",
        "Cy's last dice went in round 39: 2 white on the Investigator, won with 3 unopposed.",
        (
            "Cy left 7 dice on the Investigator (rounds 14, 21, 37 and 39) and 1 die on the Streets (round 4), "
            "and took 2 dice (rounds 8 and 17)."
        ),
    ],
    "f8994e72": [  # Liza picks two dice of any colours
        "Ada's last dice went in round 47: 1 white and 1 blue on the Investigator, won with 12 unopposed.",
        (
            "Ada left 10 dice on the Investigator (rounds 14, 21, 28 and 47) and 3 dice on the Streets "
            "(rounds 18, 22 and 23), and took 7 dice (rounds 7, 9, 15, 17, 23, 25 and 32)."
        ),
    ],
    "5e5a4097": [
        "Ada's last die went in round 34: 1 blue on the Streets, won with 6 against 2 by Cy.",
        "Ada left 3 dice on the Investigator (rounds 6, 10 and 33) and 3 dice on the Streets (rounds 4, 9 and 34).",
    ],
    "23ead3ba": [],  # the other seat's fault won it, no dice
}


@pytest.mark.parametrize("digest", READ)
def test_why_names_when_and_how_the_winners_got_rid_of_their_dice(digest: str) -> None:
    replay = next(each for each in stored("gangster-dice") if each.digest.startswith(digest))
    timeline = timeline_of(replay, NAMES[: replay.seats])
    points = [point for point in turning_points(timeline) if " left " in point.text or "'s last " in point.text]
    assert [point.text for point in points] == READ[digest]
    for point in points:
        if "'s last " in point.text:
            assert timeline.frames[timeline.index_of(point.at)].round == timeline.rounds
