"""What can be done with pages. Each service is one transaction; refusals are WikiErrors."""

from wiki.services.edit import Draft, edit_page
from wiki.services.history import append_revision, renumber
from wiki.services.load import load_page
from wiki.services.protect import protect
from wiki.services.render import rendered
from wiki.services.revert import revert_to

__all__ = [
    "Draft",
    "append_revision",
    "edit_page",
    "load_page",
    "protect",
    "rendered",
    "renumber",
    "revert_to",
]
