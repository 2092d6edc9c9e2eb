"""A game in the hands of hypothesis: seats answer in any order, by default, against the rules, or fail."""

from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.contract import checks, games, run, spoil
from tests.contract.players import Scripted

from gangland import chance, game, match, replay


def going(machine: Any) -> bool:
    return machine.outcome is None


class GameMachine(RuleBasedStateMachine):
    """One game as far as hypothesis plays it; `said` are the answers by seat, as a replay records them."""

    name: str

    def __init__(self) -> None:
        super().__init__()
        self.adapter = games.adapter_of(self.name)
        self.outcome: game.Outcome | None = None
        self.defaulting: frozenset[int] = frozenset()
        self.given: dict[int, game.Decision] = {}
        self.said: dict[int, list[Any]] = {}

    @initialize(data=st.data(), number=games.any_number)
    def begin(self, data: st.DataObject, number: int) -> None:
        self.table: run.Table = data.draw(games.any_table(self.name))
        self.number, self.rng = number, Random(number)
        self.run = run.Run(self.table, chance.SeededChance(run.seed_of(number)))
        self.said = {seat: [] for seat in self.run.seats}

    def waiting(self) -> list[game.Question]:
        return [question for question in self.run.pending if question.seat not in self.given]

    def answer(self, seat: int, decision: game.Decision, recorded: Any) -> None:
        self.given[seat] = decision
        self.said[seat].append(recorded)
        if not self.waiting():
            self.go_on()

    def go_on(self) -> None:
        before = checks.everything_shown(self.run.game, self.run.state, self.run.seats)
        self.run.resolve(self.given)
        assert checks.everything_shown(self.run.game, self.run.states[-2], self.run.seats) == before
        self.outcome = self.run.outcome(self.defaulting)
        self.given = {}
        if self.outcome is None:
            requested = [question.seat for question in self.run.pending if question.seat in self.defaulting]
            self.given = {seat: self.run.game.default(self.run.state, seat) for seat in requested}
            if not self.waiting():
                self.go_on()

    @precondition(going)
    @rule(data=st.data())
    def a_seat_answers(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.waiting())).seat
        choices = self.run.game.choices(self.run.state, seat)
        decision = choices[data.draw(st.integers(0, len(choices) - 1))]
        assert self.run.game.check(self.run.state, seat, spoil.thawed(decision)) == decision
        self.answer(seat, decision, decision)

    @precondition(going)
    @rule(plies=st.integers(1, 40))
    def all_seats_answer_for_a_while(self, plies: int) -> None:
        for _ in range(plies):
            for question in self.waiting() if self.outcome is None else ():
                decision = run.a_choice(self.run.game.choices(self.run.state, question.seat), self.rng, True)
                self.answer(question.seat, decision, decision)

    @precondition(going)
    @rule(data=st.data())
    def a_seat_answers_as_it_would_by_default(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.waiting())).seat
        decision = self.run.game.default(self.run.state, seat)
        self.answer(seat, decision, decision)

    @precondition(going)
    @rule(data=st.data())
    def a_seat_answers_against_the_rules_and_is_still_asked(self, data: st.DataObject) -> None:
        question = data.draw(st.sampled_from(self.waiting()))
        choices = self.run.game.choices(self.run.state, question.seat)
        near = spoil.spoiled(spoil.thawed(choices[self.rng.randrange(len(choices))]), self.rng)
        meant = checks.canonical(near, question.kind in self.adapter.unordered)
        if meant is NotImplemented or meant not in choices:
            checks.check_refused(self.run.game, self.run.state, question.seat, near)
        assert question in self.waiting()

    @precondition(going)
    @rule(data=st.data())
    def a_seat_fails_and_is_played_by_default(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.waiting())).seat
        self.defaulting |= {seat}
        self.answer(seat, self.run.game.default(self.run.state, seat), replay.FAULT)

    @rule(data=st.data())
    def a_seat_looks(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.run.seats))
        checks.check_view(self.run.game.observe(self.run.state, seat, self.defaulting))

    @invariant()
    def all_dice_and_cards_are_there(self) -> None:
        self.adapter.check_conserved(self.run)

    @invariant()
    def every_question_can_be_answered(self) -> None:
        for question in self.waiting() if self.outcome is None else ():
            checks.check_choices(self.run.game, self.run.state, question.seat, self.rng)

    @invariant()
    def a_game_that_is_over_has_places_that_add_up(self) -> None:
        if self.outcome is not None:
            checks.check_outcome(self.outcome, self.table.seats, self.defaulting)

    def teardown(self) -> None:
        """Play on by default to the end; the match loop reaches the same end, and its replay proves it."""
        if not self.said:
            return
        while self.outcome is None:
            for question in self.waiting():
                decision = self.run.game.default(self.run.state, question.seat)
                self.answer(question.seat, decision, decision)
        players = [Scripted(self.said[seat]) for seat in self.run.seats]
        played = match.play(self.run.game, players, run.seed_of(self.number), options=self.table.options)
        assert played.outcome == self.outcome
        assert replay.verify(replay.load(played.replay.to_json())) == self.outcome
        assert all(next(player.answers, None) is None for player in players)
