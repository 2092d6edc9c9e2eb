"""Every table of a round robin, and where the dice come from."""

from itertools import combinations

import pytest

from gangland_ladder.matches.seeds import block_seed, commitment, entries_digest, local_secret, rng_key, rng_seed
from gangland_ladder.pairing.permitted_tables import Entrant, permitted_tables

SECRET = local_secret(7, b"")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_robin_has_every_table_once_whatever_order_the_entries_came_in(seats: int) -> None:
    found = permitted_tables([Entrant(bot) for bot in (5, 3, 9, 1, 7)], seats)
    assert found == permitted_tables([Entrant(bot) for bot in (1, 3, 5, 7, 9)], seats)
    assert set(found) == set(combinations([1, 3, 5, 7, 9], seats))
    assert len(found) == len(set(found))


def test_whoever_knows_the_secret_early_cannot_know_the_dice_before_the_entries_are_frozen() -> None:
    one, other = entries_digest(["a" * 64]), entries_digest(["b" * 64])
    assert block_seed(SECRET, one, 1, 0) != block_seed(SECRET, other, 1, 0)


def test_every_block_match_and_bot_has_chance_of_its_own() -> None:
    digest = entries_digest([])
    drawn = {block_seed(SECRET, digest, match, block) for match in range(20) for block in range(20)}
    key = rng_key(SECRET, 1)
    drawn |= {rng_seed(key, b, r, s) for b in range(12) for r in range(4) for s in range(4)}
    assert len(drawn) == 400 + 192
    assert all(len(seed) == 32 for seed in drawn)


def test_the_commitment_is_the_sha_256_of_the_secret() -> None:
    assert commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
