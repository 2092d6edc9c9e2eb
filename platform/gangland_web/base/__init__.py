"""Plain functions: text, formats, the clock, charts and secrets; no database and no HTTP."""
