"""House bots for Gang of Dice, from random to boss; each one teaches one idea."""
