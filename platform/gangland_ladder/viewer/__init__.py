"""Games to look at: what lies on the table at each decision, what each seat saw, and the words for both."""
