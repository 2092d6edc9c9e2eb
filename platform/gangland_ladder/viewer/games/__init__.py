"""How each game is shown: a folder with the name of the game's package.

A folder has `PRESENTATION` in its `__init__`, and `table.js` to draw its table in a browser.  A game without a folder
uses `Presentation`.
"""
