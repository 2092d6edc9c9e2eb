"""The encoding of each game: a module named as the game's package, with `ENCODING`."""
