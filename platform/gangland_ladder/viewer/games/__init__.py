"""How each game is shown: a folder a game, named as its package is, and found by that name.

A folder has `PRESENTATION` in its `__init__`, and `table.js` if it draws its table in a browser.  A game without a
folder is shown plainly; see `Presentation`.
"""
