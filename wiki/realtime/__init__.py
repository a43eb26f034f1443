"""Who edits which page at this moment: sockets that tell one another. Nothing of it is kept."""
