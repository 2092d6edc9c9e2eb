"""A public value goes into the dice: one spelling, no use in knowing the secret early, and archives that prove it."""

from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from tests.kits.archive_kit import CODES, LOTTERY, SECRET, changed, content, match_job_for, packed
from tests.kits.command_kit import gangland

from gangland.chance import SeededChance
from gangland_ladder.matches.seeds import block_seed, dice_secret, entries_digest, rng_key, schedule_seed
from gangland_ladder.proof import archive_files, archives, findings, proving
from gangland_ladder.proof.randomness import PlayedRandomness, Randomness, published_at

DRAND = Randomness("drand quicknet, round 12345678", "https://example.org/12345678", "2027-03-01T18:00:00Z", "hex 64")
DRAWN = PlayedRandomness(LOTTERY, "3 17 22 35 41 48")
FROZEN = entries_digest(CODES[:3]).hex()


@pytest.mark.parametrize("typed", ["3 17 22 35 41 48", "48,41, 35;22 17\n03", "  0003 17 22 35 41 48 "])
def test_a_published_draw_has_one_spelling_however_it_is_typed(typed: str) -> None:
    assert LOTTERY.read(typed) == "3 17 22 35 41 48"


def test_a_published_hash_has_one_spelling_however_it_is_typed() -> None:
    value = sha256(b"round").hexdigest()
    assert {DRAND.read(typed) for typed in (value, value.upper(), f"0x{value}", f" {value[:32]} {value[32:]}\n")} == {
        value
    }


@pytest.mark.parametrize(
    ("source", "typed"),
    [
        *((LOTTERY, typed) for typed in ("", "3 17 22 35 41", "3 17 22 35 41 48 9", "3 17 22 35 41 x", "1 2 3 4 5 -6")),
        *((LOTTERY, typed) for typed in ("1 2 3 4 5 1234567", "1 2 3 4 5 \u0666", "3 17 22 35 41 48" + " " * 400)),
        *((DRAND, typed) for typed in ("", "ab" * 31, "ab" * 33, "xy" * 32, "0x0x" + "ab" * 32, "\uff41b" + "ab" * 31)),
    ],
)
def test_what_is_not_of_the_announced_form_is_refused_with_what_is(source: Randomness, typed: str) -> None:
    with pytest.raises(ValueError, match=r"expected (6 whole numbers|64 hexadecimal digits)"):
        source.read(typed)


@pytest.mark.parametrize(
    "changes",
    [
        *({"form": form} for form in ("hex 8", "hex 129", "numbers 1", "numbers 06", "words 6", "hex", "hex 64 ")),
        *({"published_at": at} for at in ("2027-02-30T18:00:00Z", "2027-03-01 18:00", "2027-3-1T18:00:00Z", "")),
        *({"address": address} for address in ("javascript:alert(1)", "https://a b", "", "https://x/\u202e", "//x")),
        *({"source": source} for source in ("", "x" * 201, "a\nb")),
    ],
)
def test_an_announcement_that_nobody_could_check_is_refused(changes: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(msgspec.to_builtins(LOTTERY) | changes, Randomness)


def test_a_time_is_announced_to_the_second() -> None:
    assert published_at(LOTTERY.published_s + 0.9) == LOTTERY.published_at


def test_every_seed_and_every_generator_hangs_on_the_public_value() -> None:
    jobs = [match_job_for(1, [0, 1], bots=3, value=value) for value in (None, "3 17 22 35 41 48", "3 17 22 35 41 49")]
    for seeds in ([seed for job in jobs for seed in job.blocks], [job.rng_key for job in jobs]):
        assert len(set(seeds)) == len(seeds)
    assert len({schedule_seed(FROZEN, value) for value in (None, "1 2 3 4 5 6", "1 2 3 4 5 7")}) == 3
    secret = dice_secret(SECRET, DRAWN.value)
    bound = entries_digest(CODES[:3])
    assert jobs[1].blocks == [block_seed(secret, bound, 1, block).hex() for block in range(2)]
    assert jobs[1].rng_key == rng_key(secret, 1).hex()


def luck(entry: int, value: str | None) -> float:
    """Return the pips of the first rolls of 12 blocks for the last version to enter."""
    code = sha256(b"class Last: ...  # %d" % entry).hexdigest()
    bound = entries_digest([*CODES[:2], code])
    seeds = [block_seed(dice_secret(SECRET, value), bound, 1, block) for block in range(12)]
    return sum(sum(SeededChance(seed).faces(1, 0, 1, 4)) for seed in seeds) / 48


def test_whoever_knows_the_secret_and_enters_last_gains_nothing_by_grinding_once_a_value_was_announced() -> None:
    tries = range(150)
    fair = sum(luck(entry, None) for entry in tries) / len(tries)
    spread = (sum((luck(entry, None) - fair) ** 2 for entry in tries) / len(tries)) ** 0.5
    assert max(luck(entry, None) for entry in tries) > fair + 2 * spread, "without a value, grinding pays"
    draws = [f"{k} {k + 7} {k + 9} {k + 11} {k + 20} {k + 30}" for k in range(1, 41)]
    guessed = [max(tries, key=partial(luck, value=guess)) for guess in (*draws[1:], draws[0])]
    gains = [luck(entry, value) - fair for entry, value in zip(guessed, draws, strict=True)]
    assert abs(sum(gains) / len(gains)) < 3 * spread / len(gains) ** 0.5, "with one, the best guess is any entry"


def examined(tmp_path: Path, whole: object, **known: object) -> findings.Proof:
    path = tmp_path / "cup.tar"
    path.write_bytes(packed(whole))  # type: ignore[arg-type]
    archive, damages = archive_files.open_archive(path)
    assert damages == []
    return proving.prove(archive, **known)  # type: ignore[arg-type]


def test_an_archive_with_a_public_value_proves_its_dice_and_says_what_to_compare_where(tmp_path: Path) -> None:
    proof = examined(tmp_path, content(randomness=DRAWN), frozen=FROZEN)
    assert proof.findings == []
    output = "\n".join(proof.unproven)
    came = "lottery of 1 March 2027 gave 3 17 22 35 41 48, and not before 2027-03-01T18:00:00Z"
    assert f"{came}: compare it at https://example.org/draws" in output
    assert "digest of the entries" not in output
    output = "\n".join(examined(tmp_path, content(randomness=DRAWN)).unproven)
    assert f"that {FROZEN} was the digest of the entries at the freeze" in output
    assert LOTTERY.published_at in output


def test_an_archive_without_one_says_whom_one_has_to_trust_and_has_the_form_that_it_had(tmp_path: Path) -> None:
    proof = examined(tmp_path, content())
    assert proof.findings == []
    assert any(
        "anyone who knew the secret before the entries were fixed (the site's operator)" in output
        for output in proof.unproven
    )
    assert b"randomness" not in packed(content())


def forgeries() -> dict[str, object]:
    whole = content(randomness=DRAWN)
    other = msgspec.structs.replace(LOTTERY, source="lottery of 8 March 2027")
    return {
        "dice do not come from the secret": changed(whole, randomness=PlayedRandomness(LOTTERY, "3 17 22 35 41 49")),
        "the secret and what was announced with it is": changed(whole, randomness=PlayedRandomness(other, DRAWN.value)),
        "but the SHA-256 of the secret is": changed(whole, randomness=msgspec.UNSET),
        "public value must be written as": changed(whole, randomness=PlayedRandomness(LOTTERY, "03 17 22 35 41 48")),
        "public value is not as announced": changed(whole, randomness=PlayedRandomness(LOTTERY, "3 17 22")),
        "public value for its dice was not entered": changed(whole, randomness=PlayedRandomness(LOTTERY, None)),
        "the seed of its schedule must be": changed(whole, schedule=archives.Schedule("ground for good tables")),
        "only the dice of frozen entries depend on": changed(whole, dice="seated"),
    }


@pytest.mark.parametrize("result", list(forgeries()))
def test_whoever_changes_the_public_value_or_what_was_announced_is_found_out(tmp_path: Path, result: str) -> None:
    assert any(result in finding.message for finding in examined(tmp_path, forgeries()[result]).findings)


def test_entries_that_are_not_those_of_the_freeze_are_found_by_whoever_wrote_their_digest_down(tmp_path: Path) -> None:
    path = tmp_path / "cup.tar"
    path.write_bytes(packed(content(randomness=DRAWN)))
    held = gangland("verify", path, "--entries", FROZEN, "-q")
    assert held.code == 0
    assert "Public value: 3 17 22 35 41 48 (lottery of 1 March 2027" in held.out
    swapped = gangland("verify", path, "--entries", "a" * 64, "-q", "--json")
    assert swapped.code == 1
    assert swapped.document["entries_digest"] == FROZEN
    assert swapped.document["randomness"]["value"] == DRAWN.value
    output = f"the digest of its entries is {FROZEN}, but {'a' * 64} was published"
    assert [finding["message"] for finding in swapped.document["findings"]] == [output]
