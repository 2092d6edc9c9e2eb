"""What is read of analyses: a game's, and what a version's games come to."""
