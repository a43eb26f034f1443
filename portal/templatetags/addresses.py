"""The tag ``at`` for every template: Django's ``url`` that looks up each address once. For long lists,
whose rows ask for the same few routes all the time."""

from functools import lru_cache

from django import template
from django.urls import reverse

register = template.Library()
KEPT = 8192  # addresses


@lru_cache(maxsize=KEPT)
def address(name: str, *arguments: object) -> str:
    """Where the route ``name`` with these arguments is. Raises NoReverseMatch."""
    return reverse(name, args=arguments)


@register.simple_tag
def at(name: str, *arguments: object) -> str:
    """``{% at 'name' argument ... %}``, also ``as variable``."""
    return address(name, *arguments)
