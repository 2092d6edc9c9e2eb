"""Orders for matches of local bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gangland_ladder.local_bots import LocalBot
from gangland_ladder.orders import Order, Seat
from gangland_ladder.seeds import block_seed, local_secret, rng_key
from gangland_sandbox.limits import Limits, Profile


def local_order(
    game: str,
    bots: Sequence[LocalBot],
    entries: Sequence[int],
    *,
    seed: int,
    number: int,
    blocks: int,
    options: Mapping[str, object] | None = None,
    profile: Profile = Profile.PLAIN,
) -> Order:
    """Return the order of one match between local bots.

    The dice depend on the seed, the number of the match and the block alone, so that a new
    version of a bot meets the same dice as the old one did.

    Args:
        entries: indices of the bots at the table.
        number: of the match within the run, from 1.
    """
    secret = local_secret(seed)
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
