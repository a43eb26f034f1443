"""Names, kinds and addresses of pictures."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from wiki.files.pictures import NAMES
from wiki.files.reading import picture_address
from wiki.models import FileVersion, Revision
from wiki.titles import split_namespace

register = template.Library()


@register.filter
def file_name(title: str) -> str:
    """ "Board.png" for the title "File:Board.png"."""
    return split_namespace(title)[1]


@register.filter
def uploader(version: FileVersion) -> SafeString:
    """Who brought it, with the way to all that they did, unless a moderator hid the name."""
    name = version.uploader_name
    if name == Revision.NAME_HIDDEN:
        return format_html("<i>{}</i>", name)
    return format_html('<a href="{}">{}</a>', reverse("wiki_contributions", args=[name]), name)


@register.filter
def original(version: FileVersion) -> str:
    """The address of the picture in full size."""
    return picture_address(version)


@register.filter
def kind_words(kind: str) -> str:
    return NAMES[kind]
