"""The research environments: PettingZoo's own tests, the engine's own games, and nothing that a seat may not know."""

import sys
from collections.abc import Callable, Mapping
from itertools import permutations
from random import Random
from typing import Any, cast

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from tests.contract import games, players, profile, run

from gangland.games import GAME_NAMES, game_named
from gangland.gang_of_dice.state import Round
from gangland.gang_of_dice.warnings import WARNINGS
from gangland.gangster_dice.cards import COLOUR_NAMES, SYMBOL_NAMES, Token
from gangland.gangster_dice.events import Revealed
from gangland.match import FinishedGame, play
from gangland.replay import verify
from gangland_bots.gang_of_dice.sensible_gang import SensibleGang as SensibleGangOfDice
from gangland_bots.gangster_dice.sensible_gang import SensibleGang as SensibleGangsterDice
from gangland_ladder.research import GameEnv, env, parallel_env

EVERY_TABLE = [(game, seats) for game in GAME_NAMES for seats in (2, 3, 4)]
CYCLES = 25


# PettingZoo's own tests ----------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably")  # a dict with a mask, as its own have
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
def test_pettingzoo_accepts_the_environment_in_which_one_acts_at_a_time(game: str, seats: int) -> None:
    api_test(env(game, seats=seats, render_mode="ansi"), num_cycles=CYCLES)
    seed_test(lambda: env(game, seats=seats), num_cycles=CYCLES)


@pytest.mark.parametrize(("game", "seats"), EVERY_TABLE)
def test_pettingzoo_accepts_the_environment_in_which_all_act_at_once(game: str, seats: int) -> None:
    parallel_api_test(parallel_env(game, seats=seats), num_cycles=CYCLES)
    parallel_seed_test(lambda: parallel_env(game, seats=seats), num_cycles=CYCLES)


# The engine's own games ----------------------------------------------------------------------------


def played_at_random(table: run.Table, number: int) -> tuple[FinishedGame, dict[str, float]]:
    game = env(table.game, seats=table.seats, options=table.options)
    rng, given = Random(number), dict.fromkeys(game.possible_agents, 0.0)
    game.reset(seed=number)
    for agent in game.agent_iter():
        observation, reward, over, _, _ = game.last()
        given[agent] += reward
        assert game.observation_space(agent).contains(observation)
        game.step(None if over else rng.choice(np.flatnonzero(observation["action_mask"])))
    return game.played(), given


def engine_plays(table: run.Table, played: FinishedGame) -> FinishedGame:
    replay = played.replay
    seated = by_seat(table, played)
    return play(
        table.rules,
        [players.Scripted(seated[seat]) for seat in range(table.seats)],
        bytes.fromhex(replay.seed),
        options=table.options,
    )


def by_seat(table: run.Table, played: FinishedGame) -> dict[int, list[Any]]:
    seats: dict[int, list[Any]] = {seat: [] for seat in range(table.seats)}

    def observed(step: Any) -> None:
        for answer in step.answers:
            seats[answer.seat].append(answer.decision)

    verify(played.replay, observed)
    return seats


@pytest.mark.parametrize("name", GAME_NAMES)
@given(data=st.data(), number=games.any_number)
@profile.examples(5)
def test_a_game_of_random_agents_is_the_engines_own_of_that_seed(name: str, data: st.DataObject, number: int) -> None:
    table = data.draw(games.any_table(name))
    played, given = played_at_random(table, number)
    assert played.faults == ()
    assert engine_plays(table, played).replay == played.replay
    assert sum(given.values()) == pytest.approx(0)
    places = dict(zip(given, played.outcome.mean_places(), strict=True))
    for one, other in permutations(given, 2):
        assert (given[one] > given[other]) == (places[one] < places[other])
    if len(set(places.values())) == len(places):
        assert (max(given.values()), min(given.values())) == (1, -1)


@pytest.mark.parametrize("name", GAME_NAMES)
@given(data=st.data(), number=games.any_number)
@profile.examples(5)
def test_every_legal_decision_can_be_made_and_none_that_is_not(name: str, data: st.DataObject, number: int) -> None:
    table = data.draw(games.any_table(name))
    rng, all_at_once = Random(number), parallel_env(name, seats=table.seats, options=table.options)
    all_at_once.reset(seed=number)
    running = cast(Any, all_at_once)._game
    while not running.is_over and len(running.table.recorded) < 60:
        chosen = {seat: rng.choice(running.setup.game.choices(running.table.state, seat)) for seat in running.waiting}
        recorded = len(running.table.recorded)
        actions = {seat: list(running.actions_for(seat, decision)) for seat, decision in chosen.items()}
        for seat in chosen:
            choices = running.setup.game.choices(running.table.state, seat)
            allowed = running.encoding.legal_actions(running.agent(seat))
            if name == "gangster-dice":
                assert len(set(allowed)) == len(choices)
        while any(actions.values()):
            all_at_once.step({f"seat_{seat}": acts.pop(0) for seat, acts in actions.items()})
        assert running.table.recorded[recorded:] == [chosen[seat] for seat in sorted(chosen)]


def test_rerolls_in_parts_are_as_many_as_the_engine_allows() -> None:
    game = env("gang-of-dice", seats=2)
    game.reset(seed=0)
    running = cast(Any, game)._game
    game.step(6)
    (seat,) = running.waiting
    legal = running.setup.game.choices(running.table.state, seat)

    reached = set()

    def every(parts: tuple[int, ...]) -> None:
        observed = running.agent(seat)
        observed = type(observed)(observed.view, observed.kind, observed.choices, parts)
        if running.encoding.is_complete(observed):
            reached.add(running.encoding.decision(observed))
        else:
            for action in running.encoding.legal_actions(observed):
                every((*parts, action))

    every(())

    assert running.questions[seat].kind == "reroll"
    assert reached == set(legal)
    assert len(reached) == len(legal)


@pytest.mark.parametrize(
    ("name", "bot"), [("gang-of-dice", SensibleGangOfDice), ("gangster-dice", SensibleGangsterDice)]
)
def test_a_bot_in_the_environment_decides_as_it_does_in_the_engine(name: str, bot: Callable[[], Any]) -> None:
    game = env(name, seats=3)
    bots = dict(zip(game.possible_agents, [bot(), bot(), bot()], strict=True))
    for seat, each in enumerate(bots.values()):
        each.rng = Random(seat)
    game.reset(seed=11)
    while not any(game.terminations.values()):
        agent = game.agent_selection
        for action in game.actions_of(agent, bots[agent]):
            game.step(action)
    played = game.played()
    assert played.replay.decisions
    assert engine_plays(run.Table(name, 3, {}), played).replay == played.replay


# What an agent knows -------------------------------------------------------------------------------


def otherwise_hidden(name: str, state: Any, seat: int, rng: Random) -> Any:
    if name == "gang-of-dice":
        shown = state.round.deck[: state.round.number]
        hidden = [card for card in range(24) if card not in shown]
        now, deck = state.round, (*shown, *rng.sample(hidden, 12 - len(shown)))
        dealt = Round(now.options, deck, now.number, now.order, now.out, now.carried, now.bonus, now.last)
        return state._replace(round=dealt)
    cards = [card for each, hand in enumerate(state.hands) if each != seat for card in hand if card < 4]
    cards = rng.sample([*cards, *state.deck], len(cards) + len(state.deck))
    hands = [
        hand if each == seat else tuple(sorted([cards.pop() if card < 4 else card for card in hand]))
        for each, hand in enumerate(state.hands)
    ]
    return state._replace(hands=tuple(hands), deck=tuple(cards))


@pytest.mark.parametrize("name", GAME_NAMES)
@given(number=games.any_number)
@profile.examples(5)
def test_what_is_hidden_from_a_seat_does_not_show_in_what_its_agent_sees(name: str, number: int) -> None:
    game, rng = env(name, seats=3), Random(number)
    game.reset(seed=number)
    running = cast(Any, game)._game
    for _ in range(30):
        agent, state = game.agent_selection, running.table.state
        if running.is_over:
            break
        before = game.observe(agent)
        running.table.state = otherwise_hidden(name, state, int(agent[-1]), rng)
        assert running.table.state != state or name == "gang-of-dice"
        after = game.observe(agent)
        running.table.state = state
        assert all(np.array_equal(before[part], after[part]) for part in before)
        game.step(rng.choice(np.flatnonzero(before["action_mask"])))


def test_nobody_sees_what_another_has_chosen_at_the_same_time() -> None:
    def second_sees(first: int) -> Mapping[str, Any]:
        game = env("gangster-dice", seats=3)
        game.reset(seed=4)
        allowed = np.flatnonzero(game.observe("seat_0")["action_mask"])
        game.step(allowed[first])
        assert game.agent_selection == "seat_1"
        return cast("Mapping[str, Any]", game.last()[0])

    one, other = second_sees(0), second_sees(-1)

    assert all(np.array_equal(one[part], other[part]) for part in one)


def test_the_columns_are_named_and_begin_with_the_agents_own_seat() -> None:
    game = env("gang-of-dice", seats=3)
    game.reset(seed=1)
    names = game.layout.names
    assert len(set(names)) == len(names) == len(game.last()[0]["observation"])
    first = game.agent_selection
    game.step(5)
    while game.agent_selection == first:
        game.step(0)
    second = dict(zip(names, game.last()[0]["observation"], strict=True))
    assert [second[f"pool[{seat}]"] for seat in ("me", "left1", "left2")] == [48, 48, 43]
    assert second["stake[left2]"] == 5
    assert second["asked[dice]"] == 1


def as_gangster_dice_shows(view: Any, labels: Mapping[int, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for seat, label in labels.items():
        found |= {f"{token.token.name.lower()}_holder[{label}]": token.holder == seat for token in view.tokens}
        player = view.players[seat]
        found |= {f"dice[{label},{name}]": player.dice[colour] for colour, name in enumerate(COLOUR_NAMES)}
        reds = [sum(face == token for face in player.faces[1]) for token in Token]
        found |= {f"rolled[{label},red {name}]": reds[token] for token, name in enumerate(SYMBOL_NAMES)}
        revealed = [event for event in view.events if isinstance(event, Revealed) and event.seat == seat]
        scores = {token: score for token, _, score in revealed[-1].bids} if revealed else {}
        found |= {f"bid_score[{label},{token.name.lower()}]": scores.get(token, 0) for token in Token}
    return found | {f"hand[{favor}]": view.hand.count(favor) for favor in range(5)}


def as_gang_of_dice_shows(view: Any, labels: Mapping[int, str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for seat, label in labels.items():
        turn = view.turn_of(seat)
        last = view.last_round and next((each for each in view.last_round.turns if each.seat == seat), None)
        found |= {f"pool[{label}]": view.pools[seat], f"rolls[{label}]": len(turn.rolls) if turn else 0}
        found |= {f"dice[{label},{face}]": turn.dice.count(face) if turn else 0 for face in range(6)}
        found |= {f"last_total[{label}]": last.total if last else 0, f"best[{label}]": view.best_seat == seat}
    for row, cards in (("card", [view.card]), ("gone", view.cards_gone), ("to_come", view.cards_to_come)):
        found |= {f"{row}[{card.id}]": card in cards for card in WARNINGS}
    return found


@pytest.mark.parametrize(
    ("name", "options", "shows"),
    [("gang-of-dice", {"deck": "box18"}, as_gang_of_dice_shows), ("gangster-dice", {}, as_gangster_dice_shows)],
)
def test_columns_say_what_the_view_says(
    name: str, options: dict[str, object], shows: Callable[[Any, Mapping[int, str]], dict[str, int]]
) -> None:
    game, rng = env(name, seats=3, options=options), Random(5)
    game.reset(seed=5)
    for agent in game.agent_iter():
        observed, _, over, _, _ = game.last()
        columns, own = dict(zip(game.layout.names, observed["observation"], strict=True)), int(agent[-1])
        labels = {(own + step) % 3: label for step, label in enumerate(("me", "left1", "left2"))}
        expected = shows(game.view(agent), labels)
        assert {column: columns[column] for column in expected} == expected
        game.step(None if over else rng.choice(np.flatnonzero(observed["action_mask"])))


# Seeds, mistakes and words -------------------------------------------------------------------------


def test_a_seed_gives_its_games_again_and_each_reset_another_game() -> None:
    def begins(seed: int) -> list[str]:
        game, seeds = parallel_env("gang-of-dice"), []
        game.reset(seed=seed)
        for _ in range(3):
            seeds.append(cast(Any, game)._game.table.seed.hex())
            game.reset()
        return seeds

    assert begins(7) == begins(7)
    assert len({*begins(7), *begins(8)}) == 6


def test_an_action_that_the_mask_forbids_is_a_forfeit_as_on_the_platform() -> None:
    game = parallel_env("gangster-dice", seats=3)
    observations, _ = game.reset(seed=3)
    legal = {agent: np.flatnonzero(observed["action_mask"])[0] for agent, observed in observations.items()}
    observations, rewards, over, _, infos = game.step({**legal, "seat_1": 0})
    assert "choose_bids()" in infos["seat_1"]["fault"]
    assert "action 0, which the mask forbids" in infos["seat_1"]["fault"]
    assert not any(over.values())
    assert sum(rewards.values()) == 0
    while game.agents:
        assert list(np.flatnonzero(observations["seat_1"]["action_mask"])) == [0]
        observations, rewards, over, _, infos = game.step(
            {agent: np.flatnonzero(observed["action_mask"])[0] for agent, observed in observations.items()}
        )
    assert infos["seat_1"]["place"] == 3
    assert rewards["seat_1"] == -1
    assert game.played().faults[0].seat == 1


@pytest.mark.parametrize(
    ("what", "output"),
    [
        (lambda: env("poker"), "the games are gangster-dice, gang-of-dice"),
        (lambda: env("gang-of-dice", seats=5), "with 2, 3 or 4 seats, not 5"),
        (lambda: env("gang-of-dice", options={"deck": "tarot"}), "deck must be one of w24, box18"),
        (lambda: env("gangster-dice", seats=3, options={"characters": "chosen", "cast": ["nancy"]}), "not for 3"),
        (lambda: env("gang-of-dice", render_mode="rgb_array"), "ansi, human"),
        (lambda: env("gang-of-dice").step(0), r"reset\(\)"),
        (lambda: parallel_env("gang-of-dice").step({}), r"reset\(\)"),
        (lambda: _begun().step(999), "0 to 114, not 999"),
        (lambda: _begun().step("two"), "0 to 114, not 'two'"),
        (lambda: _begun().view("seat_7"), "agents are seat_0, seat_1"),
        (lambda: _begun().actions_for("seat_0", 100), "is not asked|from 1 to 48"),
        (lambda: _begun().played(), "is not over"),
    ],
)
def test_a_mistake_in_the_call_is_told_with_what_was_expected(what: Callable[[], Any], output: str) -> None:
    with pytest.raises((ValueError, RuntimeError), match=output):
        what()


def _begun() -> GameEnv:
    game = env("gang-of-dice")
    game.reset(seed=1)
    return game


def test_an_agent_that_is_asked_has_to_be_given_an_action() -> None:
    game = parallel_env("gangster-dice")
    game.reset(seed=1)
    with pytest.raises(ValueError, match=r"seat_0 must act \(bids\)"):
        game.step({"seat_1": 1})


def test_it_tells_the_round_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    game, silent, loud = (env("gang-of-dice", render_mode=mode) for mode in ("ansi", None, "human"))
    for each in (game, silent, loud):
        each.reset(seed=2)
        each.step(4)
    result = game.render()
    assert result is not None
    assert result.startswith("Round 1\n")
    assert "seat_" in result
    assert silent.render() is None
    assert capsys.readouterr().out == ""
    assert loud.render() is None
    assert capsys.readouterr().out == result + "\n"


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.startswith("gangland_ladder.research")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError, match=r"pip install 'gangland\[research\]'"):
        import gangland_ladder.research  # noqa: F401


def test_the_rules_come_from_the_registered_games() -> None:
    for name in GAME_NAMES:
        assert env(name).setup.game is game_named(name)
