"""Count the favors that a seat does not see, and deal them at random to the deck and the other hands (G5).

All favors are distinct cards, and all possible histories of the unseen ones are equally likely; the seats' bids do not
count as evidence.  Two facts restrict the place of a card:

- If the deck was reshuffled in the rounds that the view shows, earlier discards of these rounds (`marks`) were in the
  deck then.  So they are now in the deck or among the favors drawn since.
- A seat at fault plays its lowest favors (G38), so the others in its hand are at least as high.
"""

from __future__ import annotations

from math import factorial, perm
from random import Random
from typing import Any, Final, NamedTuple

from gangland.gangster_dice import wire as at
from gangland.gangster_dice.cards import DECK, SPECIAL, SPECIALS
from gangland.gangster_dice.characters import BY_KEY

_BEFORE_DRAWS: Final = ("reroll", "bids", "exchange", "stake", "dump", "swap")
"""The questions before the draw."""

_VALUES: Final = range(SPECIAL + 1)
# Far more attempts than any view of a game needs: only a few samples in a hundred need more than one.
_MAX_ATTEMPTS: Final = 10_000

_DECISIONS: Final = frozenset({"exchanged", "staked", "dumped", "placed", "swapped", "dropped", "received", "declined"})
"""Events that can follow from a seat's decision, in which it may have failed."""

Values = tuple[int, ...]
"""The number of favors of each value, 0 to 4."""


def unseen_favors(wire: Any) -> Values:
    """Return the number of favors of each value that the seat does not see, except +4s that others won in public."""
    table, mixed = wire[at.TABLE], _has_mixed_deck(wire[at.TABLE])
    visible: list[int] = [*wire[at.HAND], *wire[at.PAIR]]
    bids = [favor for seat_bids in table[at.BIDS] for _, favor, _ in seat_bids if mixed or favor != SPECIAL]
    aside = [event[2] for event in table[at.EVENTS] if event[0] == "passed"]
    specials = table[at.SPECIALS_HELD]
    in_hands = sum(table[at.HAND_SIZES]) - (0 if mixed else sum(specials))
    in_game = len(DECK) + (SPECIALS - table[at.SPECIALS] if mixed else 0)
    on_table = in_game - in_hands - table[at.DECK] - sum(table[at.DISCARDS])
    if on_table:  # bids until the draw, then the passed favors of pairs until all have drawn (G40)
        visible += bids if table[at.EFFECTS_OPEN] or (on_table == len(bids) and not wire[at.PAIR]) else aside
    counts = [DECK.count(value) - visible.count(value) for value in _VALUES]
    for value, count in enumerate(table[at.DISCARDS]):
        counts[value] -= count
    others = sum(specials) - specials[wire[at.SEAT]]
    counts[SPECIAL] = counts[SPECIAL] + SPECIALS - table[at.SPECIALS] - others if mixed else 0
    return tuple(counts)


def _has_mixed_deck(table: Any) -> bool:
    """Return whether played +4s go into the deck (G28)."""
    return len(table[at.DISCARDS]) > SPECIAL


def _hidden_counts(wire: Any) -> list[int]:
    table = wire[at.TABLE]
    held = zip(table[at.HAND_SIZES], table[at.SPECIALS_HELD], strict=True)
    return [0 if seat == wire[at.SEAT] else size - specials for seat, (size, specials) in enumerate(held)]


class Deals:
    """Draws hands and decks consistent with a view."""

    def __init__(self, wire: Any, question: str | None) -> None:
        """Read the view.  Raises ValueError: no position is consistent with it."""
        self._seat: int = wire[at.SEAT]
        self._own: tuple[int, ...] = wire[at.HAND]
        self._specials: tuple[int, ...] = wire[at.TABLE][at.SPECIALS_HELD]
        self._unseen = unseen_favors(wire)
        self._hidden_counts = _hidden_counts(wire)
        if min(self._unseen) < 0 or sum(self._unseen) != wire[at.TABLE][at.DECK] + sum(self._hidden_counts):
            raise ValueError(
                f"no deck and hands agree with this view: {self._unseen} favors of the values 0 to 4 are unseen"
            )
        window = _Window(wire, question)
        self._unmarked = self._unseen
        self._known = (0,) * len(_VALUES)
        self._patterns = [_Pattern(self._known, (0,) * len(self._hidden_counts))]
        self._weights = [1.0]
        if window.marks is not None:
            self._read_reshuffle(window, wire)
        self._recent = window.recent
        self._floors = [_floor(wire, seat) for seat in range(len(self._hidden_counts))]
        self._is_plain = window.marks is None and not any(map(any, self._floors))

    def _read_reshuffle(self, window: _Window, wire: Any) -> None:
        """Weigh each pattern by the number of ways to deal cards to it, as if no unseen card had been dealt before."""
        known = [window.aside.count(value) for value in _VALUES]
        ways: dict[_Pattern, int] = {_Pattern(tuple(known), ()): 1}
        held_then = len(window.aside)
        for seat, hidden in enumerate(self._hidden_counts):
            course = window.course(seat, wire, hidden)
            held_then += course.held
            for value in course.known:
                known[value] += 1
            merged: dict[_Pattern, int] = {}
            for pattern, count in ways.items():
                for (known_old, hidden_old), ways_of_seat in course.ways.items():
                    old = tuple([one + other for one, other in zip(pattern.known, known_old, strict=True)])
                    both = _Pattern(old, (*pattern.hidden, hidden_old))
                    merged[both] = merged.get(both, 0) + count * ways_of_seat
            ways = merged
        self._known = tuple(known)
        cards = [unseen + count for unseen, count in zip(self._unseen, known, strict=True)]
        self._unmarked = tuple([count - marked for count, marked in zip(cards, window.marks or (), strict=True)])
        weights: dict[_Pattern, int] = {}
        if min(self._unmarked) >= 0 and sum(self._unmarked) >= held_then:
            for pattern, weight in ways.items():
                weight *= factorial(sum(self._unmarked) - sum(pattern.known))
                weight *= factorial(sum(self._unseen) - sum(pattern.hidden))
                for value, held in enumerate(pattern.known):
                    weight *= perm(self._unmarked[value], held) * perm(cards[value] - held, known[value] - held)
                if weight:
                    weights[pattern] = weight
        if not weights:
            raise ValueError("no deck and hands agree with the reshuffle that this view shows")
        largest = max(weights.values())
        self._patterns = list(weights)
        self._weights = [weight / largest for weight in weights.values()]

    def draw(self, rng: Random) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
        """Return sorted hands by seat, and the deck, next card first.  Raises ValueError: no deal fits."""
        for _ in range(_MAX_ATTEMPTS):
            hands: list[list[int]] = [[] for _ in self._hidden_counts]
            remaining = list(self._unseen)
            if not self._is_plain and not self._deal_restricted(hands, remaining, rng):
                continue
            deck = [value for value, count in enumerate(remaining) for _ in range(count)]
            rng.shuffle(deck)
            for seat, hand in enumerate(hands):
                if seat == self._seat:
                    hand += self._own
                    continue
                for _ in range(self._hidden_counts[seat] - len(hand)):
                    hand.append(deck.pop())
                hand += [SPECIAL] * self._specials[seat]
                hand.sort()
            return tuple(map(tuple, hands)), tuple(deck)
        raise ValueError("no deck and hands were found that agree with this view")

    def _deal_restricted(self, hands: list[list[int]], remaining: list[int], rng: Random) -> bool:
        """Deal the restricted favors: those held since the last reshuffle, and those with a known lowest value.

        Return whether to use the draw.  Each step ignores the later steps; the chance of acceptance corrects for their
        number of ways.
        """
        pattern = self._patterns[0] if len(self._patterns) == 1 else rng.choices(self._patterns, self._weights)[0]
        unmarked = [count - old for count, old in zip(self._unmarked, pattern.known, strict=True)]
        old: list[tuple[int, int, int]] = []
        new: list[tuple[int, int, int]] = []
        for seat, count in enumerate(pattern.hidden):
            floor, last = self._floors[seat]
            recent = self._recent[seat]
            later = recent.count(True)
            before = [(floor, seat, count - (len(recent) - later)), (0, seat, len(recent) - later)]
            since = [(floor, seat, self._hidden_counts[seat] - count - later), (0, seat, later)]
            if last:
                group = since if recent[-1] else before
                group[1] = (0, seat, group[1][2] - 1)
                group.append((last, seat, 1))
            old += before if floor or last else [(0, seat, count)]
            new += [group for group in since if group[0]]
        chance = 1.0
        for lowest, seat, count in sorted(old, reverse=True):
            all_ways = perm(sum(unmarked), count)
            chance *= _deal(hands[seat], lowest, count, unmarked, rng) / all_ways
        for hand in hands:
            for value in hand:
                remaining[value] -= 1
        if not chance or min(remaining) < 0:
            return False
        for value, old_known in enumerate(pattern.known):
            since_then = self._known[value] - old_known
            chance *= perm(remaining[value] + since_then, since_then)
            chance /= perm(self._unseen[value] + since_then, since_then)
        dealt = 0
        for lowest, seat, count in sorted(new, reverse=True):
            all_ways = perm(sum(self._unseen[lowest:]) - dealt, count)
            chance *= _deal(hands[seat], lowest, count, remaining, rng) / all_ways if all_ways else 0
            dealt += count
        return rng.random() < chance


class _Pattern(NamedTuple):
    """The cards in hands since before the last reshuffle: known ones by value, hidden ones by seat."""

    known: Values
    hidden: tuple[int, ...]


class _Course(NamedTuple):
    """The course of a seat's cards since the last reshuffle."""

    held: int  # the number of its cards at the reshuffle
    known: list[int]  # the cards known now: it has shown them, or they are in its hand and the view is its own
    # The number of ways in which the seat may have held these cards at the reshuffle; a key is the counts of known
    # cards by value, and the number of unseen cards.
    ways: dict[tuple[Values, int], int]


class _Move(NamedTuple):
    """A move of cards."""

    round: int  # its index among the rounds of the view
    # A "bid", a "draw", a "pair" with one favor passed, a "look" at a pair before that, a "gain" of a +4 from the
    # stack, or a "drop".
    kind: str
    seat: int
    favor: int = -1  # the value that it shows; -1 for none


_CARDS_DRAWN: Final = {"draw": 1, "pair": 2, "look": 2}


class _Window:
    """The rounds that a view shows, as moves of cards."""

    def __init__(self, wire: Any, question: str | None) -> None:
        table = wire[at.TABLE]
        self._has_mixed_deck = _has_mixed_deck(table)
        self._pair: tuple[int, ...] = wire[at.PAIR]
        moves, shuffles = self._read_moves(wire, question)
        drawn = [_CARDS_DRAWN.get(move.kind, 0) for move in moves]
        before = sum(drawn)
        if shuffles:
            before -= shuffles[-1][1] - table[at.DECK]
            if before < 0 or before == sum(drawn):
                raise ValueError("this view does not show the draws that were made since the reshuffle")
        # The number of cards of each value that were certainly in the deck at the last reshuffle; None without one.
        self.marks: list[int] | None = None
        self.aside: list[int] = []  # favors of pairs that had been passed by then and were not in the deck
        # By seat, for each card drawn since its last bid, whether the draw was after the last reshuffle.
        self.recent: list[list[bool]] = [[] for _ in table[at.HAND_SIZES]]
        # The moves since the last reshuffle, and for each the number of its cards that were in the deck then.
        self._since: list[tuple[_Move, int]] = []
        earlier: list[_Move] = []
        for move, count in zip(moves, drawn, strict=True):
            old = min(count, before)
            before -= old
            if shuffles and (self._since or count > old):
                self._since.append((move, count - old))
            else:
                earlier.append(move)
            if move.kind == "bid":
                self.recent[move.seat] = []
            elif count and move.kind != "look":
                self.recent[move.seat].append(count > old or not shuffles)
        if shuffles:
            self._mark(earlier, shuffles)

    def _read_moves(self, wire: Any, question: str | None) -> tuple[list[_Move], list[tuple[int, int]]]:
        """Return all moves in their order, and each reshuffle's round (its index) and number of cards."""
        table = wire[at.TABLE]
        in_pairs = [key in BY_KEY and BY_KEY[key].draws_pairs for key in table[at.CHARACTERS]]
        rounds = [*reversed(wire[at.HISTORY]), table[at.EVENTS]]
        moves: list[_Move] = []
        shuffles: list[tuple[int, int]] = []
        for place, events in enumerate(rounds):
            bids: dict[int, list[int]] = {}
            gains, passed, dropped = [], [], []
            for event in events:
                kind = event[0]
                if kind == "revealed":
                    bids[event[1]] = [favor for _, favor, _ in event[2]]
                elif kind == "special":
                    gains.append(event[1])
                elif kind == "passed":
                    passed.append(_Move(place, "pair", event[1], event[2]))
                elif kind == "dropped":
                    dropped.append(_Move(place, "drop", event[1], event[2]))
                elif kind == "reshuffled":
                    shuffles.append((place, event[1]))
            moves += [_Move(place, "bid", seat, favor) for seat, favors in bids.items() for favor in favors]
            is_last = place == len(rounds) - 1
            if is_last and question in _BEFORE_DRAWS:
                break
            for seat, favors in bids.items():
                if seat in gains:
                    moves.append(_Move(place, "gain", seat, SPECIAL))
                if in_pairs[seat]:
                    moves += [pair for pair in passed if pair.seat == seat]
                else:
                    moves += [_Move(place, "draw", seat)] * (len(favors) - gains.count(seat))
                if is_last and question == "keep" and seat == wire[at.SEAT]:
                    moves.append(_Move(place, "look", seat))
                    break
            moves += dropped
        return (moves if self._has_mixed_deck else [move for move in moves if move.favor != SPECIAL]), shuffles

    def _mark(self, earlier: list[_Move], shuffles: list[tuple[int, int]]) -> None:
        """Mark the favors discarded between the last two reshuffles, as far as the view shows them."""
        # Played favors are discarded before the draw, and passed favors of pairs after it (G40).
        last = shuffles[-1][0]
        since = shuffles[-2][0] if len(shuffles) > 1 else -1
        self.marks = [0] * len(_VALUES)
        for move in earlier:
            if move.kind == "pair" and move.round == last:
                self.aside.append(move.favor)
                continue
            discarded = move.kind in ("bid", "pair") or (move.kind == "drop" and move.favor != SPECIAL)
            if discarded and move.round >= since + (move.kind == "bid"):
                self.marks[move.favor] += 1

    def course(self, seat: int, wire: Any, hidden: int) -> _Course:
        """Return the course of a seat's cards since the last reshuffle; `hidden` cards of its hand are unseen."""
        moves = [(move, new) for move, new in self._since if move.seat == seat]
        hand: list[int] = []
        if seat == wire[at.SEAT]:
            hand = sorted(wire[at.HAND])
            del hand[len(hand) - wire[at.TABLE][at.SPECIALS_HELD][seat] :]
        moves = self._without_known_specials(moves, wire[at.TABLE][at.SPECIALS_HELD][seat])
        received = sum(move.kind in ("draw", "pair") for move, _ in moves)
        played = sum(move.kind in ("bid", "drop") for move, _ in moves)
        held = hidden + len(hand) - received + played
        known: list[int] = []
        none = (0,) * len(_VALUES)
        ways: dict[tuple[Values, int, int], int] = {(none, held, 0): 1} if held >= 0 else {}
        for move, new in [*moves, *[(_Move(0, "bid", seat, favor), 0) for favor in hand]]:
            if move.favor >= 0:
                known.append(move.favor)
            if move.kind == "look":
                known += self._pair
            if move.kind in ("pair", "look") and new == 1:
                held += 1
            ways = self._ways_after(move, new, ways)
        merged: dict[tuple[Values, int], int] = {}
        for (values, old, _), count in ways.items():
            merged[values, old] = merged.get((values, old), 0) + count
        return _Course(held, known, merged)

    def _ways_after(
        self, move: _Move, new: int, ways: dict[tuple[Values, int, int], int]
    ) -> dict[tuple[Values, int, int], int]:
        """Return the ways after a move, by (known old cards by value, number of old and of new ones in the hand)."""
        after: dict[tuple[Values, int, int], int] = {}

        def add(values: Values, favor: int, old: int, later: int, count: int) -> None:
            if favor >= 0:
                values = (*values[:favor], values[favor] + 1, *values[favor + 1 :])
            after[values, old, later] = after.get((values, old, later), 0) + count

        for (values, old, later), count in ways.items():
            if move.kind == "draw" or (move.kind == "pair" and new == 2):
                add(values, -1, old, later + 1, count)
            elif move.kind == "pair":  # one of its cards is old: the passed one or the other
                add(values, move.favor, old, later + 1, count)
                add(values, -1, old + 1, later, count)
            elif move.kind == "look":
                for favor in self._pair if new == 1 else (-1,):
                    add(values, favor, old, later, count)
            else:
                if old:
                    add(values, move.favor, old - 1, later, count * old)
                if later:
                    add(values, -1, old, later - 1, count * later)
        return after

    @staticmethod
    def _without_known_specials(moves: list[tuple[_Move, int]], held: int) -> list[tuple[_Move, int]]:
        """Return the moves without moves of known +4s: gains from their stack, and bids and drops of them.

        `held` of them are known now; the number at the reshuffle is the smallest possible.
        """
        others: list[tuple[_Move, int]] = []
        for at_first in range(SPECIALS + 1):
            others, known = [], at_first
            for move, new in moves:
                if move.kind == "gain":
                    known += 1
                elif move.kind in ("bid", "drop") and move.favor == SPECIAL and known:
                    known -= 1
                else:
                    others.append((move, new))
            if known >= held:
                break
        return others


def _deal(hand: list[int], lowest: int, count: int, cards: list[int], rng: Random) -> int:
    """Move `count` random cards of at least this value from `cards` (counts by value) to a hand.

    Return the number of ways, 0 if there are too few cards.
    """
    candidates = [value for value in range(lowest, len(cards)) for _ in range(cards[value])]
    if not 0 <= count <= len(candidates):
        return 0
    for value in rng.sample(candidates, count):
        hand.append(value)
        cards[value] -= 1
    return perm(len(candidates), count)


def _floor(wire: Any, seat: int) -> tuple[int, int]:
    """Return the lowest possible values of an at-fault seat's cards after its bid, and of its favor from its last pair.

    Both are 0 if nothing is known, because the fault may be from a later decision.
    """
    if seat not in wire[at.DEFAULTING] or seat == wire[at.SEAT]:
        return 0, 0
    table = wire[at.TABLE]
    lowest = last = 0
    for events in (*reversed(wire[at.HISTORY]), table[at.EVENTS]):
        for event in events:
            if event[0] == "round" and table[at.CHARACTERS][seat] and BY_KEY[table[at.CHARACTERS][seat]].rerolls:
                lowest = 0
            elif event[0] == "revealed" and event[1] == seat:
                lowest, last = max([favor for _, favor, _ in event[2]]), 0
            elif event[0] == "passed" and event[1] == seat:
                lowest, last = 0, event[2]
            elif event[0] in _DECISIONS and event[1] == seat:
                lowest = last = 0
    return lowest, last
