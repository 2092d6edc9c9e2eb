"""Of what the decisions of each game are put together: a module a game, named as its package is, with `spelling`.

Of a game without one, each decision is a part of its own: it is picked from the list.
"""
