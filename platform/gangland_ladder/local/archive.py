"""A local ladder on its way into an archive: its dice come from a `--seed`, its matches are numbered as played."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from gangland_ladder.local.bots import LocalBot
from gangland_ladder.matches.match_orders import Order
from gangland_ladder.matches.seeds import commitment, local_secret
from gangland_ladder.proof.archive_orders import block_results
from gangland_ladder.proof.archives import Content, Entry, Match, PlayedMatch, Tournament, scheduled_match, void_match
from gangland_ladder.rating.final_standings import standings
from gangland_ladder.rating.folding import Folding, Result
from gangland_ladder.rating.trueskill import MU, SIGMA


def content(
    bots: Sequence[LocalBot],
    orders: Sequence[Order],
    played: dict[int, PlayedMatch],
    voids: dict[int, str],
    seed: int,
    salt: bytes,
) -> Content:
    """Return what goes into a ladder's archive.

    Args:
        bots: by entry.
        orders: of all matches, by number, all of as many blocks; played: by number, as `judged_match` makes them.
        voids: why a match that counts no more is void, by number; what is in neither is still to be played.
        seed, salt: what all dice come from.

    Raises:
        ValueError: matches of different lengths, or none at all.
    """
    lengths = {len(order.blocks) for order in orders}
    if len(lengths) != 1:
        raise ValueError(f"an archive's matches have as many blocks each, these have {sorted(lengths)}")
    first, secret = orders[0], local_secret(seed, salt)
    header = Tournament(
        name="gangland ladder",
        kind="local",
        game=first.game,
        options=first.options,
        seats=len(first.seats),
        blocks=len(first.blocks),
        limits=first.limits,
        dice="seed",
        schedule=None,
        first=first.id,
        matches=len(orders),
        commitment=commitment(secret),
        secret=secret.hex(),
        about={"seed": str(seed), "salt": salt.hex()},
    )
    entries = tuple(Entry(i, bot.name, "", 1, bot.name, bot.code, (MU, SIGMA)) for i, bot in enumerate(bots))
    matches = _folded(header, [_match(order, played, voids) for order in orders])
    waiting = any(each.match.state == "scheduled" for each in matches)
    blocks = [block for each in matches for block in block_results(each.match.entries, _places(each.match))]
    table = None if waiting else standings(blocks, range(len(bots))).to_json()
    return Content(header, entries, matches, table)


def _places(match: Match) -> list[list[Fraction]]:
    return [[Fraction(*place) for place in score.block_places] for score in match.scores]


def _match(order: Order, played: dict[int, PlayedMatch], voids: dict[int, str]) -> PlayedMatch:
    if order.id in played:
        return played[order.id]
    entries = [seat.entry for seat in order.seats]
    if order.id in voids:
        return void_match(order.id, entries, voids[order.id][:4000])
    return scheduled_match(order.id, entries)


def _folded(header: Tournament, matches: Sequence[PlayedMatch]) -> tuple[PlayedMatch, ...]:
    """Return the matches with the ratings, as far as they go."""
    folding = Folding(header.game, header.seats, header.blocks, cursor=header.first)
    settled = [each.match for each in matches if each.match.state != "scheduled"]
    results = [Result(each.number, tuple(each.entries), tuple(s.mean_place for s in each.scores)) for each in settled]
    moves = {result.number: moved for result, moved in folding.take(results)}
    return tuple(_moved(each, moves.get(each.match.number, ())) for each in matches)


def _moved(played: PlayedMatch, moves: Sequence[tuple[float, float, float, float]]) -> PlayedMatch:
    if not moves:
        return played
    scores = [
        msgspec.structs.replace(score, before=move[:2], after=move[2:])
        for score, move in zip(played.match.scores, moves, strict=True)
    ]
    return PlayedMatch(msgspec.structs.replace(played.match, scores=scores), played.games)
