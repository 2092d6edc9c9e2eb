"""Lessons: every way through them ends, and what they say agrees with the game."""

import re
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any, cast

import pytest

from gangland.game import Event
from gangland.games import GAME_NAMES
from gangland.gangster_dice.cards import TOKEN_NAMES
from gangland_ladder.playing.lessons.lesson import MAX_DECISIONS, NAMES, Lesson, LessonState, WrongDecision, lesson_of
from gangland_ladder.playing.questions import spelling_of

GAMES = tuple(game for game in GAME_NAMES if lesson_of(game))
games = pytest.mark.parametrize("game", GAMES)


def lesson(game: str) -> Lesson:
    found = lesson_of(game)
    assert found is not None
    return found


def typed(place: LessonState, decision: Any) -> str:
    assert place.kind is not None
    spelling = spelling_of(place.live_table.game, place.view, place.kind, place.live_table.table.state)
    return spelling.text_of(decision)


def after(place: LessonState, text: str) -> LessonState:
    return LessonState(place.lesson, [*place.decisions, text])


def walked(game: str, rng: Random) -> list[LessonState]:
    places = [LessonState(lesson(game))]
    reach = rng.choice((0.05, 0.3, 2.0))
    while places[-1].kind is not None:
        legal = places[-1].view.legal()
        number = min(int(rng.expovariate(reach)), len(legal) - 1)
        places.append(after(places[-1], typed(places[-1], legal[rng.choice((number, -1 - number))])))
    return places


def counts(game: str, place: LessonState) -> tuple[int, ...]:
    mine, its = place.live_table.game.held(place.live_table.table.state)
    return mine, its


def held_as_said(lines: list[str]) -> list[tuple[int, ...]]:
    found = (re.match(r"You (?:hold|have) (\d+) (?:die|dice), Fox (\d+) (?:die|dice)\.", line) for line in lines)
    return [(int(each[1]), int(each[2])) for each in found if each]


def facts(events: list[Event]) -> Counter[tuple[str, ...]]:
    found = Counter[tuple[str, ...]]()
    for event in events:
        if event[0] == "won" and len(event) == 5 and event[4] in ("", "dice", "turn"):
            found["round", NAMES[event[1]], str(event[2]), str(event[3])] += 1
        elif event[0] == "won":
            found["token", NAMES[event[2]], TOKEN_NAMES[event[1]], str(event[3])] += 1
        elif event[0] == "busted":
            found["bust", NAMES[event[1]]] += 1
        elif event[0] == "dumped" and event[3]:
            found["dumped", NAMES[event[1]], str(event[3])] += 1
        elif event[0] == "received":
            found["received", NAMES[event[1]]] += 1
    return found


def facts_as_said(lines: list[str]) -> Counter[tuple[str, ...]]:
    found = Counter[tuple[str, ...]]()
    for line in lines:
        if each := re.match(r"(You|Fox) wins? the round with (\d+) and takes? all (\d+) ", line):
            found["round", each[1], each[2], each[3]] += 1
        elif each := re.match(r"(You|Fox) (?:are|is) bust: ", line):
            found["bust", each[1]] += 1
        elif each := re.match(r"(You|Fox) wins? the (\w+)(?:: the scores tie at|:| with) (\d+)", line):
            found["token", each[1], each[2], each[3]] += 1
        elif each := re.match(r"(You|Fox) put (\d+) \w+ dic?e on the Investigator", line):
            found["dumped", each[1], each[2]] += 1
        elif each := re.match(r"(You|Fox) took a \w+ die from the Investigator", line):
            found["received", each[1]] += 1
    return found


@games
def test_every_way_ends_and_what_is_said_of_it_is_so(game: str) -> None:
    kinds = set()
    for seed in range(80):
        places = walked(game, Random(seed))
        assert len(places) <= MAX_DECISIONS
        for place in places:
            lines = place.describe()
            assert facts_as_said(lines) == facts(place.events()), (place.decisions, lines)
            said = held_as_said(lines)
            words = place.text()
            if words is not None:
                kinds.add(place.kind)
                assert all((words.considerations, words.choices, words.facts or words.notes))
            if not any(event[0] in ("won", "all_bust") for event in place.events()):
                assert set(said) <= {counts(game, place)} or place.kind is None, (place.decisions, said)
        assert held_as_said(places[-1].describe())[-1:] == [counts(game, places[-1])]
        assert places[-1].round == places[-1].lesson.rounds or places[-1].live_table.outcome is not None
    asked = {"gang-of-dice": {"dice", "reroll"}, "gangster-dice": {"bids", "exchange", "stake", "dump", "take"}}
    assert kinds == asked[game]


@games
def test_every_decision_of_the_first_questions_goes_on(game: str) -> None:
    first = LessonState(lesson(game))
    seconds = [after(first, typed(first, each)) for each in first.view.legal()]
    assert len({each.decisions for each in seconds}) == len(first.view.legal())
    for second in (seconds[0], seconds[len(seconds) // 3], seconds[-1]):
        if second.kind is not None:
            for each in second.view.legal()[:200]:
                assert after(second, typed(second, each)).describe()


def test_what_is_said_of_stopping_is_what_comes_of_it() -> None:
    said = Counter[str]()
    for seed in range(80):
        for place in walked("gang-of-dice", Random(seed)):
            if place.kind != "reroll":
                continue
            words = place.text()
            assert words is not None
            stopped, text = after(place, "stop"), " ".join(words.considerations)
            events = [event for event in stopped.events() if event[0] in ("won", "busted") or event[:2] == ("stood", 0)]
            if "If you stop, you are bust" in text:
                assert events[0] == ("busted", 0)
                said["bust"] += 1
                continue
            found = re.search(r"If you stop, your total is (\d+), and (you win|Fox wins|Fox has to)", text)
            assert found is not None
            assert events[0] == ("stood", 0, int(found[1]))
            said[found[2]] += 1
            if found[2] != "Fox has to":
                assert events[1][:2] == ("won", 0 if found[2] == "you win" else 1)
    assert set(said) == {"bust", "you win", "Fox wins", "Fox has to"}


def test_what_is_said_to_be_enough_is_enough() -> None:
    checked = Counter[bool]()
    for seed in range(150):
        places = walked("gang-of-dice", Random(seed))
        for place, then in pairwise(places):
            words = place.text()
            found = words and re.search(
                r"roll a total (?:of (?P<low>\d+)(?: (?:to|or) (?P<high>\d+))?, or |above (?P<over>\d+), or |of )"
                r"(?P<same>\d+) with more than (?P<dice>\d+) ",
                words.considerations[0],
            )
            if not found or place.kind != "dice":
                continue
            number = places.index(then)
            while places[number].round == place.round and places[number].kind is not None:
                number += 1
            events = [event for each in places[places.index(then) : number + 1] for event in each.events()]
            ends = {event[0]: event for event in reversed(events)}
            (final,) = [event for event in events if event[:2] in {("stood", 0), ("busted", 0)}][:1]
            if final[0] == "busted":
                continue
            total, stake = final[2], int(place.decisions != then.decisions and then.decisions[-1])
            low = int(found["low"] or (found["over"] and int(found["over"]) + 1) or 10**6)
            high = int(found["high"] or found["low"] or 10**6)
            enough = low <= total <= high or (total == int(found["same"]) and stake > int(found["dice"]))
            checked[enough] += 1
            assert (ends["won"][1] == 0) == enough
    assert checked[True]
    assert checked[False]


def test_where_fox_cannot_bid_any_favor_wins() -> None:
    checked = 0
    for seed in range(40):
        for place, then in pairwise(walked("gangster-dice", Random(seed))):
            if place.kind == "bids":
                words, view = place.text(), cast(Any, place.view)
                assert words is not None
                notes = {note.partition(":")[0]: note for note in words.notes}
                assert set(notes) == {TOKEN_NAMES[token] for token in view.legal_tokens}
                won = {event[1] for event in then.events() if event[0] == "won" and event[2] == 0}
                mine = {token for event in then.events() if event[:2] == ("revealed", 0) for token, _, _ in event[2]}
                for token in mine:
                    note = notes[TOKEN_NAMES[token]]
                    free = "Fox cannot bid" in note
                    assert free == (view.players[1].symbols[token] == 0)
                    if free:
                        assert token in won
                        checked += 1
                    moves = "it goes to Fox" in note
                    if token == 3 and token in won:
                        assert moves == any(event[0] == "moved" and event[2] == 1 for event in then.events())
                        assert moves != ("put all your dice of one color on it" in note)
    assert checked > 10


@games
@pytest.mark.parametrize(
    "wrong", ["", "0", "-1", "999999999", "no such thing", "\0", "٣", "none none", "x" * 41, "999x1 999x2"]
)
def test_a_forged_decision_is_refused_with_its_number(game: str, wrong: str) -> None:
    places = walked(game, Random(4))
    for place in places:
        with pytest.raises(WrongDecision) as refused:
            after(place, wrong)
        assert refused.value.number == len(place.decisions) + 1
        assert str(refused.value)


def test_the_seed_of_gang_of_dice_shows_what_its_module_says() -> None:
    place, fox = LessonState(lesson("gang-of-dice")), []
    while place.kind is not None:
        view: Any = place.view
        if place.kind == "dice":
            fox.append((view.card, view.turn_of(1)))
        place = after(place, "2" if place.kind == "dice" else "stop")
    (first, its), (second, nothing), (third, bust) = fox
    assert (first.black, first.condition.kind, len(its.rolls), its.bust) == (True, "total", 2, False)
    assert 4 <= its.total <= min(8, first.condition.number - 3)
    assert second.id in {"Y1", "Y3", "Y5", "Y9", "Y10"}
    assert nothing is None
    assert third.yellow
    assert bust.bust


def test_the_seed_of_gangster_dice_shows_what_its_module_says() -> None:
    place, asked = LessonState(lesson("gangster-dice")), []
    while place.kind is not None:
        asked.append((place.round, place.kind))
        words = place.text()
        assert words is not None
        view: Any = place.view
        if place.kind == "bids":
            on = re.findall(r"on the (\w+)", words.suggestion)
            favors = sorted(view.hand, reverse=True)
            text = " ".join(f"{favor} {token.lower()}" for token, favor in zip(on, favors, strict=False))
        elif place.kind == "dump":
            colour = max(view.dump_colours, key=list(view.spare).__getitem__)
            text = typed(place, int(colour))
        else:
            text = typed(place, place.view.legal()[-1])
        place = after(place, text)
        if len(asked) == 1:
            won = {event[1] for event in place.events() if event[0] == "won" and event[2] == 0}
            assert 3 in won
            assert won & {1, 2}
    kinds = {kind for _, kind in asked}
    assert (2, "dump") in asked
    assert kinds & {"exchange", "stake"}
    assert "take" in kinds
    mine, its = counts("gangster-dice", place)
    assert mine < its
