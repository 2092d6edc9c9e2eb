"""What is read: for each subject its queries and models, which pages, API and files render."""
