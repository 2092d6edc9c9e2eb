"""Importing an archive: it is proven first, and then written in one transaction or not at all.

What comes is a tournament that is over.  Its bots are known by name, owner and the SHA-256 of their code; nobody here
owns them, and they play no more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import insert, update
from sqlmodel import Session, col, func, select

from gangland_ladder.proof.archives import archive
from gangland_ladder.proof.archives.files import Archive, read_archive, sha256_of
from gangland_ladder.proof.archives.orders import digest_for
from gangland_ladder.proof.archives.proof import Proof, prove
from gangland_ladder.proof.archives.rating_order import SEATED
from gangland_ladder.rating.trueskill import shown as rating_shown
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.clock import now_s
from gangland_web.league.tournaments.public_values import imported_randomness
from gangland_web.models.bots import Bot, Code, Version, VersionState
from gangland_web.models.columns import stored
from gangland_web.models.database import Database
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame, Purpose
from gangland_web.models.site import Import, ImportedEntry
from gangland_web.models.tournaments import Entry, Tournament

BATCH = 2_400
"""Games that are written at once, as far as they are of several matches."""
NAME_CHARS = 64
SHOWN_FINDINGS = 5
"""How many findings a refusal names."""


class ImportRefused(ValueError):
    """An archive that is not taken in, and why; nothing was written.

    Attributes:
        findings: how many things in it are not as they should be; 0 if it is refused for another reason.
    """

    def __init__(self, message: str, findings: int = 0) -> None:
        super().__init__(message)
        self.findings = findings


@dataclass(frozen=True, slots=True)
class Imported:
    """What was imported: the tournament that was made, the archive's SHA-256, and what the proof came to."""

    tournament_id: int
    sha256: str
    name: str
    entries: int
    proof: Proof


@dataclass(slots=True)
class _Came:
    """An imported entry: its id here, its code, and what its matches came to."""

    id: int
    code: str
    skill: archive.Skill
    games: int = 0
    wins: int = 0
    faults: int = 0


_Entries = dict[int, _Came]
"""By the entries' numbers where they played."""


def import_archive(database: Database, path: Path, *, announced: str | None = None) -> Imported:
    """Prove an archive and take it in as a tournament that is over.

    Args:
        announced: the commitment as it was published, 64 hexadecimal digits.

    Raises:
        ImportRefused: it does not verify, is not over, or was imported before.
        ArchiveError: it is no archive, a damaged one, or one of another schema.
        OSError: the file cannot be read.
    """
    opened = read_archive(path)
    _need_over(opened)
    with database.read() as session:
        _need_new(session, opened)
    proof = prove(opened, announced=announced)
    if not proof.holds:
        problems = "; ".join(f"{finding.where}: {finding.message}" for finding in proof.findings[:SHOWN_FINDINGS])
        raise ImportRefused(f"{path.name} does not verify ({proof.found} findings): {problems}", proof.found)
    if proof.scheduled:
        raise ImportRefused(f"{proof.scheduled} matches of {path.name} are still to be played")
    with database.write() as session:
        _need_new(session, opened)
        tournament = _write(session, opened)
        if sha256_of(path) != opened.sha256:
            raise ImportRefused(f"{path.name} changed while it was read")
        found = stored(tournament.id)
    return Imported(found, opened.sha256, opened.tournament.name, len(opened.entries), proof)


def _need_over(opened: Archive) -> None:
    if opened.tournament.dice == "seed":
        raise ImportRefused("a local ladder's dice come from a --seed that whoever played chose, and prove nothing")
    if opened.tournament.secret is None:
        raise ImportRefused("its secret is not in the archive: export it again once the secret is public")
    if long := [entry.name for entry in opened.entries if len(entry.name) > NAME_CHARS]:
        raise ImportRefused(f"a bot's name has at most {NAME_CHARS} characters, not {len(long[0])} as {long[0]!r}")


def _need_new(session: Session, opened: Archive) -> None:
    known = session.exec(select(Import.tournament_id).where(Import.sha256 == opened.sha256)).first()
    if known is not None:
        raise ImportRefused(f"this archive is here already, as tournament {known}")


def _write(session: Session, opened: Archive) -> Tournament:
    tournament = _tournament(session, opened)
    entries = _entries(session, opened, tournament)
    matches = opened.matches()
    at_once = max(1, BATCH // (opened.tournament.blocks * opened.tournament.seats))
    while batch := list(islice(matches, at_once)):
        _matches(session, opened, tournament, entries, batch)
    _finish(session, entries)
    last = select(func.max(Match.rating_order)).where(Match.tournament_id == tournament.id)
    tournament.cursor = (session.exec(last).one() or 0) + 1
    session.add(tournament)
    session.flush()
    return tournament


def _tournament(session: Session, opened: Archive) -> Tournament:
    header, now = opened.tournament, now_s()
    cancelled = header.about.get("state") == State.CANCELLED.value
    codes = [entry.code for entry in opened.entries]
    tournament = Tournament(
        kind="tournament",
        game=header.game,
        seats=header.seats,
        name=header.name,
        options=header.options,
        blocks=header.blocks,
        limits=header.limits,
        secret=bytes.fromhex(header.secret or ""),
        commitment=header.commitment,
        state=State.CANCELLED.value if cancelled else State.REVEALED.value,
        tables=header.schedule.sample if header.schedule is not None else None,
        note=f"Played on another installation. The SHA-256 of its archive is {opened.sha256}.",
        announced_at=now,
        finished_at=now,
        revealed_at=None if cancelled else now,
        roster_digest=digest_for("frozen", codes, codes).hex(),
        created_at=now,
        house_ranked=header.house_ranked is not False,
        final_seats=header.final_table.seats if header.final_table else None,
        final_blocks=header.final_table.blocks if header.final_table else None,
        **imported_randomness(header),
    )
    session.add(tournament)
    session.flush()
    session.add(
        Import(
            tournament_id=stored(tournament.id),
            sha256=opened.sha256,
            header=msgspec.to_builtins(header),
            standings=opened.standings,
            imported_at=now,
        )
    )
    session.flush()
    return tournament


def _entries(session: Session, opened: Archive, tournament: Tournament) -> _Entries:
    """Write bots, versions and entries, in the order of their numbers: entries of one bot are versions of it."""
    found: _Entries = {}
    bots: dict[tuple[str, str, int], Bot] = {}
    copies: dict[tuple[str, str, int], int] = {}
    for entry in opened.entries:
        version_key = (entry.name, entry.owner, entry.version)
        twice = copies[version_key] = copies.get(version_key, -1) + 1
        bot_key = (entry.name, entry.owner, twice)
        if bot_key not in bots:
            bots[bot_key] = _bot(session, opened, tournament, entry, twice)
        version = _version(session, bots[bot_key], entry)
        found[entry.id] = _Came(_entry(session, tournament, version, entry), entry.code, entry.start)
    return found


def _bot(session: Session, opened: Archive, tournament: Tournament, entry: archive.Entry, twice: int) -> Bot:
    identity = "\n".join((opened.sha256, entry.name, entry.owner, str(twice)))
    bot = Bot(
        game=opened.tournament.game,
        name=entry.name,
        name_key="\n" + sha256(identity.encode()).hexdigest()[:60],  # no name has a line break
        import_id=stored(tournament.id),
        foreign_owner=entry.owner,
        created_at=now_s(),
    )
    session.add(bot)
    session.flush()
    return bot


def _version(session: Session, bot: Bot, entry: archive.Entry) -> Version:
    if session.get(Code, entry.code) is None:
        session.add(Code(sha256=entry.code, source=None, size=0))
        session.flush()
    version = Version(
        bot_id=stored(bot.id),
        number=entry.version,
        code_sha256=entry.code,
        filename=f"{entry.file}.py",
        state=VersionState.RETIRED.value,
        created_at=now_s(),
    )
    session.add(version)
    session.flush()
    return version


def _entry(session: Session, tournament: Tournament, version: Version, entry: archive.Entry) -> int:
    mu, sigma = entry.start
    row = Entry(
        tournament_id=stored(tournament.id),
        version_id=stored(version.id),
        mu=mu,
        sigma=sigma,
        rating=rating_shown(mu, sigma),
        round_mu=mu,
        round_sigma=sigma,
        active=not (entry.disqualified or entry.withdrawn),
        disqualified_at=now_s() if entry.disqualified else None,
        disqualified_for=entry.disqualified,
        created_at=now_s(),
    )
    session.add(row)
    session.flush()
    session.add(ImportedEntry(entry_id=stored(row.id), number=entry.id, start_mu=mu, start_sigma=sigma))
    session.flush()
    return stored(row.id)


def _matches(
    session: Session, opened: Archive, tournament: Tournament, entries: _Entries, batch: Sequence[archive.PlayedMatch]
) -> None:
    codes = [one.code for one in entries.values()]
    rows = [_match_row(opened, tournament, played.match, codes, entries) for played in batch]
    ids = session.scalars(insert(Match).returning(col(Match.id), sort_by_parameter_order=True), rows).all()
    both = list(zip(map(stored, ids), batch, strict=True))
    session.execute(insert(MatchSeat), [row for match, played in both for row in _seat_rows(match, played, entries)])
    games = [row for match, played in both for row in _game_rows(match, played)]
    if games:
        session.execute(insert(PlayedGame), games)


def _match_row(
    opened: Archive, tournament: Tournament, match: archive.Match, codes: list[str], entries: _Entries
) -> dict[str, Any]:
    seated = [entries[number].code for number in match.entries]
    done = match.state == MatchState.DONE.value
    return {
        "tournament_id": stored(tournament.id),
        "number": match.number,
        "rating_order": _rating_order(opened, match),
        "is_final": match.is_final,
        "purpose": Purpose.TOURNAMENT.value,
        "seed_digest": digest_for(opened.tournament.dice, codes, seated).hex(),
        "state": match.state,
        "attempt": 0,
        "void_reason": match.void_reason,
        "created_at": tournament.created_at,
        "done_at": tournament.created_at,
        "digest": match.digest if done else None,
        "python": match.python or None,
    }


def _rating_order(opened: Archive, match: archive.Match) -> int | None:
    """Return the place that ratings took a match in; that of a ladder's match that was never sent is None."""
    if match.rating_order is not msgspec.UNSET:
        return match.rating_order
    never_sent = opened.tournament.dice == SEATED and match.state != MatchState.DONE.value
    return None if never_sent or match.is_final else match.number


def _seat_rows(match_id: int, played: archive.PlayedMatch, entries: _Entries) -> Iterator[dict[str, Any]]:
    """Yield a match's seats, and count what it came to for its entries."""
    scores: Sequence[archive.SeatScore | None] = played.match.scores or [None] * len(played.match.entries)
    for position, (number, score) in enumerate(zip(played.match.entries, scores, strict=True)):
        row: dict[str, Any] = {"match_id": match_id, "position": position, "entry_id": entries[number].id}
        if score is not None:
            tally = entries[number]
            tally.games += len(played.games)
            tally.wins += score.wins
            tally.faults += score.faults
            tally.skill = score.after or tally.skill
        yield row | _score(score)


def _score(score: archive.SeatScore | None) -> dict[str, Any]:
    count, of = score.mean_place if score is not None else (None, None)
    before = (score and score.before) or (None, None)
    after = (score and score.after) or (None, None)
    return {
        "mean_place_num": count,
        "mean_place_den": of,
        "luck": score and score.luck,
        "adjusted": score and score.adjusted,
        "wins": score.wins if score is not None else 0,
        "faults": score.faults if score is not None else 0,
        "mu_before": before[0],
        "sigma_before": before[1],
        "mu_after": after[0],
        "sigma_after": after[1],
    }


def _game_rows(match_id: int, played: archive.PlayedMatch) -> Iterator[dict[str, Any]]:
    for game in played.games:
        yield {
            "match_id": match_id,
            "block": game.block,
            "rotation": game.rotation,
            "replay": bytes(game.replay).decode(),
            "views": game.views,
            "seating": game.seating,
            "places": game.places,
            "luck": game.luck,
            "faults": msgspec.to_builtins(game.faults),
            "logs": None,
        }


def _finish(session: Session, entries: _Entries) -> None:
    """Write what the entries came to."""
    rows = [
        {
            "id": tally.id,
            "mu": tally.skill[0],
            "sigma": tally.skill[1],
            "rating": rating_shown(*tally.skill),
            "games": tally.games,
            "wins": tally.wins,
            "faults": tally.faults,
        }
        for tally in entries.values()
    ]
    session.execute(update(Entry), rows)
