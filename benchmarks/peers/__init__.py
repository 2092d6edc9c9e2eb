"""The frameworks that a user could choose instead, each playing by our rules.

Every adapter follows the framework's own examples, and lets the engine play: it has no rules of its own.  All
observations are the same list of numbers from the engine's view, in the framework's form.  Before an adapter is
measured, `proven` plays a game through it and compares it with the engine.
"""
