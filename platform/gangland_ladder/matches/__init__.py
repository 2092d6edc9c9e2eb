"""One match: its order, the referee, the players, and the judgment of its result."""
