"""Matches of an archive as orders and records, so that they are judged and played as any other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import msgspec

from gangland_ladder.matches.orders import GameRecord, Order, Seat
from gangland_ladder.matches.seeds import block_seed, dice_secret, entries_digest, rng_key
from gangland_ladder.proof.archives.archive import ArchiveError, PlayedMatch
from gangland_ladder.proof.archives.files import Archive
from gangland_ladder.rating.final_standings import BlockResult

LOCAL_DIGEST: Final = b"local"
"""In place of the entries' digest where dice come from a local `--seed`."""
_ANY_KEY: Final = "0" * 64


def digest_for(dice: str, entries: Sequence[str], seated: Sequence[str]) -> bytes:
    """Return what goes into the block seeds of a match besides the secret.

    Args:
        dice: as in `archive.Tournament`.
        entries: the codes' SHA-256 of all entries, in entry order; seated: of those at the table.
    """
    if dice == "seed":
        return LOCAL_DIGEST
    return entries_digest(list(entries if dice == "frozen" else seated))


def order_of(archive: Archive, played: PlayedMatch, secret: bytes | None = None) -> Order:
    """Return the order of a match: with the dice of the secret if there is one, else of its own replays.

    Args:
        secret: as it was published; the archive's public value is mixed in here.

    Raises:
        ArchiveError: an entry that the archive does not have, or a replay without a seed.
    """
    tournament, match, final = archive.tournament, played.match, archive.tournament.final_table
    where, entries = f"match {match.number}", {entry.id: entry for entry in archive.entries}
    if missing := [entry for entry in match.entries if entry not in entries]:
        raise ArchiveError(where, f"there are no entries {missing!r}")
    seated = [entries[entry] for entry in match.entries]
    if secret is None:
        seeds = [seed_of(where, bytes(game.replay)) for game in played.games if game.rotation == 0]
        key = match.rng_key
    else:
        codes = [entry.code for entry in archive.entries]
        bound = digest_for(tournament.dice, codes, [entry.code for entry in seated])
        secret = dice_secret(secret, tournament.public_value)
        blocks, _ = tournament.size_of(match)
        seeds = [block_seed(secret, bound, match.number, block).hex() for block in range(blocks)]
        key = rng_key(secret, match.number).hex()
    return Order(
        id=match.number,
        token="archive",  # noqa: S106 (no secret: nobody records it)
        until=0.0,
        game=tournament.game,
        options=tournament.options,
        blocks=seeds,
        rng_key=key or _ANY_KEY,
        seats=[Seat(entry.id, entry.file, entry.code) for entry in seated],
        limits=final.terms.limits(tournament.limits) if match.is_final and final else tournament.limits,
    )


def records_of(played: PlayedMatch) -> list[GameRecord]:
    """Return the games of a match as a referee records them; logs are not in an archive."""
    return [
        GameRecord(
            block=game.block,
            rotation=game.rotation,
            seating=game.seating,
            replay=bytes(game.replay).decode("utf-8", "replace"),
            views=game.views,
            faults=game.faults,
            logs=[],
        )
        for game in played.games
    ]


def block_results(entries: Sequence[int], places: Sequence[Sequence[Fraction]]) -> list[BlockResult]:
    """Return the blocks of a match that is done as the final standings take them.

    Args:
        places: of each entry, its mean place in each block.
    """
    return [BlockResult(tuple(entries), block) for block in zip(*places, strict=True)]


class _Seeded(msgspec.Struct):
    seed: str


def seed_of(where: str, replay: bytes) -> str:
    """Return the seed that a replay's JSON says, without a look at the rest of it.

    Raises:
        ArchiveError: it says none.
    """
    try:
        return _SEEDED.decode(replay).seed
    except (ValueError, RecursionError) as error:
        raise ArchiveError(where, f"a replay without a seed: {error}") from error


_SEEDED = msgspec.json.Decoder(_Seeded)
