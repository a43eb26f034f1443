"""``{% url %}`` as every template here has it says what Django's own says."""

import pytest
from django.template import Context, Engine
from django.urls import NoReverseMatch

from wiki.models import Page

OURS = Engine(builtins=["portal.templatetags.addresses"])
DJANGO = Engine()
GIVEN = {
    "slug": "hearts",
    "odd": "it's <b> & \N{SNOWMAN}",
    "number": 1,
    "yes": True,
    "page": Page(pk=7, title="7"),
    "name": "wiki_page",
}


@pytest.mark.parametrize(
    "text",
    [
        "{% url 'home' %}",
        "{% url name slug %}",
        "{% url 'wiki_page' odd %}",
        "{% url 'person' odd %}{% autoescape off %}{% url 'person' odd %}{% endautoescape %}",
        "{% url 'person' odd as found %}{{ found }} {{ found|safe }}",
        "{% url 'wiki_page' slug=slug %}",
        "{% url 'wiki_diff' slug number number %}",
        "{% url 'wiki_page' number %}{% url 'wiki_page' yes %}{% url 'wiki_page' '1' %}",
        "{% url 'wiki_page' page %}",
        "{% url 'admin:index' %}",
        "{% url 'no_such_route' as found %}({{ found }})",
    ],
)
def test_it_says_what_django_says(text: str) -> None:
    expected = DJANGO.from_string(text).render(Context(GIVEN))
    for _ in range(2):  # looked up, and kept
        assert OURS.from_string(text).render(Context(GIVEN)) == expected


@pytest.mark.parametrize("text", ["{% url 'no_such_route' %}", "{% url 'wiki_diff' slug %}"])
def test_a_route_that_is_not_there_is_an_error(text: str) -> None:
    with pytest.raises(NoReverseMatch):
        OURS.from_string(text).render(Context(GIVEN))
