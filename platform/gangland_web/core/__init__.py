"""What every part of the site may use: the clock, safe text, formats, small files; no database and no HTTP."""
