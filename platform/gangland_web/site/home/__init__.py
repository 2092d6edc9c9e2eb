"""The home page, the page for authors, and what they link to."""
