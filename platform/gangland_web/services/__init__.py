"""Services that change the site's data: one module for each subject, independent of requests, pages and tasks."""
