"""Decisions in words, and sentences as they are said to the person in them: no verb in the third person."""

import re
from random import Random

import pytest
from tests.golden.store import stored
from tests.kits.playing_kit import any_legal, host, play_on, setup_of

from gangland.games import GAME_NAMES, game_named
from gangland.replay import expand
from gangland_ladder.viewer import commentary, page, presentation, timeline


@pytest.mark.parametrize("game", GAME_NAMES)
def test_whole_games_are_told_in_the_second_person(game: str) -> None:
    third = re.compile(r"\b[Yy]ou \w+s\b|\x00|\b[Yy]ou('s| is| has)\b|seat0")
    said = set()
    for number in range(3):
        table, rng = host(setup_of(game, 2 + number % 3, (0,), number)), Random(number)
        table.advance()
        while (question := table.live_table.question(0)) is not None:
            said |= {line.text for line in table.live_table.story(0)}
            orders = [presentation.as_order(choice.words) for choice in question.choices]
            assert not [each for each in orders if re.match(r"[a-z]|\w+s\b|.* its ", each)]
            table.answer(0, question.number, any_legal(table.live_table.view(0), rng))
    assert sum("You " in each for each in said) > 20
    assert [each for each in said if third.search(each)] == []


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_timeline_addresses_its_person_from_the_outcome_to_the_last_line(game: str) -> None:
    third = re.compile(r"\b[Yy]ou(</bdi>)? \w+s\b|\x00|\\u0000|\b[Yy]ou('s| is| has| was)\b|seat0|It won|: it won")
    said = ""
    for number in range(3):
        table = host(setup_of(game, 2 + number, (0,), number))
        play_on(table, Random(number))
        replay = table.live_table.played().replay
        own = timeline.timeline_of(replay, table.setup.names, you=0)
        assert own.names[0] == "You"
        text = "\n".join(
            [own.ending, *(point.text for point in commentary.turning_points(own)), page.story_markup(own)]
        )
        mine = [line for line in text.splitlines() if re.search(r"\b[Yy]our?\b|seat0|\x00|0000", line)]
        assert [line for line in mine if third.search(line)] == []
        said += text
        plain = timeline.timeline_of(replay, table.setup.names)
        assert [frame.at for frame in plain.frames] == [frame.at for frame in own.frames]
        assert "seat0" in plain.ending + page.story_markup(plain)
    assert re.search(r"\byou had \d", said)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (
            "{} ties with Bo at 5, has the last word and wins the Gun.",
            "You tie with Bo at 5, have the last word and win the Gun.",
        ),
        (
            "Bo ties with {} at 5, has the last word and wins the Gun.",
            "Bo ties with you at 5, has the last word and wins the Gun.",
        ),
        ("Bo and {} are out of dice and out of the game.", "Bo and you are out of dice and out of the game."),
        ("The Investigator turns up at {}'s door.", "The Investigator turns up at your door."),
        ("{} triggers the warning and is bust.", "You trigger the warning and are bust."),
        ("{} is at fault and plays default decisions.", "You are at fault and play default decisions."),
        ("Round 2: two fives. {} begins.", "Round 2: two fives. You begin."),
        ("Bo puts its die on the Streets.", "Bo puts its die on the Streets."),
    ],
)
def test_a_sentence_is_turned_to_the_person_alone(made: str, text: str) -> None:
    assert presentation.in_second_person(made.format(presentation.names_for(["Ann"], 0)[0])) == text


@pytest.mark.parametrize(
    ("kind", "decision", "words"),
    [
        ("bids", ((0, 4), (1, 2)), "bids the favor +4 on the Lawyer and the favor 2 on the Speakeasy"),
        ("keep", 4, "keeps the favor +4"), ("discard", 4, "discards the favor +4"),
        ("discard", 0, "discards the favor 0"), ("dump", 2, "names blue for the Investigator"),
        ("dump", (1, 1, 0), "puts 1 white and 1 red on the Investigator"),
    ],
)  # fmt: skip
def test_a_decision_says_what_was_chosen_and_a_special_favor_so(kind: str, decision: object, words: str) -> None:
    assert presentation.decision_text("gangster-dice", kind, decision) == words


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_script_knows_whether_more_is_better(game: str) -> None:
    assert presentation.presentation_of(game).script_texts()["more"] is game_named(game).unit.more_is_better


# A table that is kept up event by event is the table of the rules, and shows a round's end before the next begins.


GAMES = ("gang-of-dice", "gangster-dice")


@pytest.mark.parametrize("game", GAMES)
def test_the_table_after_every_ply_is_the_one_of_the_rules(game: str) -> None:
    checked = 0
    for replay in stored(game)[::4]:
        rules, shown = game_named(game), presentation.presentation_of(game)
        running = shown.table(replay)
        for step in expand(replay):
            if not step.answers:
                running.begin(step)
            for answer in step.answers:
                running.decide(answer, "")
            running.clear_plans(incomplete=False)
            running.apply_state(step)
            for event in step.events:
                running.apply(event)
            at_fault = step.defaulting | {answer.seat for answer in step.answers if answer.by_default}
            if rules.outcome(step.after, at_fault) is None:
                assert running.snapshot() == shown.table_scene(step.after, replay.seats, at_fault)
                checked += 1
    assert checked > 250
