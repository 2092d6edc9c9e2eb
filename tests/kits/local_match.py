"""Make match jobs for tests, with test seeds, and with bots named by index."""

from gangland.games import game_named
from gangland_ladder.matches import match_jobs, seeds
from gangland_sandbox.limits import Limits


def match_job_of(game: str, bots: int, blocks: int, limits: Limits, *, seed: int) -> match_jobs.MatchJob:
    """Return a match between these bots; imports the game, because later a process may lack the rights."""
    secret = seeds.local_secret(seed, b"")
    return match_jobs.MatchJob(
        id=1,
        game=game_named(game).name,
        options={},
        blocks=[seeds.block_seed(secret, b"", 1, block).hex() for block in range(blocks)],
        rng_key=seeds.rng_key(secret, 1).hex(),
        seats=[match_jobs.Seat(entry=index, name=f"bot_{index}", code=f"{index:064d}") for index in range(bots)],
        limits=limits.to_dict(),
    )
