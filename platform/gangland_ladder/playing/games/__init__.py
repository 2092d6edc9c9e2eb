"""How people enter a decision part by part (such as a die, a token or a bid): one module per game.

A module has the name of the game's package and defines `spelling(view, kind)`, which `questions.spelling_of` calls.
For a game without a module, each legal decision is a single part (`questions.plain_spelling`).
"""
