"""How the tables of `gangland_ladder.analysis` are made: a module a game, named as its package is, with `train`."""
