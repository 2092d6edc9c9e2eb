"""House bots: a folder a game, each bot one file exactly as a user would upload it."""
