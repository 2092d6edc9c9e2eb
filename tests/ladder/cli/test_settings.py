"""Settings: which one holds, where it came from, and what is said of a wrong one."""

from pathlib import Path
from typing import Any

import pytest
from tests.kits.bots_kit import GOOD
from tests.kits.command_kit import Ran, gangland
from typer import BadParameter

from gangland_ladder.cli import app, options, settings
from gangland_sandbox.limits import Profile


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    folder = tmp_path / "home" / "gangland"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "bots" / "mine").mkdir(parents=True)
    return folder


def held(ran: Ran) -> dict[str, tuple[Any, str | None]]:
    assert ran.code == 0, ran.err
    rows = ran.document["settings"]
    return {row["name"]: (row["value"], row["origin"]["kind"]) for row in rows if row["origin"]}


def test_environment_wins_over_project_and_project_over_user(home: Path, project: Path) -> None:
    (home / "config.toml").write_text("seats = 4\nblocks = 400\nseed = 4\n")
    (project / "gangland.toml").write_text("seats = 3\nblocks = 300\n")
    ran = gangland("config", "--json", folder=project / "bots" / "mine", env={"GANGLAND_CLI_SEATS": "2"})
    assert held(ran) == {"seats": (2, "environment"), "blocks": (300, "project"), "seed": (4, "user")}
    (seats,) = [row for row in ran.document["settings"] if row["name"] == "seats"]
    assert [(each["value"], each["kind"]) for each in seats["overridden"]] == [(3, "project"), (4, "user")]
    assert seats["overridden"][0]["place"] == f"{project / 'gangland.toml'}, line 1"


def test_the_options_of_a_call_replace_those_of_the_settings(home: Path, project: Path) -> None:
    (project / "one.py").write_text(GOOD)
    (project / "gangland.toml").write_text('option = ["ours=1"]\n')
    play = ("play", "one.py", "one.py")
    assert "ours" in gangland(*play, folder=project).err
    by_flag = gangland(*play, "--option", "theirs=1", folder=project).err
    assert "theirs" in by_flag
    assert "ours" not in by_flag
    assert "theirs" in gangland(*play, folder=project, env={"GANGLAND_CLI_OPTION": "theirs=1"}).err


def test_settings_reach_the_options_of_a_command(home: Path, project: Path) -> None:
    for name in ("one", "other", "third"):
        (project / f"{name}.py").write_text(GOOD)
    (project / "gangland.toml").write_text("seats = 3\nblocks = 1\nseed = 5\nquiet = true\n")
    by_setting = gangland("ladder", ".", "--trusted", "--json", folder=project)
    variables = {"GANGLAND_CLI_SEED": "7", "GANGLAND_CLI_QUIET": "yes", "GANGLAND_CLI_PROFILE": " plain "}
    by_variable = gangland("ladder", ".", "--trusted", "--json", folder=project, env=variables)
    by_flag = gangland("ladder", ".", "--trusted", "--json", "--seed", 6, "--no-quiet", folder=project, env=variables)
    assert (by_setting.code, by_setting.err) == (0, "")
    assert [by_setting.document[name] for name in ("seats", "blocks", "seed")] == [3, 1, 5]
    assert [by_variable.document[name] for name in ("seats", "blocks", "seed")] == [3, 1, 7]
    assert [by_flag.document[name] for name in ("seats", "blocks", "seed")] == [3, 1, 6]
    assert "trusted mode" in by_flag.err


def test_the_game_of_the_settings_counts_only_where_imports_leave_it_open(home: Path, project: Path) -> None:
    (project / "one.py").write_text(GOOD)
    (project / "other.py").write_text(GOOD.replace("gang_of_dice", "gangster_dice"))
    (project / "silent.py").write_text("x = 1\n")
    (project / "gangland.toml").write_text('game = "gangster-dice"\n')

    def game(*words: str, code: int = 0, **env: str) -> str | None:
        ran = gangland(*words, "--trusted", "--json", folder=project, env=env)
        assert ran.code == code, ran.err
        played: str | None = ran.document["game"]
        return played

    assert game("check", "one.py") == game("play", "one.py", "boss_gang") == "gang-of-dice"
    assert game("play", "one.py", "one.py", GANGLAND_CLI_GAME="gangster-dice") == "gang-of-dice"
    assert game("play", "boss_gang", "bold_gang") == game("check", "silent.py", code=1) == "gangster-dice"
    assert game("check", "one.py", "--game", "gangster-dice", code=1) == "gangster-dice"
    assert "play different games" in gangland("ladder", "one.py", "other.py", folder=project).err


def test_pyproject_holds_settings_too_and_one_without_them_is_passed_by(home: Path, project: Path) -> None:
    (project / "pyproject.toml").write_text('[project]\nname = "bots"\n\n[tool.gangland]\nseats = 4\n')
    (project / "bots" / "pyproject.toml").write_text('[project]\nname = "gangland-bots"\n')
    assert held(gangland("config", "--json", folder=project / "bots" / "mine")) == {"seats": (4, "project")}
    result = gangland("config", "--show-origin", folder=project / "bots")
    assert f"project, {project / 'pyproject.toml'}, line 5" in result.out


@pytest.mark.parametrize(
    ("content", "output"),
    [
        (
            "blocks = 24\nseets = 3\n",
            "line 2: unknown setting 'seets'. Did you mean 'seats'? Expected one of game, seats",
        ),
        ("seats = 5\n", "line 1: seats: 5 is not in the range 2<=x<=4."),
        ('seats = "three"\n', "line 1: seats: 'three' is not a valid int"),
        ("seats = true\n", "line 1: seats: 'True' is not a valid int"),
        ("seed = -1\n", "line 1: seed: -1 is not in the range x>=0."),
        ("quiet = 7\n", "line 1: quiet: '7' is not a valid boolean"),
        ('\ngame = "chess"\n', "line 2: game: 'chess' is not one of 'gangster-dice', 'gang-of-dice'."),
        ('option = "deck=box18"\n', "line 1: option: expected a list such as"),
        ("[seats]\nx = 1\n", "line 1: seats: "),
        ("[ladder]\nseats = 3\n", "line 1: unknown setting 'ladder'"),
        ("seats = \n", "is not TOML: Invalid value (at line 1, column 9)"),
        pytest.param("seed = " + "9" * 5000, "is not TOML: Exceeds the limit", id="a long number"),
        pytest.param("seed = " + "[" * 5000, "is not TOML: nested too deeply", id="deep"),
        ('site = "https://example.org"\n', "line 1: site is not allowed in a project file"),
        ('token = "secret"\n', "line 1: unknown setting 'token'"),
        ("trusted = true\n", "line 1: unknown setting 'trusted'"),
    ],
)
def test_a_wrong_setting_is_exit_2_with_its_place(home: Path, project: Path, content: str, output: str) -> None:
    (project / "gangland.toml").write_text(content)
    ran = gangland("config", folder=project)
    assert (ran.code, ran.out) == (2, "")
    assert f"gangland.toml{'' if 'TOML' in output else ', '}" in ran.err
    assert output in ran.err


def test_a_wrong_setting_and_two_files_at_one_place_stop_every_command_but_its_help(home: Path, project: Path) -> None:
    (project / "gangland.toml").write_bytes(b"\xff")
    assert "is not UTF-8" in gangland("config", folder=project).err
    (project / "gangland.toml").write_text("seats = 5\n")
    for command in (("config",), ("verify", "no_such_file")):
        ran = gangland(*command, folder=project)
        assert (ran.code, ran.out) == (2, "")
        assert "gangland.toml, line 1: seats: 5" in ran.err
    assert gangland("config", "--help", folder=project).code == 0
    (project / "gangland.toml").write_text("seats = 3\n")
    (project / "pyproject.toml").write_text("[tool.gangland]\nseats = 4\n")
    ran = gangland("config", folder=project)
    assert (ran.code, "two settings files in one folder" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("variable", "value", "output"),
    [
        ("GANGLAND_CLI_SEATS", "three", "GANGLAND_CLI_SEATS: seats: 'three' is not a valid int"),
        ("GANGLAND_CLI_QUIET", "maybe", "GANGLAND_CLI_QUIET: quiet: 'maybe' is not a valid boolean"),
        ("GANGLAND_CLI_SEETS", "3", "GANGLAND_CLI_SEETS: unknown setting 'SEETS'"),
        ("GANGLAND_CLI_SITE", "ftp://example.org", "expected a URL such as https://"),
    ],
)
def test_a_wrong_variable_is_exit_2_by_name(home: Path, project: Path, variable: str, value: str, output: str) -> None:
    ran = gangland("config", folder=project, env={variable: value})
    assert (ran.code, ran.out) == (2, "")
    assert output in ran.err


def test_variables_of_the_server_are_no_settings_and_an_empty_one_sets_nothing(home: Path, project: Path) -> None:
    env = {"GANGLAND_BLOCKS": "7", "GANGLAND_ROUNDS": "7", "GANGLAND_CLI_SEATS": "", "GANGLAND_CLI_QUIET": "yes"}
    assert held(gangland("config", "--json", folder=project, env=env)) == {"quiet": (True, "environment")}
    assert all(setting.variable.startswith(settings.VARIABLE_PREFIX) for setting in settings.SETTINGS.values())


def test_a_setting_may_be_what_the_options_of_its_name_may_be_and_nothing_else() -> None:
    options = [
        (parameter, settings.SETTINGS[parameter.name])
        for name, command in app.COMMANDS.items()
        for parameter in command.build(name).params
        if parameter.name in settings.SETTINGS and f"--{parameter.name}" in parameter.opts
    ]
    assert {setting.name for _, setting in options} == set(settings.SETTINGS)
    for option, setting in options:
        for edge, beyond in ((getattr(option.type, "min", None), -1), (getattr(option.type, "max", None), 1)):
            if edge is not None:
                assert setting.convert(edge) == edge
                with pytest.raises(BadParameter, match="not in the range"):
                    setting.convert(edge + beyond)
        assert option.is_flag == (setting.name == "quiet")
        assert option.multiple == (setting.name == "option")
        assert option.secondary_opts or not option.is_flag, "a setting that is on can be turned off in a call"


def test_the_call_to_go_on_means_the_same_always(home: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "gangland.toml").write_text('option = ["deck=box18"]\nprofile = "numeric"\n')
    monkeypatch.chdir(project)
    assert options.command_options("gang-of-dice", {}) == " --option deck=w24"
    assert options.command_options("gang-of-dice", {"deck": "box18"}) == " --option deck=box18"
    assert options.command_profile(Profile.PLAIN) == " --profile plain"
    (project / "gangland.toml").write_text("seats = 3\n")
    assert options.command_options("gang-of-dice", {}) + options.command_profile(Profile.PLAIN) == ""
    assert options.command_profile(Profile.NUMERIC) == " --profile numeric"


def test_a_folder_that_is_gone_is_said_to_be_gone(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    ran = gangland("config")
    monkeypatch.chdir(tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "cannot find the current folder" in ran.err
