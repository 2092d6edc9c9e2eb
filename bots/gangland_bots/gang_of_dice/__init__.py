"""House bots for Gang of Dice, from random to sensible; each teaches one thing."""
