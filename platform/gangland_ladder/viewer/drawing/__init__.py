"""Draw a table as a picture: as SVG with the same dice and colors as the other viewers, rendered to pixels."""
