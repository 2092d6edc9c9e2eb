"""An archive of a tournament proves itself: one changed bit anywhere is found and named, a careful forgery too."""

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from math import inf, nextafter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs
from tests.kits import archive_kit
from tests.kits.archive_kit import BLOCKS, SECRET, VOID, changed, content, files_of, forged, judged, packed, with_match

from gangland_ladder.matches import seeds
from gangland_ladder.proof import archive_files, archives, findings
from gangland_ladder.proof.proving import MAX_ENTRIES, prove

UNPROVEN = {
    *((archives.TOURNAMENT, name) for name in ("name", "kind", "about", "limits")),
    *((archives.ENTRIES, name) for name in ("name", "version", "file")),
    *((archives.MATCHES, name) for name in ("python", "void_reason")),
    (archives.GAMES, "message"),
}
"""What is said and follows from nothing."""


def written(archive: bytes, folder: Path) -> Path:
    path = folder / "cup.tar"
    path.write_bytes(archive)
    return path


def examined(archive: bytes, folder: Path, **given: Any) -> findings.Proof:
    try:
        opened, damages = archive_files.open_archive(written(archive, folder))
    except archives.ArchiveError as error:
        proof = findings.Proof()
        proof.add_error(error)
        return proof
    proof = prove(opened, **given)
    for damage in damages:
        proof.add_error(damage)
    return proof


def told(proof: findings.Proof) -> str:
    return "\n".join(f"{finding.where}: {finding.message}" for finding in proof.findings)


@pytest.mark.parametrize(("seats", "bots"), [(2, 3), (3, 4), (4, 5)])
def test_a_whole_tournament_verifies_at_every_table_size(tmp_path: Path, seats: int, bots: int) -> None:
    whole = content(seats, bots)
    proof = prove(archive_files.read_archive(written(packed(whole), tmp_path)), announced=seeds.commitment(SECRET))
    assert (proof.findings, proof.void) == ([], 1)
    assert proof.matches == len(tuple(whole.matches))
    assert proof.games == (proof.matches - 1) * BLOCKS * seats
    assert proof.decisions > 0


def test_what_was_written_is_read_back_and_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    whole = content()
    archive = archive_files.read_archive(written(packed(whole), tmp_path))
    assert archive.tournament == whole.tournament
    assert archive.entries == whole.entries
    assert archive.standings == whole.standings
    matches = list(archive.matches())
    assert matches == list(archive.matches())
    assert [played.match for played in matches] == [played.match for played in whole.matches]
    again = archives.Content(archive.tournament, archive.entries, matches, archive.standings)
    assert packed(again) == packed(whole)


@pytest.mark.parametrize(
    ("seats", "bots", "digest"),
    [
        (2, 3, "f1cedf61102b4f387485a2da19e179bfa5079f998edb2a6deae1a657e22dea7f"),
        (3, 4, "96afa9bfd4a13b30d2dd0d08c60c97c2a0b0f0f5ac20a4489032ffd6647ae02c"),
        (4, 5, "527ff227d2cbddc50191f74373b3d3826662d479791c9285ebf044ee39b3b896"),
    ],
)
def test_a_tournaments_archive_has_the_same_bytes_in_every_release(seats: int, bots: int, digest: str) -> None:
    whole = content(seats, bots)
    matches = [replace(played, match=structs.replace(played.match, python="3.11")) for played in whole.matches]
    assert hashlib.sha256(packed(replace(whole, matches=matches))).hexdigest() == digest


def test_any_tool_for_tar_files_reads_it() -> None:
    with tarfile.open(fileobj=io.BytesIO(packed(content()))) as tar:
        names = tar.getnames()
        member = tar.extractfile(archives.TOURNAMENT)
        assert names == [archives.MANIFEST, *archives.FILES]
        assert member is not None
        assert json.load(member)["name"] == "Cup of the docks"


@pytest.mark.parametrize("samples", [50, pytest.param(250, marks=pytest.mark.long("more bits"))])
def test_one_changed_bit_anywhere_is_found_and_named(tmp_path: Path, samples: int) -> None:
    archive = packed(content())
    chosen = Random(20)
    headers = [at + bit for at in range(0, len(archive), 512) for bit in (0, 124, 148, 257, 345, 511)]
    headers = [at for at in headers if at < len(archive)]
    places = {*chosen.sample(headers, min(len(headers), samples)), *chosen.sample(range(len(archive)), samples)}
    for at in sorted(places):
        damaged = bytearray(archive)
        damaged[at] ^= 1 << chosen.randrange(8)
        proof = examined(bytes(damaged), tmp_path)
        assert proof.count, f"byte {at}"
        assert any(name in told(proof) for name in (archives.MANIFEST, *archives.FILES, "the end of the archive")), (
            told(proof)
        )


def test_a_byte_that_is_missing_or_too_many_is_found(tmp_path: Path) -> None:
    archive = packed(content())
    for damaged in (archive[:-1], archive + b"\0", archive[:700], b"", archive[:-1024], archive + archive):
        assert examined(damaged, tmp_path).count


@pytest.mark.parametrize("each", ["kind of value", pytest.param("value", marks=pytest.mark.long("every value"))])
def test_a_forger_who_rewrites_the_manifest_is_found_for_every_derived_fact(tmp_path: Path, each: str) -> None:
    """Changes every value of every file, but few in decisions; the quick suite changes the first of each name."""
    files = files_of(packed(content()), tmp_path / "cup.tar")
    tried, quiet, kinds = 0, set(), set()
    for name, text in files.items():
        for number, line in enumerate(text.splitlines()):
            for path, value in archive_kit.leaves(json.loads(line)):
                if "decisions" in path and (path[-1] not in (0, 7) or number % 3):
                    continue
                kind = (name, value is None, *[part for part in path if isinstance(part, str)])
                if each != "value" and kind in kinds:
                    continue
                kinds.add(kind)
                tried += 1
                lines = text.splitlines()
                lines[number] = msgspec.json.encode(with_leaf(json.loads(line), path, other(value)))
                proof = examined(forged(files | {name: b"\n".join(lines) + b"\n"}), tmp_path)
                if not proof.count:
                    quiet.add((name, path[-1] if name == archives.GAMES else path[0]))
    assert tried > (300 if each == "value" else 60)
    assert quiet == UNPROVEN


def test_a_list_that_lacks_its_last_value_or_has_it_twice_is_found(tmp_path: Path) -> None:
    files = files_of(packed(content()), tmp_path / "cup.tar")
    for name, text in files.items():
        for number, line in enumerate(text.splitlines()):
            for path, value in lists(json.loads(line)):
                for longer in (value[:-1], [*value, value[-1]]):
                    lines = text.splitlines()
                    lines[number] = msgspec.json.encode(with_leaf(json.loads(line), path, longer))
                    proof = examined(forged(files | {name: b"\n".join(lines) + b"\n"}), tmp_path)
                    assert proof.count, (name, number, path)


def lists(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], list[Any]]]:
    if isinstance(value, list) and value:
        yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in items:
        yield from lists(item, (*path, name))


def with_leaf(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    inside = document
    for name in path[:-1]:
        inside = inside[name]
    inside[path[-1]] = value
    return document


def other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return value + 1e-5
    if isinstance(value, str):
        return value[:-1] + ("1" if value.endswith("0") else "0")
    return 1 if value is None else None


def test_a_rating_is_held_to_its_last_bit(tmp_path: Path) -> None:
    def by_one_bit(played: archives.PlayedMatch) -> archives.PlayedMatch:
        scores = list(played.match.scores)
        mu, sigma = scores[1].after or (0.0, 0.0)
        scores[1] = msgspec.structs.replace(scores[1], after=(nextafter(mu, inf), sigma))
        return archives.PlayedMatch(msgspec.structs.replace(played.match, scores=scores), played.games)

    whole = content()
    last = tuple(whole.matches)[2].match
    proof = examined(packed(with_match(whole, 3, by_one_bit)), tmp_path)

    assert (proof.count, proof.findings[0].where) == (1, f"match 3, entry {last.entries[1]}")


def test_luck_is_held_to_its_last_bit_in_games_and_in_means(tmp_path: Path) -> None:
    def by_one_bit(played: archives.PlayedMatch) -> archives.PlayedMatch:
        first, *rest = played.games
        lucky = msgspec.structs.replace(first, luck=[first.luck[0], nextafter(first.luck[1], inf)])
        score, *others = played.match.scores
        score = msgspec.structs.replace(score, luck=nextafter(score.luck, inf), adjusted=nextafter(score.adjusted, inf))
        return archives.PlayedMatch(msgspec.structs.replace(played.match, scores=[score, *others]), (lucky, *rest))

    whole = content()
    first = next(iter(whole.matches)).match
    proof = examined(packed(with_match(whole, 1, by_one_bit)), tmp_path)

    assert [finding.where for finding in proof.findings] == [
        "match 1, block 1, rotation 1",
        *[f"match 1, entry {first.entries[0]}"] * 2,
    ]
    assert ["luck" in finding.message for finding in proof.findings] == [True, True, False]


def test_a_match_with_other_dice_is_found_though_all_that_follows_from_them_was_made_anew(tmp_path: Path) -> None:
    def played_anew(played: archives.PlayedMatch) -> archives.PlayedMatch:
        job = archive_kit.match_job_for(1, played.match.entries, bots=3, secret=bytes(32))
        return archives.judged_match(1, job, judged(job))

    proof = examined(packed(with_match(content(), 1, played_anew)), tmp_path)

    for block in range(BLOCKS):
        assert f"match 1, block {block + 1}, rotation 1: its dice do not come from the secret" in told(proof)
    assert "match 1: the key of its bots' own generators does not come from the secret" in told(proof)


def test_entries_of_other_code_have_other_dice(tmp_path: Path) -> None:
    """An author who learns the secret early and enters a bot that knows the dice has changed the dice."""
    whole = content()
    entries = (msgspec.structs.replace(whole.entries[0], code="f" * 64), *whole.entries[1:])
    proof = examined(packed(archives.Content(whole.tournament, entries, whole.matches, whole.standings)), tmp_path)
    assert "its dice do not come from the secret" in told(proof)


def test_a_secret_that_is_not_the_one_announced_is_found(tmp_path: Path) -> None:
    other_secret = bytes(32)
    swapped = changed(content(), secret=other_secret.hex())
    both = changed(content(), secret=other_secret.hex(), commitment=seeds.commitment(other_secret))
    assert "the SHA-256 of the secret is" in told(examined(packed(swapped), tmp_path))
    assert "its dice do not come from the secret" in told(examined(packed(both), tmp_path))
    proof = examined(packed(both), tmp_path, announced=seeds.commitment(SECRET))
    assert f"but {seeds.commitment(SECRET)} was announced" in told(proof)
    proof = examined(packed(content()), tmp_path, secret=other_secret)
    assert "its secret is not the one that was revealed" in told(proof)


def test_before_the_secret_is_revealed_all_but_the_dice_is_verified_and_that_is_said(tmp_path: Path) -> None:
    archive = packed(changed(content(), secret=None))
    proof = examined(archive, tmp_path)
    with_the_secret = examined(archive, tmp_path, secret=SECRET)
    assert proof.is_proven
    assert any("the secret has not been revealed" in each for each in proof.unproven)
    assert with_the_secret.is_proven
    assert not any("the secret has not been revealed" in each for each in with_the_secret.unproven)
    assert not examined(archive, tmp_path, secret=bytes(32)).is_proven


def test_without_the_secret_dice_that_come_twice_are_found(tmp_path: Path) -> None:
    first, _, third = content().matches
    one, three = (archive_kit.match_job_for(each.match.number, each.match.entries, bots=3) for each in (first, third))
    job = msgspec.structs.replace(three, blocks=one.blocks)
    whole = with_match(changed(content(), secret=None), 3, lambda _: archives.judged_match(3, job, judged(job)))
    assert "match 3, block 1: its dice are those of another block" in told(examined(packed(whole), tmp_path))


def test_a_match_that_was_left_out_is_found(tmp_path: Path) -> None:
    whole = changed(content(), matches=2)
    shorter = archives.Content(whole.tournament, whole.entries, tuple(whole.matches)[:2], None)
    assert "it has 2 matches, but its schedule has 3" in told(examined(packed(shorter), tmp_path))


def test_ratings_stop_before_the_first_match_that_is_not_settled(tmp_path: Path) -> None:
    whole = content()
    table = tuple(whole.matches)[VOID - 1].match.entries
    half = with_match(whole, VOID, lambda _: archives.scheduled_match(VOID, table))
    half = archives.Content(half.tournament, half.entries, half.matches, None)

    assert "match 3, entry" in told(examined(packed(half), tmp_path))

    def not_yet(played: archives.PlayedMatch) -> archives.PlayedMatch:
        scores = [msgspec.structs.replace(score, before=None, after=None) for score in played.match.scores]
        return archives.PlayedMatch(msgspec.structs.replace(played.match, scores=scores), played.games)

    honest = with_match(half, 3, not_yet)
    proof = examined(packed(honest), tmp_path)
    assert (proof.findings, proof.scheduled) == ([], 1)
    early = archives.Content(half.tournament, half.entries, honest.matches, whole.standings)
    assert "they exist, with 1 match still to be played" in told(examined(packed(early), tmp_path))


def test_games_out_of_order_missing_or_of_no_match_are_named_by_their_line(tmp_path: Path) -> None:
    files = files_of(packed(content()), tmp_path / "cup.tar")
    games = files[archives.GAMES].splitlines(keepends=True)
    first, *rest = games
    wrong = {
        f"{archives.GAMES}, line 1: found the game of match 1, block 1, rotation 2": [rest[0], first, *rest[1:]],
        f"{archives.GAMES}: the game of match 3, block 2, rotation 2 is missing": games[:-1],
        f"{archives.GAMES}, line 9: unexpected game: match 3 has no more games": [*games, games[-1]],
        f"{archives.GAMES}, line 2: unexpected content": [first, b"{}\n", *rest[1:]],
        f"{archives.GAMES}, line 2: the line has no line break": [first, b"["],
    }
    for message, lines in wrong.items():
        assert message in told(examined(forged(files | {archives.GAMES: b"".join(lines)}), tmp_path))


@pytest.mark.parametrize(
    "line",
    [b'{"match":1}', b"[" * 60_000, b"\xff", b"", b'{"number":1,"number":1}', b" {}"],
    ids=["half", "deep", "not a text", "blank", "twice", "space"],
)
def test_a_line_that_no_archive_has_is_refused_by_name(tmp_path: Path, line: bytes) -> None:
    files = files_of(packed(content()), tmp_path / "cup.tar")
    for name in (archives.MATCHES, archives.ENTRIES):
        proof = examined(forged(files | {name: line + b"\n" + files[name]}), tmp_path)
        assert f"{name}, line 1" in told(proof)


def test_a_line_in_another_form_is_refused_though_it_says_the_same(tmp_path: Path) -> None:
    files = files_of(packed(content()), tmp_path / "cup.tar")
    spaced = files[archives.TOURNAMENT].replace(b'"seats":2', b'"seats": 2')
    twice = files[archives.TOURNAMENT].replace(b'"seats":2', b'"seats":3,"seats":2')
    for text in (spaced, twice):
        assert "not in canonical form" in told(examined(forged(files | {archives.TOURNAMENT: text}), tmp_path))


def test_a_reader_that_imports_refuses_a_damaged_archive(tmp_path: Path) -> None:
    damaged = bytearray(packed(content()))
    damaged[damaged.index(b"Cup of the docks")] ^= 1
    with pytest.raises(archives.ArchiveError, match=r"tournament\.json: its SHA-256 is"):
        archive_files.read_archive(written(bytes(damaged), tmp_path))


@pytest.mark.parametrize("stem", ["../bot", "a/b", "a\\b", "a\nb", ""])
def test_a_bots_file_is_never_a_path(stem: str) -> None:
    whole = content()
    entries = (msgspec.structs.replace(whole.entries[0], file=stem), *whole.entries[1:])
    with pytest.raises(archives.ArchiveError, match=r"\$\.file"):
        packed(archives.Content(whole.tournament, entries, whole.matches, None))


def test_what_no_archive_can_hold_is_refused_before_it_is_written() -> None:
    whole = content()
    entries = (msgspec.structs.replace(whole.entries[0], name="n" * 81), *whole.entries[1:])
    with pytest.raises(archives.ArchiveError, match="length <= 80"):
        packed(archives.Content(whole.tournament, entries, whole.matches, None))
    with pytest.raises(archives.ArchiveError, match="expected the tournament's 9 matches, not 3"):
        packed(changed(whole, matches=9))


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        ({"game": "chess"}, "unknown game 'chess'"), ({"options": {"luck": 7}}, "luck"), ({"limits": {}}, "missing"),
        ({"limits": {"bank_cpu_s": "much", "bank_wall_s": 1.0}}, "must be a number"),
    ],
)  # fmt: skip
def test_rules_that_are_none_are_found(tmp_path: Path, fact: dict[str, Any], message: str) -> None:
    proof = examined(packed(changed(content(), **fact)), tmp_path)
    assert proof.findings[0].where == archives.TOURNAMENT
    assert message in proof.findings[0].message


def many(count: int, **facts: Any) -> archives.Content:
    whole = changed(content(), **facts)
    first, before = whole.entries[0], len(whole.entries)
    entries = [msgspec.structs.replace(first, id=number, owner=f"owner {number}") for number in range(before, count)]
    return archives.Content(whole.tournament, (*whole.entries, *entries), whole.matches, whole.standings)


@pytest.mark.parametrize(
    ("schedule", "what"),
    [(archives.Schedule("x"), "a round robin"), (archives.Schedule("x", 3), "a round robin"), (None, "they")],
)
def test_too_many_entries_are_not_paired_and_not_ranked(
    tmp_path: Path, schedule: archives.Schedule | None, what: str
) -> None:
    whole = many(MAX_ENTRIES + 1, schedule=schedule, secret=None)
    assert f"{what} must have at most {MAX_ENTRIES:,} entries" in told(examined(packed(whole), tmp_path))


def test_a_schedule_of_other_tables_than_were_played_is_counted_and_not_drawn_up(tmp_path: Path) -> None:
    assert "it has 3 matches, but its schedule has 1999000" in told(examined(packed(many(MAX_ENTRIES)), tmp_path))


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"matches": 1_000_000, "schedule": archives.Schedule("x", 1_000_000)}, "bytes cannot hold 1000000 matches"),
        ({"first": 2**31 - 2}, "its match numbers exceed 2147483647: 3 matches from 2147483646"),
        ({"name": "a\0b"}, "matching regex"), ({"game": "gang-of-dice\0"}, "matching regex"),
        ({"about": {"a\0b": "c"}}, "matching regex"), ({"secret": SECRET.hex() + "\n"}, "matching regex"),
        ({"options": {f"option {number}": number for number in range(20_000)}}, "the limit is 262144"),
    ],
)  # fmt: skip
def test_what_is_beyond_all_bounds_is_refused_at_once(tmp_path: Path, facts: dict[str, Any], message: str) -> None:
    whole = files_of(packed(content()), tmp_path / "plain.tar")
    rules = msgspec.json.encode(msgspec.structs.replace(content().tournament, **facts)) + b"\n"
    proof = examined(forged({**whole, archives.TOURNAMENT: rules}), tmp_path)
    assert message in told(proof)


def test_what_an_archive_says_of_itself_is_told_cut_off(tmp_path: Path) -> None:
    whole = content()
    standings = {"x" * 100_000: 1}
    proof = examined(packed(archives.Content(whole.tournament, whole.entries, whole.matches, standings)), tmp_path)
    assert proof.findings
    assert len(told(proof)) < 3 * archives.MESSAGE_CHARS


@pytest.mark.parametrize(
    ("state", "reason", "message"),
    [
        ("done", "so", "match 1: it is done, but a reason for a void match is given: 'so'"),
        ("void", None, "match 1: it is void, but no reason is given"),
    ],
)
def test_a_place_in_the_rating_order_is_for_ladders_alone_and_a_reason_for_void_matches(
    tmp_path: Path, state: str, reason: str | None, message: str
) -> None:
    def placed(played: archives.PlayedMatch) -> archives.PlayedMatch:
        match = msgspec.structs.replace(played.match, rating_order=7, state=state, void_reason=reason)
        return archives.PlayedMatch(match, played.games)

    proof = examined(packed(with_match(content(), 1, placed)), tmp_path)
    assert message in told(proof)
    assert "match 1: it has a position in the rating order, which only ladder matches have" in told(proof)
