"""Dice and shuffles: fair, the same everywhere, and independent of one another (G39, D32)."""

from collections import Counter
from hashlib import shake_128

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gangland.chance import SEED_BYTES, SeededChance

SEED = bytes(range(SEED_BYTES))
FACES = bytes((0, 3, 0, 3, 3, 5, 3, 4, 0, 0))
CARDS = (6, 1, 3, 7, 4, 9, 0, 5, 2, 8)
FIRST = 3

seeds = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)


def test_the_same_seed_gives_these_dice_and_cards_for_ever() -> None:
    chance = SeededChance(SEED)
    assert chance.faces(1, 0, 1, 10) == FACES
    assert chance.shuffle("cards", 0, range(10)) == CARDS
    assert chance.below("first player", 4) == FIRST


@given(seeds, st.integers(1, 99), st.integers(0, 3), st.integers(1, 3), st.integers(0, 150), st.integers(0, 150))
def test_a_die_hangs_on_no_other_die(seed: bytes, round_number: int, seat: int, roll: int, few: int, more: int) -> None:
    chance = SeededChance(seed)
    few, more = sorted((few, more))
    assert chance.faces(round_number, seat, roll, more)[:few] == chance.faces(round_number, seat, roll, few)


@given(seeds)
def test_rounds_seats_and_rolls_have_dice_of_their_own(seed: bytes) -> None:
    chance = SeededChance(seed)
    rolls = {
        chance.faces(r, s, roll, 40)[start : start + 20]
        for r in (1, 2, 12)
        for s in (0, 1, 2)
        for roll in (1, 2)
        for start in (0, 20)
    }
    assert len(rolls) == 36


def test_a_die_does_not_depend_on_what_was_rolled_before() -> None:
    chance = SeededChance(SEED)
    rolls = [(r, seat, roll) for r in (1, 2, 12) for seat in range(4) for roll in (1, 2, 3)]
    forward = {roll: chance.faces(*roll, 100) for roll in rolls}
    assert {roll: chance.faces(*roll, 100) for roll in reversed(rolls)} == forward
    assert all(SeededChance(SEED).faces(*roll, 100) == dice for roll, dice in forward.items())


def test_all_six_faces_are_equally_likely() -> None:
    chance = SeededChance(SEED)
    counts = Counter(face for r in range(2000) for face in chance.faces(r, 0, 1, 64))
    expected = 2000 * 64 / 6
    chi_square = sum((counts[face] - expected) ** 2 / expected for face in range(6))
    assert set(counts) == set(range(6))
    assert chi_square < 20.5  # 5 degrees of freedom, one in a thousand


def fair(byte: int) -> int | None:
    """Return the die of a byte, computed independently: 42 bytes per face, None for the other four."""
    return byte % 6 if byte < 6 * 42 else None


def test_a_byte_is_a_die_by_the_table_of_fair_bytes_and_an_unfair_one_is_drawn_again() -> None:
    met: Counter[int] = Counter()
    for number in range(40):
        chance, seed = SeededChance(bytes([number]) * SEED_BYTES), bytes([number]) * SEED_BYTES
        for seat in range(4):
            for roll in (1, 2, 3):
                first = (seat * 3 + roll - 1) * 40
                drawn = shake_128(seed + b"dice|7").digest(4 * 3 * 40)[first : first + 40]
                spare = iter([fair(byte) for byte in drawn[32:] if fair(byte) is not None])
                expected = [fair(byte) if fair(byte) is not None else next(spare) for byte in drawn[:32]]
                met.update(drawn[:32])
                assert list(chance.faces(7, seat, roll, 32)) == expected
    assert set(met) == set(range(256)), "every byte was met, fair or not"


@given(seeds, st.lists(st.integers(0, 50), max_size=42))
def test_g39_a_shuffle_starts_from_the_cards_sorted_upward(seed: bytes, cards: list[int]) -> None:
    chance = SeededChance(seed)
    assert chance.shuffle("cards", 1, cards) == chance.shuffle("cards", 1, cards[::-1])
    assert sorted(chance.shuffle("cards", 1, cards)) == sorted(cards)


@given(seeds)
def test_g39_every_shuffle_has_a_stream_of_its_own(seed: bytes) -> None:
    chance = SeededChance(seed)
    orders = {chance.shuffle(what, number, range(40)) for what in ("a", "b") for number in range(3)}
    assert len(orders) == 6


def test_every_order_of_three_cards_is_equally_likely() -> None:
    counts = Counter(SeededChance(SEED).shuffle("cards", number, range(3)) for number in range(6000))
    assert len(counts) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5


def test_a_wrong_seed_or_count_is_refused_with_what_was_expected() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        SeededChance(b"abc")
    for seat, roll, count in ((0, 1, -1), (4, 1, 6), (-1, 1, 6), (0, 0, 6), (0, 4, 6)):
        with pytest.raises(ValueError, match=f"seat {seat}, roll {roll}, {count} dice"):
            SeededChance(SEED).faces(1, seat, roll, count)
    with pytest.raises(ValueError, match="1 to 65536, not 0"):
        SeededChance(SEED).below("x", 0)
