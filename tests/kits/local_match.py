"""A match as the tests order it: seeds of its own, and bots that are named by their index."""

from gangland.games import game_named
from gangland_ladder.matches import match_orders, seeds
from gangland_sandbox.limits import Limits


def order_of(game: str, bots: int, blocks: int, limits: Limits, *, seed: int) -> match_orders.Order:
    """Return a match between so many bots.

    The game is imported on the way: a process that has given root up may not be able to.
    """
    secret = seeds.local_secret(seed, b"")
    return match_orders.Order(
        id=1,
        game=game_named(game).name,
        options={},
        blocks=[seeds.block_seed(secret, b"", 1, block).hex() for block in range(blocks)],
        rng_key=seeds.rng_key(secret, 1).hex(),
        seats=[match_orders.Seat(entry=index, name=f"bot_{index}", code=f"{index:064d}") for index in range(bots)],
        limits=limits.to_dict(),
    )
