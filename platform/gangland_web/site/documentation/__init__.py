"""The documentation under /docs, rendered from the Markdown that the wheel carries."""
