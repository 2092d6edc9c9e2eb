"""The encodings of the games: each module has the name of a game's package, and contains `ENCODING`."""
