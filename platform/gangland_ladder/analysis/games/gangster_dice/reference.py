"""The reference for Gangster Dice: how it plays, how it values positions, and the account of a game.

The value of a state assumes that all hands are known (`analysis.account`); the value of a decision is based on the
deciding seat's knowledge. A round has these changes of value:

- The roll: luck is the difference between the value of the solved bids and its mean over all rolls of the position.
  The net of ways estimates that mean from many rolls, and the solved bids of a few rolls correct it without bias.
- The bids: each seat's decision is judged against the other seats' mixed strategies (`bids`). The others' actual bids
  and hands are hidden from the seat. The mean effect of hidden information is zero against reference players, because
  the mean cost of the reference's own mixing of unequal bids counts as its error.
- The effects: each answer is judged as if the reference gave all other answers.
- Drawn favors: luck is the difference from the mean over all possible draws.

The rest is error, mostly the difference between the mean over rolls and the net's value.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from gangland.chance import RandomChance
from gangland.game import IMMEDIATE_ENDS, Decision
from gangland.games import game_named
from gangland.gangster_dice.cards import SPECIAL, TOKEN_NAMES, TOKENS
from gangland.gangster_dice.legality import asked_kind, only_choice
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.state import EFFECTS, State
from gangland.replay import Step, StepAnswer
from gangland_ladder.analysis.account import MAX_OPTIONS, Cause, Change, Judged, Moment, Option, Values, scores_of
from gangland_ladder.analysis.games import Reference, version_of
from gangland_ladder.analysis.games.gangster_dice import effects
from gangland_ladder.analysis.games.gangster_dice.bids import (
    Bidding,
    Outcomes,
    hidden_favors,
    rerolled,
    sampled,
    special_draws,
    strengths_of,
    visible_of,
)
from gangland_ladder.analysis.games.gangster_dice.chance import REROLLS, after_draws, deck_of, rerolls_of
from gangland_ladder.analysis.games.gangster_dice.positions import (
    FAVOR_VALUES,
    NOBODY,
    TABLES,
    Array,
    Floats,
    Nets,
    Positions,
    Situation,
    lost_score,
    nets,
    position_of,
    scores_of_chances,
    scores_with,
    situation_of,
)
from gangland_ladder.analysis.games.gangster_dice.positions import strengths_of as between_strengths

# The reference.

GAME: Final = "gangster-dice"
VERSION: Final = 4
ROLLS: Final = 1_024  # Number of rolls for the mean that luck is measured against.
# By number of seats, the number of additional rolls whose bids are solved; below it, the iterations for each, which
# change its value by less than a point.
SOLVED_ROLLS: Final = {2: 14, 3: 26, 4: 10}
SOLVED_ITERATIONS: Final = 12
FULLY_SOLVED_ROUNDS: Final = 25  # Later rounds have fewer such rolls: they would take too long in very long games.
_MAX_PLAYS: Final = 4
_BEFORE_DRAWS: Final = (*EFFECTS, "swap")


def reference(seats: int, options: Options, seed: int) -> GangsterReference:
    """Return the reference for one game."""
    return GangsterReference(seats, options, seed, nets(seats))


def version() -> str:
    """Return the version of the reference without loading a table."""
    return version_of(VERSION, TABLES)


class Play(NamedTuple):
    """A round whose roll is known, with all results that do not depend on the hands."""

    situation: Situation
    began: Positions
    outcomes: Outcomes
    bidding: Bidding


class GangsterReference(Reference[State]):
    """The reference for one game; see `games.Reference`."""

    def __init__(self, seats: int, options: Options, seed: int, learned: Nets) -> None:
        self.version = version()
        self._game = game_named(GAME)
        self._seed = seed
        self._nets = learned
        self._worths = learned.worths
        self._out: frozenset[int] = frozenset()
        self._plays: OrderedDict[Any, Play] = OrderedDict()
        self.start: Values = (0.5,) * seats
        if options.characters == "chosen":
            table, _ = self._game.start(seats, options, RandomChance(Random(0)))
            self.start = tuple(self._start_values(table, frozenset(), self._average(table)).tolist())
        self._values: Floats = np.array(self.start)

    # The reference's play

    def decide(self, state: State, seat: int, rng: Random, defaulting: frozenset[int] = frozenset()) -> Decision:
        """Return the reference's decision; bids are drawn from its mixed strategy."""
        out = self._out | defaulting
        kind = asked_kind(state.questions, seat)
        if kind == "reroll":
            return self.options(state, seat, out)[0].decision
        if kind != "bids":
            values, dice = self._answers(state, seat, kind, out)
            best: Decision = max(values, key=lambda each: values[each][seat] - effects.PER_DIE * dice[each])
            return best
        bidding = self._play(state, out - {seat}).bidding
        side = bidding.sides[seat]
        mix = side.mix[side.type_of(state.hands[seat])]
        return rng.choices(side.actions.bids, mix.tolist())[0]

    def worth(self, state: State) -> Values:
        """Return the value of a state with open decisions."""
        return tuple(self._value(state).tolist())

    def before_round(self, state: State) -> Values:
        """Return the mean value over the rolls of a round, given the round's first state."""
        return tuple(self._mean_roll(state).tolist())

    def options(self, state: State, seat: int, defaulting: frozenset[int] = frozenset()) -> Sequence[Option]:
        """Return every legal decision, best first, based on the seat's knowledge."""
        return self._judged_options(state, seat, frozenset(defaulting))[0]

    def _judged_options(self, state: State, seat: int, out: frozenset[int]) -> tuple[list[Option], dict[Any, Floats]]:
        kind = asked_kind(state.questions, seat)
        odds: dict[Any, Mapping[str, float]] = {}
        if kind == "bids":
            judgment = self._play(state, out - {seat}).bidding.judgment(seat, state.hands[seat])
            values = dict(zip(judgment.bids, judgment.values, strict=True))
            for bids, wins in zip(judgment.bids, judgment.wins(), strict=True):
                odds[bids] = {f"win the {TOKEN_NAMES[token]}": float(wins[token]) for token, _ in bids}
        elif kind == "reroll":
            values, _ = self._rerolls(state, seat, out)
        else:
            values, _ = self._answers(state, seat, kind, out)
        options = [Option(decision, float(row[seat]), 0.0, odds.get(decision)) for decision, row in values.items()]
        return sorted(options, key=lambda option: -option.value), values

    def _play(self, state: State, out: frozenset[int]) -> Play:
        public = state.public
        on_table = (public.opening, public.stashes, public.dice, public.discards, public.specials)
        key = (*on_table, public.specials_held, public.hand_sizes, public.hand_limits, out)
        if key in self._plays:
            self._plays.move_to_end(key)
            return self._plays[key]
        situation = situation_of(state, out)
        began = position_of(state, public.opening.control)
        outcomes = Outcomes(self._nets, situation, began, public.specials)
        play = Play(situation, began, outcomes, Bidding(visible_of(state, situation), outcomes))
        self._plays[key] = play
        if len(self._plays) > _MAX_PLAYS:
            self._plays.popitem(last=False)
        return play

    # After the reveal

    def _answers(
        self, state: State, seat: int, kind: str, out: frozenset[int]
    ) -> tuple[dict[Any, Floats], dict[Any, int]]:
        """Return the values of all decisions, and the number of own dice after each."""
        decisions, situation = self._game.choices(state, seat), situation_of(state, out)
        rounds = [self._round(state, {seat: (kind, decision)}, seat) for decision in decisions]
        settled = effects.Settler(self._nets, situation).settle(_concatenated(rounds))
        worths = np.repeat(self._known_worths(state, seat)[None], len(decisions), axis=0)
        if kind in ("keep", "discard"):
            pool, hand = self._hidden_from(state, seat), np.bincount(state.hands[seat], minlength=FAVOR_VALUES)
            left, _ = self._draws_left(state)
            for row, decision in enumerate(decisions):
                if kind == "keep":
                    worths[row, seat] = self._worths.drawing(pool, left[seat]).of(_plus(hand, decision))
                elif decision is not None:
                    worths[row, seat] = self._after_discard(state, seat, _plus(hand, decision, -1))
        values, dice = settled.values_with(situation, worths), settled.positions.stashes[:, seat].sum(axis=1)
        return dict(zip(decisions, values, strict=True)), dict(zip(decisions, dice.tolist(), strict=True))

    def _round(self, state: State, new: Mapping[int, tuple[str, Any]], only: int | None = None) -> effects.Round:
        """Return, as a single row, the round of a state after the reveal, with the answers so far.

        Args:
            new: by seat, an additional answer: its kind and the decision.
            only: the only seat whose earlier answers are known; None if all answers are known.
        """
        kind = state.questions[0].kind if state.questions else "take"
        opening, public = state.opening, state.public
        if kind in EFFECTS:
            winners = np.array([[NOBODY if winner is None else winner for winner in public.winners]])
            round_ = effects.round_of(position_of(state, opening.control), state.setting.cast, winners)
            answers_by_seat = {
                seat: dict(answers) for seat, answers in enumerate(state.answers) if only in (None, seat)
            }
            for seat, (question, decision) in new.items():
                answers_by_seat[seat] = {**answers_by_seat.get(seat, {}), question: decision}
            return _with_answers(round_, answers_by_seat)
        nobody, swapper = np.full((1, len(TOKENS)), NOBODY), state.questions[0].seat if kind == "swap" else NOBODY
        round_ = replace(
            effects.round_of(position_of(state, opening.control), state.setting.cast, nobody),
            positions=position_of(state, public.control),
            swappers=np.array([[seat == swapper and seat not in new for seat in range(len(state.hands))]]),
            locked=np.array([state.locked]),
            take=np.array(
                [effects.DIE if kind == "take" else effects.OPEN]
            ),  # a seat that is asked for a die has not discarded a favor
        )
        for seat, (question, decision) in new.items():
            if question == "swap" and decision is not None:
                round_ = _with_swap(round_, seat, decision)
            elif question == "take":
                round_ = replace(round_, take=np.array([effects.NONE if decision is None else decision]))
            elif question == "discard":
                round_ = replace(round_, take=np.array([effects.DIE if decision is None else effects.DISCARD]))
        return round_

    def _after_discard(self, state: State, seat: int, hand: Array) -> Floats:
        """Return the worths of a hand that has lost a favor, apart from the mean change, which strengths include."""
        return self._worths.of(hand) - self._worths.of_discard(state.public.hand_limits[seat])

    def _draws_left(self, state: State) -> tuple[Array, Array]:
        """Return, for each seat, the number of favors from the deck and of +4s that it will still draw this round."""
        public, seats = state.public, range(len(state.hands))
        none = np.zeros(len(state.hands), dtype=np.int64)
        kind = state.questions[0].kind if state.questions else "take"
        counts = np.array([len(bids) for bids in public.bids]) if public.bids else none
        if kind in _BEFORE_DRAWS:
            specials = self._specials(state)
            return counts - specials, specials
        if kind != "keep":
            return none, none
        first, drawn = state.rare.drawing
        left = np.array([0 if seat < first else counts[seat] for seat in seats])
        left[first] -= len(drawn) + 1
        return left, none

    def _specials(self, state: State) -> Array:
        """Return by seat whether it draws a +4 after these bids (G27)."""
        public = state.public
        winners = np.array([[NOBODY if winner is None else winner for winner in public.winners]])
        situation = situation_of(state, frozenset())
        began = position_of(state, state.opening.control)
        return special_draws(situation, began, winners, public.specials)[0].astype(np.int64)

    def _worths_of_hands(self, state: State) -> Floats:
        """Return the worths of the hands after all draws of the round, by seat."""
        left, specials = self._draws_left(state)
        return self._after_draws(deck_of(state), self._with_pair(state), left, specials)

    def _after_draws(self, deck: Array, hands: Array, left: Array, specials: Array) -> Floats:
        """Return the mean worths of hands after draws from the deck and from the stack of +4s, by seat."""
        rows = zip(hands, left, specials, strict=True)
        return np.array(
            [self._worths.drawing(deck, count).of(_plus(hand, SPECIAL, more)) for hand, count, more in rows]
        )

    @staticmethod
    def _with_pair(state: State) -> Array:
        """Return the hands by seat and value; a seat that chooses one of two favors gets the higher one."""
        hands = _counts(state)
        if state.rare.pair:
            hands[state.rare.drawing[0], max(state.rare.pair)] += 1
        return hands

    @staticmethod
    def _hidden_from(state: State, seat: int) -> Array:
        """Return the number of favors of each value that a seat does not see."""
        hand = np.bincount(state.hands[seat], minlength=FAVOR_VALUES)
        hand[SPECIAL] -= state.public.specials_held[seat]
        return hidden_favors(state) - hand

    def _known_worths(self, state: State, seat: int) -> Floats:
        """Return the mean worths of each hand after all draws of the round, as `seat` knows the hands."""
        public, pool = state.public, self._hidden_from(state, seat)
        left, specials = self._draws_left(state)
        worths = []
        for other, hand in enumerate(self._with_pair(state)):
            known = hand if other == seat else _plus(np.zeros_like(hand), SPECIAL, public.specials_held[other])
            unknown = hand.sum() - known.sum() + left[other]
            worths.append(self._worths.drawing(pool, unknown).of(_plus(known, SPECIAL, specials[other])))
        return np.array(worths)

    # The roll

    def _mean_roll(self, state: State) -> Floats:
        """Return the mean value of this round's rolls."""
        play, hands, number = self._play(state, self._out), _counts(state), state.opening.round
        visible, deck = visible_of(state, play.situation), deck_of(state)
        rng = np.random.default_rng([self._seed, number])
        few = max(1, SOLVED_ROLLS[len(hands)] * FULLY_SOLVED_ROUNDS // max(number, FULLY_SOLVED_ROUNDS))
        rolls = sampled(self._nets.ways, play.outcomes, play.began, visible, hands, deck, rng, rolls=ROLLS, few=few)
        mean = rolls.mean
        for symbols, value in zip(rolls.symbols, rolls.values, strict=True):
            rolled = visible._replace(strengths=strengths_of(play.situation, play.began, symbols))
            solved, _ = Bidding(rolled, play.outcomes, SOLVED_ITERATIONS).played(state.hands, deck)
            mean = mean + (solved - value) / few
        return mean

    def _rerolls(self, state: State, seat: int, out: frozenset[int]) -> tuple[dict[Any, Floats], dict[Any, Floats]]:
        """Return the values of all decisions, based on the seat's knowledge, and with all hands known."""
        play, decisions = self._play(state, out), self._game.choices(state, seat)
        faces = [np.bincount(list(shown), minlength=len(TOKENS)) for shown in state.opening.faces[seat]]
        rerolls = rerolls_of(np.array([state.opening.symbols]), np.array([faces]), seat)
        visible = visible_of(state, play.situation)
        scores, known = rerolled(self._nets.ways, play.outcomes, play.began, rerolls, visible, seat, _counts(state))
        values = (scores[0] * rerolls.chances[:, :, None]).sum(axis=1)
        rows = [REROLLS.index(decision) for decision in decisions]
        return dict(zip(decisions, known[0, rows], strict=True)), dict(zip(decisions, values[rows], strict=True))

    # The account

    def follow(self, step: Step) -> Moment:
        """Return the changes and judged decisions of the next step; see `Reference.follow`."""
        ledger = Ledger(self._values)
        before: State | None = step.before
        after: State = step.after
        faulty = [answer for answer in step.answers if answer.by_default and answer.number is not None]
        out = (self._out | step.defaulting).union(answer.seat for answer in faulty)
        outcome = self._game.outcome(after, out)
        unasked = _passed_unasked(before, after)
        if before is None:
            self._set_up(after, out, ledger)
        elif outcome is not None and outcome.reason in IMMEDIATE_ENDS:
            self._add_faults(step, faulty, ledger)
        else:
            self._decide(step, faulty, out, ledger, unasked=unasked)
        self._out = out
        if outcome is not None:
            ledger.set_values(Cause.LUCK if unasked else Cause.ERROR, None, np.array(scores_of(outcome)))
        elif unasked:
            ledger.set_values(Cause.LUCK, None, self._value(after))
        elif before is None or after.opening.round != before.opening.round:
            self._roll(after, ledger, rerolled=False)
        elif before.questions[0].kind == "reroll":
            self._roll(after, ledger, rerolled=True)
        self._values = ledger.values
        return ledger.moment()

    def _value(self, state: State) -> Floats:
        kind = state.questions[0].kind
        if kind == "bids":
            return self._play(state, self._out).bidding.played(state.hands, deck_of(state))[0]
        if kind == "reroll":
            seat = state.questions[0].seat
            known, values = self._rerolls(state, seat, self._out)
            return values[max(known, key=lambda decision: known[decision][seat])]
        situation = situation_of(state, self._out)
        settled = effects.Settler(self._nets, situation).settle(self._round(state, {}))
        by_seat: Floats = settled.values_with(situation, self._worths_of_hands(state))[0]
        return by_seat

    def _set_up(self, after: State, out: frozenset[int], ledger: Ledger) -> None:
        for number, seat in enumerate(sorted(out)):
            failed = frozenset(sorted(out)[: number + 1])
            ledger.set_values(Cause.DECISION, seat, _values_after_faults(ledger.values, failed))
        if len(out) < len(self.start) - 1:
            ledger.set_values(Cause.LUCK, None, self._start_values(after, out, self._average(after)))
            ledger.set_values(Cause.LUCK, None, self._start_values(after, out, self._worths.of(_counts(after))))

    def _average(self, state: State) -> Floats:
        """Return the mean worths of random hands, by seat."""
        return np.array([self._worths.of_size(limit) for limit in state.public.hand_limits])

    def _start_values(self, state: State, out: frozenset[int], worths: Floats) -> Floats:
        situation = situation_of(state, out)
        before = situation._replace(rounds_left=situation.rounds_left + 1)
        strengths = between_strengths(self._nets.between, before, position_of(state, state.opening.control))
        return scores_with(before, strengths, worths)[0]

    def _roll(self, state: State, ledger: Ledger, *, rerolled: bool) -> None:
        if not rerolled:
            ledger.set_values(Cause.ERROR, None, self._mean_roll(state))
        ledger.set_values(Cause.LUCK, None, self._value(state))

    def _add_faults(self, step: Step, faulty: Sequence[StepAnswer], ledger: Ledger) -> None:
        out = set(self._out | step.defaulting)
        for answer in faulty:
            options, _ = self._judged_options(step.before, answer.seat, frozenset(out))
            out.add(answer.seat)
            amounts = _values_after_faults(ledger.values, frozenset(out)) - ledger.values
            best = options[0]
            played = Option(answer.decision, best.value + float(amounts[answer.seat]))
            ledger.judge(_judged(step, answer, played, options, FAULT), amounts)

    def _judge(self, step: Step, answer: StepAnswer, ledger: Ledger) -> Floats:
        """Record a decision; return each seat's mean change that the reference's own decision would have caused."""
        state, seat = step.before, answer.seat
        options, values = self._judged_options(state, seat, self._out | step.defaulting)
        best = options[0]
        played = next(option for option in options if option.decision == answer.decision)
        wins = None
        if answer.kind == "bids" and best.odds is not None:
            wins = [best.odds.get(f"win the {TOKEN_NAMES[token]}", 0.0) for token in TOKENS]
        better = best
        if answer.kind == "bids":  # the theme is the tokens or the favors on them, whichever cost more
            alike = next(option for option in options if _tokens(option.decision) == _tokens(played.decision))
            if alike.value - played.value > best.value - alike.value:
                better = alike
        theme = theme_of(answer.kind, played.decision, better.decision, wins)
        judged = _judged(step, answer, played, options, theme)
        if answer.kind != "bids":
            ledger.judge(judged, values[played.decision] - values[best.decision])
            return np.zeros(len(self.start))
        # The effect of a bid on the other seats is measured against the reference's mix, because bids that are equal
        # for the seat itself may differ for the others.
        side = self._play(state, self._out | step.defaulting).bidding.sides[seat]
        mix = side.mix[side.type_of(state.hands[seat])]
        shares = [(values[bids], share) for bids, share in zip(side.actions.bids, mix, strict=True) if share > 0]
        mean = np.sum([value * share for value, share in shares], axis=0)
        lost = max(0.0, best.value - float(mean[seat]))
        mixing_cost = np.full(len(mean), lost / (len(mean) - 1))
        mixing_cost[seat] = -lost
        amounts = values[played.decision] - mean + mixing_cost
        amounts[seat] = -judged.cost
        ledger.judge(judged, amounts)
        return mixing_cost

    def _decide(
        self, step: Step, faulty: Sequence[StepAnswer], out: frozenset[int], ledger: Ledger, *, unasked: bool
    ) -> None:
        before, after, kind = step.before, step.after, step.before.questions[0].kind
        self._out |= step.defaulting  # includes faults in earlier plies of this stage, which no step has reported yet
        old = self._out
        ideal = np.zeros(len(self.start))
        for answer in step.answers:
            if not answer.by_default:
                ideal += self._judge(step, answer, ledger)
        ledger.add(Cause.ERROR, None, -ideal)
        self._add_faults(step, faulty, ledger)
        if kind == "reroll":
            return
        deck = deck_of(before)
        if kind == "bids":
            play = self._play(before, old)
            bids = self._bids_made(step)
            way = play.bidding.way(bids)
            settled = play.outcomes.settled.rows(np.array([way]))
            special = play.outcomes.special[way].astype(np.int64)
            left = np.array(list(map(len, bids))) - special
            held = _counts(before)
            for seat, pairs in enumerate(bids):
                for _, favor in pairs:
                    held[seat, favor] -= 1
            worths = self._after_draws(deck, held, left, special)
        else:
            answers = {answer.seat: (answer.kind, answer.decision) for answer in step.answers}
            round_ = self._round(before, answers)
            settled = effects.Settler(self._nets, situation_of(before, old)).settle(round_)
            left, special = self._draws_left(before)
            held = self._with_pair(before)
            worths = self._after_draws(deck, held, left, special)
            for seat, (question, decision) in answers.items():
                if question == "keep":
                    held[seat] = _plus(_counts(before)[seat], decision)
                    worths[seat] = self._worths.drawing(deck, left[seat]).of(held[seat])
                elif question == "discard" and decision is not None:
                    worths[seat] = self._after_discard(before, seat, _plus(held[seat], decision, -1))
        situation = situation_of(after, old)._replace(rounds_left=situation_of(before, old).rounds_left)
        ledger.set_values(Cause.HIDDEN, None, settled.values_with(situation, worths)[0])
        if out != old:
            settled = self._resettled(step, out, settled)
            situation = situation._replace(out=out)
            ledger.set_values(Cause.ERROR, None, settled.values_with(situation, worths)[0])
        if unasked:
            return
        next_kind = after.questions[0].kind if after.questions else ""
        same_round = after.opening.round == before.opening.round
        if same_round and next_kind in _BEFORE_DRAWS:
            return
        if (
            kind in ("bids", *_BEFORE_DRAWS)
            and not (same_round and next_kind == "keep")
            and not before.setting.draws_pairs
        ):
            hands, chances = after_draws(before, left, special, held, reveals=kind == "bids", bids=after)
            mean = chances @ effects.Settled.values_with(
                settled.rows(np.zeros(len(chances), dtype=np.int64)), situation, self._worths.of(hands)
            )
            ledger.set_values(Cause.ERROR, None, mean)
        if same_round:
            worths = self._worths_of_hands(after)
        else:
            worths = self._worths.of(_counts(after))
            if settled.discarded[0]:  # the favor is no longer in the hand
                seat = before.questions[0].seat
                worths[seat] = self._after_discard(before, seat, _counts(after)[seat])
        ledger.set_values(Cause.LUCK, None, settled.values_with(situation, worths)[0])

    def _resettled(self, step: Step, out: frozenset[int], settled: effects.Settled) -> effects.Settled:
        situation = situation_of(step.before, out)
        return effects.Settler(self._nets, situation).judged(settled.positions, settled.over, settled.discarded)

    def _bids_made(self, step: Step) -> list[Any]:
        decisions = {answer.seat: answer.decision for answer in step.answers}
        seats = range(len(self.start))
        return [decisions[seat] if seat in decisions else only_choice(step.before, seat, "bids") for seat in seats]


def _passed_unasked(before: State | None, after: State) -> bool:
    """Return whether the bids were made without questions because each seat had only one choice (G41)."""
    kind, number = after.questions[0].kind if after.questions else "", after.opening.round
    if before is None:
        return number > 1 or kind not in ("bids", "reroll")
    if before.questions[0].kind == "reroll":
        return number > before.opening.round or kind != "bids"
    later = number - before.opening.round
    return later > 1 or (later == 1 and kind not in ("bids", "reroll"))


def _judged(step: Step, answer: StepAnswer, played: Option, options: Sequence[Option], theme: str) -> Judged:
    number, best, best_options = step.before.opening.round, options[0], tuple(options[:MAX_OPTIONS])
    return Judged(number, answer.seat, answer.number, answer.kind, played, best, best_options, len(options), theme)


def _tokens(bids: Any) -> list[int]:
    return sorted(token for token, _ in bids)


def _plus(hand: Array, favor: Any, count: int = 1) -> Array:
    """Return a hand with more favors of one value."""
    return hand + count * np.eye(FAVOR_VALUES, dtype=np.int64)[favor]


def _counts(state: State) -> Array:
    return np.array([np.bincount(hand, minlength=FAVOR_VALUES) for hand in state.hands])


def _values_after_faults(values: Floats, out: frozenset[int]) -> Floats:
    seats, faulty = len(values), len(out)
    if faulty == seats:
        return np.full(seats, 0.5)
    before = faulty - 1
    lost = lost_score(seats, seats - before)
    chances = np.clip((values - lost) / (1 - lost), 0.0, None)
    chances[sorted(out)] = 0.0
    total = chances.sum()
    faultless = np.array([seat not in out for seat in range(seats)])
    chances = chances / total if total > 0 else faultless / faultless.sum()
    return scores_of_chances(chances, out)


def _with_answers(round_: effects.Round, answers_by_seat: Mapping[int, Mapping[str, Any]]) -> effects.Round:
    for answers in answers_by_seat.values():
        for kind, decision in answers.items():
            if kind == "exchange":
                dice = np.array(decision)
                round_ = replace(round_, exchanged=np.array([True]), given=dice[None, 0], taken=dice[None, 1])
            elif kind == "stake":
                round_ = replace(round_, staked=np.array([effects.NONE if decision is None else decision]))
            elif kind == "dump" and isinstance(decision, tuple):
                round_ = replace(round_, placed=np.array([True]), dumped=np.array([decision]))
            elif kind == "dump":
                round_ = replace(round_, dumped_color=np.array([effects.NONE if decision is None else decision]))
    return round_


def _with_swap(round_: effects.Round, seat: int, decision: Any) -> effects.Round:
    old, new = decision
    stashes, speakeasy = round_.positions.stashes.copy(), round_.positions.speakeasy.copy()
    stashes[0, seat, old] -= 1
    stashes[0, seat, new] += 1
    speakeasy[0, old] += 1
    speakeasy[0, new] -= 1
    return replace(round_, positions=replace(round_.positions, stashes=stashes, speakeasy=speakeasy))


def _concatenated(rounds: Sequence[effects.Round]) -> effects.Round:
    parts = {
        name: np.concatenate([getattr(row, name) for row in rounds])
        for name in effects.Round.__dataclass_fields__
        if name != "positions"
    }
    positions = Positions(
        *[np.concatenate([getattr(row.positions, name) for row in rounds]) for name in Positions.__dataclass_fields__]
    )
    return effects.Round(positions, **parts)


# The ledger: the changes in one step, which add up to the change in the values within rounding errors.


class Ledger:
    """The values by seat, and the changes in them during a step."""

    def __init__(self, values: Floats) -> None:
        self.values = values
        self._changes: list[Change] = []
        self._judged: list[Judged] = []

    def set_values(self, cause: Cause, seat: int | None, values: Floats) -> None:
        """Change the values to these values, and record the difference."""
        self.add(cause, seat, values - self.values)
        self.values = np.array(values)

    def add(self, cause: Cause, seat: int | None, amounts: Floats) -> None:
        """Add amounts to the values; a change of zero is not recorded."""
        self.values = self.values + amounts
        if np.any(amounts):
            self._changes.append(Change(cause, seat, tuple(map(float, amounts))))

    def judge(self, judged: Judged, amounts: Floats) -> None:
        """Record a decision and the change that it caused."""
        self._judged.append(judged)
        self.add(Cause.DECISION, judged.seat, amounts)

    def moment(self) -> Moment:
        """Return the step's values, changes and judged decisions."""
        judged: Sequence[Judged] = sorted(self._judged, key=lambda decision: decision.seat)
        return Moment(tuple(map(float, self.values)), tuple(self._changes), tuple(judged))


# Themes: the kind of mistake in a decision, as a phrase that follows "by" (`account.Judged.theme`).

FAULT: Final = "being at fault"
_WRONG_CHOICES: Final = {
    "stake": "staking the wrong color",
    "dump": "dumping the wrong color",
    "take": "taking the wrong color",
    "swap": "swapping the wrong dice",
    "reroll": "rolling the wrong die again",
    "keep": "keeping the wrong favor",
    "discard": "discarding the wrong favor",
}
_WRONGLY_DECLINED: Final = {
    "stake": "staking no die where one was worth it",
    "take": "declining a die that was worth taking",
    "swap": "swapping no die where it was worth it",
    "reroll": "rolling no die again where it was worth it",
    "discard": "taking a die where a favor could go",
}
_WRONGLY_DONE: Final = {
    "stake": "staking a die where none was better",
    "take": "taking a die where it could be declined",
    "swap": "swapping a die where none was better",
    "reroll": "rolling a die again where none was better",
    "discard": "discarding a favor where a die could be taken",
}


def theme_of(kind: str, played: Decision, best: Decision, wins: Sequence[float] | None = None) -> str:
    """Return the theme of a decision when another decision was best."""
    if kind == "bids":
        return _bids_theme(played, best, wins)
    if kind == "exchange":
        nothing = ((0,) * 3, (0,) * 3)
        if played == nothing:
            return "exchanging no dice where it was worth it"
        return "exchanging dice where none was better" if best == nothing else "exchanging the wrong dice"
    if played is None and kind in _WRONGLY_DECLINED:
        return _WRONGLY_DECLINED[kind]
    if best is None and kind in _WRONGLY_DONE:
        return _WRONGLY_DONE[kind]
    return _WRONG_CHOICES[kind]


def _bids_theme(played: Any, best: Any, wins: Sequence[float] | None) -> str:
    bid_on, better = [token for token, _ in played], [token for token, _ in best]
    missed = [token for token in better if token not in bid_on]
    wrong = [token for token in bid_on if token not in better]
    if missed and wrong:
        likeliest = max(missed, key=lambda token: wins[token]) if wins else missed[0]
        return f"bidding on the {TOKEN_NAMES[wrong[0]]} instead of the {TOKEN_NAMES[likeliest]}"
    spent, enough = sum(favor for _, favor in played), sum(favor for _, favor in best)
    if spent > enough:
        return "playing a higher favor than was needed"
    if spent < enough:
        return "playing a lower favor than was needed"
    return "playing favors on the wrong bids"


THEMES: Final = (
    *(
        f"bidding on the {TOKEN_NAMES[wrong]} instead of the {TOKEN_NAMES[better]}"
        for wrong in TOKENS
        for better in TOKENS
        if wrong != better
    ),
    "playing a higher favor than was needed",
    "playing a lower favor than was needed",
    "playing favors on the wrong bids",
    "exchanging no dice where it was worth it",
    "exchanging dice where none was better",
    "exchanging the wrong dice",
    *_WRONG_CHOICES.values(),
    *_WRONGLY_DECLINED.values(),
    *_WRONGLY_DONE.values(),
    FAULT,
)
