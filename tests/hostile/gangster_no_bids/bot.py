"""Leave out the one method that a bot must have."""

from gangland import gangster_dice


class Subject(gangster_dice.Bot):
    wanted = None
