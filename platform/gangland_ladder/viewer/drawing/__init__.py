"""Draw a table as a picture: SVG with the same dice, colors and fonts as the other viewers, rendered to pixels."""
