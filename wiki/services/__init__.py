"""What can be done with pages. Each service is one transaction; refusals are WikiErrors."""

from wiki.services.delete import delete_page, undelete_page
from wiki.services.edit import Draft, edit_page
from wiki.services.history import append_revision, renumber
from wiki.services.load import load_page
from wiki.services.protect import protect
from wiki.services.render import rendered
from wiki.services.revert import revert_to
from wiki.services.uploading import Upload, hide_file, revert_file, upload_file

__all__ = [
    "Draft",
    "Upload",
    "append_revision",
    "delete_page",
    "edit_page",
    "hide_file",
    "load_page",
    "protect",
    "rendered",
    "renumber",
    "revert_file",
    "revert_to",
    "undelete_page",
    "upload_file",
]
