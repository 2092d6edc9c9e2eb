"""Orders for matches of local bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gangland.chance import SEED_BYTES, SeededChance
from gangland.games import game_named
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.matches.match_orders import Order, Seat
from gangland_ladder.matches.seeds import block_seed, local_secret, rng_key
from gangland_ladder.pairing.permitted_tables import tables
from gangland_sandbox.limits import Limits, Profile

MATCH_BLOCKS = 100
"""A table's blocks are cut into matches of at most this many: the same cut on any number of cores."""


def options_of(game: str, seats: int, given: Mapping[str, object]) -> dict[str, object]:
    """Return the options that differ from their defaults, as replays record them.

    Raises:
        ValueError: an option that the game does not have, or a value that it does not allow at so many seats.
    """
    rules = game_named(game)
    options = rules.options(given)
    rules.start(seats, options, SeededChance(bytes(SEED_BYTES)))
    return rules.options_dict(options)


def round_robin_orders(
    game: str,
    bots: Sequence[LocalBot],
    seats: int,
    blocks: int,
    *,
    seed: int,
    salt: bytes,
    options: Mapping[str, object] | None = None,
    profile: Profile = Profile.PLAIN,
) -> list[Order]:
    """Return the matches of a round robin: every table of so many bots, so many blocks each, in canonical order."""
    orders: list[Order] = []
    for first in range(0, blocks, MATCH_BLOCKS):
        for table in tables(range(len(bots)), seats):
            orders.append(
                local_order(
                    game,
                    bots,
                    table,
                    seed=seed,
                    salt=salt,
                    number=len(orders) + 1,
                    blocks=min(MATCH_BLOCKS, blocks - first),
                    options=options,
                    profile=profile,
                )
            )
    return orders


def local_order(
    game: str,
    bots: Sequence[LocalBot],
    entries: Sequence[int],
    *,
    seed: int,
    salt: bytes,
    number: int,
    blocks: int,
    options: Mapping[str, object] | None = None,
    profile: Profile = Profile.PLAIN,
) -> Order:
    """Return the order of one match between local bots.

    The dice depend on seed, salt, the number of the match and the block alone, so that a new
    version of a bot meets the same dice as the old one did.

    Args:
        entries: indices of the bots at the table.
        number: of the match within the run, from 1.
    """
    secret = local_secret(seed, salt)
    return Order(
        id=number,
        token="local",  # noqa: S106 (no secret: nobody else records local matches)
        until=0.0,
        game=game,
        options=dict(options or {}),
        blocks=[block_seed(secret, b"local", number, block).hex() for block in range(blocks)],
        rng_key=rng_key(secret, number).hex(),
        seats=[Seat(entry=entry, name=bots[entry].name, code=bots[entry].code) for entry in entries],
        limits=Limits.of(profile, blocks).to_dict(),
    )
