"""Measurements of speed and fairness, as ratios within one run or as figures with a stated limit.

`make bench` measures engine, frameworks and jails; `make evidence`, `house`, `soak`, `load`, `load-jails` and
`platform-rate` are the other commands.  `harness` has the shared parts, `results/` the results.  `training` is not a
measurement: `make analysis-tables` creates the tables of the ladder's analysis there.
"""
