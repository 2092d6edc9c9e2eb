"""Speed and fairness: ratios side by side in one run, or figures beside a stated limit.

`make bench` measures engine, frameworks and jails; `make evidence`, `house`, `soak`, `load`, `load-jails` and
`platform-rate` are the other commands.  `harness` is what they share, `results/` what came of them.  `training` is no
measurement: `make analysis-tables` makes the tables of the ladder's analysis there.
"""
