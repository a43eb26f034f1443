"""What comes in from other wikis: reading their feeds, converting their wikitext, storing both."""
