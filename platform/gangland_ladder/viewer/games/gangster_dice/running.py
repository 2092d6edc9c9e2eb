"""The table of Gangster Dice, kept up event by event, so that it can be shown as a round ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gangland.game import Event
from gangland.games import game_named
from gangland.gangster_dice import events as e
from gangland.gangster_dice.cards import INVESTIGATOR, SPEAKEASY, SPECIAL, STREETS, of_colour
from gangland.replay import Answered, Step
from gangland_ladder.viewer.running import Aside, RunningTable
from gangland_ladder.viewer.scenes import Scene, copied


class BiddingTable(RunningTable):
    """The scene of the table with all hands open, and beside it `laid`: by seat, the bids put down and not turned up.

    Each bid is token and favor.  Events tell less than the scene shows, so what one must remember to keep it
    up is here: which dice a roll showed, which favors were played, and which +4s in a hand nobody has seen come.
    """

    laid: dict[str, list[list[int]]]

    def begin(self, step: Step) -> None:
        """Lay the table as the game begins."""
        super().begin(step)
        seats = self.scene["seats"]
        self.spent_favor = (
            game_named(self.replay.game).options(self.replay.options).spent_favor
        )  # where a +4 goes (G28)
        self.laid = {}
        self.from_stack: int | None = None
        self.hidden_specials = [0] * len(seats)
        self.faces: dict[str, list[list[int]]] = {
            number: [list(faces) for faces in seat["faces"]] for number, seat in seats.items()
        }
        self.played: list[int] = [bid[1] for seat in seats.values() for bid in seat["bids"]]
        self.passed: list[int] = []
        self.pair: list[int] = []

    def _aside(self) -> Aside:
        return {**super()._aside(), "laid": copied(self.laid)}

    def _put_down(self, answer: Answered, words: str) -> None:
        """Put down bids as cards out of the hand, all else as a plan in words."""
        if answer.kind != "bids":
            super()._put_down(answer, words)
            return
        decision: Any = answer.decision
        number, seat = str(answer.seat), self.scene["seats"][str(answer.seat)]
        self.laid[number] = [list(bid) for bid in decision]
        seat["hand"] = list(seat["hand"])
        for _, favor in decision:
            seat["hand"].remove(favor)

    def carry_out(self, *, half: bool) -> None:
        """Take up what was put down, for now it happens."""
        for number, bids in self.laid.items():
            seat = self.scene["seats"][number]
            seat["hand"] = sorted([*seat["hand"], *(favor for _, favor in bids)])
        self.laid = {}
        super().carry_out(half=half)

    def settle(self, step: Step) -> None:
        """Leave it to the events."""

    def lay(self, event: Event) -> None:
        """Let something happen: what it changes is in the method named after the event's class, if anything."""
        happened = e.typed(event)
        if isinstance(happened, (e.Special, e.Reshuffled, e.Paired, e.Drew)):
            self._discard()
        handler = getattr(self, f"_on_{type(happened).__name__.lower()}", None)
        if handler is not None:
            handler(happened)

    def _seat(self, seat: int) -> Scene:
        found: Scene = self.scene["seats"][str(seat)]
        return found

    def _token(self, token: int) -> Scene:
        found: Scene = self.scene["tokens"][str(token)]
        return found

    def _discard(self) -> None:
        """Put the favors that were played away, before the draw (G40)."""
        for favor in self.played:
            if favor != SPECIAL or self.spent_favor == "discards":
                self.scene["discards"][favor] += 1
            elif self.spent_favor == "stack":
                self.scene["specials"] += 1
        self.played = []

    def _hold(self, seat: int, hand: Sequence[int]) -> None:
        cards = sorted(hand)
        known = cards.count(SPECIAL) - self.hidden_specials[seat]
        self._seat(seat).update(hand=cards, favors=len(cards), specials=known)

    def _show_specials(self, seat: int, count: int) -> None:
        """Forget +4s that are about to leave a hand face up: those that were seen to come go first (G28)."""
        held = self._seat(seat)["hand"].count(SPECIAL)
        self.hidden_specials[seat] = held - count - max(0, held - self.hidden_specials[seat] - count)

    def _draw(self, seat: int, cards: Sequence[int]) -> None:
        """Put cards from the deck into a hand, a +4 among them unseen."""
        self.hidden_specials[seat] += list(cards).count(SPECIAL)
        self._hold(seat, [*self._seat(seat)["hand"], *cards])

    def _stash(self, seat: int, change: Sequence[int], token: int | None) -> None:
        """Let a seat have so many dice more by colour, taken from a token if one is named."""
        mine = self._seat(seat)
        mine["dice"] = [count + more for count, more in zip(mine["dice"], change, strict=True)]
        mine["faces"] = [faces[:left] for faces, left in zip(self.faces[str(seat)], mine["dice"], strict=True)]
        if token is not None:
            theirs = self._token(token)
            theirs["dice"] = [count - more for count, more in zip(theirs["dice"], change, strict=True)]

    def _on_round(self, _: e.Round) -> None:
        for token in self.scene["tokens"].values():
            token["winner"] = None
        for seat in self.scene["seats"].values():
            seat["bids"] = []

    def _on_rolled(self, happened: e.Rolled) -> None:
        self.faces[str(happened.seat)] = [list(faces) for faces in happened.faces]
        self._stash(happened.seat, (0, 0, 0), None)

    def _on_rerolled(self, happened: e.Rerolled) -> None:
        faces = self.faces[str(happened.seat)][happened.colour]
        faces[faces.index(happened.old)] = happened.new
        self._stash(happened.seat, (0, 0, 0), None)

    def _on_revealed(self, happened: e.Revealed) -> None:
        seat = self._seat(happened.seat)
        hand = list(seat["hand"])
        self._show_specials(happened.seat, [favor for _, favor, _ in happened.bids].count(SPECIAL))
        for _, favor, _ in happened.bids:
            hand.remove(favor)
            self.played.append(favor)
        seat["bids"] = [list(bid) for bid in happened.bids]
        self._hold(happened.seat, hand)

    def _on_won(self, happened: e.Won) -> None:
        self._token(happened.token)["winner"] = happened.seat

    def _on_took(self, happened: e.Took) -> None:
        self._token(happened.token)["holder"] = happened.seat

    def _on_moved(self, happened: e.Moved) -> None:
        self._token(INVESTIGATOR)["holder"] = happened.seat

    def _on_exchanged(self, happened: e.Exchanged) -> None:
        change = [taken - given for given, taken in zip(happened.given, happened.taken, strict=True)]
        self._stash(happened.seat, change, SPEAKEASY)

    def _on_staked(self, happened: e.Staked) -> None:
        if happened.colour is not None:
            self._stash(happened.seat, of_colour(happened.colour, -1), STREETS)

    def _on_dumped(self, happened: e.Dumped) -> None:
        if happened.colour is not None:
            self._stash(happened.seat, of_colour(happened.colour, -happened.dice), INVESTIGATOR)

    def _on_placed(self, happened: e.Placed) -> None:
        self._stash(happened.seat, [-count for count in happened.dice], INVESTIGATOR)

    def _on_swapped(self, happened: e.Swapped) -> None:
        if happened.given is not None and happened.taken is not None:
            given, taken = of_colour(happened.given), of_colour(happened.taken)
            self._on_exchanged(e.Exchanged(happened.seat, given, taken))

    def _on_special(self, happened: e.Special) -> None:
        self.scene["specials"] -= 1
        self.from_stack = happened.seat
        self._hold(happened.seat, [*self._seat(happened.seat)["hand"], SPECIAL])

    def _on_reshuffled(self, happened: e.Reshuffled) -> None:
        self.scene["deck"] += happened.cards
        self.scene["discards"] = [0] * len(self.scene["discards"])

    def _on_paired(self, happened: e.Paired) -> None:
        self.scene["deck"] -= len(happened.cards)
        self.pair = list(happened.cards)

    def _on_passed(self, happened: e.Passed) -> None:
        self.pair.remove(happened.favor)
        self.passed.append(happened.favor)
        self._draw(happened.seat, self.pair)

    def _on_drew(self, happened: e.Drew) -> None:
        """Take the cards that are not in the hand yet; after the last seat's, the favors that nobody kept go away."""
        if not self.pair:
            cards = happened.cards[self.from_stack == happened.seat :]  # the one from the stack was told
            self.scene["deck"] -= len(cards)
            self._draw(happened.seat, cards)
        self.pair, self.from_stack = [], None
        if happened.seat == len(self.faces) - 1:
            for favor in self.passed:
                self.scene["discards"][favor] += 1
            self.passed = []

    def _on_dropped(self, happened: e.Dropped) -> None:
        hand = list(self._seat(happened.seat)["hand"])
        self._show_specials(happened.seat, int(happened.favor == SPECIAL))
        hand.remove(happened.favor)
        self._hold(happened.seat, hand)
        if happened.favor == SPECIAL:
            self.scene["specials"] += 1
        else:
            self.scene["discards"][happened.favor] += 1

    def _on_received(self, happened: e.Received) -> None:
        self._stash(happened.seat, of_colour(happened.colour), INVESTIGATOR)
