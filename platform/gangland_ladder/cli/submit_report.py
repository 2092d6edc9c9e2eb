"""What `gangland submit` prints: the way of a version on stderr, its end on stdout."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from msgspec.structs import replace

from gangland_ladder.cli import report
from gangland_ladder.cli.check_report import Call, print_finding
from gangland_ladder.errors import entries
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.matches.match_orders import Problem
from gangland_ladder.submitting.client import Finding, Submit, SubmittedVersion, Version
from gangland_ladder.submitting.tokens import Site

ENDS = ("active", "rejected", "retired")


class Submission:
    """One call of the command: what is known of the version so far, and how it is told.

    Attributes:
        bot: what is sent; None if a version is only followed.
        version_id: of the version; None as long as there is none.
        version: as it was seen last; None as long as it was not.
        begun: the bot may be on its way to the site.
    """

    def __init__(self, site: Site, bot: LocalBot | None, version_id: int | None, *, as_json: bool, quiet: bool) -> None:
        self.site, self.bot, self.version_id = site, bot, version_id
        self.version: Version | None = None
        self.begun = False
        self._as_json, self._quiet = as_json, quiet
        self._printed: set[str] = set()

    def take(self, version: Version) -> None:
        """Take in a version, and tell what is new of it."""
        if self.version is None:
            self._say(f"{_named(version)}: {self.site.page(version.page)}")
        self.version, self.version_id = version, version.id
        for step in version.steps:
            if step.status != "waiting" and step.state not in self._printed:
                self._printed.add(step.state)
                took = f"  {step.seconds:.1f} s" if step.seconds else ""
                self._say(f"  {'ok  ' if step.status == 'done' else 'FAIL'}  {_line(step.label)}{took}")
        waits = _waits(version)
        if waits and waits not in self._printed:
            self._printed.add(waits)
            self._say(f"  ...   {waits}")

    def ended(self) -> int:
        """Tell the end of a version, or how far it is; return the exit code."""
        version = self.version
        if version is None:
            raise LookupError("the site said nothing about the version")
        outcome = version.state if version.terminal and version.state in ENDS else "waiting"
        if self._as_json:
            self._document(outcome, version.findings)
        elif outcome == "waiting":
            sys.stdout.write(f"{_named(version)} is being checked: {self._follow()}\n")
        else:
            self._print_findings(version.findings)
            sys.stdout.write(f"{_named(version)}: {_line(version.headline)} {self.site.page(version.page)}\n")
        return 0 if outcome in ("active", "waiting") else report.FINDINGS

    def refused(self, findings: Sequence[Finding], *, here: bool) -> int:
        """Tell why a bot was not taken in, by intake `here` or there; return the exit code."""
        if self._as_json:
            self._document("refused", findings)
        else:
            self._print_findings(findings)
            who = "Found on this machine; nothing was uploaded." if here else f"{self.site.address} refused the upload."
            sys.stdout.write(f"refused. {who}\n")
        return report.FINDINGS

    def broken(self, why: str, code: int) -> int:
        """Tell what came between, and how to go on; return the exit code."""
        if self._as_json and self.version is not None:
            self._document("waiting", self.version.findings)
        report.say(f"gangland: {why}")
        if self.version_id is not None and code != report.USAGE:
            report.say(f"Go on with: {self._follow()}")
        elif self.begun and code in (report.SERVER, report.INTERRUPTED):
            report.say(f"{self.site.address}/my-bots shows whether the bot arrived; if not, upload it again.")
        return code

    def _follow(self) -> str:
        return f"gangland submit --follow {self.version_id} --site {self.site.address}"

    def _say(self, text: str) -> None:
        if not self._quiet:
            report.say(text)

    def _print_findings(self, findings: Sequence[Finding]) -> None:
        for finding in findings:
            if self.bot is not None and finding.code in entries():
                problem = Problem(str(finding.code), finding.message[:3000], finding.line or None)
                print_finding(Call(self.bot, "", None, {}, [], b""), problem)
            else:
                _print_foreign(finding)
        if findings:
            sys.stdout.write("\n")

    def _document(self, outcome: str, findings: Sequence[Finding]) -> None:
        version = self.version
        waits = outcome == "waiting" and version is not None
        report.print_json(
            Submit(
                site=self.site.address,
                file=self.bot.filename if self.bot is not None else None,
                outcome=outcome,
                version=None if version is None else self._submitted(version),
                problems=[_explained(finding) for finding in findings],
                follow=self._follow() if waits else None,
            )
        )

    def _submitted(self, version: Version) -> SubmittedVersion:
        printed = SubmittedVersion(*(getattr(version, name) for name in SubmittedVersion.__struct_fields__))
        return replace(printed, page=self.site.page(version.page))


def _explained(finding: Finding) -> Finding:
    """Return a finding with what the catalogue says of its code: this program's, or else the site's."""
    entry = entries().get(finding.code or "")
    return finding if entry is None else replace(finding, title=entry.title, mend=entry.mend, page=entry.page)


def _print_foreign(finding: Finding) -> None:
    """Print a finding of which there is no file here, or whose code this version does not know."""
    head, _, rest = report.cleaned_lines(finding.message).partition("\n")
    where = f"line {finding.line}  " if finding.line else ""
    code = report.cleaned(f"{finding.code}  " if finding.code else "")
    sys.stdout.write(f"\n{code}{where}{head}\n" + "".join(f"  {line}\n" for line in rest.split("\n") if line))
    if finding.mend:
        sys.stdout.write(f"  {_line(finding.mend)}\n")


def _named(version: Version) -> str:
    return f"{_line(version.bot)} v{version.version}"


def _line(text: str) -> str:
    return report.one_line(text)


def _waits(version: Version) -> str:
    queue = version.queue
    if version.terminal or queue is None:
        return ""
    if queue.trials_done:
        return f"{queue.trials_done} of {queue.trials_all} trial matches played"
    if queue.check != "done":
        return f"{report.counted(queue.ahead, 'check')} before it" if queue.ahead else ""
    if not queue.trials_all:
        return "it waits for house bots to play against"
    return f"{queue.ahead} trials before it" if queue.ahead else ""
