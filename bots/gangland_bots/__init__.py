"""House bots: one folder per game, and one file per bot, exactly as a user would upload it."""
