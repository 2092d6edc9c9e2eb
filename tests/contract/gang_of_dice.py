"""What the contract has to know of Gang of Dice."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any, ClassVar, get_args, get_type_hints

from tests.contract.adapter import Adapter, Reader, by_seat, read_relative, same, seat_off, seat_set_off, seats_off
from tests.contract.run import Passing, Run, Table

from gangland.chance import Chance, Faces
from gangland.gang_of_dice import BONUS, DECKS, POOLS, ROUNDS, RoundResult, Turn, events
from gangland.view import View


class TurnedChance(Passing):
    """The same dice and cards with every seat moved, the first seat too."""

    def __init__(self, chance: Chance, by: int, seats: int) -> None:
        super().__init__(chance)
        self.by, self.seats = by, seats

    def faces(self, round: int, seat: int, roll: int, count: int) -> Faces:
        return self.chance.faces(round, (seat - self.by) % self.seats, roll, count)

    def below(self, purpose: str, bound: int) -> int:
        return (self.chance.below(purpose, bound) + self.by) % self.seats


class OtherCardsToCome(Passing):
    """The same dice; the cards of each stack after the first `shown` are shuffled again."""

    def __init__(self, chance: Chance, shown: int, rng: Random) -> None:
        super().__init__(chance)
        self.shown, self.rng = shown, rng

    def shuffle(self, purpose: str, number: int, cards: Sequence[int]) -> tuple[int, ...]:
        dealt = self.chance.shuffle(purpose, number, cards)
        stacks = [stack for deck in DECKS.values() for stack in deck]
        rounds = next(stack.rounds for stack in stacks if sorted(stack.cards) == sorted(cards))
        shown = min(self.shown, rounds)
        self.shown -= shown
        hidden = list(dealt[shown:])
        self.rng.shuffle(hidden)
        return (*dealt[:shown], *hidden)


def _turn(view: Any, turn: Turn) -> Turn:
    return replace(turn, seat=(turn.seat - view.seat) % view.seats)


def _turns(view: Any, turns: Sequence[Turn]) -> list[Turn]:
    return [_turn(view, turn) for turn in turns]


def _last_round(view: Any, result: RoundResult | None) -> Any:
    if result is None:
        return None
    eliminated = tuple(sorted(seats_off(view, result.eliminated), key=str))
    turns = tuple(_turns(view, result.turns))
    return (result.number, result.card, turns, seat_off(view, result.winner), result.dice, eliminated)


READERS: dict[str, Reader | None] = {
    "seat": None, "order": seats_off, "first_seat": seat_off, "later_seats": seats_off, "pools": by_seat,
    "eliminated": seat_set_off, "eliminated_in": by_seat, "defaulting": seat_set_off, "turns": _turns,
    "best_seat": seat_off, "last_round": _last_round,
} | dict.fromkeys(
    "seats options round rounds card cards_gone deck cards_to_come pool carried bonus staked table best_total "
    "best_stake question dice stake total triggered rerolls_left".split(),
    same,
)  # fmt: skip


class GangOfDice(Adapter):
    name = "gang-of-dice"
    events: ClassVar[ModuleType] = events
    event_kinds: ClassVar[frozenset[str]] = frozenset(
        get_args(get_type_hints(kind)["kind"])[0] for kind in get_args(events.TypedEvent)
    )
    option_values: ClassVar[dict[str, tuple[object, ...]]] = {
        "deck": ("w24", "box18"),
        "first_player": ("next", "winner"),
    }
    unordered: ClassVar[frozenset[str]] = frozenset({"reroll"})

    def last_round(self, table: Table) -> int:
        return ROUNDS

    def check_conserved(self, run: Run) -> None:
        """Pools and table hold the initial dice and the bonus dice of the rounds so far (D17)."""
        view: Any = run.game.observe(run.state, 0)
        supplied = sum(dice for number, dice in BONUS.items() if number <= view.round)
        dice = sum(view.pools) + view.table
        assert dice == POOLS[view.seats] * view.seats + supplied, f"{dice} dice, {supplied} of them bonus: {view!r}"
        assert min(view.pools) >= 0
        cards = [*view.cards_gone, view.card]
        assert len(cards) == len(set(cards)) == view.round
        assert set(cards) <= set(view.deck)

    def turned(self, run: Run, by: int) -> tuple[Table, Chance]:
        return run.table, TurnedChance(run.chance.chance, by, run.table.seats)

    def relative(self, view: View) -> dict[str, Any]:
        return read_relative(view, READERS)

    def otherwise_hidden(self, run: Run, ply: int, seat: int, rng: Random) -> Chance:
        return OtherCardsToCome(run.chance.chance, run.game.round(run.states[ply]), rng)
