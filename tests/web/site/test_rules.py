"""The rules of each game in a minute: the drawn round is one that the engine played, and pages lead there."""

import html
import re

import pytest
from tests.kits.pages_kit import Site, activate_bot, finished_match

from gangland.game import Event
from gangland.games import game_named
from gangland.gang_of_dice.warnings import NUMBER_OF, WARNINGS
from gangland.gangster_dice import cards, telling
from gangland.replay import expand, verify
from gangland_ladder.common.game_modules import _module_of
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.sample_rounds import NAMES, recorded_game, sample_of


def drawn(game: str) -> list[Event]:
    replay, number, events, sample = recorded_game(game), 0, [], sample_of(game)
    assert sample is not None
    verify(replay)
    assert replay.options == {}
    for step in expand(replay):
        for event in step.events:
            number = event[1] if event[0] == "round" else number
            if number == sample.round:
                events.append(event)
    return events


def read(site: Site, game: str) -> tuple[str, list[str]]:
    """Return the page's text, and the dice that it draws: color, face and whether it is raised."""
    page = site.stranger().page(f"/{game}/rules")
    round_drawn = page[page.index('class="drawn"') :]
    dice = re.findall(r'<svg class="v-die (\w+)( again)?"[^>]*>.*?#mark-([\w]+)"/></svg>', round_drawn)
    text = html.unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", "", round_drawn)))
    return text, [f"{colour} {face}{raised}" for colour, raised, face in dice]


def test_the_drawn_round_of_each_game_is_the_one_of_the_engine(site: Site) -> None:
    text, dice = read(site, "gang-of-dice")
    events = drawn("gang-of-dice")
    card = WARNINGS[NUMBER_OF[events[0][2]]]
    assert f"{card.id} {card.colour} warning{card.words}" in text
    rolled = [event for event in events if event[0] == "rolled"]
    assert len(dice) == sum(len(event[5]) for event in rolled)
    expected = [str(face or "gangster") for event in rolled for face in sorted(event[5], reverse=True)]
    assert [one.split()[1] for one in dice] == expected
    assert sum("again" in one for one in dice) == sum(len(event[4]) for event in rolled if event[3])
    for event in events:
        if event[0] in ("rolled", "won"):
            assert str(game_named("gang-of-dice").sentence(event, NAMES)) in text
    assert {"busted", "stood", "won"} <= {event[0] for event in events}, "it shows what can happen"
    held = [int(after) for after in re.findall(r"dice before, (\d+) after", text)]
    assert sum(held) == 3 * 48
    text, dice = read(site, "gangster-dice")
    events = drawn("gangster-dice")
    bids = {event[1]: event[2][0] for event in events if event[0] == "revealed"}
    expected = [
        f"{cards.COLOUR_NAMES[colour]} {cards.SYMBOL_NAMES[face]}{' again' if face == bids[event[1]][0] else ''}"
        for event in events
        if event[0] == "rolled"
        for colour, faces in enumerate(event[2])
        for face in faces
    ]
    assert dice == expected
    faces = {event[1]: [face for row in event[2] for face in row] for event in events if event[0] == "rolled"}
    for seat, (token, favor, score) in bids.items():
        symbols = faces[seat].count(token)
        bonus = f" + {score - favor - symbols} for the Streets" if score != favor + symbols else ""
        assert f"{symbols} {cards.SYMBOL_NAMES[token]}{'' if symbols == 1 else 's'} + {favor}{bonus} = {score}" in text
    for _, token, seat, *_ in (event for event in events if event[0] == "won"):
        assert f"{NAMES[seat]} wins the {cards.TOKEN_NAMES[token]}" in text
    result = [e for e in events if e[0] in ("took", "moved", "exchanged", "staked", "dumped", "special", "received")]
    assert {"took", "dumped", "special", "received"} <= {event[0] for event in result}, "it shows what tokens do"
    for event in result:
        assert str(game_named("gangster-dice").sentence(event, NAMES)) in text


@pytest.mark.parametrize(
    ("game", "rules", "choices"),
    [
        ("gang-of-dice", ("which warnings are black", "open pools"), ("24 cards of our own", "backs are our own")),
        ("gangster-dice", ("the end after 100 rounds", "hand sizes and abilities"), ("(house rule)", "by house rules")),
    ],
)  # fmt: skip
def test_every_page_leads_to_the_rules_and_what_the_rulebook_does_not_say_is_labeled(
    site: Site, game: str, rules: tuple[str, ...], choices: tuple[str, ...]
) -> None:
    site.person("Ann")
    match = finished_match(site, [activate_bot(site, "Ann", "hers"), activate_bot(site, None, "house")])
    link = 'href="/gang-of-dice/rules"'
    stranger = site.stranger()
    for path in (f"/write/{game}", f"/{game}"):
        assert f'href="/{game}/rules"' in stranger.page(path)
    for path in (f"/matches/{match}", f"/matches/{match}/games/0/0"):
        assert link in stranger.page(path)
    page = stranger.page(f"/{game}/rules")
    assert f'href="/docs/rules-{game}.html"' in page, "the numbered reference stays behind it"
    assert stranger.get("/poker/rules").status_code == 404
    form = " ".join(text for each in game_named(game).choices_of_options for text in (each.label, *each.labels))
    assert [words for words in ("House rules", *rules) if words not in page] == []
    assert [words for words in choices if words not in form] == []


def test_addresses_of_games_that_do_not_exist_leave_nothing_in_memory(site: Site) -> None:
    stranger = site.stranger()
    kept = []
    for number in range(20):
        assert stranger.get(f"/rules/poker-{number}").status_code == 404
        kept.append(_module_of.cache_info().currsize)
    assert kept[1:] == kept[:1] * 19


def test_an_ability_and_the_last_round_are_told_to_be_house_rules() -> None:
    seats = {0: {"character": "Nancy Hughs"}, 1: {"character": ""}}
    lines = presentation_of("gangster-dice").abilities({"seats": seats}, ["ann", "bob"])
    assert len(lines) == 1
    assert lines[0].startswith("ann, Nancy Hughs (house rule): When she gains control of")
    assert "by house rule" in (telling.sentence(("limit_reached", 100), ()) or "")
