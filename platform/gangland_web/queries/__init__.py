"""What is read: one query and one typed model a subject, which pages, JSON, CSV and the API render."""
