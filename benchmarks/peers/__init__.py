"""The frameworks that a user would otherwise pick, each playing by our rules.

Every adapter is written as the framework's own examples are, and lets the engine play: none has rules of its
own.  What they observe is the same list of numbers, read off the engine's view, in the form that the framework
wants.  Before an adapter is measured, `proven` plays a game through it and holds it against the engine.
"""
