"""Services that change state: one module for each subject, independent of requests, pages and tasks."""
