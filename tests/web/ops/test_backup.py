"""A backup holds everything, goes into either kind of database, and is refused unless it is whole."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from functools import partial
from hashlib import sha256
from io import BytesIO, TextIOWrapper
from pathlib import Path
from threading import Thread
from typing import IO, Any

import pytest
import zstandard
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import select
from tests.kits import admin_kit, backup_kit, command_kit
from tests.kits.core_kit import BOTH, ON_POSTGRESQL, Platform, fill_whole

from gangland_web.models import jobs, site
from gangland_web.models.accounts import SignIn, User
from gangland_web.models.database import Database, migrate
from gangland_web.models.matches import Match, MatchState
from gangland_web.ops.backup import LINE_BYTES, BackupRefused, Results, examine, restore, results_digest, take_backup
from gangland_web.settings import SQLITE_FILE, sqlite_url


def backed_up(database: Database, folder: Path) -> Path:
    file = folder / "site.backup"
    with file.open("wb") as stream:
        take_backup(database, stream)
    return file


def digest_of(database: Database, up_to: int | None = None) -> Results:
    with database.read() as session:
        return results_digest(session.connection(), up_to)


OTHERS = pytest.mark.long("each kind of database is written and read by the way from PostgreSQL to SQLite too")


@pytest.mark.parametrize(
    ("of", "to"),
    [
        ("postgresql", "sqlite"),
        *(pytest.param("sqlite", to, marks=OTHERS) for to in BOTH),
        pytest.param("postgresql", "postgresql", marks=OTHERS),
    ],
)
def test_every_row_of_every_table_comes_back_in_either_kind_of_database(of: str, to: str, tmp_path: Path) -> None:
    database = backup_kit.full_database(of, tmp_path)
    before = backup_kit.contents(database)
    assert [name for name, rows in before.items() if not rows] == []

    there = backup_kit.empty_database(to, tmp_path)
    done = restore(there, backed_up(database, tmp_path))
    after = backup_kit.contents(there)

    for name in set(before) - backup_kit.CHANGED_BY_RESTORING:
        assert after[name] == before[name], name
    assert done.same
    assert done.rows == sum(map(len, before.values()))
    assert digest_of(there) == digest_of(database) == done.header.results
    assert after["sign_ins"] == []
    assert [row for row in after["matches"] if "leased" in row] == []
    for restored, kind in ((there, to), (database, of)):  # a site on PostgreSQL was restored from SQLite's
        with closing(backup_kit.migrated_database(kind, tmp_path)) as fresh:
            assert backup_kit.guards(restored) == backup_kit.guards(fresh)
        _site_goes_on(restored)
        restored.close()


def _site_goes_on(database: Database) -> None:
    migrate(database)
    with database.write() as session:
        session.add(User(name="late", name_key="late", password_hash="-", created_at=0.0))
    for order in ("UPDATE audit_log SET act = 'x'", "DELETE FROM codes", "UPDATE matches SET tournament_id = 999999"):
        with pytest.raises(DBAPIError), database.write() as session:
            session.connection().execute(text(order))


def test_a_backup_taken_in_mid_play_plays_on_elsewhere_with_the_same_digest(platform: Platform, tmp_path: Path) -> None:
    platform.recorder.schedule()
    for _ in range(3):
        platform.finish(platform.take())
    begun = platform.take()
    platform.begin(begun)
    file = backed_up(platform.database, tmp_path)
    header = examine(file)
    platform.finish(begun)
    platform.play_all()

    there = backup_kit.empty_database("sqlite", tmp_path)
    done = restore(there, file)
    assert done.same
    assert done.header.results.matches == 3
    assert digest_of(platform.database, header.results.up_to) == digest_of(there, header.results.up_to)
    assert digest_of(platform.database) != digest_of(there)

    with there.read() as session:
        assert session.exec(select(Match).where(Match.state == MatchState.LEASED.value)).all() == []
        again = session.get_one(jobs.Job, begun.message.job)
    assert (again.state, again.attempt, again.begun_at) == ("waiting", 0, None)
    assert done.returned >= 1

    other = Platform(there, type(platform.post)(), platform.recorder)
    other.recorder = type(platform.recorder)(there, other.post, rounds=1)
    assert other.play_all() > 0
    assert other.match(begun.id).digest == platform.match(begun.id).digest
    there.close()


def test_what_is_written_while_a_backup_is_taken_is_not_in_it(platform: Platform, tmp_path: Path) -> None:
    """A match is recorded after the header was read."""
    platform.recorder.schedule()
    platform.finish(platform.take())
    before = digest_of(platform.database)

    class Interrupting:
        def __init__(self, stream: Any) -> None:
            self.stream, self.done = stream, False

        def write(self, data: bytes) -> int:
            if not self.done:
                self.done = True
                platform.finish(platform.take())
            return int(self.stream.write(data))

    file = tmp_path / "site.backup"
    with file.open("wb") as stream:
        header = take_backup(platform.database, Interrupting(stream))  # type: ignore[arg-type]
    assert digest_of(platform.database).matches == before.matches + 1
    assert header.results == before
    there = backup_kit.empty_database("sqlite", tmp_path)
    assert restore(there, file).results == before
    there.close()


def test_a_digest_goes_up_to_a_match_and_leaves_out_what_came_later(platform: Platform) -> None:
    platform.recorder.schedule()
    assert digest_of(platform.database) == Results(digest_of(platform.database).sha256, 0, None)
    platform.finish(platform.take())
    first = digest_of(platform.database)
    platform.finish(platform.take())
    assert digest_of(platform.database).matches == 2
    assert digest_of(platform.database, first.up_to) == first
    with pytest.raises(BackupRefused, match="match 99999 is not over or does not exist"):
        digest_of(platform.database, 99_999)
    platform.execute(text("UPDATE match_seats SET wins = wins + 1"))
    assert digest_of(platform.database, first.up_to) != first


@pytest.fixture(scope="module")
def a_backup(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("backup")
    database = backup_kit.empty_database("sqlite", folder)
    fill_whole(database)
    with (folder / "one").open("wb") as stream:
        take_backup(database, stream)
    database.close()
    return (folder / "one").read_bytes()


def lines_changed(data: bytes, change: Callable[[list[bytes]], object]) -> bytes:
    lines = zstandard.ZstdDecompressor().decompressobj().decompress(data).splitlines(keepends=True)
    change(lines)
    return zstandard.ZstdCompressor().compress(b"".join(lines))


def header_changed(data: bytes, **changed: object) -> bytes:
    return lines_changed(data, lambda lines: odd_header(lines, **changed))


def hashed_again(spoil: Callable[[list[bytes]], object]) -> Callable[[bytes], bytes]:
    """Return a change to a backup's lines that also corrects its hash."""

    def change(lines: list[bytes]) -> None:
        spoil(lines)
        end = json.loads(lines[-1])
        lines[-1] = json.dumps({**end, "sha256": sha256(b"".join(lines[:-1])).hexdigest()}).encode() + b"\n"

    return lambda data: lines_changed(data, change)


def swapped(lines: list[bytes]) -> None:
    at = next(number for number, line in enumerate(lines) if b"gang-of-dice" in line and number > 0)
    lines[at] = lines[at].replace(b"gang-of-dice", b"gang-of-mice", 1)


SPOILED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda _: b"", "it is not a backup"),
    "words": (lambda _: b"hello " * 100, "it is not a backup, or was changed"),
    "cut off": (lambda data: data[: len(data) // 2], "cut off|end is missing|not a backup"),
    "the last bytes are missing": (lambda data: data[:-16], "cut off|end is missing|not a backup"),
    "a byte is changed": (
        lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :],
        "changed|cut off|not a backup",
    ),
    "a row is missing": (lambda data: lines_changed(data, lambda lines: lines.pop(-5)), "it was changed"),
    "a word is changed": (lambda data: lines_changed(data, swapped), "it was changed"),
    "more behind the end": (
        lambda data: lines_changed(data, lambda lines: lines.append(lines[-1])),
        "there is data after its end",
    ),
    "another form": (lambda data: header_changed(data, form="gangland/backup-file/9"), "expected the form"),
    "a header of something else": (lambda data: header_changed(data, tables=7), "its first line is damaged"),
}


ODD_VALUES: dict[str, tuple[str, object]] = {
    "a list for a text": ("name", ["a", "b"]), "a number for a text": ("name", 7),
    "half a character": ("name", "\ud800"), "thirty digits": ("revision", 10**29),
    "a word for an integer": ("revision", "7"), "a truth for an integer": ("revision", True),
    "a number for a truth": ("house_bots", 1), "a number without end": ("created_at", float("inf")),
    "no number": ("created_at", float("nan")), "more than a float holds": ("created_at", 10**400),
    "a list for bytes": ("secret", [1]), "no base64": ("secret", "§"), "words for JSON": ("options", "{words"),
    "an object for the text of JSON": ("options", {}), "JSON that is nested without end": ("options", "[" * 100_000),
}  # fmt: skip


ODD_HEADERS: dict[str, dict[str, Any]] = {
    "made in no year": {"made_at": 1e300},
    "tables without names": {"tables": [{"name": [], "columns": [], "key": []}]},
    "up to a word": {"results": {"sha256": "", "matches": 1, "up_to": "x"}},
}


def odd_value(lines: list[bytes], column: str, value: object) -> None:
    shape = next(one for one in json.loads(lines[0])["tables"] if one["name"] == "tournaments")
    at = lines.index(b'{"table":"tournaments"}\n') + 1
    row = json.loads(lines[at])
    row[[name for name, _ in shape["columns"]].index(column)] = value
    lines[at] = json.dumps(row).encode() + b"\n"


def odd_line(lines: list[bytes], line: bytes) -> None:
    lines[lines.index(b'{"table":"tournaments"}\n') + 1] = line


def odd_header(lines: list[bytes], **changed: object) -> None:
    lines[0] = json.dumps({**json.loads(lines[0]), **changed}).encode() + b"\n"


ODD: dict[str, tuple[Callable[[list[bytes]], object], str]] = {
    **{
        what: (partial(odd_value, column=column, value=value), "a row is damaged")
        for what, (column, value) in ODD_VALUES.items()
    },
    "a row that is nested without end": (partial(odd_line, line=b"[" * 100_000 + b"\n"), "a row is damaged"),
    "a mark nested without end": (partial(odd_line, line=b'{"a":' * 100_000 + b"\n"), "a line is cut off"),
    "a line without end": (partial(odd_line, line=b"[" + b" " * LINE_BYTES + b"]\n"), "a line has more than"),
    "a column twice": (lambda lines: odd_header(lines, tables=twice_a_column(lines)), "its tables are not those"),
    **{what: (partial(odd_header, **changed), "its first line is damaged") for what, changed in ODD_HEADERS.items()},
    "of a newer release": (
        partial(odd_header, revision="9999", release="7.1"),
        r"restore it with release 7\.1 or newer",
    ),
}


def twice_a_column(lines: list[bytes]) -> list[Any]:
    tables: list[Any] = json.loads(lines[0])["tables"]
    tables[0]["columns"].append(tables[0]["columns"][0])
    return tables


@pytest.mark.parametrize("what", [*SPOILED, *ODD])
def test_a_backup_that_is_not_whole_is_not_written(a_backup: bytes, what: str, tmp_path: Path) -> None:
    spoil, expected = SPOILED[what] if what in SPOILED else (hashed_again(ODD[what][0]), ODD[what][1])
    file = tmp_path / "spoiled"
    file.write_bytes(spoil(a_backup))
    there = backup_kit.empty_database("sqlite", tmp_path)
    with pytest.raises(BackupRefused, match=expected):
        restore(there, file)
    with there.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM sqlite_master")).scalar_one() == 0
    there.close()


@pytest.mark.parametrize("kind", BOTH)
def test_a_row_that_refers_to_nothing_is_refused(a_backup: bytes, kind: str, tmp_path: Path) -> None:
    def change(lines: list[bytes]) -> None:
        at = lines.index(b'{"table":"entries"}\n') + 1
        row = json.loads(lines[at])
        row[1:3] = [98_765, 98_766]
        lines[at] = json.dumps(row).encode() + b"\n"

    file = tmp_path / "spoiled"
    file.write_bytes(hashed_again(change)(a_backup))
    there = backup_kit.empty_database(kind, tmp_path)
    with pytest.raises(BackupRefused, match=r"a row of \w+ refers to|cannot insert a row of"):
        restore(there, file)
    file.write_bytes(a_backup)
    assert restore(there, file).same
    there.close()


@ON_POSTGRESQL
def test_from_a_shell_a_backup_is_private_whole_and_never_written_over(platform: Platform, tmp_path: Path) -> None:
    platform.recorder.schedule()
    platform.finish(platform.take())
    with platform.database.write() as session:
        session.add(User(id=7, name="Ann", name_key="ann", password_hash="-", created_at=0.0))
        session.flush()
        session.add(SignIn(user_id=7, key_hash="a" * 64, begun_at=0, last_seen_at=0, proven_at=0, address="", agent=""))
    file = tmp_path / "site.backup"

    ran = output(platform, "backup", file, "--json")
    assert ran.code == 0, ran.err
    assert file.stat().st_mode & 0o777 == 0o600
    result = json.loads(ran.out)
    printed = json.loads(output(platform, "digest", "--json").out)
    assert (printed["digest"], printed["up_to"]) == (result["results"]["sha256"], result["results"]["up_to"])
    assert json.loads(output(platform, "digest", "--up-to", printed["up_to"], "--json").out) == printed

    again = output(platform, "backup", file)
    assert again.code == 2
    assert "replace it with --overwrite" in again.err
    assert output(platform, "backup", file, "--overwrite").code == 0
    assert [each.name for each in tmp_path.iterdir()] == [file.name]
    assert platform.row(select(site.SiteFact).where(site.SiteFact.name == "backup")).at > 0

    before = backup_kit.contents(platform.database)
    refused = output(platform, "restore", file)
    assert (refused.code, "the database is not empty" in refused.err) == (2, True)
    assert backup_kit.contents(platform.database) == before
    there = tmp_path / "there"
    restored = json.loads(output(platform, "restore", file, "--data", there, "--json").out)
    assert (restored["same"], restored["signed_out"]) == (True, 1)
    assert (there / SQLITE_FILE).is_file()
    assert there.stat().st_mode & 0o777 == 0o700
    assert json.loads(output(platform, "digest", "--data", there, "--json").out) == printed


def known_backup(platform: Platform) -> float | None:
    found = platform.read(site.fact, site.Fact.BACKUP)
    return None if found is None else found.at


def test_a_backup_to_stdout_is_examined(platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    platform.recorder.schedule()
    platform.finish(platform.take())
    command = [sys.executable, "-m", "gangland_web.ops.admin", "backup", "-"]
    environment = os.environ | {"DATABASE_URL": platform.database.url}
    whole = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout
    assert known_backup(platform) is None

    def send(pipe: IO[bytes], data: bytes) -> None:
        with pipe:
            pipe.write(data)

    def examined(data: bytes) -> command_kit.Ran:
        reading, writing = os.pipe()
        with os.fdopen(reading) as stdin:
            sender = Thread(target=send, args=(os.fdopen(writing, "wb"), data))
            monkeypatch.setattr("sys.stdin", stdin)
            sender.start()
            ran = output(platform, "examine", "-", "--json")
            sender.join()
        return ran

    cut = examined(whole[:-16])
    assert (cut.code, "is damaged" in cut.err, known_backup(platform)) == (2, True, None), cut.err
    platform.finish(platform.take())  # what was played since is no difference
    ran = examined(whole)
    assert (ran.code, command_kit.parsed(ran.out)["same"]) == (0, True), ran.err
    at = known_backup(platform)
    assert at is not None
    assert output(platform, "backup", tmp_path / "later.backup").code == 0
    later = known_backup(platform)
    assert later is not None
    assert later > at
    assert examined(whole).code == 0
    assert known_backup(platform) == later


@ON_POSTGRESQL
def test_a_backup_of_other_results_is_not_taken_for_this_sites(platform: Platform, tmp_path: Path) -> None:
    platform.recorder.schedule()
    platform.finish(platform.take())
    file = backed_up(platform.database, tmp_path)
    with platform.database.write() as session:
        session.connection().execute(text("DELETE FROM site_facts"))
        session.connection().execute(text("UPDATE match_seats SET wins = wins + 1 WHERE wins IS NOT NULL"))
    ran = output(platform, "examine", file)
    assert (ran.code, "NOT the digest of this site" in ran.out, known_backup(platform)) == (1, True, None), ran.err


def test_a_shell_is_told_what_cannot_be_read_twice_or_at_all_or_written(platform: Platform, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for words, expected in (
        (("backup", tmp_path / "no" / "such" / "folder"), "cannot write"),
        (("restore", tmp_path / "none", "--data", tmp_path / "new"), "cannot read"),
        (("restore", tmp_path / "pipe", "--data", tmp_path / "piped"), "gangland admin restore -"),
        (("examine", tmp_path / "none"), "cannot read"), (("digest", "--up-to", 424242), "match 424242 is not over"),
    ):  # fmt: skip
        ran = output(platform, *words)
        assert ran.code == 2
        assert expected in ran.err
        assert "Traceback" not in ran.err
    assert not (tmp_path / "piped").exists()


def test_a_backup_is_whole_though_the_database_takes_no_note_of_it(platform: Platform, tmp_path: Path) -> None:
    platform.execute(text("ALTER TABLE site_facts RENAME TO others"))
    file = tmp_path / "site.backup"
    ran = output(platform, "backup", file)
    assert (ran.code, "the backup is complete" in ran.err, "site_facts" in ran.err) == (0, True, True), ran.err
    assert examine(file).results == digest_of(platform.database)


def test_root_writes_no_foreign_folder(platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, there = backed_up(platform.database, tmp_path), tmp_path / "there"
    there.mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(there, 4711, 4711)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 0)
    ran = output(platform, "restore", file, "--data", there)
    assert (ran.code, "runuser -u " in ran.err, list(there.iterdir())) == (2, True, []), ran.err


class Piped(BytesIO):
    def __init__(self, data: bytes, folder: Path) -> None:
        super().__init__(data)
        self.folder = folder
        self.seen: list[Path] = []

    def read(self, size: int | None = -1, /) -> bytes:
        self.seen += self.folder.iterdir()
        return super().read(size)


def test_a_backup_is_restored_from_stdin(platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = backed_up(platform.database, tmp_path)
    folder = tmp_path / "meanwhile"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))

    def restored(data: bytes) -> command_kit.Ran:
        piped = Piped(data, folder)
        monkeypatch.setattr("sys.stdin", TextIOWrapper(piped))
        ran = output(platform, "restore", "-", "--data", tmp_path / "there")
        assert [*piped.seen, *folder.iterdir()] == []
        return ran

    assert restored(file.read_bytes()[:-16]).code == 2
    ran = restored(file.read_bytes())
    assert ran.code == 0, ran.err
    assert "same digest as the backup" in ran.out
    assert "maintenance" not in ran.out
    there = Database(sqlite_url(tmp_path / "there"))
    assert digest_of(there) == digest_of(platform.database)
    there.close()


def test_restoring_says_that_the_site_is_under_maintenance_again(platform: Platform, tmp_path: Path) -> None:
    platform.write(site.begin_maintenance, "It moves until 18:00.")
    file = backed_up(platform.database, tmp_path)
    ran = output(platform, "restore", file, "--data", tmp_path / "one")
    assert "end it with `gangland admin maintenance off`: It moves until 18:00." in ran.out
    ran = output(platform, "restore", file, "--data", tmp_path / "two", "--json")
    assert ran.document["maintenance"] == "It moves until 18:00."


def output(platform: Platform, group: str, *words: object) -> command_kit.Ran:
    return admin_kit.admin(platform, *words, group=group)
