"""The tournaments that every installation has: trials, ladder and challenges of each game and table size."""

import secrets
from collections.abc import Callable, Mapping

from sqlmodel import Session, select

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.matches.seeds import commitment
from gangland_sandbox.limits import Limits, Profile
from gangland_web.base.clock import now_s
from gangland_web.models.tournaments import Tournament

LADDER_BLOCKS = 12
TRIAL_BLOCKS = 2


def ensure_tournaments(
    session: Session,
    *,
    ladder_blocks: int = LADDER_BLOCKS,
    draw_secret: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    profiles: Mapping[str, Profile] | None = None,
) -> None:
    """Make the tournaments that are missing.

    Args:
        ladder_blocks: blocks of a match in new ladders and challenges, which cannot be changed later.
        draw_secret: called once for each new tournament, in a fixed order.
        profiles: of new tournaments by game; plain for a game without one.
    """
    known = {(t.kind, t.game, t.seats) for t in session.exec(select(Tournament)).all()}
    for game in GAME_NAMES:
        profile = (profiles or {}).get(game, Profile.PLAIN)
        for seats in game_named(game).table_sizes:
            for kind, blocks in (("trials", TRIAL_BLOCKS), ("ladder", ladder_blocks), ("challenges", ladder_blocks)):
                if (kind, game, seats) not in known:
                    # A trial's few games may be long: its limits are those of a whole match, as in the check.
                    limits = Limits.of(profile, max(blocks, ladder_blocks))
                    session.add(_tournament(kind, game, seats, blocks, draw_secret(), limits))
    session.flush()


def tournaments_of(session: Session, kind: str, game: str) -> list[Tournament]:
    """Return a game's trials or ladders, the smallest table first."""
    query = select(Tournament).where(Tournament.kind == kind, Tournament.game == game)
    return list(session.exec(query.order_by(Tournament.seats)).all())  # type: ignore[arg-type]


def profile_of(session: Session, game: str) -> Profile:
    """Return the profile in which a game's bots are checked and play."""
    return Limits.from_dict(tournaments_of(session, "trials", game)[0].limits).profile


def _tournament(kind: str, game: str, seats: int, blocks: int, secret: bytes, limits: Limits) -> Tournament:
    return Tournament(
        kind=kind,
        game=game,
        seats=seats,
        name=f"{game_named(game).title}, {kind} at {seats} seats",
        options={},
        blocks=blocks,
        limits=dict(limits.to_dict()),
        secret=secret,
        commitment=commitment(secret),
        created_at=now_s(),
    )
