"""House bots for Gangster Dice, from random to boss; each one teaches one idea."""
