"""The door of bots: what intake takes out of a file or a zip, and what the site keeps of it."""

import io
import re
import zipfile
from collections.abc import Callable
from random import Random
from typing import Final

from tests.fuzz.case import Case, OnSite, Wrong
from tests.fuzz.mutations import bytes_mutated
from tests.kits import core_kit, models
from tests.sandbox.zip_kit import BOT, DEFLATED, STORED, Item, deflated, handmade, zipped

from gangland_sandbox import errors, intake, limits
from gangland_sandbox.caps import CAPS, Caps
from gangland_web.services.uploads import submit_version

EVERY: Final = 20  # one upload in this number goes to the site's database
_PLAIN_PATH: Final = re.compile(r"(?!\.\.?(/|$))[ -.0-~]+(/(?!\.\.?(/|$))[ -.0-~]+)*")
_NAMES: Final = (
    *(
        "bot.py", "mine.py", "a.py", "../bot.py", "/etc/passwd", "bot.py/", "bot.py\0.txt", "a/../bot.py", "BOT.PY",
        "a/b.py",
    ),
    *(
        "CON", "json.py", "gangland/__init__.py", "__init__.py", "x.so", "x" * 200 + ".py", "a/" * 20 + "b.py", ".",
        "..", "\\a",
    ),
    *(
        "bot.py ", "bot\u202eyp.", "é.py", "__pycache__/bot.pyc", "__MACOSX/._bot.py", ".DS_Store", "data.txt", "a",
        "a/b", "A/b",
    ),
)  # fmt: skip
_FILENAMES: Final = (
    *(
        "mine.py", "mine.zip", "bot.py", "bot.zip", "a.b.zip", "os.py", ".py", ".zip", "class.py", "mine",
        "mine.PY", "x.tar",
    ),
    *(
        "mi\u202ene.py", "mine\x00.py", "../mine.py", "é.py", "9.py", "x" * 80 + ".py", "\x1b[2J.zip", "-.zip",
        " .zip", "mine.pyc",
    ),
)  # fmt: skip
_SOURCES: Final = (
    BOT, b"# -*- coding: latin-1 -*-\n" + BOT, b"\xef\xbb\xbf# coding: utf-8\r\n" + BOT,
    b"#!/usr/bin/python\n# vim: set fileencoding=utf_8 :\n" + BOT, "name = 'é\N{SNOWMAN}'\n".encode() + BOT,
    b"\x0c\n" * 50 + BOT, BOT * 40, BOT + b"#" * (260 << 10),
)  # fmt: skip


class Uploads(OnSite):
    def make(self, rng: Random) -> Case:
        way, data = rng.choice(_WAYS)(rng)
        filename = rng.choice(_FILENAMES) if rng.random() < 0.15 else "mine.zip" if "zip" in way else "mine.py"
        return Case(data, filename, way)

    def run(self, case: Case, number: int) -> str:
        """Check an upload under both profiles' caps; every reader must find the same accepted files."""
        came = {profile: _looked_at(case, CAPS[profile]) for profile in limits.Profile}
        if number % EVERY == 0:
            self._submit(case, came[limits.Profile.PLAIN])
        return came[limits.Profile.PLAIN]

    def _submit(self, case: Case, looked: str) -> None:
        before = self.counts(models.Version, models.Code)
        try:
            with self.platform.database.write() as session:
                owner = session.exec(models.select(models.User)).first()
                submit_version(session, owner, core_kit.GAME, "fuzzed", case.filename, case.data)
        except errors.UploadRejected as error:
            if looked == "taken" and error.code != "unchanged":
                raise Wrong(f"intake takes it, the site does not: {error.code}: {error}") from error
            if self.counts(models.Version, models.Code) != before:
                raise Wrong("the site refused it and kept something of it") from error
            return
        if looked != "taken":
            raise Wrong(f"the site took what intake refuses: {looked}")


def _looked_at(case: Case, caps: Caps) -> str:
    try:
        bundle = intake.unpack(case.data, case.filename, caps)
    except errors.UploadRejected as error:
        if not (error.message.isprintable() and len(error.message) < 600):
            raise Wrong(f"a message that is not plain: {error.message[:300]!a}") from error
        return f"refused: {error.code}"
    if bundle.main not in bundle.files or sum(map(len, bundle.files.values())) > max(
        caps.unpacked_bytes, caps.source_bytes
    ):
        raise Wrong(f"no {bundle.main}, or too much, in {sorted(bundle.files)!r}")
    for path, content in bundle.files.items():
        if not _PLAIN_PATH.fullmatch(path):
            raise Wrong(f"the path {path!a} was taken")
        if path.endswith(".py"):
            content.decode()
    if case.filename.endswith(".zip"):
        _need_same(case.data, bundle.files)
    elif bundle.files != {case.filename: case.data}:
        raise Wrong("a single file became another one")
    return "taken"


def _need_same(data: bytes, files: dict[str, bytes]) -> None:
    """Check that Python's own zip reader finds the same files, except for an outer folder and macOS's files."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        listed = [info for info in archive.infolist() if not info.is_dir()]
        other = {info.filename: archive.read(info) for info in listed}
    if len(other) != len(listed):
        raise Wrong("a name occurs twice in a zip that was taken")
    theirs = {name: content for name, content in other.items() if "__MACOSX" not in name and ".DS_Store" not in name}
    around = min((len(name) for name in theirs), default=0) and next(iter(theirs)).split("/")[0] + "/"
    if files not in (theirs, {name.removeprefix(str(around)): content for name, content in theirs.items()}):
        raise Wrong(f"two readers find two things: {sorted(files)!r} and {sorted(other)!r}")


def _source(rng: Random) -> tuple[str, bytes]:
    data = rng.choice(_SOURCES)
    for _ in range(rng.choice([0, 1, 1, 2, 4])):
        data = bytes_mutated(rng, data)
    return "source", data


def _zip(rng: Random) -> tuple[str, bytes]:
    files = {name: rng.choice(_SOURCES[:6]) for name in {"bot.py", *rng.sample(_NAMES[1:], rng.choice([0, 0, 1, 2]))}}
    if rng.random() < 0.3:
        files = {f"folder/{name}": content for name, content in files.items()}
    data = zipped(files, rng.choice([STORED, DEFLATED]))
    for _ in range(rng.choice([0, 1, 1, 1, 2, 4])):
        data = bytes_mutated(rng, data)
    return "zip", data


def _by_hand(rng: Random) -> tuple[str, bytes]:
    """Make a zip with arbitrary tables; each number is right more often than wrong."""
    items = [_item(rng, number) for number in range(rng.choice([1, 1, 2, 3, 70]))]
    end = {rng.randrange(7): rng.choice([0, 1, 2, 0xFFFF])} if rng.random() < 0.15 else {}
    moved = rng.choice([-1, 1, 22]) if rng.random() < 0.1 else 0
    between = rng.choice([b"", b"", b"", b"", b"\0", b"PK\x01\x02", BOT])
    try:
        return "zip by hand", handmade(*items, between=between, end=end, moved=moved)
    except Exception:  # noqa: BLE001 (a number that no field of a zip takes: no such zip can come)
        return "zip by hand", zipped({"bot.py": BOT})


def _item(rng: Random, number: int) -> Item:
    lies: dict[str, object] = {}
    liked: dict[str, Callable[[], object]] = {
        "flags": lambda: rng.choice([1, 2, 6, 8, 0x40, 0x800, 0x2000, 0x8000]),
        "method": lambda: rng.choice([0, 8, 9, 12, 14, 93, 99]),
        "size": lambda: rng.choice([0, 1, len(BOT) + 1, 5 << 20, 2**32 - 1]),
        "packed": lambda: rng.choice([0, 1, len(BOT) + 1, 2**32 - 1]), "crc": lambda: rng.choice([0, 2**32 - 1]),
        "attributes": lambda: rng.choice(
            [0, 0o120777 << 16, 0o040755 << 16 | 16, 0o020666 << 16, 0o010666 << 16, 16, 8]
        ),
        "extra": lambda: rng.choice(
            [b"\x01\0\0\0", b"\x75\x70\x04\0abcd", b"\x99", b"UT\x05\0\x01\0\0\0\0", b"\x0d\0\xff\xff"]
        ),
        "local_extra": lambda: rng.choice([b"\x01\0\0\0", b"\x75\x70\x04\0abcd", b"\x99", b"UT\x05\0\x01\0\0\0\0"]),
        "comment": lambda: rng.choice([b"x", b"PK\x05\x06"]),
        "behind": lambda: rng.choice([b"PK\x07\x08" + bytes(12), bytes(12), b"x"]),
        "offset": lambda: rng.choice([0, 1, 30, 2**32 - 1]), "needed": lambda: rng.choice([10, 45, 63, 64, 0xFFFF]),
        "raw": lambda: rng.choice(
            [deflated(BOT)[:-1], deflated(BOT) + b"x", deflated(bytes(6 << 20)), b"", rng.randbytes(40)]
        ),
        "local": lambda: {rng.choice(["size", "packed", "crc", "flags", "method"]): rng.choice([0, 1, 8, 99])},
    }  # fmt: skip
    for name in rng.sample(sorted(liked), rng.choice([0, 0, 0, 1, 1, 2])):
        lies[name] = liked[name]()
    name = "bot.py" if number == 0 and rng.random() < 0.9 else rng.choice(_NAMES)
    method = rng.choice([STORED, DEFLATED])
    item = Item(name.encode("utf-8", "surrogatepass"), rng.choice(_SOURCES[:6]), method)
    return Item(**{**{field: getattr(item, field) for field in Item.__dataclass_fields__}, **lies})


def _bomb(rng: Random) -> tuple[str, bytes]:
    content = bytes(rng.choice([100 << 10, 3 << 20, 5 << 20, 40 << 20]))
    output = rng.choice([None, 10, 64 << 10, len(content)])
    files = [
        Item(b"bot.py"),
        *(Item(b"data%d" % n, content, DEFLATED, size=output) for n in range(rng.choice([1, 2, 9]))),
    ]
    return "zip bomb", handmade(*files)


def _seldom_a_bomb(rng: Random) -> tuple[str, bytes]:
    return _bomb(rng) if rng.random() < _RARE else _by_hand(rng)


_RARE: Final = 0.05
_WAYS: Final[tuple[Callable[[Random], tuple[str, bytes]], ...]] = (
    _source, _source, _zip, _zip, _zip, _by_hand, _by_hand, _by_hand, _by_hand, _seldom_a_bomb,
)  # fmt: skip
