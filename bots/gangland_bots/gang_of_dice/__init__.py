"""House bots for Gang of Dice, from random to boss; each teaches one thing."""
