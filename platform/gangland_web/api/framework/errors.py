"""What an error looks like."""

from __future__ import annotations

import msgspec

from gangland_web.resources.fields import Code, Model
from gangland_web.resources.findings import Finding


class Problem(Model, rename={"kind": "type"}):
    """An error (RFC 9457); `type` is where to read on, `findings` is what is wrong with a bot that was sent in."""

    kind: str
    title: str
    status: int
    detail: str
    code: Code | None
    findings: list[Finding] | msgspec.UnsetType = msgspec.UNSET
