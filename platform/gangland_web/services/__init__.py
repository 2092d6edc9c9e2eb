"""What happens: one module a subject, without requests, pages and tasks."""
