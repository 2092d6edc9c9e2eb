"""Evidence that the games are fair: dice, cards, seats, lengths, and what mirrored blocks do: `make evidence`."""
