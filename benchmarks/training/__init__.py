"""Make the tables of `gangland_ladder.analysis`: one module per game, named like its package, with `train`."""
