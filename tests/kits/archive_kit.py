"""A small tournament, played in this process: three bots in all pairs, with one void match."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec

from gangland.blocks import seating
from gangland.faults import BotFault, FaultKind
from gangland.games import game_named
from gangland.match import play
from gangland.view import View
from gangland_ladder.matches import judging, seeds
from gangland_ladder.matches.match_jobs import FaultRecord, GameRecord, MatchJob, Result, Seat
from gangland_ladder.pairing.permitted_tables import Entrant
from gangland_ladder.pairing.round_robin import round_robin
from gangland_ladder.proof import archive_files, archives
from gangland_ladder.proof.randomness import PlayedRandomness, Randomness
from gangland_ladder.rating import bradley_terry, final_standings, trueskill
from gangland_ladder.rating.updater import FinishedMatch, RatingUpdater
from gangland_sandbox.limits import Limits

SECRET = bytes(range(32))
GAME = "gang-of-dice"
BLOCKS = 2
VOID = 2  # the number of the void match, if the tournament has one
CODES = [f"{number:064x}" for number in range(5)]


class Dicer:
    """Takes one to three dice, depending on the entry, and fails at the decision `breaks_at`, if any."""

    def __init__(self, entry: int, breaks_at: int | None) -> None:
        self.dice, self.breaks_at = 1 + entry % 3, breaks_at

    def decide(self, kind: str, view: View, number: int) -> object:
        if self.breaks_at is not None and number >= self.breaks_at:
            raise BotFault(FaultKind.CRASHED, "it broke")
        return min(self.dice, view.pool) if kind == "dice" else []  # type: ignore[attr-defined]


def match_job_for(
    number: int, entries: Sequence[int], *, bots: int, secret: bytes = SECRET, value: str | None = None
) -> MatchJob:
    secret = seeds.dice_secret(secret, value)
    bound = seeds.entries_digest(CODES[:bots])
    return MatchJob(
        id=number,
        game=GAME,
        options={},
        blocks=[seeds.block_seed(secret, bound, number, block).hex() for block in range(BLOCKS)],
        rng_key=seeds.rng_key(secret, number).hex(),
        seats=[Seat(entry=entry, name=f"bot_{entry}", code=CODES[entry]) for entry in entries],
        limits=Limits.plain(BLOCKS).to_dict(),
    )


def judged(job: MatchJob) -> judging.JudgedMatch:
    seats = len(job.seats)
    games = []
    for block in range(BLOCKS):
        for rotation in range(seats):
            sitting = seating(block, rotation, seats)
            first = (block, rotation) == (0, 0)
            players = [Dicer(job.seats[i].entry, 3 if first and i == seats - 1 else None) for i in sitting]
            game = play(game_named(GAME), players, bytes.fromhex(job.blocks[block]))
            faults = [FaultRecord(f.seat, f.kind.value, f.message, f.round, f.decision) for f in game.faults]
            views = judging.views_digest(game.replay)
            games.append(GameRecord(block, rotation, list(sitting), game.replay.to_json(), views, faults, []))
    return judging.judge(job, Result(games))


@cache
def content(seats: int = 2, bots: int = 3, randomness: PlayedRandomness | None = None) -> archives.Content:
    value = randomness.value if randomness is not None else None
    updater = RatingUpdater(GAME, seats, BLOCKS)
    matches, blocks = [], []
    digest = seeds.entries_digest(CODES[:bots]).hex()
    schedule = archives.Schedule(seed="the docks" if randomness is None else seeds.schedule_seed(digest, value))
    robin = round_robin([Entrant(entry, entry) for entry in range(bots)], seats, seed=schedule.seed)
    for number, table in enumerate(robin, 1):
        if number == VOID:
            matches.append(archives.void_match(number, table, "a core was not to be had"))
            list(updater.apply([FinishedMatch(number, table, ())]))
            continue
        job = match_job_for(number, table, bots=bots, value=value)
        came = judged(job)
        places = [(score.mean_place.numerator, score.mean_place.denominator) for score in came.scores]
        ((_, moves),) = updater.apply([FinishedMatch(number, table, tuple(places))])
        matches.append(archives.judged_match(number, job, came, moves))
        each = zip(*(score.block_places for score in came.scores), strict=True)
        blocks += [bradley_terry.BlockResult(table, block) for block in each]
    header = archives.Tournament(
        name="Cup of the docks",
        kind="round-robin",
        game=GAME,
        options={},
        seats=seats,
        blocks=BLOCKS,
        limits=Limits.plain(BLOCKS).to_dict(),
        dice="frozen",
        schedule=schedule,
        first=1,
        matches=len(matches),
        commitment=seeds.commitment(
            SECRET, seeds.promise({"randomness": randomness.announced} if randomness is not None else {})
        ),
        secret=SECRET.hex(),
        about={"site": "a test"},
        randomness=msgspec.UNSET if randomness is None else randomness,
    )
    entries = tuple(
        archives.Entry(i, f"Bot {i}", f"owner {i}", 1, f"bot_{i}", CODES[i], (trueskill.MU, trueskill.SIGMA))
        for i in range(bots)
    )
    return archives.Content(header, entries, tuple(matches), final_standings.standings(blocks, range(bots)).to_json())


def packed(whole: archives.Content) -> bytes:
    stream = BytesIO()
    archive_files.write_archive(stream, whole)
    return stream.getvalue()


def changed(whole: archives.Content, **facts: Any) -> archives.Content:
    header = msgspec.structs.replace(whole.tournament, **facts)
    return archives.Content(header, whole.entries, whole.matches, whole.standings)


def with_match(
    whole: archives.Content, number: int, change: Callable[[archives.PlayedMatch], archives.PlayedMatch]
) -> archives.Content:
    matches = tuple(change(each) if each.match.number == number else each for each in whole.matches)
    return archives.Content(whole.tournament, whole.entries, matches, whole.standings)


def files_of(archive: bytes, path: Path) -> dict[str, bytes]:
    path.write_bytes(archive)
    found = archive_files.tar_members(path, (archives.MANIFEST, *archives.FILES))
    return {name: archive_files.member_bytes(path, found[name], 1 << 30) for name in archives.FILES}


def forged(files: dict[str, bytes]) -> bytes:
    output = [archive_digest(name, files[name]) for name in archives.FILES]
    whole = {archives.MANIFEST: msgspec.json.encode(archives.Manifest(archives.SCHEMA, output)) + b"\n"} | files
    stream = BytesIO()
    archive_files.write_tar(stream, [(name, len(text), BytesIO(text)) for name, text in whole.items()])
    return stream.getvalue()


def archive_digest(name: str, text: bytes) -> archives.FileDigest:
    return archives.FileDigest(name, len(text), sha256(text).hexdigest())


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict) and value:
        for name, item in value.items():
            yield from leaves(item, (*path, name))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path, value


LOTTERY = Randomness("lottery of 1 March 2027", "https://example.org/draws", "2027-03-01T18:00:00Z", "numbers 6")
