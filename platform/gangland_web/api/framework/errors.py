"""What an error looks like."""

from __future__ import annotations

import msgspec

from gangland_web.api.framework.fields import Code, Model


class Finding(Model):
    """What is wrong with a bot; the code is null where the platform was at fault."""

    code: Code | None
    title: str | None
    message: str
    line: int | None
    mend: str | None
    page: str | None


class Problem(Model, rename={"kind": "type"}):
    """An error (RFC 9457); `type` is where to read on, `findings` is what is wrong with a bot that was sent in."""

    kind: str
    title: str
    status: int
    detail: str
    code: Code | None
    findings: list[Finding] | msgspec.UnsetType = msgspec.UNSET
