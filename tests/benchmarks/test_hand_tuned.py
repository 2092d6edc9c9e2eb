"""The yardstick plays by our rules: given the same dice, cards and decisions it plays the same games."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from benchmarks.hand_tuned import Player, Result, gang_of_dice, gangster_dice

from gangland.games import game_named

GAMES = 25
Play = Callable[[int, Sequence[Player], Random, Random], Result]
PLAY: dict[str, Play] = {"gangster-dice": gangster_dice.play, "gang-of-dice": gang_of_dice.play}


class StreamChance:
    """Draw from the same streams, in the same order, as the loop does."""

    def __init__(self, dice: Random, cards: Random) -> None:
        self.dice = dice
        self.cards = cards
        self.fresh = b""

    def faces(self, round: int, seat: int, roll: int, count: int) -> tuple[int, ...]:
        while len(self.fresh) < count:
            self.fresh += bytes([value % 6 for value in self.dice.randbytes(4) if value < 252])
        drawn, self.fresh = self.fresh[:count], self.fresh[count:]
        return tuple(drawn)

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(sorted(cards), key=lambda _: self.cards.random()))

    def below(self, purpose: str, bound: int) -> int:
        return int(self.cards.random() * bound)


class Recorder:
    def __init__(self, seed: str) -> None:
        self.rng = Random(seed)
        self.records: list[tuple[Any, int, int]] = []

    def __call__(self, observation: Any, choices: int) -> int:
        index = self.rng.randrange(choices)
        self.records.append((observation, choices, index))
        return index


def gangster_dice_shows(observation: Any, view: Any) -> list[tuple[Any, Any]]:
    seat, (begun, now, after), hand, locked, answers, past = observation
    _, number, rolls, symbols, opening, bonus = begun
    control, stashes, lying, sizes, fours, piles = now
    bids, winners = after[:2] if after else ((), (None, None, None, None))
    tokens = view.tokens
    return [
        (seat, view.seat), (number, view.round),
        ([tuple(map(tuple, roll)) for roll in rolls], [player.faces for player in view.players]),
        (list(symbols), [player.symbols for player in view.players]),
        (list(opening), [token.holder_before for token in tokens]),
        (bonus if opening[2] == seat else 0, view.streets_bonus), (list(control), [token.holder for token in tokens]),
        (list(stashes), [player.dice for player in view.players]),
        (((0, 0, 0), *lying), tuple([token.dice for token in tokens])),
        (list(sizes), [player.hand_size for player in view.players]),
        (list(fours), [player.specials for player in view.players]),
        (piles, (view.deck, view.discards, view.specials)),
        (bids, tuple([tuple([(bid.token, bid.favor, bid.score) for bid in made]) for made in view.bids])),
        (list(winners), [token.winner for token in tokens]), (hand, view.hand), (locked, view.locked),
        (dict(answers).get("exchange"), view.exchanged), (dict(answers).get("stake"), view.staked),
        (len(past), len({event.number for event in view.events if type(event).__name__ == "Round"}) - 1),
    ]  # fmt: skip


def gang_of_dice_shows(observation: Any, view: Any) -> list[tuple[Any, Any]]:
    seat, (_, number, deck, order, out, carried, bonus, last), pools, turns, best, rolls = observation

    def faces(counts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([face for face, count in enumerate(counts) for _ in range(count)])

    finished = [(turn.seat, turn.rolls, turn.total, turn.bust) for turn in view.turns if turn.final]
    return [
        (seat, view.seat), (number, view.round), (deck[-1], view.wire[1][2][-1]), (order, view.order),
        (tuple([ended or None for ended in out]), view.eliminated_in), (carried, view.carried), (bonus, view.bonus),
        (pools, view.pools),
        ([(who, tuple(map(faces, own)), total, bust) for who, own, total, bust in turns], finished),
        (best, (view.best_total, view.best_stake, -1 if view.best_seat is None else view.best_seat)),
        (faces(rolls[-1]) if rolls else (), view.dice),
        (
            None if last is None else (last[4], last[5]),
            view.last_round and (view.last_round.dice, view.last_round.eliminated),
        ),
    ]  # fmt: skip


SHOWS = {"gangster-dice": gangster_dice_shows, "gang-of-dice": gang_of_dice_shows}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", sorted(PLAY))
def test_the_hand_tuned_loop_plays_by_our_rules(name: str, seats: int) -> None:
    game = game_named(name)
    for number in range(GAMES):
        players = [Recorder(f"{number} {seat}") for seat in range(seats)]
        result = PLAY[name](seats, players, Random(f"dice {number}"), Random(f"cards {number}"))

        answers = [iter(player.records) for player in players]
        chance = StreamChance(Random(f"dice {number}"), Random(f"cards {number}"))
        state, _ = game.start(seats, game.options({}), chance)
        while questions := game.pending(state):
            decisions = {}
            for question in questions:
                observation, choices, index = next(answers[question.seat])
                legal = game.choices(state, question.seat)
                assert choices == len(legal)
                for by_hand, ours in SHOWS[name](observation, game.observe(state, question.seat)):
                    assert by_hand == ours
                decisions[question.seat] = legal[index]
            state, _ = game.resolve(state, decisions, chance)

        outcome = game.outcome(state)

        assert outcome is not None
        assert [list(rest) for rest in answers] == [[]] * seats
        assert (result.places, result.rounds) == (outcome.places, game.round(state))
        assert result.decisions == sum(len(player.records) for player in players)
