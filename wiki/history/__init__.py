"""What became of a text: differences, three-way merge, feeds."""
