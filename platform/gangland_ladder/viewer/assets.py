"""The viewer's files for browsers: modules, style and sprite, and a bundle of the modules for a standalone page."""

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from posixpath import dirname, join, normpath
from typing import Final

from gangland.games import GAME_NAMES, package_of

MAIN: Final = "js/main.js"
"""The entry module, which imports the tables of the games, then the viewer."""
STAGE: Final = "js/stages.js"
"""The module that plays a timeline on a channel, with the tables of the games."""
_GAMES: Final = "  /* games */\n"
_IMPORT: Final = re.compile(r'^import (?:\{[^{}"]*\} from )?"(\.{1,2}/[a-z_./]+\.js)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) )", re.MULTILINE)
_NAMED: Final = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
_OTHER: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT: Final = re.compile(r"^ *(?:/\*\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)\n", re.MULTILINE)


@cache
def modules() -> dict[str, str]:
    """Return the text of each module by its path."""
    folder = resources.files(__package__)
    scripts = {f"js/{file.name}": file for file in (folder / "js").iterdir() if file.name.endswith(".js")}
    tables = {
        name: folder / name for name in (f"games/{package_of(game)}/table.js" for game in GAME_NAMES)
        if (folder / name).is_file()
    }  # fmt: skip
    begin = "// @ts-check\n" + "".join(f'import "../{table}";\n' for table in tables)
    texts = {name: file.read_text(encoding="utf-8") for name, file in (scripts | tables).items()}
    return texts | {MAIN: f'{begin}import "./viewer.js";\n', STAGE: f'{begin}export * from "./stage.js";\n'}


@cache
def style() -> str:
    """Return the style of the viewer and of each game; it uses the site's design tokens."""
    folder = resources.files(__package__) / "games"
    tables = [folder / package_of(game) / "table.css" for game in sorted(GAME_NAMES)]
    own = "".join(table.read_text(encoding="utf-8") for table in tables if table.is_file())
    return _text("viewer.css").replace(_GAMES, own)


@cache
def page_style() -> str:
    """Return the style of a page outside the site: design tokens and plain text."""
    return _text("page.css")


@cache
def sprite() -> str:
    """Return all symbols, an `<svg>` of `<symbol>`s."""
    return _text("dice.svg")


@cache
def script() -> str:
    """Return the bundle of all modules."""
    return bundle(modules(), MAIN)


def bundle(files: Mapping[str, str], main: str) -> str:
    """Return modules as one script without imports, exports and comments; each module follows the ones it imports.

    Modules must import `{ names }` or nothing by name, export only declarations, and declare different names at the top
    level.  Raises ValueError: a module is missing or breaks these rules.
    """
    done: dict[str, str] = {}
    _gather(files, main, done, ())
    owners: dict[str, str] = {}
    for name, text in done.items():
        for declared in _NAMED.findall(text):
            if declared in owners:
                raise ValueError(f"{owners[declared]} and {name} both declare {declared}")
            owners[declared] = name
    return "".join(done.values())


def _gather(files: Mapping[str, str], name: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    if name in above:
        raise ValueError(f"modules import each other in a circle: {' > '.join((*above, name))}")
    if name in done:
        return
    if name not in files:
        raise ValueError(f"there is no module {name}, but {above[-1] if above else 'the page'} imports it")
    text = _COMMENT.sub("", files[name])
    for needed in _IMPORT.findall(text):
        _gather(files, normpath(join(dirname(name), needed)), done, (*above, name))
    plain = _EXPORT.sub("", _IMPORT.sub("", text))
    if odd := _OTHER.search(plain):
        raise ValueError(f"{name}: expected import {{ names }} or export of a declaration, not {odd[0]!r}")
    done[name] = plain.lstrip("\n")


def _text(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8").strip()
