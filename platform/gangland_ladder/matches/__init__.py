"""One match: its order, the referee, the contenders, and whether its result may count."""
