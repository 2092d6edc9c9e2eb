"""One match: its job, the referee, the players, and the judgment of its result."""
