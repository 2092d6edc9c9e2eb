"""Evidence that the games are fair: dice, cards, seats, lengths, and mirrored blocks; see `make evidence`."""
