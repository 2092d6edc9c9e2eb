"""How much of the jailed referee's own rate is left once queue, database, record and rating are around it."""
