"""Nibble: two players take coloured blocks off one connected board."""
