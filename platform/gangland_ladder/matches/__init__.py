"""One match: its job, the referee, the players, and judging its result."""
