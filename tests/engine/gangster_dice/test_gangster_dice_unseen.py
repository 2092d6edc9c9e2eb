"""Which favors a seat cannot see, drawn as often as counting every deal says (G5)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import inf
from random import Random
from typing import Any

import pytest
from tests.contract.games import adapter_of
from tests.contract.run import begun

from gangland.gangster_dice import DECK, GAME, SPECIAL, View
from gangland.gangster_dice import wire as at
from gangland.gangster_dice.unseen import Deals, _floor, _Window

DRAWS = 20_000
GENEROUS = 6  # standard deviations of chi-square: far above a sound sampler with its fixed seed


def wire(
    hand: Sequence[int],
    others: Sequence[int],
    deck: int,
    discards: Sequence[int],
    told: Sequence[Any] = (),
    history: Sequence[Any] = (),
    specials: int = 6,
    held: Sequence[int] | None = None,
    at_fault: Sequence[int] = (),
) -> Any:
    seats = 1 + len(others)
    table: list[Any] = [None] * (at.EFFECTS_OPEN + 1)
    table[at.CHARACTERS] = (None,) * seats
    table[at.HAND_SIZES] = (len(hand), *others)
    table[at.SPECIALS_HELD] = tuple(held or [0] * seats)
    table[at.DECK], table[at.DISCARDS], table[at.SPECIALS] = deck, tuple(discards), specials
    table[at.BIDS], table[at.EVENTS] = (), tuple(told)
    return (0, tuple(table), tuple(at_fault), tuple(hand), (), (), (), tuple(history))


def gone(left: Counter[int], specials: int | None = None) -> tuple[int, ...]:
    most = [DECK.count(value) for value in range(SPECIAL)]
    return tuple([most[value] - left[value] for value in range(SPECIAL)] + ([] if specials is None else [specials]))


def drawn(deals: Deals) -> Counter[Any]:
    rng = Random("unseen")
    return Counter(deals.draw(rng) for _ in range(DRAWS))


def assert_fits(found: Counter[Any], weights: Counter[Any]) -> None:
    assert set(found) <= {case for case, weight in weights.items() if weight}
    total, square, cells = sum(weights.values()), 0.0, 0
    for case, weight in weights.items():
        expected = DRAWS * weight / total
        square += (found[case] - expected) ** 2 / expected if weight else 0
        cells += 1 if weight else 0
    freedom = cells - 1
    assert abs(square - freedom) < GENEROUS * (2 * freedom) ** 0.5, (square, freedom)


def every_deal(unseen: Sequence[int], sizes: Sequence[int], known: Sequence[Sequence[int]]) -> Iterator[Any]:
    for order in permutations(unseen):
        hands, start = [], 0
        for size, more in zip(sizes, known, strict=True):
            hands.append(tuple(sorted((*order[start : start + size], *more))))
            start += size
        yield tuple(hands), order[start:]


def test_without_a_reshuffle_every_deal_of_the_unseen_cards_is_as_likely_as_any_other() -> None:
    hand, unseen = (0, 2, 3), (0, 1, 1, 3, 3, 2)
    view = wire(hand, (3, 3), deck=1, discards=gone(Counter((*hand, *unseen))), specials=5, held=(0, 1, 0))
    assert_fits(drawn(Deals(view, "bids")), Counter(every_deal(unseen, (0, 2, 3), (hand, (4,), ()))))


def test_g28_with_played_specials_in_the_discards_others_may_hold_them_unseen() -> None:
    hand, unseen = (0, 2, 4), (0, 1, 3, 4, 4, 2)
    discards = gone(Counter((*hand, *unseen)), specials=1)
    view = wire(hand, (3, 2), deck=2, discards=discards, specials=1, held=(0, 1, 0))
    assert_fits(drawn(Deals(view, "bids")), Counter(every_deal(unseen, (0, 2, 2), (hand, (4,), ()))))


def test_g38_a_seat_at_fault_has_kept_nothing_lower_than_it_bid() -> None:
    """It bid a 2 in the last round and has drawn one favor since: of its three favors two are 2 or higher."""
    hand, unseen = (0, 1, 3), (0, 1, 2, 2, 3, 3)
    last = (("round", 1), *((("revealed", seat, ((3, 2, 5),))) for seat in range(2)))
    view = wire(hand, (3,), 3, gone(Counter((*hand, *unseen))), (("round", 2),), (last,), at_fault=(1,))
    weights = Counter(
        (hands, order[3:])
        for (hands, _), order in zip(every_deal(unseen, (0, 3), (hand, ())), permutations(unseen), strict=True)
        if min(order[:2]) >= 2  # the two that it kept
    )
    assert_fits(drawn(Deals(view, "bids")), weights)


@pytest.mark.parametrize("new", [1, 2])
def test_g29_since_a_reshuffle_in_the_last_round_older_favors_are_none_of_those_that_it_took(new: int) -> None:
    """The ways are counted by value and by whether the card is new: one own card and one other card are."""
    hand = (1, 3, 3)
    last = (("round", 1), ("revealed", 0, ((3, 3, 5),)), ("revealed", 1, ((3, 3, 5),)), ("reshuffled", 30 + new))
    deals = Deals(wire(hand, (3,), 30, (0, 0, 0, 0), (("round", 2),), (last,)), "bids")
    weights: Counter[tuple[int, ...]] = Counter()
    cards = {(value, False): DECK.count(value) for value in range(4)} | {(3, False): 4, (3, True): 2}
    for own_new in (0, 1, 2) if new == 2 else (None,):
        own = [[(value, False)] + [(value, True)] * (place == own_new) for place, value in enumerate(hand)]
        old, any_card = [(value, False) for value in range(4)], list(cards)
        count_ways([*own, old, old, any_card], cards, 1, (), weights)
    found: Counter[tuple[int, ...]] = Counter()
    for (hands, _), times in drawn(deals).items():
        found[hands[1]] += times
    assert_fits(found, weights)


def count_ways(
    slots: Sequence[Any], cards: dict[Any, int], ways: int, taken: tuple[int, ...], weights: Counter[tuple[int, ...]]
) -> None:
    """Count for each hand of the last three slots the ways to fill all slots."""
    if not slots:
        weights[tuple(sorted(taken[-3:]))] += ways
        return
    for card in slots[0]:
        if cards.get(card, 0):
            left = cards | {card: cards[card] - 1}
            count_ways(slots[1:], left, ways * cards[card], (*taken, card[0]), weights)


def test_what_is_taken_for_known_is_true_in_games() -> None:
    adapter, floors, marked = adapter_of("gangster-dice"), 0, 0
    for number in range(60):
        seats, rng = 2 + number % 3, Random(number)
        run, decide = begun(adapter.table(seats, number), number)
        at_fault: frozenset[int] = frozenset()
        shown = at_fault
        while run.outcome() is None:
            for question in run.pending:
                view: Any = GAME.observe(run.state, question.seat, shown)
                window = _Window(view.wire, question.kind)
                if window.marks is not None:
                    marked += sum(window.marks)
                    pile = Counter(run.chance.shuffled("favors")[-1])
                    assert all(pile[value] >= count for value, count in enumerate(window.marks))
                for seat in range(seats):
                    least, last = _floor(view.wire, seat)
                    hand = run.state.hands[seat]
                    floors += least > 0
                    assert sum(card >= least for card in hand) >= len(hand) - len(window.recent[seat])
                    assert max(hand, default=inf) >= last
            at_fault |= {question.seat for question in run.pending if rng.random() < 0.02}
            run.step(decide, at_fault)
            shown = shown if GAME.half_answered(run.state) else at_fault
    assert floors > 100
    assert marked > 100


def test_unseen_favors_are_all_that_others_may_hold_or_draw() -> None:
    view: Any = played_first()
    hidden = Counter(value for value, count in enumerate(view.unseen) for _ in range(count))
    assert hidden + Counter(view.hand) == Counter(DECK)
    assert len(view.unseen) == SPECIAL + 1


def test_a_view_made_by_hand_that_no_position_agrees_with_is_refused() -> None:
    view: Any = played_first()
    seat, table, *rest = view.wire
    fewer = View((seat, (*table[: at.DECK], table[at.DECK] - 1, *table[at.DECK + 1 :]), *rest), question="bids")
    with pytest.raises(ValueError, match="no deck and hands agree with this view"):
        fewer.sample(Random(0))
    with pytest.raises(ValueError, match="would not be asked"):
        View(view.wire, question="stake").sample(Random(0))


def played_first() -> Any:
    run, _ = begun(adapter_of("gangster-dice").table(2, 0), 0)
    return GAME.observe(run.state, run.pending[0].seat)
