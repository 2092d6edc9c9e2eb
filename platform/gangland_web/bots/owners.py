"""What pages and exports call a bot's owner."""

from typing import Any

from sqlalchemy import case, literal
from sqlmodel import col

from gangland_web.accounts.models import User
from gangland_web.bots.models import Bot


def owner_shown() -> Any:
    """Return the column with an owner's name, for queries that join `User` to `Bot`; NULL for a house bot.

    Whoever owns an imported bot is no user here, whatever the name, and is marked as somebody from elsewhere.
    """
    whose = case((col(Bot.foreign_owner) == "", literal("a house")), else_=col(Bot.foreign_owner))
    return case((col(Bot.import_id).is_not(None), whose + literal(" (elsewhere)")), else_=col(User.name))
