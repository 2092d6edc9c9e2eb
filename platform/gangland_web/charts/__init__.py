"""Charts as pictures of plain numbers: scales, paths and shapes; no database and no request."""
