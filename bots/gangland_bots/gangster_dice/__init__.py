"""House bots for Gangster Dice."""
