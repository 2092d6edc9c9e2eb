"""Export and import archives: an archive is a tournament as one file that anyone can verify."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import insert, update
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select

from gangland_ladder.common.texts import counted
from gangland_ladder.matches.match_jobs import HIGHEST_ID, FaultRecord
from gangland_ladder.matches.seeds import rng_key, schedule_seed
from gangland_ladder.proof import archive_matches, ladder_archives, proving
from gangland_ladder.proof import archives as archive
from gangland_ladder.proof.archive_files import Archive, read_archive, sha256_of
from gangland_ladder.proof.archives import done_match, scheduled_match, void_match
from gangland_ladder.proof.findings import Proof
from gangland_ladder.rating import trueskill
from gangland_ladder.rating.updater import RatingChange
from gangland_ladder.tournaments.lifecycle import State, secret_is_public
from gangland_sandbox.intake import BOT_NAME_CHARS
from gangland_web.base.formats import now_s, state_label
from gangland_web.models.bots import Bot, Code, Version, VersionState, owner_name
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.database import Database
from gangland_web.models.matches import Match, MatchSeat, MatchState, PlayedGame, Purpose
from gangland_web.models.site import Import, ImportedEntry
from gangland_web.models.tournaments import Entry, Tournament
from gangland_web.services import ladder_days, match_jobs, retention, settling, tournaments
from gangland_web.services.matches import final_terms_of

# Writing an archive.

BATCH = 200  # matches per query


class NotExportable(ValueError):
    """A tournament cannot be exported, because it has no entries yet or its replays were deleted."""


def content_of(session: Session, tournament: Tournament) -> archive.Content:
    """Return the content of a tournament's archive; its matches are read during iteration.  Raises NotExportable."""
    if not tournament.roster_digest:
        raise NotExportable(f"{tournament.name} has nothing to export yet ({state_label(tournament.state)})")
    if retention.lacks_replays(session, row_id(tournament.id), 1, HIGHEST_ID):
        raise NotExportable(
            f"the replays of {tournament.name} are no longer stored, and an archive needs them as its proof"
        )
    origin = session.get(Import, tournament.id)
    if origin is not None:
        return _imported_content(session, tournament, origin)
    return archive.Content(
        tournament=_archived_tournament(session, tournament),
        entries=tuple(archived_entries(session, tournament)),
        matches=archived_matches(session, tournament, _secret_of(tournament), 1, HIGHEST_ID),
        standings=settling.final_standings(session, tournament),
    )


def shared_fields(tournament: Tournament | archive.Tournament) -> dict[str, Any]:
    """Return the fields that a tournament and its archive have in common."""
    return {name: getattr(tournament, name) for name in ("name", "game", "options", "seats", "blocks", "limits")}


def _archived_tournament(session: Session, tournament: Tournament) -> archive.Tournament:
    counted = select(func.count()).select_from(Match).where(Match.tournament_id == tournament.id)
    sample = tournament.tables if tournament.seats > 2 else None
    public = secret_is_public(State(tournament.state), tournament.embargo_until, now_s())
    return archive.Tournament(
        **shared_fields(tournament),
        kind="tournament",
        dice="frozen",
        schedule=archive.Schedule(seed=schedule_seed(tournament.roster_digest, tournament.public_value), sample=sample),
        first=1,
        matches=session.exec(counted).one(),
        commitment=tournament.commitment,
        secret=tournament.secret.hex() if public else None,
        about={"state": tournament.state},
        randomness=ladder_days.played_randomness(tournament) or msgspec.UNSET,
        settling=tournaments.terms_of(tournament),
        final_table=final_terms_of(tournament) or msgspec.UNSET,
        house_ranked=msgspec.UNSET if tournament.house_ranked else False,
    )


def _secret_of(tournament: Tournament) -> bytes:
    """Return the secret that determines the dice; the bare secret until the public value is entered."""
    # Until then there are no matches.
    return tournament.secret if ladder_days.awaits_value(tournament) else ladder_days.secret_for_dice(tournament)


def archived_entries(session: Session, tournament: Tournament, *, entry_ids: Any = None) -> Iterator[archive.Entry]:
    """Yield a tournament's entries in archive format, ordered by id, with the initial rating.

    `entry_ids`: a subquery for the ids of the entries to return; by default, all entries are returned.
    """
    query = (
        select(Entry, Bot.name, owner_name(), Version)
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Entry.tournament_id == tournament.id)
        .order_by(col(Entry.id))
    )
    if entry_ids is not None:
        query = query.where(col(Entry.id).in_(entry_ids))
    for entry, bot, owner, version in session.exec(query).all():
        file, code = match_jobs.seat_name(version.filename), version.code_sha256
        reason, has_left = entry.disqualified_for, tournament.kind == "tournament" and not entry.active
        yield archive.Entry(
            *(row_id(entry.id), bot, owner or "", version.number, file, code, (trueskill.MU, trueskill.SIGMA), reason),
            withdrawn=True if has_left and not reason else msgspec.UNSET,
        )


def archived_matches(
    session: Session,
    tournament: Tournament,
    secret: bytes,
    first: int,
    last: int,
    *,
    imported: bool = False,
    ordered: bool = False,
) -> Iterator[archive.PlayedMatch]:
    """Yield the matches from number `first` to `last` in archive format, reading `BATCH` matches at a time.

    Args:
        secret: the secret for the dice, with the public value mixed in.
        imported: whether to include the messages of faults, which are public in an import.
        ordered: whether to include `rating_order`, as in archives of ladders.
    """
    query = select(Match).where(Match.tournament_id == tournament.id, col(Match.number) <= last)
    query = query.order_by(col(Match.number)).limit(BATCH)
    number = first  # paging by number instead of OFFSET, so that the index finds each page directly
    while matches := session.exec(query.where(col(Match.number) >= number)).all():
        for match, played in zip(matches, _archived_batch(session, secret, matches, imported), strict=True):
            yield _with_order(match, played, ordered=ordered)
        number = matches[-1].number + 1
        for match in matches:
            session.expunge(match)


def _archived_batch(
    session: Session, secret: bytes, matches: Sequence[Match], imported: bool
) -> Iterator[archive.PlayedMatch]:
    ids = [row_id(match.id) for match in matches]
    seats = session.exec(select(MatchSeat).where(col(MatchSeat.match_id).in_(ids)).order_by("match_id", "position"))
    seats_by_match = {match: list(rows) for match, rows in groupby(seats, key=_MATCH_ID)}
    order = (col(PlayedGame.match_id), col(PlayedGame.block), col(PlayedGame.rotation))
    query = select(PlayedGame).where(col(PlayedGame.match_id).in_(ids)).options(defer(_LOGS))
    games_by_match = {match: list(rows) for match, rows in groupby(session.exec(query.order_by(*order)), key=_MATCH_ID)}
    for match in matches:
        games = [_archived_game(match.number, game, imported) for game in games_by_match.get(row_id(match.id), [])]
        yield _archived_match(match, secret, seats_by_match[row_id(match.id)], games)
    for row in chain(*seats_by_match.values(), *games_by_match.values()):
        session.expunge(row)


_LOGS: Any = PlayedGame.logs  # archives have no logs, which only owners may read
_MATCH_ID: Any = attrgetter("match_id")


def _archived_match(
    match: Match, secret: bytes, seats: list[MatchSeat], games: list[archive.Game]
) -> archive.PlayedMatch:
    entries = [seat.entry_id for seat in seats]
    if match.state == MatchState.VOID.value:
        return void_match(match.number, entries, (match.void_reason or "")[:4000])
    if match.state != MatchState.DONE.value:
        return scheduled_match(match.number, entries)
    return done_match(
        match.number,
        entries,
        games,
        digest=match.digest or "",
        rng_key=rng_key(secret, match.number).hex(),
        python=match.python,
        wins=[seat.wins for seat in seats],
        luck_pairs=[(seat.luck or 0.0, seat.adjusted or 0.0) for seat in seats],
        faults=[seat.faults for seat in seats],
        rating_changes=_rating_changes(seats),
    )


def _rating_changes(seats: list[MatchSeat]) -> list[RatingChange]:
    return [
        (seat.mu_before, seat.sigma_before, seat.mu_after, seat.sigma_after)
        for seat in seats
        if seat.mu_before is not None
        and seat.sigma_before is not None
        and seat.mu_after is not None
        and seat.sigma_after is not None
    ]


def _archived_game(number: int, game: PlayedGame, imported: bool) -> archive.Game:
    faults = [fault if imported else {**fault, "message": ""} for fault in game.faults]
    return archive.Game(
        match=number,
        block=game.block,
        rotation=game.rotation,
        seating=game.seating,
        places=game.places,
        luck=game.luck,
        replay=msgspec.Raw(game.replay.encode()),
        views=game.views,
        faults=msgspec.convert(faults, list[FaultRecord]),
    )


def _with_order(match: Match, played: archive.PlayedMatch, *, ordered: bool) -> archive.PlayedMatch:
    if ordered and match.rating_order is not None:
        return archive.PlayedMatch(msgspec.structs.replace(played.match, rating_order=match.rating_order), played.games)
    if match.is_final and not ordered:
        return archive.PlayedMatch(msgspec.structs.replace(played.match, final=True), played.games)
    return played


def _imported_content(session: Session, tournament: Tournament, origin: Import) -> archive.Content:
    query = select(ImportedEntry).join(Entry, col(Entry.id) == ImportedEntry.entry_id)
    imported = {row.entry_id: row for row in session.exec(query.where(Entry.tournament_id == tournament.id))}
    owner_query = select(Entry.id, Bot.foreign_owner).join(Version, col(Version.id) == Entry.version_id)
    owner_query = owner_query.join(Bot, col(Bot.id) == Version.bot_id).where(Entry.tournament_id == tournament.id)
    owners = {row_id(entry): owner or "" for entry, owner in session.exec(owner_query)}
    entries = tuple(
        msgspec.structs.replace(
            entry,
            id=imported[entry.id].number,
            owner=owners[entry.id],
            start=(imported[entry.id].start_mu, imported[entry.id].start_sigma),
        )
        for entry in archived_entries(session, tournament)
    )
    numbers = {entry: row.number for entry, row in imported.items()}
    with_order = origin.header["dice"] == ladder_archives.SEATED
    played = archived_matches(
        session, tournament, _secret_of(tournament), 1, HIGHEST_ID, imported=True, ordered=with_order
    )
    return archive.Content(
        tournament=msgspec.convert(origin.header, archive.Tournament),
        entries=entries,
        matches=(_renumber(row, numbers) for row in played),
        standings=origin.standings,
    )


def _renumber(played: archive.PlayedMatch, numbers: dict[int, int]) -> archive.PlayedMatch:
    entries = [numbers[entry] for entry in played.match.entries]
    return archive.PlayedMatch(msgspec.structs.replace(played.match, entries=entries), played.games)


# Importing an archive, which is first verified and then written in one transaction.
#
# An imported tournament is already over. Its bots are identified by name, owner and the SHA-256 of their code. They
# belong to no account on this site and never play here.

IMPORT_BATCH = 2_400  # games per statement; a match is never split
SHOWN_FINDINGS = 5  # number of findings that a refusal lists


class ImportRefused(ValueError):
    """An archive was refused, and nothing was written; `findings` is the number of problems that verification found."""

    def __init__(self, message: str, findings: int = 0) -> None:
        super().__init__(message)
        self.findings = findings


@dataclass(frozen=True, slots=True)
class Imported:
    """A completed import: the new tournament's id, the archive's SHA-256, and the proof."""

    tournament_id: int
    sha256: str
    name: str
    entries: int
    proof: Proof


def import_archive(database: Database, path: Path, *, announced: str | None = None) -> Imported:
    """Verify an archive and import it as a finished tournament; `announced` is the published commitment in hexadecimal.

    Raises ImportRefused (for example, verification fails, matches or the secret are missing, or the archive was
    imported before), ArchiveError (damaged, or of another schema) or OSError.
    """
    source = read_archive(path)
    _check_importable(source)
    with database.read() as session:
        _check_is_new(session, source)
    proof = proving.prove(source, announced=announced)
    if not proof.is_proven:
        problems = "; ".join(f"{finding.where}: {finding.message}" for finding in proof.findings[:SHOWN_FINDINGS])
        raise ImportRefused(f"{path.name} does not verify ({proof.count} findings): {problems}", proof.count)
    if proof.scheduled:
        raise ImportRefused(f"{path.name} has {counted(proof.scheduled, 'match')} still to be played")
    with database.write() as session:
        _check_is_new(session, source)
        tournament = _import_all(session, source)
        if sha256_of(path) != source.sha256:
            raise ImportRefused(f"{path.name} changed while it was being read")
        tournament_id = row_id(tournament.id)
    return Imported(tournament_id, source.sha256, source.tournament.name, len(source.entries), proof)


def _check_importable(source: Archive) -> None:
    if source.tournament.dice == "seed":
        raise ImportRefused("a local ladder proves nothing, because its dice come from a --seed that the player chose")
    if source.tournament.secret is None:
        raise ImportRefused("the archive has no secret: export it again once the secret is public")
    if long := [entry.name for entry in source.entries if len(entry.name) > BOT_NAME_CHARS]:
        raise ImportRefused(
            f"a bot's name must have at most {BOT_NAME_CHARS} characters, but {long[0]!r} has {len(long[0])}"
        )


def _check_is_new(session: Session, source: Archive) -> None:
    tournament_id = session.exec(select(Import.tournament_id).where(Import.sha256 == source.sha256)).first()
    if tournament_id is not None:
        raise ImportRefused(f"this archive was already imported, as tournament {tournament_id}")


@dataclass(slots=True)
class _EntryTotals:
    id: int
    code: str
    skill: archive.Skill
    games: int = 0
    wins: int = 0
    faults: int = 0


_Totals = dict[int, _EntryTotals]  # by the entry's number in the archive


def _import_all(session: Session, source: Archive) -> Tournament:
    tournament = _import_tournament(session, source)
    entries = _import_entries(session, source, tournament)
    matches = source.matches()
    batch_size = max(1, IMPORT_BATCH // (source.tournament.blocks * source.tournament.seats))
    while batch := list(islice(matches, batch_size)):
        _import_matches(session, source, tournament, entries, batch)
    rows = [
        {
            "id": total.id,
            "mu": total.skill[0],
            "sigma": total.skill[1],
            "rating": trueskill.shown(*total.skill),
            "games": total.games,
            "wins": total.wins,
            "faults": total.faults,
        }
        for total in entries.values()
    ]
    session.execute(update(Entry), rows)
    last = select(func.max(Match.rating_order)).where(Match.tournament_id == tournament.id)
    tournament.cursor = (session.exec(last).one() or 0) + 1
    return add_row(session, tournament)


def _import_tournament(session: Session, source: Archive) -> Tournament:
    header, now = source.tournament, now_s()
    canceled = header.about.get("state") == State.CANCELED.value
    codes = [entry.code for entry in source.entries]
    tournament = Tournament(
        **shared_fields(header),
        kind="tournament",
        secret=bytes.fromhex(header.secret or ""),
        commitment=header.commitment,
        state=State.CANCELED.value if canceled else State.REVEALED.value,
        tables=header.schedule.sample if header.schedule is not None else None,
        note=f"Played on another installation. The SHA-256 of its archive is {source.sha256}.",
        announced_at=now,
        finished_at=now,
        revealed_at=None if canceled else now,
        roster_digest=archive_matches.digest_for("frozen", codes, codes).hex(),
        created_at=now,
        house_ranked=header.house_ranked is not False,
        final_seats=header.final_table.seats if header.final_table else None,
        final_blocks=header.final_table.blocks if header.final_table else None,
        **ladder_days.imported_randomness(header),
    )
    add_row(session, tournament)
    add_row(
        session,
        Import(
            tournament_id=row_id(tournament.id),
            sha256=source.sha256,
            header=msgspec.to_builtins(header),
            standings=source.standings,
            imported_at=now,
        ),
    )
    return tournament


def _import_entries(session: Session, source: Archive, tournament: Tournament) -> _Totals:
    # All entries of a bot become versions of the same bot.
    totals: _Totals = {}
    bots: dict[tuple[str, str, int], Bot] = {}
    copies: dict[tuple[str, str, int], int] = {}
    for entry in source.entries:
        version_key = (entry.name, entry.owner, entry.version)
        copy = copies[version_key] = copies.get(version_key, -1) + 1
        bot_key = (entry.name, entry.owner, copy)
        if bot_key not in bots:
            identity = "\n".join((source.sha256, entry.name, entry.owner, str(copy)))
            bot = Bot(
                game=source.tournament.game,
                name=entry.name,
                name_key="\n" + sha256(identity.encode()).hexdigest()[:60],  # no other name contains a line break
                import_id=row_id(tournament.id),
                foreign_owner=entry.owner,
                created_at=now_s(),
            )
            bots[bot_key] = add_row(session, bot)
        version = _import_version(session, bots[bot_key], entry)
        totals[entry.id] = _EntryTotals(_import_entry(session, tournament, version, entry), entry.code, entry.start)
    return totals


def _import_version(session: Session, bot: Bot, entry: archive.Entry) -> Version:
    if session.get(Code, entry.code) is None:
        add_row(session, Code(sha256=entry.code, source=None, size=0))
    version = Version(
        bot_id=row_id(bot.id),
        number=entry.version,
        code_sha256=entry.code,
        filename=f"{entry.file}.py",
        state=VersionState.RETIRED.value,
        created_at=now_s(),
    )
    return add_row(session, version)


def _import_entry(session: Session, tournament: Tournament, version: Version, entry: archive.Entry) -> int:
    mu, sigma = entry.start
    row = Entry(
        tournament_id=row_id(tournament.id),
        version_id=row_id(version.id),
        mu=mu,
        sigma=sigma,
        rating=trueskill.shown(mu, sigma),
        round_mu=mu,
        round_sigma=sigma,
        active=not (entry.disqualified or entry.withdrawn),
        disqualified_at=now_s() if entry.disqualified else None,
        disqualified_for=entry.disqualified,
        created_at=now_s(),
    )
    add_row(session, row)
    add_row(session, ImportedEntry(entry_id=row_id(row.id), number=entry.id, start_mu=mu, start_sigma=sigma))
    return row_id(row.id)


def _import_matches(
    session: Session, source: Archive, tournament: Tournament, entries: _Totals, batch: Sequence[archive.PlayedMatch]
) -> None:
    codes = [total.code for total in entries.values()]
    rows = [_match_row(source, tournament, played.match, codes, entries) for played in batch]
    ids = session.scalars(insert(Match).returning(col(Match.id), sort_by_parameter_order=True), rows).all()
    pairs = list(zip(map(row_id, ids), batch, strict=True))
    session.execute(insert(MatchSeat), [row for match, played in pairs for row in _seat_rows(match, played, entries)])
    games = [row for match, played in pairs for row in _game_rows(match, played)]
    if games:
        session.execute(insert(PlayedGame), games)


def _match_row(
    source: Archive, tournament: Tournament, match: archive.Match, codes: list[str], entries: _Totals
) -> dict[str, Any]:
    seat_codes = [entries[number].code for number in match.entries]
    is_done = match.state == MatchState.DONE.value
    return {
        "tournament_id": row_id(tournament.id),
        "number": match.number,
        "rating_order": _rating_order(source, match),
        "is_final": match.is_final,
        "purpose": Purpose.TOURNAMENT.value,
        "seed_digest": archive_matches.digest_for(source.tournament.dice, codes, seat_codes).hex(),
        "state": match.state,
        "attempt": 0,
        "void_reason": match.void_reason,
        "created_at": tournament.created_at,
        "done_at": tournament.created_at,
        "digest": match.digest if is_done else None,
        "python": match.python or None,
    }


def _rating_order(source: Archive, match: archive.Match) -> int | None:
    """Return a match's position in the rating order; None for a final table or a ladder match that was never sent."""
    if match.rating_order is not msgspec.UNSET:
        return match.rating_order
    never_sent = source.tournament.dice == ladder_archives.SEATED and match.state != MatchState.DONE.value
    return None if never_sent or match.is_final else match.number


def _seat_rows(match_id: int, played: archive.PlayedMatch, entries: _Totals) -> Iterator[dict[str, Any]]:
    scores: Sequence[archive.SeatScore | None] = played.match.scores or [None] * len(played.match.entries)
    for position, (number, score) in enumerate(zip(played.match.entries, scores, strict=True)):
        row: dict[str, Any] = {"match_id": match_id, "position": position, "entry_id": entries[number].id}
        if score is not None:
            total = entries[number]
            total.games += len(played.games)
            total.wins += score.wins
            total.faults += score.faults
            total.skill = score.after or total.skill
        yield row | _score_columns(score)


def _score_columns(score: archive.SeatScore | None) -> dict[str, Any]:
    numerator, denominator = score.mean_place if score is not None else (None, None)
    before = (score and score.before) or (None, None)
    after = (score and score.after) or (None, None)
    return {
        "mean_place_num": numerator,
        "mean_place_den": denominator,
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
