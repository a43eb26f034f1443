"""The tag ``url`` of every template: as Django's, but it looks up each address once. A page asks for
some forty, a long list for the same few routes in every row."""

from functools import lru_cache
from typing import Any

from django import template
from django.template.base import Parser, Token
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as django_url
from django.urls import NoReverseMatch, reverse
from django.utils.html import escape
from django.utils.safestring import SafeString

register = template.Library()
KEPT = 8192  # addresses
PLAIN = frozenset({int, str, SafeString})  # of these types two that are equal are written alike


@lru_cache(maxsize=KEPT)
def address(name: str, *arguments: object) -> str:
    """Where the route ``name`` with these arguments is. Raises NoReverseMatch."""
    return reverse(name, args=arguments)


@lru_cache(maxsize=KEPT)
def _escaped(name: str, *arguments: object) -> SafeString:
    return escape(address(name, *arguments))


class Address(URLNode):
    def render(self, context: template.Context) -> str:
        name = self.view_name.resolve(context)
        arguments = [argument.resolve(context) for argument in self.args]
        plain = PLAIN.issuperset(map(type, (name, *arguments)))
        if self.kwargs or not plain or ":" in name:  # a namespace may depend on the request
            return super().render(context)
        look_up: Any = _escaped if context.autoescape and self.asvar is None else address
        try:
            found = look_up(name, *arguments)
        except NoReverseMatch:
            return super().render(context)  # which knows when that is an error
        if self.asvar is None:
            return found
        context[self.asvar] = found
        return ""


@register.tag
def url(parser: Parser, token: Token) -> Address:
    """``{% url 'name' argument ... %}``, also ``as variable``."""
    node = django_url(parser, token)
    return Address(node.view_name, node.args, node.kwargs, node.asvar)
