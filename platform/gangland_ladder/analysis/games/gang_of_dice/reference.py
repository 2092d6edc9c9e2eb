"""The reference for Gang of Dice: every seat maximizes its score, with exact solutions or learned values.

A turn is solved exactly for up to `turns.MAX_DICE` dice. Seats that play later in a round follow the best of a few
plans (`turns.Plans`). A network (`positions.Network`) estimates the value after a round; after the last round, it
follows from the rules. Only the coming warnings are hidden, and they are hidden from all seats. Nothing is sampled.

If a position has two different values, the difference counts as the reference's own error. This happens when the
network's value after a warning differs from the value of the solved round, and when a plan differs from the exact
solution of the turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Final

import numpy as np

from gangland.game import IMMEDIATE_ENDS, Decision, Event
from gangland.gang_of_dice.counts import Counts, counts_of, dice_of
from gangland.gang_of_dice.rules import GAME
from gangland.gang_of_dice.state import POOLS, Options, State
from gangland.gang_of_dice.warnings import NUMBER_OF, WARNINGS
from gangland.replay import Step, StepAnswer
from gangland_ladder.analysis.account import MAX_OPTIONS, Cause, Change, Judged, Moment, Option, Values, scores_of
from gangland_ladder.analysis.games import Reference, version_of
from gangland_ladder.analysis.games.gang_of_dice import rounds
from gangland_ladder.analysis.games.gang_of_dice.positions import Setting
from gangland_ladder.analysis.games.gang_of_dice.turns import Floats

METHODS: Final = 3
ODDS: Final = {"bust": rounds.BUST, "lead": rounds.LEAD, "win the round": rounds.WIN}
FAULT: Final = "failing: an error, a time limit or an illegal decision"  # The theme of a missing decision.


def reference(seats: int, options: Options, _seed: int) -> GangReference:
    """Return the reference for one game; it does not depend on the seed, as nothing is sampled."""
    return GangReference(seats, options, rounds.tables())


def version() -> str:
    """Return the version of the reference, without loading a table."""
    return version_of(METHODS, rounds.FILE)


class GangReference(Reference[State]):
    """The reference for one game; see the module's docstring."""

    def __init__(self, seats: int, options: Options, learned: rounds.Tables) -> None:
        self.version = version()
        self.start = (0.5,) * seats
        self._tables = learned
        self._setting = Setting(options, learned.networks, (0,) * seats, frozenset(), ())
        self._pools = [POOLS[seats]] * seats
        self._values: Values = self.start
        self._changes: list[Change] = []
        self._judged: list[Judged] = []
        self._turn: rounds.Choices | None = None
        self._stake = 0
        self._rolls = 0
        self._shown: Counts = counts_of(())
        self._latest: tuple[object, rounds.Choices] | None = None

    # A game, step by step ------------------------------------------------------------------------

    def follow(self, step: Step) -> Moment:
        """Return the changes and judged decisions of the next step; see `Reference.follow`."""
        self._changes, self._judged = [], []
        if step.before is None and step.defaulting:
            self._begin_at_fault(step.defaulting)
        at_fault = self._setting.at_fault | {answer.seat for answer in step.answers if answer.by_default}
        outcome = GAME.outcome(step.after, at_fault)
        scores = None if outcome is None else scores_of(outcome)
        over = GAME.outcome(step.before or step.after, at_fault)  # the outcome before the roll
        failed = scores if over is not None and over.reason in IMMEDIATE_ENDS else None
        for answer in step.answers:
            self._answer(step.round, answer, failed)
        if failed is None:
            for event in step.events:
                self._apply_event(event)
        if scores is not None:
            self._set_values(Cause.ERROR, None, scores)
        return Moment(self._values, tuple(self._changes), tuple(self._judged))

    def _set_values(self, cause: Cause, seat: int | None, values: Values) -> None:
        amounts = tuple([after - before for after, before in zip(values, self._values, strict=True)])
        if any(amounts):
            self._changes.append(Change(cause, seat, amounts))
        self._values = values

    def _seat_values(self, channels: Floats) -> Values:
        return tuple(map(share, channels[1 : 1 + len(self.start)]))

    def _begin_at_fault(self, at_fault: frozenset[int]) -> None:
        """Move the seats that fail before the game, one after the other, to the last place, which they share."""
        self._setting = replace(self._setting, at_fault=at_fault)
        seats = len(self.start)
        for failed, seat in enumerate(sorted(at_fault), 1):
            last = (failed - 1) / 2 / (seats - 1)
            rest = (0.5 * seats - last * failed) / (seats - failed) if failed < seats else 0.0
            out = sorted(at_fault)[:failed]
            self._set_values(Cause.DECISION, seat, tuple(last if other in out else rest for other in range(seats)))

    def _apply_event(self, event: Event) -> None:
        kind = event[0]
        if kind == "round":
            self._begin_round(*event[1:])
        elif kind == "rolled":
            self._roll(event[1], event[2], counts_of(event[5]))
        elif kind in ("stood", "busted"):
            self._end_turn(event[2] if kind == "stood" else None)
        elif kind == "won":
            self._pools[event[1]] += event[3]
        elif kind == "eliminated":
            number = self._current_turn.number
            out = (number if seat in event[1] else gone for seat, gone in enumerate(self._setting.out))
            self._setting = replace(self._setting, out=tuple(out))

    def _begin_round(self, number: int, card: str, order: tuple[int, ...], carried: int, bonus: int) -> None:
        """Turn up the warning; it counts as luck of the table, as does the draw of the first player in round 1."""
        dice, turned_up = tuple(self._pools[seat] for seat in order), NUMBER_OF[card]
        values = self._setting.values(number, order, np.array([dice]), np.array([carried]), turned_up)[0]
        self._set_values(Cause.LUCK, None, tuple(values.tolist()))
        self._setting = replace(self._setting, drawn=(*self._setting.drawn, turned_up))
        self._begin_turn(rounds.Choices(self._tables, self._setting, number, order, dice, carried + bonus))

    def _begin_turn(self, turn: rounds.Choices) -> None:
        # The exact value is slightly higher than the value from the network or the plan.
        self._turn, self._stake, self._rolls = turn, 0, 0
        self._set_values(Cause.ERROR, None, self._seat_values(turn.start(turn.best_stake)))

    @property
    def _current_turn(self) -> rounds.Choices:
        if self._turn is None:
            raise ValueError("expected the setup of the game as the first step")
        return self._turn

    def _roll(self, seat: int, number: int, rolled: Counts) -> None:
        if number == 1:
            if not self._stake:
                self._set_stake(sum(rolled))  # the last die must be staked, so the seat is not asked (G41)
            self._pools[seat] -= self._stake
        self._rolls, self._shown = number, rolled
        turn = self._current_turn.turn(self._stake)
        if turn is not None:
            self._set_values(Cause.LUCK, seat, self._seat_values(turn.after(number, rolled)))

    def _set_stake(self, stake: int) -> None:
        self._stake = stake
        self._set_values(Cause.DECISION, self._current_turn.seat, self._seat_values(self._current_turn.start(stake)))

    def _end_turn(self, total: int | None) -> None:
        # The value differs from the stake's value if the stake's rolls were not solved.
        turn = self._current_turn
        channels = turn.final_values(self._stake)[-1 if total is None else total]
        self._set_values(Cause.ERROR, None, self._seat_values(channels))
        upcoming = turn.after(self._stake, total)
        if upcoming is not None:
            self._begin_turn(upcoming)

    # Decisions -----------------------------------------------------------------------------------

    def _answer(self, number: int, answer: StepAnswer, scores: Values | None) -> None:
        turn, seat, before = self._current_turn, answer.seat, self._values[answer.seat]
        is_new_fault = answer.by_default and seat not in self._setting.at_fault
        if is_new_fault:
            self._setting = replace(self._setting, at_fault=self._setting.at_fault | {seat})
            self._turn = turn = replace(turn, setting=self._setting)
        if isinstance(answer.decision, int):
            self._stake = answer.decision
        if scores is not None:
            after = scores
        else:
            channels = self._channels(turn, answer.decision)
            if channels is None and is_new_fault:
                channels = turn.final_values(self._stake)[final_row(turn, self._shown)]  # the roll counts (D31)
            if channels is None:
                return  # too many dice
            after = self._seat_values(channels)
        if after[seat] > before:
            self._set_values(Cause.ERROR, None, after)  # better than every option in the solution
        self._set_values(Cause.DECISION, seat, after)
        if is_new_fault:
            played, best = Option(answer.decision, after[seat]), Option(answer.decision, max(before, after[seat]))
            self._judged.append(Judged(number, seat, answer.number, answer.kind, played, best, (best,), 1, FAULT))
        elif not answer.by_default:
            self._judged.append(self._judge(number, answer))

    def _channels(self, turn: rounds.Choices, decision: Decision) -> Floats | None:
        if isinstance(decision, int):
            return turn.start(decision)
        solved = turn.turn(self._stake)
        return None if solved is None else solved.keep(self._rolls, kept_dice(self._shown, decision or ()))

    def _judge(self, number: int, answer: StepAnswer) -> Judged:
        turn, decision = self._current_turn, answer.decision
        if isinstance(decision, int):
            others = [Option(stake, share(value)) for stake, value in turn.own_values.items()]
            option_by_decision = {
                option.decision: option for option in (*others, *stake_options(turn, {turn.best_stake, decision}))
            }
            options, legal = _best_first(option_by_decision.values()), turn.pool
        else:
            options = reroll_options(turn, self._stake, self._rolls, self._shown)
            legal = len(options)
        played = next(option for option in options if option.decision == decision)
        best = played if played.value >= options[0].value else options[0]
        theme = f"{_mistake(decision, best.decision)} on {WARNINGS[turn.card].colour} cards"
        listed = options[:MAX_OPTIONS]
        return Judged(number, answer.seat, answer.number, answer.kind, played, best, listed, legal, theme)

    def options(self, state: State, seat: int, defaulting: frozenset[int] = frozenset()) -> Sequence[Option]:
        """Return every legal decision, best first; no rerolls if there are too many dice to solve."""
        turn = self._turn_in(state, defaulting)
        if not state.rolls:
            return stake_options(turn, range(1, turn.pool + 1))
        return reroll_options(turn, sum(state.rolls[0]), len(state.rolls), state.rolls[-1])

    def decide(self, state: State, seat: int, rng: Random, defaulting: frozenset[int] = frozenset()) -> Decision:
        """Return the best decision; with too many dice to solve, reroll all dice while they trigger the warning."""
        turn = self._turn_in(state, defaulting)
        if not state.rolls:
            return turn.best_stake
        rolled = state.rolls[-1]
        options = reroll_options(turn, sum(rolled), len(state.rolls), rolled)
        if options:
            return options[0].decision
        return dice_of(rolled) if WARNINGS[turn.card].triggered_by(dice_of(rolled)) else ()

    def worth(self, state: State) -> Values:
        """Return the value of a state with an open decision."""
        turn = self._turn_in(state, frozenset())
        if not state.rolls:
            return self._seat_values(turn.start(turn.best_stake))
        rolled = state.rolls[-1]
        solved = turn.turn(sum(rolled))
        return self._seat_values(turn.start(sum(rolled)) if solved is None else solved.after(len(state.rolls), rolled))

    def before_round(self, state: State) -> Values:
        """Return the network's value of a round's first state, before the warning is turned up."""
        now = state.round
        drawn = now.deck[: now.number - 1]
        setting = Setting(now.options, self._tables.networks, now.out, frozenset(), drawn)
        dice = [state.pools[seat] for seat in now.order]
        return tuple(setting.values(now.number, now.order, np.array([dice]), np.array([now.carried]))[0].tolist())

    def _turn_in(self, state: State, defaulting: frozenset[int]) -> rounds.Choices:
        key = (state.round, len(state.turns), defaulting)
        if self._latest is None or self._latest[0] != key:
            drawn = state.round.deck[: state.round.number]
            setting = Setting(state.round.options, self._tables.networks, state.round.out, defaulting, drawn)
            self._latest = (key, rounds.choices_in(self._tables, setting, state))
        return self._latest[1]


def stake_options(turn: rounds.Choices, stakes: Iterable[int]) -> tuple[Option, ...]:
    """Return stakes as options, best first."""
    return _ranked_options((stake, turn.start(stake)) for stake in stakes)


def reroll_options(turn: rounds.Choices, stake: int, rolls: int, rolled: Counts) -> tuple[Option, ...]:
    """Return every reroll as an option, best first; no options if there are too many dice to solve."""
    solved = turn.turn(stake)
    if solved is None:
        return ()
    channels_by_faces = []
    for gangsters, ones, twos, threes, fours, fives in product(*(range(count + 1) for count in rolled)):
        faces = dice_of((gangsters, ones, twos, threes, fours, fives))
        channels_by_faces.append((faces, solved.keep(rolls, kept_dice(rolled, faces))))
    return _ranked_options(channels_by_faces)


def final_row(turn: rounds.Choices, rolled: Counts) -> int:
    """Return the row of `Choices.final_values` for the final dice of a turn."""
    dice = dice_of(rolled)
    return -1 if WARNINGS[turn.card].triggered_by(dice) else sum(dice)


def kept_dice(rolled: Counts, rerolled: Sequence[int]) -> Counts:
    """Return the dice that remain when some are rerolled."""
    a, b, c, d, e, f = (count - removed for count, removed in zip(rolled, counts_of(rerolled), strict=True))
    return a, b, c, d, e, f


def _ranked_options(decisions: Iterable[tuple[Decision, Floats]]) -> tuple[Option, ...]:
    options = [
        Option(decision, share(channels[0]), 0.0, {name: share(channels[at]) for name, at in ODDS.items()})
        for decision, channels in decisions
    ]
    return _best_first(options)


def share(value: float) -> float:
    """Return a mean of numbers from 0 to 1, clipped to that range in case of a rounding error."""
    return min(1.0, max(0.0, float(value)))


def _best_first(options: Iterable[Option]) -> tuple[Option, ...]:
    """Return the options, best first; of equal options, the one with fewer dice comes first."""
    return tuple(sorted(options, key=lambda option: (-round(option.value, 9), _dice(option.decision))))


def _dice(decision: Decision) -> int:
    return decision if isinstance(decision, int) else len(decision or ())


def _mistake(played: Decision, best: Decision) -> str:
    if isinstance(played, int):
        return f"staking too {'many' if played > _dice(best) else 'few'} dice"
    if not played:
        return "stopping too early"
    return "rolling the wrong dice again" if best else "rolling again instead of stopping"
