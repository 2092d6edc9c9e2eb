"""A bot's files are imported and read from memory, as from a folder of its own."""

import marshal
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.sandbox.trial import bot_of, play
from tests.sandbox.zip_kit import BOT

from gangland_sandbox import inside_code

FOLDER = str(Path(inside_code.__file__).parent)
LOAD = f"""
import marshal, sys, traceback
sys.path.insert(0, {FOLDER!r})
import inside_code
main, files = marshal.loads(sys.stdin.buffer.read())
try:
    bot = inside_code.load_bundle(main, files)
except BaseException:
    traceback.print_exc(file=sys.stdout)
"""


def run(files: Mapping[str, str | bytes], main: str = "bot.py", then: str = "") -> str:
    given = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    ran = subprocess.run(
        [sys.executable, "-S", "-s", "-P", "-B", "-c", LOAD + then],
        input=marshal.dumps((main, given)), capture_output=True, check=False, cwd="/",
    )  # fmt: skip
    assert ran.stderr == b""
    return ran.stdout.decode().rstrip("\n")


def test_a_single_file_is_a_module_named_by_its_stem() -> None:
    then = "print(bot.__name__, bot.__file__, sys.modules['my_bot'] is bot, len(sys.meta_path))"
    assert run({"my_bot.py": "import sys\nprint(__name__)"}, "my_bot.py", then) == "my_bot\nmy_bot my_bot.py True 3"


def test_helpers_and_packages_are_imported_by_their_names() -> None:
    files = {
        "bot.py": "import helpers, brain.deep.core\nprint(helpers.X, brain.plan(), brain.deep.core.UP)",
        "helpers.py": "X = 1", "brain/__init__.py": "from .plan import plan\nfrom . import deep",
        "brain/plan.py": "import helpers\nfrom brain.deep import core\ndef plan(): return helpers.X + core.Y",
        "brain/deep/__init__.py": "", "brain/deep/core.py": "from ..deep import __name__ as UP\nY = 2",
    }  # fmt: skip
    assert run(files) == "1 3 brain.deep"


def test_a_folder_without_an_init_is_a_package_all_the_same() -> None:
    files = {"bot.py": "from brain.plan import Y\nimport brain\nprint(Y, brain.__path__)", "brain/plan.py": "Y = 2"}
    assert run(files) == "2 ['brain']"


def test_modules_know_their_file_and_their_package() -> None:
    files = {
        "bot.py": "import helpers, brain.plan\nfor m in helpers, brain, brain.plan:\n print(m.__file__, m.__package__)",
        "helpers.py": "", "brain/__init__.py": "", "brain/plan.py": "",
    }  # fmt: skip
    assert run(files) == "helpers.py \nbrain/__init__.py brain\nbrain/plan.py brain"


def test_a_module_is_run_once_however_it_is_imported() -> None:
    files = {"bot.py": "import helpers, again\nprint(helpers is again.helpers)", "helpers.py": "print('run')"}
    assert run({**files, "again.py": "import helpers, bot"}) == "run\nTrue"


def test_the_standard_library_stays_what_it_is() -> None:
    files = {
        "bot.py": "import json, brain.json\nprint(json.dumps(brain.json.X))",
        "brain/json.py": "import json\nX = [1]",
    }
    assert run(files) == "[1]"


def test_what_is_not_there_is_an_ordinary_import_error() -> None:
    assert run({"bot.py": "import helpers", "a.txt": ""}).endswith("ModuleNotFoundError: No module named 'helpers'")
    files = {"bot.py": "import brain.plan", "brain/__init__.py": ""}
    assert run(files).endswith("ModuleNotFoundError: No module named 'brain.plan'")


def test_a_traceback_shows_the_lines_of_every_file_and_none_of_the_machinery() -> None:
    files = {"bot.py": "import brain.plan", "brain/plan.py": "\ndef fail():\n    return 1 / 0\n\nfail()\n"}
    text = run(files)
    shown = text[text.index('  File "bot.py"') :]
    assert "\n           ~~^~~\n" in shown
    assert re.sub(r"\n *[~^]+(?=\n)", "", shown) == (  # which lines get marks differs between versions
        '  File "bot.py", line 1, in <module>\n    import brain.plan\n'
        '  File "brain/plan.py", line 5, in <module>\n    fail()\n'
        '  File "brain/plan.py", line 3, in fail\n    return 1 / 0\n'
        "ZeroDivisionError: division by zero"
    )


def test_a_syntax_error_shows_file_and_line() -> None:
    text = run({"bot.py": "import helpers", "helpers.py": "x = 1\nif x\n"})
    assert text[text.index('  File "bot.py"') :].startswith(
        '  File "bot.py", line 1, in <module>\n    import helpers\n  File "helpers.py", line 2\n    if x\n'
    )


@pytest.mark.parametrize("name", ["bot.py", "helpers.py"])
def test_no_declared_encoding_counts(name: str) -> None:
    files: dict[str, str | bytes] = {"bot.py": "import helpers", "helpers.py": "", "data.txt": ""}
    files[name] = b"\xef\xbb\xbf# coding: utf-8\nprint('\xc3\xa4' == chr(228))\n" + str(files[name]).encode()
    assert run(files) == "True"
    files[name] = b"# coding: utf-7\nprint('+ACI-')"
    assert "SyntaxError" in run(files)


def test_data_is_read_by_its_path_and_what_is_not_there_is_told_with_what_is_to_some_length() -> None:
    def told(files: Mapping[str, str | bytes], name: str) -> str:
        then = f"try:\n inside_code.data({name!r})\nexcept FileNotFoundError as failure:\n print(failure)"
        return run(files, then=then)

    then = "print(inside_code.data('tables/a.bin'), inside_code.data('helpers.py'))"
    files: dict[str, str | bytes] = {"bot.py": "", "tables/a.bin": b"\0\xff", "helpers.py": "x = 1"}
    assert run(files, then=then) == "b'\\x00\\xff' b'x = 1'"
    for name in ("b.txt", "/a.txt", "./a.txt", "../a.txt", "A.txt", ""):
        lacking = f"the upload has no file {name!r}; it has a.txt, bot.py"
        assert told({"bot.py": "", "a.txt": "a"}, name) == lacking
    assert told({"bot.py": "", **{f"f{n:02}": "" for n in range(40)}}, "x").endswith("f17, f18 and 21 more")


def test_importlib_resources_reads_the_files_of_packages() -> None:
    code = """
import brain, pkgutil
from importlib import resources
place = resources.files("brain")
print(place.joinpath("tables/a.txt").read_text(), (place / "tables" / "b.bin").read_bytes())
print(sorted(item.name for item in place.iterdir()), [item.name for item in (place / "tables").iterdir()])
print(place.is_dir(), place.is_file(), (place / "a.txt").is_file(), (place / "tables" / "a.txt").is_file())
print(resources.read_text("brain", "c.txt"), resources.files("brain.tables").joinpath("a.txt").read_text())
print(pkgutil.get_data("brain", "tables/a.txt"), resources.files(brain).joinpath("c.txt").open().readline())
try:
    (place / "x").read_text()
except FileNotFoundError as failure:
    print(failure)
"""
    files: dict[str, str | bytes] = {
        "bot.py": code, "brain/__init__.py": "", "brain/c.txt": "c", "brain/tables/a.txt": "a",
        "brain/tables/b.bin": b"\xff", "other/d.txt": "",
    }  # fmt: skip
    assert run(files).split("\n") == [
        "a b'\\xff'", "['__init__.py', 'c.txt', 'tables'] ['a.txt', 'b.bin']", "True False False True", "c a",
        "b'a' c", "the upload has no file 'brain/x'",
    ]  # fmt: skip


def test_nothing_but_the_bots_own_files_is_asked_of_a_disk(tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text("raise SystemExit('from the disk')")
    code = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport helpers\nprint(helpers.X)"
    assert run({"bot.py": code, "helpers.py": "X = 'from memory'"}) == "from memory"


def test_the_loader_costs_a_jail_no_module() -> None:
    then = (
        "print(sorted(set(sys.modules) & {'importlib.machinery', 'importlib.resources', 'zipfile', 'io', 'tokenize'}))"
    )
    bare = run({"bot.py": BOT.split(b"\n\n\n")[0].replace(b"from gangland import gang_of_dice", b"")}, then=then)
    assert "importlib.resources" not in bare
    assert "zipfile" not in bare
    assert "importlib.machinery" not in bare


def test_the_bot_class_is_found_in_the_bots_own_file() -> None:
    class Base:
        pass

    Base.__module__ = "gangland.some_game.bot"
    module = type(sys)("bot")
    vars(module)["Mine"] = type("Mine", (Base,), {"__module__": "bot"})
    vars(module)["Helper"] = type("Helper", (Base,), {"__module__": "helpers"})
    assert inside_code.find_bot(module, Base, Base).__name__ == "Mine"


# A bot imports what Python has without opening a file.


IMPORTS_ALL = """
import importlib
lacking = []
for name in NAMES:
    try:
        importlib.import_module(name)
    except ImportError as failure:
        lacking.append(name)
self.log(len(NAMES), *lacking)
return 1
"""


def test_every_module_that_is_kept_is_imported_from_memory_or_lacks_another() -> None:
    every = (
        "import sys\nNAMES = [name for name in sys.meta_path[-1]._modules if '__main__' not in name and name != 'this']"
    )
    result = play(bot_of(every + IMPORTS_ALL))
    assert result.kind == "none", result.message
    kept, *lacking = result.log.splitlines()[0].split()
    assert int(kept) > 300
    assert len(lacking) < 50


def test_an_error_in_the_standard_library_shows_where_it_was() -> None:
    result = play(bot_of("import json\njson.loads('no')\nreturn 1"))
    assert result.kind == "crashed"
    assert "json/decoder.py" in result.message
    assert "JSONDecodeError" in result.message
