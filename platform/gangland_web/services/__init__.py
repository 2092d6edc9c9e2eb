"""Changes of state: one module for each subject, without requests, pages and tasks."""
