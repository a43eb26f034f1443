"""Names, kinds and addresses of pictures."""

from django import template

from wiki.files.pictures import NAMES
from wiki.files.reading import picture_address
from wiki.models import FileVersion
from wiki.titles import split_namespace

register = template.Library()


@register.filter
def file_name(title: str) -> str:
    """ "Board.png" for the title "File:Board.png"."""
    return split_namespace(title)[1]


@register.filter
def original(version: FileVersion) -> str:
    """The address of the picture in full size."""
    return picture_address(version)


@register.filter
def kind_words(kind: str) -> str:
    return NAMES[kind]
