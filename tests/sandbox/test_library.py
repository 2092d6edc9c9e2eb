"""A bot imports what Python has without opening a file."""

from tests.sandbox.trial import bot_of, play

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
        "import sys\nNAMES = [name for name in sys.meta_path[-1]._kept if '__main__' not in name and name != 'this']"
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
