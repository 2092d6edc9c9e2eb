"""The presentation of each game, in a folder with the name of the game's package.

A folder defines `PRESENTATION` in its `__init__.py`, and has a `table.js` that draws the table in a browser.  A game
without a folder uses the base class `Presentation`.
"""
