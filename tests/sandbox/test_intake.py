"""What is seen of an upload before anything of it is run."""

import pickle
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sandbox.zip_kit import BOT, Item, handmade, zipped

from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import NUMERIC, PLAIN, SOURCE_BYTES, Bundle, filename_of, is_zip, scan, unpack

GOOD = b"# a bot\nx = 1\n"


def rejected(source: bytes, filename: str = "card_reader.py") -> UploadRejected:
    with pytest.raises(UploadRejected) as caught:
        scan(source, filename)
    return caught.value


@pytest.mark.parametrize(
    "source", [GOOD, b"\xef\xbb\xbf" + GOOD, b"# coding: utf-8\n" + GOOD, "# Käse\n".encode(), b"#" * SOURCE_BYTES]
)
def test_a_text_file_of_some_size_is_let_in(source: bytes) -> None:
    scan(source, "card_reader.py")


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        (b"", "empty", None),
        (b" \n\t\n", "empty", None),
        (b"a\nb\0\n", "nul_byte", 2),
        (b"a\n\nb\xff\n", "not_utf8", 3),
        (b"# coding: latin-1\n" + GOOD, "not_utf8", 1),
        (b"#!/usr/bin/python\n# -*- coding: utf-7 -*-\n" + GOOD, "not_utf8", 2),
        (b"\r# coding: utf-7\n" + GOOD, "not_utf8", 2),
        (b"#" * (SOURCE_BYTES + 1), "too_large", None),
    ],
)
def test_what_is_no_text_of_some_size_is_refused_with_its_line(source: bytes, code: str, line: int | None) -> None:
    refused = rejected(source)
    assert (refused.code, refused.line) == (code, line)
    assert code != "too_large" or ("262,145 bytes" in refused.message and "256 KiB" in refused.message)


FILENAMES = {
    "not_py": ["bot.txt", "bot", "bot.pyc", "bot.py.exe", "bot.PY", ""],
    "bad_name": [
        ".py", "1st.py", "my bot.py", "my-bot.py", "a/b.py", "../b.py", "class.py", "None.py", "b\u00e4t.py", "a.b.py",
        "x" * 65 + ".py",
    ],
    "taken_name": ["random.py", "Random.py", "os.py", "gangland.py", "gangland_bots.py", "__main__.py"],
}  # fmt: skip


@pytest.mark.parametrize("code", FILENAMES)
def test_a_name_that_is_not_pythons_cannot_be_imported_or_is_that_of_a_module_of_bots_is_refused(code: str) -> None:
    for filename in FILENAMES[code]:
        assert rejected(GOOD, filename).code == code, filename


def unzipped(files: dict[str, bytes], filename: str = "my-bot.zip") -> dict[str, bytes]:
    bundle = unpack(zipped(files), filename)
    assert bundle.main == "bot.py"
    return bundle.files


def refused_zip(files: dict[str, bytes], filename: str = "my_bot.zip") -> UploadRejected:
    with pytest.raises(UploadRejected) as caught:
        unpack(zipped(files), filename)
    return caught.value


def test_a_single_file_is_a_bundle_of_one() -> None:
    assert unpack(GOOD, "card_reader.py") == Bundle("card_reader.py", {"card_reader.py": GOOD})
    with pytest.raises(UploadRejected, match="empty"):
        unpack(b"", "card_reader.py")


def test_a_zip_brings_helpers_packages_and_data() -> None:
    files = {"bot.py": BOT, "helpers.py": b"", "brain/__init__.py": b"", "brain/json.py": b"", "data/a.bin": b"\0\xff"}
    assert unzipped(files) == files


def test_a_folder_around_everything_is_taken_off() -> None:
    files = {"bot.py": BOT, "helpers.py": b"", "data/a.txt": b"a"}
    assert unzipped({f"my-bot-main/{path}": content for path, content in files.items()}) == files
    assert unzipped({**files, "my_bot/bot.py": BOT}).keys() == {*files, "my_bot/bot.py"}
    assert refused_zip({"my_bot/bot.py": BOT, "readme.txt": b""}).code == "zip_no_bot"
    assert refused_zip({"a/my_bot/bot.py": BOT}).code == "zip_no_bot"


def test_what_macos_adds_is_left_out() -> None:
    macs = {"__MACOSX/my_bot/._bot.py": b"\0\5", "my_bot/.DS_Store": b"\0", "my_bot/data/.DS_Store": b"\0"}
    assert unzipped({"my_bot/bot.py": BOT, **macs}) == {"bot.py": BOT}
    assert unzipped({"bot.py": BOT, "__MACOSX/._bot.py": b"\0", ".DS_Store": b"\0"}) == {"bot.py": BOT}


def test_content_and_suffix_have_to_agree() -> None:
    for code, filename, expected in (
        (zipped({"bot.py": BOT}), "bot.py", "not_py"), (BOT, "bot.zip", "not_zip"),
        (b"PK = 1\n", "bot.zip", "not_zip"), (b"", "bot.zip", "empty"),
        (zipped({"bot.py": BOT}), "bot.tar", "not_py"),
    ):  # fmt: skip
        with pytest.raises(UploadRejected) as caught:
            unpack(code, filename)
        assert caught.value.code == expected
    assert unpack(b"PK = 1\n", "pk.py").files == {"pk.py": b"PK = 1\n"}


@pytest.mark.parametrize(
    "filename", [".zip", "my bot.zip", "a/b.zip", "-rf.zip", "b\u00e4t.zip", "x" * 65 + ".zip", "a\n.zip"]
)
def test_a_zips_name_has_plain_characters(filename: str) -> None:
    assert refused_zip({"bot.py": BOT}, filename).code == "bad_name"


def test_a_name_and_the_bytes_give_the_file_name_back() -> None:
    archive = zipped({"bot.py": BOT})
    assert (filename_of("mine", BOT), filename_of("mine", archive)) == ("mine.py", "mine.zip")
    assert (is_zip(archive), is_zip(handmade()), is_zip(b"PK\n"), is_zip(b"")) == (True, True, False, False)
    assert unpack(archive, filename_of("my-bot", archive)).files == {"bot.py": BOT}


@pytest.mark.parametrize("files", [{}, {"a.txt": b""}, {"Bot.py": BOT}, {"main.py": BOT}, {"bot.txt": BOT}])
def test_a_zip_without_a_bot_is_refused(files: dict[str, bytes]) -> None:
    refused = refused_zip(files)
    assert (refused.code, "no bot.py" in refused.message) == ("zip_no_bot", True)


def test_a_zip_whose_bot_has_another_name_is_told_which() -> None:
    assert "'Bot.py'" in refused_zip({"Bot.py": BOT, "a.py": b""}).message
    assert "'main.py'" in refused_zip({"main.py": BOT}).message


@pytest.mark.parametrize(
    "path",
    [
        "random.py", "Random.py", "json/__init__.py", "json/data.txt", "gangland.py", "gangland/__init__.py",
        "gangland_sandbox/x.py", "gangland_harness.py", "numpy.py", "numpy/core.py", "sitecustomize.py", "__main__.py",
        "usercustomize.py", "brain/__main__.py", "__init__.py", "__builtins__.py", "os/path.py", "_struct.py",
    ],
)  # fmt: skip
def test_no_module_may_stand_in_the_way_of_one_that_bots_import(path: str) -> None:
    refused = refused_zip({"bot.py": BOT, path: b""})
    assert refused.code == "taken_name"
    assert path.split("/")[0] in refused.message


def test_inside_a_package_and_for_data_any_name_will_do() -> None:
    files = {"bot.py": BOT, "brain/random.py": b"", "random.txt": b"", "brain/gangland.py": b"", "random": b""}
    assert unzipped(files) == files


@pytest.mark.parametrize(
    "path",
    [
        "fast.so", "fast.SO", "fast.cpython-311-x86_64-linux-gnu.so", "libfast.so.1.2", "fast.pyd", "fast.dll", "a.pth",
        "bot.pyc", "a.pyo", "brain/fast.so", "__pycache__/bot.cpython-311.pyc", "__pycache__/a.txt", "a/__pycache__/b",
        "fast.dylib",
    ],
)  # fmt: skip
def test_nothing_compiled_is_let_in(path: str) -> None:
    refused = refused_zip({"bot.py": BOT, path: b""})
    assert (refused.code, path in refused.message) == ("zip_compiled", True)


@pytest.mark.parametrize(
    ("first", "second"), [("a.py", "a/__init__.py"), ("b/a.py", "b/a/c.py"), ("bot.py", "bot/x/y.py")]
)
def test_a_module_and_a_package_of_one_name_are_refused(first: str, second: str) -> None:
    refused = refused_zip({"bot.py": BOT, first: BOT, second: b""})
    assert (refused.code, f"{first} and the folder" in refused.message) == ("zip_module_twice", True)


def test_a_folder_of_data_may_be_called_as_a_module() -> None:
    assert unzipped({"bot.py": BOT, "bot/table.txt": b"1"})["bot/table.txt"] == b"1"


@pytest.mark.parametrize("path", ["bot.py", "helpers.py", "brain/plan.py"])
@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        (b"x = 1\n\0", "nul_byte", 2),
        (b"x = 1\n\n\xff", "not_utf8", 3),
        (b"# coding: utf-7\n", "not_utf8", 1),
        (b"#" * (SOURCE_BYTES + 1), "too_large", None),
    ],
)
def test_every_module_is_checked_like_a_single_file(path: str, source: bytes, code: str, line: int | None) -> None:
    files = {"bot.py": BOT, "noise.bin": bytes(range(256)) * 64, path: source}
    with pytest.raises(UploadRejected) as caught:
        unpack(handmade(*[Item(name.encode(), content) for name, content in files.items()]), "my_bot.zip")
    refused = caught.value
    assert refused.code == code
    assert refused.message.startswith(path)
    assert refused.line == (line if path == "bot.py" else None)
    assert line is None or refused.message.count(f"line {line}") == 1


def test_helpers_may_be_empty_and_the_bot_not() -> None:
    assert unzipped({"bot.py": BOT, "helpers.py": b""})["helpers.py"] == b""
    refused = refused_zip({"bot.py": b" \n", "helpers.py": BOT})
    assert (refused.code, refused.message) == ("empty", "bot.py: the file is empty")


def test_data_may_be_larger_than_a_source_and_the_numeric_profile_takes_more() -> None:
    noise = b"".join(sha256(number.to_bytes(4, "big")).digest() for number in range(50_000))
    archive = zipped({"bot.py": BOT, "noise.bin": noise[: PLAIN.zip_bytes - 2000]})
    assert len(unpack(archive, "my_bot.zip").files["noise.bin"]) == PLAIN.zip_bytes - 2000
    large = zipped({"bot.py": BOT, "noise.bin": noise})
    with pytest.raises(UploadRejected) as caught:
        unpack(large, "my_bot.zip")
    assert caught.value.code == "zip_too_large"
    assert unpack(large, "my_bot.zip", NUMERIC).files["noise.bin"] == noise


@given(st.binary(max_size=300), st.text(max_size=20))
def test_any_file_is_let_in_or_refused_in_words(source: bytes, filename: str) -> None:
    try:
        scan(source, filename)
        result = "let in"
    except UploadRejected as refused:
        result = refused.code and refused.message
    assert result


def test_a_refusal_crosses_processes_whole() -> None:
    refused = pickle.loads(pickle.dumps(UploadRejected("nul_byte", "NUL", 3)))
    assert (refused.code, refused.message, refused.line) == ("nul_byte", "NUL", 3)
