"""House bots for Gangster Dice, from random to boss; each teaches one thing."""
