"""The door of tournaments: `gangland verify` of an archive, and `gangland admin import`."""

import json
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from tests.fuzz.case import Case, OnSite, Wrong, need_plain, refused
from tests.fuzz.mutations import bytes_mutated, encoded, json_mutated
from tests.kits.archive_kit import BLOCKS, changed, content, files_of, forged, packed
from tests.kits.command_kit import gangland
from tests.kits.models import Bot, Code, Entry, Import, Match, PlayedGame, Tournament, Version

from gangland.replay import ReplayError, digest_of, expand, load
from gangland_ladder.common.texts import strip_bom
from gangland_ladder.proof import archive_files, archives, proving
from gangland_ladder.proof.archives import ENTRIES, FILES, GAMES, MANIFEST, MATCHES, STANDINGS, TOURNAMENT, Content
from gangland_web.services.archives import ImportRefused, content_of, import_archive

EVERY: Final = 60  # one archive in this number goes to the command, one in a third of it to the site's database
EXITS: Final = frozenset({0, 1, 2})
MESSAGE_CHARS: Final = 10_000
UNPROVEN: Final = frozenset(
    [(TOURNAMENT, name) for name in ("name", "kind", "about", "limits", "schedule", "standings", "secret", "dice")]
    + [(ENTRIES, name) for name in ("name", "owner", "version", "file", "code")]
    + [(MATCHES, "void_reason"), (GAMES, "faults"), (STANDINGS, "")]
)
"""What an archive may say otherwise and still verify: what `Proof.unproven` tells, and less said than was known."""
BEFORE_THE_SECRET: Final = frozenset([(MATCHES, "rng_key"), (TOURNAMENT, "commitment")])
_TABLES: Final = (Tournament, Bot, Version, Code, Entry, Match, PlayedGame, Import)


class Archives(OnSite):
    def make(self, rng: Random) -> Case:
        way, data = rng.choice(_WAYS)(rng)
        return Case(data, "cup.tar", way)

    def run(self, case: Case, number: int) -> str:
        """Verify a case, sometimes import it; what passes must be a packed archive, as far as evidence goes."""
        file = self.folder / case.filename
        file.write_bytes(case.data)
        try:
            came = _proven(file, case.data)
            if number % (EVERY // 3) == 0 or came == "taken":
                self._import(file, came)
            if number % EVERY == 0:
                _commanded(file, came, as_json=number // EVERY % 2 == 0)
        finally:
            file.unlink()
        return came

    def _import(self, file: Path, came: str) -> None:
        before = self.counts(*_TABLES)
        try:
            taken = import_archive(self.platform.database, file)
        except (ImportRefused, archives.ArchiveError) as error:
            if len(str(error)) > MESSAGE_CHARS:
                raise Wrong(f"a refusal of {len(str(error)):,} characters") from error
            if self.counts(*_TABLES) != before:
                raise Wrong("half an import is in the database") from error
            return
        if came != "taken":
            raise Wrong(f"the site took what does not verify: {came}")
        again = BytesIO()
        with self.platform.database.read() as session:
            archive_files.write_archive(again, content_of(session, session.get_one(Tournament, taken.tournament_id)))
        if again.getvalue() != strip_bom(file.read_bytes()):
            raise Wrong("what was imported is exported as something else")


def _proven(file: Path, data: bytes) -> str:
    try:
        archive, damages = archive_files.open_archive(file)
        proof = proving.prove(archive)
    except archives.ArchiveError as error:
        return refused(error)
    if damages or not proof.is_proven:
        return "refused: findings" if not damages else "refused: damaged"
    _need_same(archive, data)
    return "taken"


def _need_same(archive: archive_files.Archive, data: bytes) -> None:
    if b"\\u0000" in data:
        raise Wrong("an archive holds with a NUL in its texts, which PostgreSQL keeps nowhere")
    again = BytesIO()
    archive_files.write_archive(
        again, Content(archive.tournament, archive.entries, archive.matches(), archive.standings)
    )
    if again.getvalue() != strip_bom(data):
        raise Wrong("an archive holds whose content is written otherwise")
    if len(archive.entries) < 2 or not archive.tournament.matches:
        return
    found = archive_files.tar_members(archive.path, (MANIFEST, *FILES))
    reported = archive.tournament.secret is not None
    here = _facts(
        {name: archive_files.member_bytes(archive.path, found[name], 1 << 30) for name in FILES}, reported=reported
    )
    if here not in [_facts(each, reported=reported) for each in _corpus()]:
        raise Wrong("an archive holds that was never packed")


def _facts(files: dict[str, bytes], *, reported: bool) -> list[Any]:
    """Return what an archive says, without what has no evidence, which is more before its secret is published."""
    open_yet = UNPROVEN if reported else UNPROVEN | BEFORE_THE_SECRET
    found = []
    for name, text in files.items():
        if name != STANDINGS:
            for line in text.splitlines():
                document = json.loads(line)
                found.append([name, {key: value for key, value in document.items() if (name, key) not in open_yet}])
    return found


def _commanded(file: Path, came: str, *, as_json: bool) -> None:
    ran = gangland("verify", file, "--quiet", *(["--json"] if as_json else []))
    need_plain(ran.out, "stdout of verify")
    need_plain(ran.err, "stderr of verify")
    if ran.code not in EXITS or (ran.code == 0) != (came == "taken"):
        raise Wrong(f"verify ended with {ran.code}, and the proof: {came}")


@cache
def _corpus() -> tuple[dict[str, bytes], ...]:
    two, three = content(2, 3), content(3, 4)
    whole = [two, three, changed(two, secret=None), changed(two, schedule=None), _without_standings(two)]
    with TemporaryDirectory() as folder:
        return tuple(files_of(packed(each), Path(folder) / "cup.tar") for each in whole)


def _without_standings(whole: Content) -> Content:
    return Content(whole.tournament, whole.entries, whole.matches, None)


def _bytes(rng: Random) -> tuple[str, bytes]:
    data = forged(rng.choice(_corpus()))
    for _ in range(rng.choice([1, 1, 2, 4])):
        data = bytes_mutated(rng, data)
    return "bytes", data


def _headers(rng: Random) -> tuple[str, bytes]:
    files = rng.choice(_corpus())
    members = [(name, text) for name, text in _with_manifest(files).items()]
    at = rng.randrange(len(members))
    name, text = members[at]
    way = rng.choice(["header", "header", "header", "doubled", "missing", "swapped", "added", "end"])
    blocks = [_block(*member) for member in members]
    if way == "header":
        blocks[at] = _spoiled_header(rng, name, text)
    elif way == "doubled":
        blocks.insert(rng.randrange(len(blocks)), blocks[at])
    elif way == "missing":
        del blocks[at]
    elif way == "swapped":
        rng.shuffle(blocks)
    elif way == "added":
        added = rng.choice(["../../etc/passwd", "/etc/passwd", "x" * 90, "manifest.json", "a\0b", "é"])
        blocks.insert(at, _block(added, b"root"))
    end = (
        rng.choice([b"", bytes(512), archive_files.END + bytes(9000), archive_files.END + b"x"])
        if way == "end"
        else archive_files.END
    )
    return f"tar: {way}", b"".join(blocks) + end


def _with_manifest(files: dict[str, bytes]) -> dict[str, bytes]:
    output = [{"name": name, "bytes": len(text), "sha256": sha256(text).hexdigest()} for name, text in files.items()]
    return {MANIFEST: msgspec.json.encode({"schema": "gangland/archive/1", "files": output}) + b"\n", **files}


def _block(name: str, text: bytes) -> bytes:
    return archive_files.tar_header(name, len(text)) + text + bytes(-len(text) % archive_files.BLOCK)


_FIELDS: Final = {"name": (0, 100), "mode": (100, 108), "size": (124, 136), "type": (156, 157), "link": (157, 257)}
_SAID: Final = (
    *(b"../../x", b"/etc/passwd", b"././@LongLink", b"1", b"2", b"3", b"5", b"L", b"x", b"g", b"S", b"K", b"\0", b"7"),
    *(
        b"77777777777", b"-0000000001", b"\x80" + bytes(10) + b"\x01", b"\xff" * 12, b"00000000000", b"1e3", b" 7",
        b"00000000001",
    ),
)  # fmt: skip


def _spoiled_header(rng: Random, name: str, text: bytes) -> bytes:
    """Change a field of a header and its checksum, so that a tar reader accepts it."""
    head = bytearray(archive_files.tar_header(name, len(text)))
    begin, end = _FIELDS[rng.choice(sorted(_FIELDS))]
    output = rng.choice(_SAID)[: end - begin]
    head[begin : begin + len(output)] = output
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head) + text + bytes(-len(text) % archive_files.BLOCK)


def _fields(rng: Random) -> tuple[str, bytes]:
    """Change a file or two, with a correct manifest."""
    files = dict(rng.choice(_corpus()))
    names = rng.sample([TOURNAMENT, ENTRIES, MATCHES, GAMES, STANDINGS], rng.choice([1, 1, 1, 2]))
    for name in names:
        files[name] = _spoiled_file(rng, files[name])
    return f"fields of {' and '.join(names)}", forged(files)


def _spoiled_file(rng: Random, text: bytes) -> bytes:
    lines = text.splitlines()
    if not lines or rng.random() < 0.1:
        return bytes_mutated(rng, text)
    at = rng.randrange(len(lines))
    if rng.random() < 0.15:
        lines = rng.choice([lines[:at], [*lines, lines[at]], lines[::-1], lines[1:], lines * 50])
    else:
        value = json.loads(lines[at])
        for _ in range(rng.choice([1, 1, 2])):
            try:
                value = json_mutated(rng, value)
            except (TypeError, KeyError):  # what was put in before can be looked into no further
                break
        lines[at] = encoded(value)
    return b"".join(line + b"\n" for line in lines)


def _lies(rng: Random) -> tuple[str, bytes]:
    """Change values plausibly: each has the right type, and some of them agree."""
    files = dict(rng.choice(_corpus()))
    name, change = rng.choice(_LIES)
    lines = [json.loads(line) for line in files[name].splitlines()]
    change(rng, lines)
    files[name] = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    return f"a lie in {name}", forged(files)


def _lie_of_places(rng: Random, lines: list[Any]) -> None:
    game = rng.choice(lines)
    game["places"] = game["replay"]["places"] = game["places"][::-1]
    _seal(game)


def _lie_of_decision(rng: Random, lines: list[Any]) -> None:
    game = rng.choice(lines)
    decisions = game["replay"]["decisions"]
    decisions[rng.randrange(len(decisions))] = rng.choice([1, 2, 3, [], [1]])
    _seal(game)


def _lie_of_seed(rng: Random, lines: list[Any]) -> None:
    game = rng.choice(lines)
    game["replay"]["seed"] = f"{rng.getrandbits(256):064x}"
    _seal(game)


def _seal(game: dict[str, Any]) -> None:
    """Replay a game as far as possible, and give it that result and digest."""
    try:
        found = load(json.dumps(game["replay"]))
        steps = list(expand(found))
    except (ReplayError, TypeError, ValueError, IndexError):
        return
    game["replay"]["digest"] = digest_of(found, [event for step in steps for event in step.events])


def _lie_of_score(rng: Random, lines: list[Any]) -> None:
    match = rng.choice([line for line in lines if line["scores"]])
    score = rng.choice(match["scores"])
    name = rng.choice(sorted(score))
    score[name] = rng.choice([*(each[name] for line in lines for each in line["scores"]), score[name]])
    if isinstance(score[name], int | float):
        score[name] += rng.choice([1, -0.0, 1e-9])


def _lie_of_state(rng: Random, lines: list[Any]) -> None:
    match = rng.choice(lines)
    match["state"] = rng.choice(["void", "scheduled", "done"])
    if rng.random() < 0.5:
        match.update(digest=None, rng_key=None, scores=[], void_reason="why not" if match["state"] == "void" else None)


def _lie_of_number(rng: Random, lines: list[Any]) -> None:
    match = rng.choice(lines)
    match["number"] += rng.choice([1, -1, 2**31 - 3])
    match["entries"] = rng.choice([match["entries"], match["entries"][::-1], [0, 0], [0, 2**31], [7, 8]])


def _lie_of_start(rng: Random, lines: list[Any]) -> None:
    rng.choice(lines)["start"] = rng.choice([[25.0, 8.0], [1e308, 1e-308], [-1e9, 0.0], [0.0, -1.0]])


def _lie_of_entry(rng: Random, lines: list[Any]) -> None:
    entry = rng.choice(lines)
    name = rng.choice(["name", "owner", "file", "disqualified", "id", "code", "version"])
    entry[name] = rng.choice([*(each[name] for each in lines), *_odd(entry[name])])


def _odd(value: Any) -> list[Any]:
    if isinstance(value, int):
        return [0, 2**31 - 1, value + 1]
    return [
        "", "x" * 64, "a\0b", "\u202e\u200b\x1b[2J", "=cmd()", "<script>", "\ue000", "..", "f" * 64,
        "0" * 64 + "\n",
    ]  # fmt: skip


def _lie_of_rules(rng: Random, lines: list[Any]) -> None:
    rules = lines[0]
    choices: dict[str, list[Any]] = {
        "name": _odd(""),
        "kind": _odd(""),
        "game": ["gangster-dice", "chess", "\0"],
        "seats": [2, 3, 4],
        "blocks": [1, BLOCKS + 1, 1000],
        "first": [2, 2**31 - 1],
        "matches": [0, 1, 2**31 - 1],
        "dice": ["seated", "seed", "frozen"],
        "secret": [None, "0" * 64],
        "commitment": ["0" * 64],
        "options": [{"x": 1}, {"characters": []}, {"a\0": "\0"}],
        "limits": [{}, {**rules["limits"], "memory_mib": rng.choice([0, -1, 2**62, 1.5, True, 1e300])}, {"x": []}],
        "schedule": [
            None, {"seed": "other", "sample": None}, {"seed": "", "sample": 10**6}, {"seed": "x", "sample": 3},
        ],
        "about": [{"state": "cancelled"}, {"state": "\u202e"}, {"x": "=1"}],
    }  # fmt: skip
    name = rng.choice(sorted(choices))
    rules[name] = rng.choice(choices[name])


def _large(rng: Random) -> tuple[str, bytes]:
    files = dict(rng.choice(_corpus()[:1]))
    rules, entries = json.loads(files[TOURNAMENT]), [json.loads(line) for line in files[ENTRIES].splitlines()]
    way = rng.choice(
        ["entries", "scheduled", "sampled", "standings", "options", "limits", "about", "lines", "manifest"]
    )
    much: dict[str, Any] = {f"k{number}": [[]] * 10 for number in range(rng.choice([1000, 100_000]))}
    if way in ("entries", "scheduled", "sampled"):
        count = rng.choice([300, 3000, 9_999, 12_000])
        entries = [{**entries[0], "id": number, "owner": f"o{number}"} for number in range(count)]
        rules["schedule"] = None if way == "entries" else {"seed": "x", "sample": None if way == "scheduled" else 2}
        rules["matches"] = json.loads(files[TOURNAMENT])["matches"] if way != "sampled" else 2
    elif way in ("options", "limits"):
        rules[way] = much
    elif way == "about":
        rules[way] = {f"k{number}": "x" * 400 for number in range(100_000)}
    elif way == "standings":
        files[STANDINGS] = (
            msgspec.json.encode(rng.choice([much, {"rows": [[]] * 5_000_000}, {"x" * 9_000_000: 1}])) + b"\n"
        )
    elif way == "lines":
        files[rng.choice([MATCHES, GAMES, ENTRIES])] = b"[" * rng.choice([3 << 20, 5 << 20]) + b"\n"
    files[TOURNAMENT] = msgspec.json.encode(rules) + b"\n"
    files[ENTRIES] = b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)
    data = forged(files)
    return f"large: {way}", _block(MANIFEST, b"[" * (40 << 20)) + data if way == "manifest" else data


def _seldom_large(rng: Random) -> tuple[str, bytes]:
    return _large(rng) if rng.random() < _RARE else _fields(rng)


_RARE: Final = 0.02
_Lie = tuple[str, Callable[[Random, list[Any]], None]]
_LIES: Final[tuple[_Lie, ...]] = (
    (GAMES, _lie_of_places), (GAMES, _lie_of_decision), (GAMES, _lie_of_seed), (MATCHES, _lie_of_score),
    (MATCHES, _lie_of_score), (MATCHES, _lie_of_state), (MATCHES, _lie_of_number), (ENTRIES, _lie_of_start),
    (ENTRIES, _lie_of_entry), (ENTRIES, _lie_of_entry), (TOURNAMENT, _lie_of_rules), (TOURNAMENT, _lie_of_rules),
)  # fmt: skip
_WAYS: Final[tuple[Callable[[Random], tuple[str, bytes]], ...]] = (
    _bytes, _headers, _fields, _fields, _fields, _lies, _lies, _lies, _seldom_large,
)  # fmt: skip
