"""House bots: a folder per game, and a single file per bot, exactly as a user would upload it."""
