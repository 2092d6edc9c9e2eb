"""Tables of audits: which matches were played again, and where a bot decided differently."""

from sqlalchemy import CheckConstraint, Index, Text, UniqueConstraint
from sqlmodel import Field

from gangland_ladder.proof.auditing.verdicts import Verdict
from gangland_web.store.columns import Table, index_where, one_of
from gangland_web.store.lifecycles.audits import AuditState


class Audit(Table, table=True):
    """A rated match that was drawn to be played again, once its result was recorded.

    `digest` is that of the result; a match that is played anew gets another.  The plays are matches of their own
    (`Match.audit_of`): a second, and a third where the second differs.  `host_id`, `second_host_id` and
    `third_host_id` say who played; None where no host has a name.
    """

    __tablename__ = "audits"
    __table_args__ = (
        one_of("state", AuditState, "state"),
        CheckConstraint("(state = 'open') = (ended_at IS NULL)", name="ended_at"),
        CheckConstraint("(state = 'lapsed') = (lapsed_for <> '')", name="lapsed_for"),
        CheckConstraint("length(digest) = 64", name="digest"),
        CheckConstraint("games_compared >= 0 AND games_left_out >= 0", name="games"),
        index_where("uq_audits_one_open", "match_id", where="state = 'open'", unique=True),
        Index("ix_audits_state", "state", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="matches.id", index=True)
    digest: str = Field(max_length=64)
    state: str = Field(default=AuditState.OPEN.value, max_length=16)
    lapsed_for: str = Field(default="", sa_type=Text)
    """Why nothing can be said."""
    host_id: int | None = Field(default=None, foreign_key="worker_hosts.id", index=True)
    second_id: int | None = Field(default=None, foreign_key="matches.id")
    second_host_id: int | None = Field(default=None, foreign_key="worker_hosts.id")
    third_id: int | None = Field(default=None, foreign_key="matches.id")
    third_host_id: int | None = Field(default=None, foreign_key="worker_hosts.id")
    games_compared: int = Field(default=0)
    games_left_out: int = Field(default=0)
    """Not compared: a fault of time or memory, or a difference, came before their end."""
    created_at: float
    ended_at: float | None = Field(default=None)


class AuditDifference(Table, table=True):
    """The first decision of a rotation that two plays of a match have differently.

    `decision` is its number in the game, None where a bot failed before or after all decisions of the game.
    `blamed_id` is the host whose play stands alone.
    """

    __tablename__ = "audit_differences"
    __table_args__ = (
        UniqueConstraint("audit_id", "rotation"),
        one_of("verdict", Verdict, "verdict"),
        CheckConstraint("block >= 0 AND rotation >= 0 AND round >= 0", name="coordinates"),
        CheckConstraint("(blamed_id IS NOT NULL) = (verdict IN ('recorded', 'again'))", name="blamed"),
    )

    id: int | None = Field(default=None, primary_key=True)
    audit_id: int = Field(foreign_key="audits.id")
    entry_id: int = Field(foreign_key="entries.id", index=True)
    rotation: int
    block: int
    round: int
    decision: int | None = Field(default=None)
    verdict: str = Field(default=Verdict.OPEN.value, max_length=16)
    blamed_id: int | None = Field(default=None, foreign_key="worker_hosts.id", index=True)
