"""The table of what channels have shown, show, and show next."""

from sqlalchemy import CheckConstraint, Index, Text, UniqueConstraint
from sqlmodel import Field

from gangland_web.store.columns import Table


class ChannelItem(Table, table=True):
    """A game in the programme of a channel (`league.channels`), in the order of its numbers, from 1.

    A row says which game is on at which time, so that every screen shows the same one, also after a restart; whether
    its result may be shown is asked again by whoever reads it.
    """

    __tablename__ = "channel_items"
    __table_args__ = (
        UniqueConstraint("channel", "number"),
        CheckConstraint("number >= 1", name="number_from_one"),
        CheckConstraint("block >= 0 AND rotation >= 0", name="coordinates"),
        CheckConstraint("ends_at > starts_at", name="ends_later"),
        Index("ix_channel_items_match", "match_id", "channel"),
    )

    id: int | None = Field(default=None, primary_key=True)
    channel: str = Field(max_length=48)
    number: int
    match_id: int = Field(foreign_key="matches.id")
    block: int
    rotation: int
    again: bool
    """Whether the channel showed a game of this match before."""
    why: str = Field(sa_type=Text)
    """Why it was chosen, in words that are said once it is over."""
    starts_at: float
    ends_at: float
    """When the next begins; of a game that an organiser shows, which stays on, when its result is shown."""
