"""The site's pages: routes, templates, static files."""
