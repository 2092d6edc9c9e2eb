"""Each game in numbers: a module a game, named as its package is, with `ENCODING`."""
