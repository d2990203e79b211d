"""What a run says, as values (`document`), and their renderings."""
