"""A match of an archive, played again: alike to the last decision, or the first that differs is named."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from shutil import copy

import msgspec
import pytest
from msgspec import UNSET
from tests.kits.bots_kit import bots_in
from tests.kits.command_kit import gangland, parsed
from tests.kits.reproducing_kit import CHANCY, STEADIER, STEADY, WILD

from gangland.games import game_named
from gangland_ladder.common.release import this_python
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.ladder import archive_content
from gangland_ladder.local.matches import LocalRun
from gangland_ladder.matches import judging, match_jobs, reproducing, seeds
from gangland_ladder.matches.first_difference import Stage
from gangland_ladder.matches.referee import play_match
from gangland_ladder.proof import archive_files, proving
from gangland_ladder.proof.archives import Content, Entry, PlayedMatch, Tournament, judged_match, scheduled_match
from gangland_ladder.rating.trueskill import MU, SIGMA, Rating, rate
from gangland_sandbox import jail, limits
from gangland_sandbox.pool import Pool

SECRET = bytes(32)
BLOCKS = 2
BROKEN = STEADY + b"    def choose_reroll(self, view):\n        return self.nothing\n"
LATE = STEADY.replace(b"self.met += 1", b"raise RuntimeError('over')")
UNREADABLE = b"from gangland import gang_of_dice\nraise ImportError('never')\n"


def match_job_of(*sources: bytes, number: int = 1) -> match_jobs.MatchJob:
    codes = [sha256(source).hexdigest() for source in sources]
    bound = seeds.entries_digest(codes)
    return match_jobs.MatchJob(
        id=number,
        game=game_named("gang-of-dice").name,
        options={},
        blocks=[seeds.block_seed(SECRET, bound, number, block).hex() for block in range(BLOCKS)],
        rng_key=seeds.rng_key(SECRET, number).hex(),
        seats=[match_jobs.Seat(entry, f"bot_{entry}", code) for entry, code in enumerate(codes)],
        limits=limits.Limits.plain(BLOCKS).to_dict(),
    )


def codes_of(*sources: bytes) -> dict[str, bytes]:
    return {sha256(source).hexdigest(): source for source in sources}


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(jail.Mode.TRUSTED) as pool:
        yield pool


Played = Callable[..., list[match_jobs.GameRecord]]
Again = Callable[..., reproducing.Reproduction]


@pytest.fixture(scope="module")
def played(pool: Pool) -> Played:
    def play(job: match_jobs.MatchJob, *sources: bytes) -> list[match_jobs.GameRecord]:
        codes = {seat.code: source for seat, source in zip(job.seats, sources, strict=True)}
        return play_match(job, codes, pool=pool).games

    return play


@pytest.fixture(scope="module")
def again(pool: Pool) -> Again:
    return lambda job, games, *sources: reproducing.reproduce(job, games, codes_of(*sources), pool)


@pytest.mark.parametrize(
    "bots",
    [(STEADY, CHANCY), (BROKEN, LATE), (STEADY, UNREADABLE)],
    ids=["chance", "a fault and a late one", "no start"],
)
def test_bots_of_views_and_rng_play_the_same_again(played: Played, again: Again, bots: tuple[bytes, bytes]) -> None:
    job = match_job_of(*bots)
    games = played(job, *bots)
    for given in (bots, bots[:1], bots[1:]):
        came = again(job, games, *given)
        assert (came.difference, came.deterministic, came.games) == (None, None, 2 * BLOCKS)
        assert came.entries_with_code == tuple(entry for entry, source in enumerate(bots) if source in given)


def test_a_decision_that_is_not_as_recorded_is_the_first_that_is_named(played: Played, again: Again) -> None:
    job = match_job_of(CHANCY, STEADY)
    games = played(job, CHANCY, STEADIER)
    came = again(job, games, STEADY)
    reported = came.difference
    assert reported is not None
    assert (reported.when, reported.kind, reported.round, reported.entry) == (Stage.DECISION, "reroll", 3, 1)
    assert (reported.block, reported.rotation, reported.seat) == (0, 0, 1)
    recorded = json.loads(games[0].replay)["decisions"][reported.decision]
    assert list(reported.recorded) == recorded != []
    assert reported.again == ()
    assert came.deterministic is True


def test_other_faults_in_a_game_at_its_start_and_after_its_end_are_named(played: Played, again: Again) -> None:
    job = match_job_of(CHANCY, STEADY)
    cases = ((BROKEN, Stage.DECISION, ()), (UNREADABLE, Stage.START, None), (LATE, Stage.END, None))
    for wrong, when, decided in cases:
        came = again(job, played(job, CHANCY, wrong), STEADY)
        reported = came.difference
        assert reported is not None
        assert (reported.when, reported.entry, reported.recorded, reported.again) == (when, 1, "fault", decided)
        if wrong is BROKEN:
            assert reported.again_fault == ""
            assert reported.recorded_fault.startswith("crashed: ")
            assert came.deterministic is True


def test_a_bot_that_is_not_deterministic_is_told_so(played: Played, again: Again) -> None:
    job = match_job_of(WILD, STEADY)
    came = again(job, played(job, WILD, STEADY), WILD)
    assert came.difference is not None
    assert (came.difference.entry, came.deterministic) == (0, False)


def test_other_views_are_found_and_a_match_of_other_bots_or_no_game_is_refused(played: Played, again: Again) -> None:
    job = match_job_of(STEADY, CHANCY)
    games = played(job, STEADY, CHANCY)
    forged = [msgspec.structs.replace(games[0], views="0" * 64), *games[1:]]
    reported = again(job, forged, STEADY).difference
    assert reported is not None
    assert (reported.when, reported.recorded, reported.seat) == (Stage.VIEWS, "0" * 64, None)
    with pytest.raises(ValueError, match="none of the given bots"):
        again(job, games, BROKEN)
    with pytest.raises(ValueError, match="exactly one per block and rotation"):
        again(job, games[1:], STEADY)


def archive_of(folder: Path, sources: tuple[bytes, ...], really: tuple[bytes, ...]) -> Path:
    """Write the archive of a match that other bots played than the entries say."""
    job = match_job_of(*sources)
    result = play_match(job, {s.code: r for s, r in zip(job.seats, really, strict=True)}, mode=jail.Mode.TRUSTED)
    came = judging.judge(job, result)
    after = rate("gang-of-dice", [Rating()] * 2, [score.mean_place for score in came.scores], blocks=BLOCKS)
    moves = [(MU, SIGMA, rating.mu, rating.sigma) for rating in after]
    header = Tournament(
        name="Cup",
        kind="friendly",
        game="gang-of-dice",
        options={},
        seats=2,
        blocks=BLOCKS,
        limits=job.limits,
        dice="frozen",
        schedule=None,
        first=1,
        matches=2,
        commitment=seeds.commitment(SECRET),
        secret=None,
    )
    entries = tuple(Entry(s.entry, f"Bot {s.entry}", "", 1, s.name, s.code, (MU, SIGMA)) for s in job.seats)
    matches = (judged_match(1, job, came, moves), scheduled_match(2, (0, 1)))
    stream = BytesIO()
    archive_files.write_archive(stream, Content(header, entries, matches))
    path = folder / "cup.tar"
    path.write_bytes(stream.getvalue())
    return path


def test_an_author_plays_a_match_again_with_its_own_bot_alone_in_the_jail(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, (STEADY, CHANCY), (STEADY, CHANCY))
    bots = bots_in(tmp_path, whatever=CHANCY, another=WILD)
    assert gangland("verify", archive).code == 0
    done = gangland("reproduce", 1, bots, "--archive", archive)
    assert (done.code, done.out.startswith("match 1: 4 games as recorded")) == (0, True), done.err
    assert done.out.endswith("decisions of Bot 1\n")
    assert "left out, not in this match: another.py" in done.err


@pytest.fixture(scope="module")
def otherwise(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an archive in which a bot did not play as recorded, and that bot in `bots`."""
    folder = tmp_path_factory.mktemp("otherwise")
    archive_of(folder, (CHANCY, STEADY), (CHANCY, STEADIER))
    bots_in(folder, steady=STEADY)
    return folder


def test_a_match_that_comes_out_otherwise_is_told_with_place_and_both_answers(otherwise: Path) -> None:
    archive, bots = otherwise / "cup.tar", otherwise / "bots"
    done = gangland("reproduce", 1, bots / "steady.py", "--archive", archive)
    reported = parsed(gangland("reproduce", 1, bots, "--archive", archive, "--json", "--trusted").out)
    assert done.code == 1
    assert f"{reported['games']} of {reported['recorded_games']} games as recorded, then" in done.out
    assert "block 1, rotation 1, seat 2 (Bot 1), round 3: choose_reroll(), decision " in done.out
    assert "played again: []" in done.out
    assert "the record does not come from this code" in done.out
    assert (reported["reproduced"], reported["deterministic"], reported["difference"]["again"]) == (False, True, [])
    assert [seat["played"] for seat in reported["seats"]] == [False, True]


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        ("3.99", "it was recorded on Python 3.99, and here bots run on Python {here} and may decide differently"),
        (None, "the record does not say which Python it was made on; here bots run on Python {here}"),
    ],
)
def test_another_python_is_named_as_a_cause(recorded: str | None, words: str, otherwise: Path, tmp_path: Path) -> None:
    bot, archive = otherwise / "bots" / "steady.py", Path(copy(otherwise / "cup.tar", tmp_path))
    on_python(recorded, archive)
    done = gangland("reproduce", 1, bot, "--archive", archive, "--trusted")
    reported = parsed(gangland("reproduce", 1, bot, "--archive", archive, "--json", "--trusted").out)
    listed = parsed(gangland("diff", bot, bot, "--from", archive, "--json", "--trusted").out)
    assert done.code == 1
    assert words.format(here=this_python()) in done.out
    assert "does not come from this code" not in done.out
    assert (reported["recorded_on"], reported["python"]) == (recorded, this_python())
    assert (listed["recorded_on"], listed["python"]) == ([recorded] if recorded else [], this_python())


def on_python(version: str | None, archive: Path) -> None:
    """Change the Python of an archive's matches; None if it was not recorded."""

    def changed(played: PlayedMatch) -> PlayedMatch:
        if played.match.state != "done":
            return played
        assert played.match.python == this_python()
        return PlayedMatch(msgspec.structs.replace(played.match, python=version or UNSET), played.games)

    opened = archive_files.read_archive(archive)
    matches = tuple(map(changed, opened.matches()))
    with archive.open("wb") as stream:
        archive_files.write_archive(stream, Content(opened.tournament, opened.entries, matches, opened.standings))


def test_what_cannot_be_played_again_is_said(tmp_path: Path) -> None:
    archive = archive_of(tmp_path, (STEADY, CHANCY), (STEADY, CHANCY))
    bots = bots_in(tmp_path, steady=STEADY, wild=WILD)
    damaged = tmp_path / "damaged.tar"
    damaged.write_bytes(archive.read_bytes().replace(b"friendly", b"friendlz"))
    wrong = {
        (2, bots, "--archive", archive): "match 2 is scheduled",
        (3, bots, "--archive", archive): "it has matches 1 to 2",
        (1, bots / "wild.py", "--archive", archive): "none of these bots played in the match",
        (1, bots, "--archive", damaged): "tournament.json: its SHA-256 is",
        (1, bots, "--archive", tmp_path / "no.tar"): "cannot read",
    }
    for arguments, message in wrong.items():
        done = gangland("reproduce", *arguments)
        assert (done.code, done.out) == (2, "")
        assert message in done.err.replace("\n", " ")


def test_a_ladder_writes_an_archive_that_verifies_lists_its_matches_and_can_be_played_again(tmp_path: Path) -> None:
    bots, archive = bots_in(tmp_path, broken=BROKEN, steady=STEADY), tmp_path / "l.tar"

    ladder = gangland("ladder", bots, "--blocks", 2, "--seed", 7, "--archive", archive, "--json")
    proof = parsed(gangland("verify", archive, "--json").out)
    text = gangland("verify", archive)
    listed = gangland("replay", archive)
    document = gangland("replay", archive, "--json").document["replays"]
    one = gangland("replay", archive, "--game", 4)
    again = f"gangland reproduce 1 {bots} --archive {archive}"
    done = gangland(*again.split()[1:])

    assert ladder.code == 0, ladder.err
    assert f"match 1, first fault in match 1. Play one again: {again}" in ladder.err
    assert (proof["verified"], proof["games"], proof["findings"]) == (True, parsed(ladder.out)["games"], [])
    assert [bot["sha256"] for bot in proof["bots"]] == [sha256(source).hexdigest() for source in (BROKEN, STEADY)]
    assert proof["unproven"][0].startswith("fairness of the dice")
    assert "match 1; play one again: gangland reproduce NUMBER BOT..." in text.out
    first, *_, last = listed.out.splitlines()
    assert first.split(": ")[0] == "   1  match 1, block 1, rotation 1"
    assert last.split(": ")[0] == "   4  match 1, block 2, rotation 2"
    assert {first.split(": ")[-1], last.split(": ")[-1]} == {"broken against steady", "steady against broken"}
    assert [(r["match"], r["block"], r["rotation"]) for r in document] == [(1, b, at) for b in (0, 1) for at in (0, 1)]
    assert document[0]["bots"] == ["broken", "steady"]
    assert "match 1, block 2, rotation 2; play it again: gangland reproduce 1 BOT... --archive" in one.err
    assert (done.code, done.out.startswith("match 1: 4 games as recorded")) == (0, True), done.err


def test_a_match_of_house_bots_is_played_again_by_their_names(tmp_path: Path) -> None:
    archive = tmp_path / "house.tar"
    called = ("--game", "gang-of-dice", "--blocks", 1, "--archive", archive, "--trusted")
    played = gangland("ladder", "bold_gang", "random_gang", *called)
    again = f"gangland reproduce 1 bold_gang random_gang --archive {archive}"
    done = gangland(*again.split()[1:], "--trusted")
    assert again in played.err
    assert (done.code, done.out.startswith("match 1: 2 games as recorded")) == (0, True), done.err


def test_a_ladder_that_was_broken_off_writes_what_was_played(tmp_path: Path) -> None:
    bots = [LocalBot(f"bot_{entry}", f"bot_{entry}.py", source) for entry, source in enumerate((STEADY, CHANCY, WILD))]
    jobs = [
        LocalRun("gang-of-dice", bots, len(bots), 3, b"").job(table, number=number, blocks=BLOCKS)
        for number, table in enumerate(((0, 1), (0, 2), (1, 2)), 1)
    ]
    codes = {bot.sha256: bot.source for bot in bots}
    kept = {}
    for job in (jobs[0], jobs[2]):
        kept[job.id] = judged_match(job.id, job, judging.judge(job, play_match(job, codes, mode=jail.Mode.TRUSTED)))
    path = tmp_path / "half.tar"
    for voids, scheduled in (({}, 1), ({2: "no core"}, 0)):
        with path.open("wb") as stream:
            archive_files.write_archive(stream, archive_content(bots, jobs, kept, voids, 3, b""))
        proof = proving.prove(archive_files.read_archive(path))
        assert (proof.findings, proof.scheduled, proof.void) == ([], scheduled, 1 - scheduled)
        last = [played.match for played in archive_files.read_archive(path).matches()][2]
        assert (last.scores[0].after is None) == bool(scheduled)


def test_an_archive_that_cannot_be_written_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    bots = bots_in(tmp_path, steady=STEADY, chancy=CHANCY)
    nowhere = gangland("ladder", bots, "--archive", tmp_path / "no" / "ladder.tar")
    uneven = gangland("ladder", bots, "--blocks", 150, "--archive", tmp_path / "ladder.tar")
    assert (nowhere.code, uneven.code) == (2, 2)
    assert "cannot write" in nowhere.err
    assert "--blocks up to 100 or a multiple of 100, not 150" in uneven.err
