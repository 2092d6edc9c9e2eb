"""What is printed of settings, of machines and of a site that runs on one."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gangland_ladder.common.documents import Count, Document, Part, one_of

Place = Annotated[str, Meta(description="The variable, or the file and its line.")]
Value = str | int | bool | list[str] | None
Kind = Annotated[str, one_of("environment", "project", "user")]


class SettingOrigin(Part):
    """Where a setting was set."""

    kind: Kind
    place: Place


class Overridden(SettingOrigin):
    """What a setting is set to in vain, and where."""

    value: Value


class SettingRow(Part):
    """One setting.

    Attributes:
        default: what holds where it is not set, in words.
        origin: null if it is not set.
        overridden: where it is set too, in vain.
    """

    name: str
    value: Value
    default: str
    origin: SettingOrigin | None
    overridden: list[Overridden]


class Config(Document, tag="gangland/config/1"):
    """The settings that hold, and where they come from.

    Attributes:
        project_file: the project's file that was read.
        user_file: where the user's file is, or would be.
        settings: every setting, set or not.
    """

    title = "gangland config --json"

    project_file: str | None
    user_file: str | None
    settings: list[SettingRow]


class Probe(Part):
    """One thing that must hold.

    Attributes:
        mend: how to mend it; empty if there is nothing to mend.
    """

    name: str
    ok: bool
    detail: str
    mend: str


_Limited = Annotated[int, Meta(ge=0, le=1_000_000)]


class Stopped(Struct, frozen=True):
    """Workers that play nothing, as a probe of their jail failed."""

    probe: Annotated[str, Meta(max_length=100)]
    mend: Annotated[str, Meta(max_length=2000)]
    workers: _Limited


class SiteStatus(Struct, frozen=True):
    """How many matches can be played at a time, and who has stopped; `address` is where we asked."""

    slots: _Limited | None
    stopped: Annotated[list[Stopped], Meta(max_length=100)]
    address: str = ""


class Doctor(Document, tag="gangland/doctor/1"):
    """Whether this machine is fit to play strangers' bots.

    Attributes:
        machine: what bears on the jail.
        site: what the site says that runs there; null if none answers.
    """

    title = "gangland doctor --json"

    ok: bool
    machine: dict[str, str]
    probes: list[Probe]
    site: SiteStatus | None


class UpLine(Document, tag="gangland/up/1"):
    """One line an event."""

    title = "gangland up --json"


class PlainHttp(UpLine):
    """The site is served over plain HTTP to other machines."""

    event: Literal["plain_http"] = "plain_http"


class Ready(UpLine, kw_only=True):
    """The site answers."""

    event: Literal["ready"] = "ready"
    address: str


class SetupCode(UpLine, kw_only=True):
    """Who has the code makes the first organiser."""

    event: Literal["setup_code"] = "setup_code"
    code: str


class Progress(UpLine, kw_only=True):
    """How far the matches are."""

    event: Literal["progress"] = "progress"
    scheduled: Count
    over: Count
    under_way: Count


class Stopping(UpLine):
    """Matches under way are finished first."""

    event: Literal["stopping"] = "stopping"


class Ended(UpLine):
    """The last line."""

    event: Literal["stopped"] = "stopped"
