"""`gangland new`: create a folder with a valid bot, a passing test, and a README."""

from pathlib import Path
from typing import Annotated

import typer

from gangland.games import FIRST_GAME, GAME_NAMES, game_named
from gangland_ladder.cli import output
from gangland_ladder.local.bots import CreateError, InvalidArgument, create_bot


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name: a Python name such as my_bot.")],
    game: Annotated[str, typer.Option("--game", help=f"{' or '.join(sorted(GAME_NAMES))}.")] = FIRST_GAME,
    folder: Annotated[
        Path | None, typer.Option("--dir", metavar="FOLDER", help="The folder to create. NAME by default.")
    ] = None,
    as_json: output.Json = False,
) -> None:
    """Create a folder with a first bot, its test and a README.

    No file is overwritten. If there is an error, nothing is left behind.

    Example: gangland new my_bot --game gangster-dice
    """
    if game not in GAME_NAMES:
        raise InvalidArgument(f"unknown game {game[:40]!r}: expected {' or '.join(GAME_NAMES)}")
    if "/" in name:
        raise InvalidArgument(f"{name!r} is a path: expected a name such as my_bot; set the folder with --dir")
    name = name.removesuffix(".py")
    into = folder or Path(name)
    try:
        files = create_bot(name, game, into)
    except CreateError as error:
        raise InvalidArgument(str(error)) from error
    if as_json:
        from gangland_ladder.documents.bots import New

        paths = [str(into / file) for file in files]
        output.print_json(New(name=name, game=game, folder=str(into), files=paths))
        return
    folder_name = output.clean(str(into))
    width = max(len(file) for file in files)
    lines = [f"  {folder_name}/{file.ljust(width)}  {description}" for file, description in files.items()]
    print(f"{folder_name}: a bot for {game_named(game).title}", *lines, "", f"cd {folder_name}", sep="\n")
    print("python -m unittest", f"gangland check {name}.py", sep="\n")
