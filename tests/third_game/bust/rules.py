"""The rules of Bust: a game that the project knows from its registry alone."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gangland.bust.bot import BANK, ROLL, Bot
from gangland.bust.views import View
from gangland.chance import Chance
from gangland.faults import IllegalDecision
from gangland.game import Choice, Decision, EndReason, Event, Game, Outcome, Question
from gangland.words import join_and

ROUNDS = 12
_SET: frozenset[int] = frozenset()


class State(NamedTuple):
    """Round from 1, `ROUNDS` + 1 at the end; points by seat."""

    round: int
    banked: tuple[int, ...]
    at_risk: tuple[int, ...]
    unlucky: int


class Bust(Game[State]):
    """Bust for 2 to 4 players."""

    name = "bust"
    title = "Bust"
    bot_class = Bot
    view_class = View
    choices_of_options = (Choice("unlucky", "The face that busts", ("1", "6"), "1"),)
    api = ((Bot, "choose_turn"), (View, "*"))

    def options(self, values: Mapping[str, object]) -> str:
        """Return the face that busts."""
        if unknown := set(values) - {"unlucky"}:
            raise ValueError(f"Bust has no option {unknown.pop()!r}; it has unlucky")
        face = values.get("unlucky", "1")
        if face not in ("1", "6"):
            raise ValueError(f"unlucky is '1' or '6', not {face!r}")
        return str(face)

    def options_dict(self, options: str) -> dict[str, object]:
        """Return the face if it is not the usual one."""
        return {} if options == "1" else {"unlucky": options}

    def start(self, seats: int, options: str, chance: Chance) -> tuple[State, tuple[Event, ...]]:
        """Return the first state."""
        if seats not in self.table_sizes:
            raise ValueError(f"Bust is for 2 to 4 players, not {seats!r}")
        return State(1, (0,) * seats, (0,) * seats, int(options)), (("round", 1),)

    def pending(self, state: State) -> tuple[Question, ...]:
        """Return a question for each seat: all decide at once."""
        return tuple(Question(seat, "turn") for seat in range(len(state.banked))) if state.round <= ROUNDS else ()

    def observe(self, state: State, seat: int, defaulting: frozenset[int] = _SET) -> View:
        """Return everything but the dice to come."""
        return View.of((seat, state.round, state.banked, state.at_risk, tuple(sorted(defaulting))))

    def legal(self, state: State, seat: int) -> str:
        """Return both answers in words."""
        return f"{BANK} (bank) or {ROLL} (roll)"

    def check(self, state: State, seat: int, answer: object) -> Decision:
        """Return the answer."""
        if type(answer) is not int or answer not in (BANK, ROLL):
            raise IllegalDecision(f"expected {BANK} or {ROLL}, got {answer!r}")
        return int(answer)

    def choices(self, state: State, seat: int) -> Sequence[Decision]:
        """Return both answers."""
        return (BANK, ROLL)

    def default(self, state: State, seat: int) -> Decision:
        """Bank."""
        return BANK

    def resolve(
        self, state: State, decisions: Mapping[int, Decision], chance: Chance
    ) -> tuple[State, tuple[Event, ...]]:
        """Bank first, then throw the die for all who roll."""
        face = chance.faces(state.round, 0, 1, 1)[0] + 1
        banked, at_risk = list(state.banked), list(state.at_risk)
        rolling = tuple(seat for seat, decision in sorted(decisions.items()) if decision == ROLL)
        events: list[Event] = []
        for seat in range(len(banked)):
            if seat not in rolling:
                events.append(("banked", seat, at_risk[seat]))
                banked[seat] += at_risk[seat]
            at_risk[seat] = at_risk[seat] + face if seat in rolling and face != state.unlucky else 0
        events.append(("thrown", face, rolling))
        if state.round < ROUNDS:
            events.append(("round", state.round + 1))
        return State(state.round + 1, tuple(banked), tuple(at_risk), state.unlucky), tuple(events)

    def outcome(self, state: State, defaulting: frozenset[int] = _SET) -> Outcome | None:
        """Return places by points, seats at fault behind all others."""
        seats = range(len(state.banked))
        sound = [seat for seat in seats if seat not in defaulting]
        if state.round <= ROUNDS and len(sound) > 1:
            return None
        worth = [(seat in sound, state.banked[seat]) for seat in seats]
        places = tuple(1 + sum(other > mine for other in worth) for mine in worth)
        reason = (EndReason.ALL_AT_FAULT, EndReason.LAST_FAULTLESS, EndReason.COMPLETED)[min(len(sound), 2)]
        return Outcome(places, tuple(seat for seat in sound if places[seat] == 1), reason)

    def round(self, state: State) -> int:
        """Return the round, that last played at the end."""
        return min(state.round, ROUNDS)

    def held(self, state: State) -> tuple[int, ...]:
        """Return the points that each seat has banked."""
        return state.banked

    def sentence(self, event: Event, names: tuple[str, ...]) -> str | None:
        """Return who banked, and what was thrown for whom."""
        if event[0] == "banked":
            return f"{names[event[1]]} banks {event[2]}." if event[2] else None
        if event[0] == "thrown" and event[2]:
            return f"The die shows {event[1]} for {join_and([names[seat] for seat in event[2]])}."
        return None


GAME = Bust()
