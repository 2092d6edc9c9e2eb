"""What the documentation says is so: its bots pass the check, its commands exist, its lists are whole."""

import importlib.util
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest
from tests.kits.command_kit import gangland, parsed
from tests.kits.script_kit import PAGES, ROOT, examples, loaded_script

from gangland.games import GAME_NAMES, game_named
from gangland.gang_of_dice import WARNINGS, Source
from gangland.gang_of_dice import events as gang_of_dice
from gangland.gangster_dice import events as gangster_dice
from gangland_ladder.common.runtime import EXIT_CODE_MEANINGS


def in_profile(name: str) -> tuple[str, ...]:
    return ("--profile", "numeric") if "import numpy" in examples()[name] else ()


def written(name: str, into: Path) -> Path:
    file = into / name
    file.write_text(examples()[name], encoding="utf-8")
    return file


def test_the_documentation_has_a_bot_for_each_game_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in GAME_NAMES:
        assert f"({name.replace('-', '_')}.Bot)" in readme


@pytest.mark.parametrize("name", sorted(examples()))
def test_a_bot_copied_from_the_documentation_is_accepted_and_plays_without_fault(tmp_path: Path, name: str) -> None:
    written(name, tmp_path)
    checked = gangland("check", name, "--json", *in_profile(name), folder=tmp_path)
    played = gangland("play", name, name, "--seed", "7", "--json", *in_profile(name), folder=tmp_path)
    assert (checked.code, played.code) == (0, 0), checked.out + checked.err + played.out + played.err
    assert parsed(checked.out)["problems"] == []
    assert [seat["fault"] for seat in parsed(played.out)["seats"]] == [None, None]


def test_a_test_copied_from_the_documentation_passes(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "write-a-bot.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```python (tests/\w+\.py)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (command,) = re.findall(r"^```\npython (-m unittest .*)\n```$", page, re.MULTILINE)
    (tmp_path / "tests").mkdir()
    (tmp_path / shown[0]).write_text(shown[1], encoding="utf-8")
    written("diary.py", tmp_path)
    done = subprocess.run([sys.executable, *command.split()], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "Ran 1 test" in done.stderr) == (0, True), done.stderr


def test_the_environment_is_made_active_before_the_first_command_is_shown(root: Path) -> None:
    for page in ("README.md", "docs/write-a-bot.md"):
        lines = (root / page).read_text(encoding="utf-8").splitlines()
        first = next(number for number, line in enumerate(lines) if line.startswith("gangland "))
        before = [line.partition("#")[0].strip() for line in lines[:first]]
        assert before[-2:] == ["make venv", ". .venv/bin/activate"]


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_bot_api_lists_everything_that_a_view_shows_and_every_question(root: Path, game: str) -> None:
    page = (root / "docs" / "bot-api.md").read_text(encoding="utf-8")
    part = page.partition(f"### `gangland.{game.replace('-', '_')}.Bot`")[2]
    view = game_named(game).view_class
    methods = [name for name in vars(view) if not name.startswith("_") and callable(getattr(view, name))]
    questions = [f"choose_{kind}" for kind in game_named(game).bot_class.kinds]
    listed = set(re.findall(r"^#### `(\w+)", part, re.MULTILINE))
    assert [name for name in [*view.fields(), *methods, *questions] if name not in listed] == []


def test_authors_read_of_every_event_with_its_fields_every_kind_of_condition_and_every_option(root: Path) -> None:
    page = (root / "docs" / "views.md").read_text(encoding="utf-8")
    shown = [each for kind, each in gangster_dice.KINDS.items() if kind not in gangster_dice.HIDDEN_KINDS]
    lines = [f"- `{each.__name__}` ({', '.join(f'`{field}`' for field in each._fields)}): " for each in shown]
    kinds = {f'| `"{card.condition.kind}"` |' for card in WARNINGS}
    options = {f"`{field.name}`" for game in GAME_NAMES for field in fields(game_named(game).options({}))}
    assert [line for line in lines if line not in page] == []
    assert [each for each in get_args(gang_of_dice.TypedEvent) if f"`{each.__name__}`" not in page] == []
    assert sorted(output for output in kinds | options if output not in page) == []


@pytest.mark.parametrize(("page", "mail", "last"), [("gangster-dice", "G", 42), ("gang-of-dice", "D", 33)])
def test_the_rules_that_people_read_name_every_ruling(root: Path, page: str, mail: str, last: int) -> None:
    named = set(re.findall(rf"\b{mail}\d+\b", (root / "docs" / f"rules-{page}.md").read_text(encoding="utf-8")))
    assert named == {f"{mail}{number}" for number in range(1, last + 1)}


def test_the_rules_show_every_warning_with_its_source(root: Path) -> None:
    page = (root / "docs" / "rules-gang-of-dice.md").read_text(encoding="utf-8")
    words = {Source.PRINTED: "printed", Source.SECOND_COLOUR: "second", Source.OURS: "ours"}
    cells = [f"| {card.id} | {card.words} | {words[card.source]} |" for card in WARNINGS]
    assert [cell for cell in cells if cell not in page] == []


CONSOLE = re.compile(r"^```console\n\$ gangland (?P<arguments>[^\n]*)\n(?P<printed>.*?)^```$", re.MULTILINE | re.DOTALL)


def commands_shown() -> list[tuple[str, str, str]]:
    """Return page, arguments and output of every command that the documentation shows."""
    shown = [(page, found) for page in PAGES for found in CONSOLE.finditer((ROOT / page).read_text(encoding="utf-8"))]
    return [(page, found["arguments"], found["printed"]) for page, found in shown]


def timeless(printed: str) -> list[list[str]]:
    """Return the output in words, without the times of a ladder's table."""
    lines = [line.split() for line in printed.splitlines()]
    return [[*line[:-2], line[-1]] if "%" in "".join(line) and "-" in "".join(line) else line for line in lines]


@pytest.mark.parametrize(("page", "arguments", "printed"), commands_shown())
def test_a_command_prints_what_the_documentation_shows(tmp_path: Path, page: str, arguments: str, printed: str) -> None:
    for name in re.findall(r"\w+\.py", arguments):
        written(name, tmp_path)
    done = gangland(*arguments.split(), folder=tmp_path)
    finds = arguments.startswith("diff ")  # what it finds is exit 1
    assert (done.code, done.err) == (int(finds), "")
    assert timeless(done.out) == timeless(printed)


def pages() -> list[Path]:
    return [found for folder in ("", "docs", "benchmarks/results") for found in sorted((ROOT / folder).glob("*.md"))]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_every_link_within_the_documentation_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_benchmarks_write_into_their_own_results(root: Path) -> None:
    files = [root / "Makefile", *pages(), *(root / "benchmarks").rglob("*.py")]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    named = set(re.findall(r"(?:--into|renews) (\S+\.md)", text))
    assert len(named) > 2
    assert [page for page in named if not page.startswith("benchmarks/results/") or not (root / page).exists()] == []


def test_every_command_has_help_and_a_line_in_the_documentation_which_names_no_other(root: Path) -> None:
    commands = re.findall(r"^  ([a-z]+) +\S", gangland("--help").out.split("Start:")[-1], re.MULTILINE)
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages())
    assert {"check", "doctor", "ladder", "play", "replay", "up"} <= set(commands)
    assert [name for name in commands if f"gangland {name}" not in text and f"`{name}`" not in text] == []
    assert set(re.findall(r"(?:bin/|`|^)gangland ([a-z]+)", text, re.MULTILINE)) <= set(commands)


def test_the_page_on_security_names_tests_that_are_there(root: Path) -> None:
    text = (root / "docs" / "security.md").read_text(encoding="utf-8")
    tests = root / "tests"
    files = {str(path.relative_to(tests)): path.read_text() for path in tests.rglob("test_*.py")}
    named = re.findall(r"`([\w/]*test_\w+\.py)(?:::(\w+))?`", text)
    missing = [f"{file}::{test}" for file, test in named if f"def {test}(" not in files.get(file, "") or not test]
    assert [each for each in missing if not each.endswith("::") or each[:-2] not in files] == []
    assert sum(bool(test) for _, test in named) > 30


PATH_BASES = ("", "platform/gangland_web", "platform/gangland_ladder")  # where paths of the contributors' pages begin
NAMED = re.compile(r"`([\w.-]+(?:/[\w.-]+)+/?|[\w.-]+\.(?:py|toml|yml)|[\w.-]+/)`")


FORM = ["Problem", "Choice", "Given"]  # what every decision says, in this order


def paths_named(page: Path) -> list[str]:
    return [found for found in NAMED.findall(page.read_text(encoding="utf-8")) if not found.startswith("gangland/")]


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "DECISIONS.md"])
def test_every_path_that_contributors_read_exists(root: Path, page: str) -> None:
    made = (root / ".gitignore").read_text(encoding="utf-8").split()
    named = [path for path in paths_named(root / page) if path not in made]
    assert named
    assert [path for path in named if not any((root / base / path).exists() for base in PATH_BASES)] == []


def test_the_documentation_has_at_most_30_pages_and_30_000_words(root: Path) -> None:
    texts = [page.read_text(encoding="utf-8") for page in (root / "docs").glob("*.md")]
    assert len(texts) <= 30, "add it to the page that answers the same question"
    assert sum(len(text.split()) for text in texts) <= 30_000, "leave out what --help, a page or a module says"


def test_decisions_are_few_numbered_in_order_and_of_one_form(root: Path) -> None:
    parts = re.split(r"^### ", (root / "DECISIONS.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    numbers = [int(part.partition(".")[0]) for part in parts]
    named = [
        int(found)
        for page in pages()
        for found in re.findall(
            r"\[(?:Decision |DECISIONS(?:\.md)?\]\([^)]*\), )(\d+)", page.read_text(encoding="utf-8")
        )
    ]
    assert numbers == list(range(1, len(parts) + 1))
    assert len(parts) <= 30, "fold it into the entry that it belongs to"
    assert [part.split("\n")[0] for part in parts if re.findall(r"^\*\*(\w+)", part, re.MULTILINE) != FORM] == []
    assert named
    assert set(named) <= set(numbers)


def test_the_architecture_names_every_folder_of_the_packages(root: Path) -> None:
    named = {path.rstrip("/") for path in paths_named(root / "ARCHITECTURE.md")}
    packages = ("engine/gangland", "sandbox/gangland_sandbox", "bots/gangland_bots", *PATH_BASES[1:])
    folders = {
        file.parent.relative_to(root / package)
        for package in packages
        for file in (root / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    there = [
        (package, folder)
        for package in packages
        for folder in sorted({Path(*folder.parts[:2]) for folder in folders if folder.parts})
        if (root / package / folder).is_dir()
    ]
    assert not [f"{name}/{folder}" for name, folder in there if not {f"{name}/{folder}", str(folder)} & named]


def test_every_make_target_that_the_documentation_names_exists(root: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages())
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)) <= targets


def test_every_module_that_a_page_or_a_deployment_runs_can_be_run(root: Path) -> None:
    files = [root / "docker-compose.yml", root / "Makefile", *root.glob("deploy/systemd/*.service"), *pages()]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    run = set(re.findall(r"python,? -m,? ([a-z_]+(?:\.[a-z_]+)*)", text))
    assert {"benchmarks.house.learning", "gangland_web.ops.serving", "gangland_web.workers.records"} <= run
    assert [name for name in sorted(run) if not can_be_run(name)] == []


def can_be_run(name: str) -> bool:
    spec = importlib.util.find_spec(name)
    return spec is not None and (spec.submodule_search_locations is None or can_be_run(f"{name}.__main__"))


def test_every_setting_that_a_process_reads_is_documented(root: Path) -> None:
    sources = (root / "platform" / "gangland_web" / "settings.py", root / "sandbox" / "gangland_sandbox" / "runtime.py")
    read = {
        name
        for source in sources
        for name in re.findall(r'"([A-Z]+(?:_[A-Z]+)+)"', source.read_text(encoding="utf-8"))
        if not name.startswith("XDG_")
    }
    result = (root / "docs" / "operate.md").read_text(encoding="utf-8")
    assert read
    assert sorted(name for name in read if f"`{name}`" not in result) == []


@pytest.mark.parametrize("page", ["bot-api.md", "command-line.md", "errors.md"])
def test_a_page_says_what_the_program_has(root: Path, page: str) -> None:
    text = (root / "docs" / page).read_text(encoding="utf-8")
    assert text == loaded_script(root, "write_docs").pages()[page], "run scripts/write_docs.py"


def test_the_page_on_commands_lists_the_exit_codes(root: Path) -> None:
    commands = (root / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert set(EXIT_CODE_MEANINGS) == {0, 1, 2, 3, 4, 130}
    assert all(f"\n- {code}: {meaning}\n" in commands for code, meaning in EXIT_CODE_MEANINGS.items())
