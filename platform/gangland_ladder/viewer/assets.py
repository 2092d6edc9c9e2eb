"""The viewer's files for browsers: JavaScript modules, style sheets, the sprite, and a bundle for standalone pages."""

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
_DECLARATION: Final = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
_OTHER_STATEMENT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT: Final = re.compile(r"^ *(?:/\*\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)\n", re.MULTILINE)


@cache
def modules() -> dict[str, str]:
    """Return the source of each module by its path."""
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
    """Return the style sheet of the viewer and of each game; it uses the site's design tokens."""
    folder = resources.files(__package__) / "games"
    tables = [folder / package_of(game) / "table.css" for game in sorted(GAME_NAMES)]
    game_styles = "".join(table.read_text(encoding="utf-8") for table in tables if table.is_file())
    return _text("viewer.css").replace(_GAMES, game_styles)


@cache
def page_style() -> str:
    """Return the style sheet of a page outside the site: design tokens and plain text."""
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

    Modules must import `{ names }` or no names, export only declarations, and declare different names at the top level.
    Raises ValueError: a module is missing or breaks these rules.
    """
    texts: dict[str, str] = {}
    _gather(files, main, texts, ())
    owners: dict[str, str] = {}
    for name, text in texts.items():
        for declared in _DECLARATION.findall(text):
            if declared in owners:
                raise ValueError(f"{owners[declared]} and {name} both declare {declared}")
            owners[declared] = name
    return "".join(texts.values())


def _gather(files: Mapping[str, str], name: str, texts: dict[str, str], importers: tuple[str, ...]) -> None:
    if name in importers:
        raise ValueError(f"modules import each other in a circle: {' > '.join((*importers, name))}")
    if name in texts:
        return
    if name not in files:
        raise ValueError(f"{importers[-1] if importers else 'the page'} imports {name}, which does not exist")
    text = _COMMENT.sub("", files[name])
    for needed in _IMPORT.findall(text):
        _gather(files, normpath(join(dirname(name), needed)), texts, (*importers, name))
    plain = _EXPORT.sub("", _IMPORT.sub("", text))
    if statement := _OTHER_STATEMENT.search(plain):
        raise ValueError(f"{name}: expected import {{ names }} or export of a declaration, not {statement[0]!r}")
    texts[name] = plain.lstrip("\n")


def _text(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8").strip()
