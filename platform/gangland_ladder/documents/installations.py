"""Schemas of the JSON that `gangland config`, `doctor`, `up` and `admin` print with `--json`."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from gangland_ladder.common.documents import Count, Document, GameName, Number, Part, Seats, one_of

# Settings.

Place = Annotated[str, Meta(description="The variable, or the file and its line.")]
Value = str | int | bool | list[str] | None
Kind = Annotated[str, one_of("environment", "project", "user")]


class SettingOrigin(Part):
    """Where a setting comes from."""

    kind: Kind
    place: Place


class OverriddenValue(SettingOrigin):
    """A value that another place overrides."""

    value: Value


class SettingRow(Part):
    """One setting.

    Attributes:
        default: a description of the default.
        origin: null if the default applies.
        overridden: other values that have no effect.
    """

    name: str
    value: Value
    default: str
    origin: SettingOrigin | None
    overridden: list[OverriddenValue]


class Config(Document, tag="gangland/config/1"):
    """The effective settings, set or not, and their origins.

    Attributes:
        project_file: the project's file that was read.
        user_file: the user's file, whether or not it exists.
    """

    title = "gangland config --json"

    project_file: str | None
    user_file: str | None
    settings: list[SettingRow]


# A machine, and the site that runs on it.


class Probe(Part):
    """One check of the machine."""

    name: str
    ok: bool
    detail: str
    fix: Annotated[str, Meta(description="How to fix the problem; empty if the check passed.")]


_BoundedCount = Annotated[int, Meta(ge=0, le=1_000_000)]


class Stopped(Struct, frozen=True):
    """Workers that are stopped, with the reason and the fix."""

    probe: Annotated[str, Meta(max_length=100)]
    fix: Annotated[str, Meta(max_length=2000)]
    workers: _BoundedCount


class SiteStatus(Struct, frozen=True):
    """The number of matches that can run at a time, and the stopped workers; `address` is the site's."""

    slots: _BoundedCount | None
    stopped: Annotated[list[Stopped], Meta(max_length=100)]
    address: str = ""


class Doctor(Document, tag="gangland/doctor/1"):
    """Whether this machine can safely run untrusted bots.

    Attributes:
        machine: facts that affect the jail.
        site: the status of the site on it; null if no site responds.
    """

    title = "gangland doctor --json"

    ok: bool
    machine: dict[str, str]
    probes: list[Probe]
    site: SiteStatus | None


class UpLine(Document, tag="gangland/up/1"):
    """One JSON line per event."""

    title = "gangland up --json"


class PlainHttp(UpLine):
    """The site is served over plain HTTP to other machines."""

    event: Literal["plain_http"] = "plain_http"


class Ready(UpLine, kw_only=True):
    """The site is up."""

    event: Literal["ready"] = "ready"
    address: str


class SetupCode(UpLine, kw_only=True):
    """The one-time code with which a user becomes the admin."""

    event: Literal["setup_code"] = "setup_code"
    code: str


class Progress(UpLine, kw_only=True):
    """The progress of the matches."""

    event: Literal["progress"] = "progress"
    scheduled: Count
    over: Count
    under_way: Count


class Stopping(UpLine):
    """The site is stopping; running matches are finished first."""

    event: Literal["stopping"] = "stopping"


class SiteStopped(UpLine):
    """The site has stopped. This is the last event."""

    event: Literal["stopped"] = "stopped"


# `gangland admin`: backups, exports and imports.

UpTo = Annotated[
    Number | None, Meta(description="The number of the last match, as in its URL; null if there are no results.")
]


class Results(Part):
    """The digest of results in a backup."""

    sha256: str
    matches: Count
    up_to: UpTo


class BackupHeader(Part):
    """The header of a backup.

    Attributes:
        release: the release that created the backup.
        revision: the database schema revision.
    """

    release: str
    revision: str
    made_at: Annotated[str, Meta(description="When it was made, in UTC.")]
    results: Results


class Backup(Document, BackupHeader, tag="gangland/backup/1"):
    """A new backup."""

    title = "gangland admin backup --json"

    file: str
    bytes: Count


class BackupCheck(Document, BackupHeader, tag="gangland/examined/1"):
    """The result of checking a backup."""

    title = "gangland admin examine --json"

    file: str
    same: Annotated[bool, Meta(description="Whether its results match what this site had at the time.")]


class Restore(Document, BackupHeader, tag="gangland/restore/1"):
    """A restored backup.

    Attributes:
        same: whether the site's results now match the backup.
        returned: matches that were running at the time of the backup and will be played again.
        signed_out: sessions that were ended.
        maintenance: the maintenance reason stored in the backup; null if the site was not under maintenance.
    """

    title = "gangland admin restore --json"

    file: str
    rows: Count
    same: bool
    returned: Count
    signed_out: Count
    maintenance: str | None


class Digest(Document, tag="gangland/digest/1"):
    """The digest of results up to a match."""

    title = "gangland admin digest --json"

    digest: str
    matches: Count
    up_to: UpTo


class Import(Document, tag="gangland/import/1"):
    """An imported tournament, with its number on this site."""

    title = "gangland admin import --json"

    tournament: Count
    name: str
    sha256: str
    entries: Count
    matches: Count
    games: Count
    unproven: list[str]


class Export(Document, tag="gangland/export/1"):
    """The exported file."""

    title = "gangland admin tournament export --json; gangland admin ladder export --json"

    file: str


class ArchiveExport(Export, kw_only=True):
    """An archive export."""

    what: Literal["archive"] = "archive"
    matches: Count


class TableExport(Export):
    """A table export."""

    what: Annotated[str, one_of("matches", "games", "standings", "ratings", "days")]
    form: Annotated[str, Meta(description="The file format.")] = field(name="as")


# `gangland admin`: ladders and their seasons.


class LadderSummary(Part):
    """A ladder."""

    name: str
    game: GameName
    seats: Seats
    blocks: Count
    rated_to: Annotated[Count, Meta(description="The last rated match.")]


class Ladders(Document, tag="gangland/ladders/1"):
    """The ladders after the change."""

    title = "gangland admin ladder house-bots --json"

    ladders: list[LadderSummary]


class SeasonRow(Part):
    """A season of a ladder.

    Attributes:
        begun: whether the ratings were reset at its start.
        fixed: whether its standings are final.
    """

    number: Number
    name: str
    first_day: str
    last_day: str
    begun: bool
    ended: bool
    fixed: bool


class Seasons(Document, tag="gangland/seasons/1"):
    """A ladder's seasons, newest first."""

    title = "gangland admin season announce --json; gangland admin season call-off --json"

    rows: list[SeasonRow]


# `gangland admin`: maintenance and worker hosts.


class PostponedTournament(Part):
    """A tournament whose entry deadline was postponed."""

    tournament: Number
    name: str
    before: str = field(name="from")
    after: str = field(name="to")


class Maintenance(Document, tag="gangland/maintenance/1"):
    """Whether the site is under maintenance.

    Attributes:
        under_way: matches that are still running.
        put_off: postponed tournaments: their entries would have closed during maintenance; only `off` lists any.
    """

    title = "; ".join(f"gangland admin maintenance {command} --json" for command in ("on", "off", "status"))

    on: bool
    reason: str | None
    since: str | None
    under_way: Count
    put_off: list[PostponedTournament]


class Host(Part):
    """A worker host.

    Attributes:
        slots: the maximum number of matches it may run at a time.
        last_seen: when its last message arrived.
        revoked: when an operator revoked it.
        stopped: when an audit stopped it.
        stopped_for: why an audit stopped it.
        playing: matches that it is playing now.
        played: recorded matches that it played.
    """

    name: str
    slots: Number
    created: str
    last_seen: str | None
    revoked: str | None
    stopped: str | None
    stopped_for: str | None
    playing: Count
    played: Count


class Worker(Document, Host, tag="gangland/worker/1"):
    """A worker host."""

    title = "; ".join(
        f"gangland admin worker {command} --json" for command in ("create", "renew", "limit", "revoke", "resume")
    )

    worker_redis_url: Annotated[
        str | UnsetType, Meta(description="The broker URL with its password, shown only once, by `create` and `renew`.")
    ] = UNSET


class Workers(Document, tag="gangland/workers/1"):
    """All worker hosts."""

    title = "gangland admin worker list --json"

    hosts: list[Host]
