"""Charts as pictures of plain numbers: scales, paths and the figures behind them, no database and no request."""
