"""Which shortcodes pages use that this site does not know."""

from dataclasses import dataclass, field

from django.db.models import F, Q
from django.db.models.functions import Lower

from wiki.markup import renderer_version
from wiki.markup.shortcodes import shortcode_key
from wiki.models import Page, Revision
from wiki.services.render import rendered

RENDERED_AT_ONCE = 50  # pages that were not shown yet since the renderer changed


@dataclass
class Unknown:
    """One name, with how often each page uses it."""

    name: str
    pages: list[tuple[Page, int]] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(uses for _page, uses in self.pages)


@dataclass(frozen=True)
class Report:
    """``waiting``: how many pages have not been looked at yet."""

    unknown: list[Unknown]
    waiting: int


def unknown_shortcodes() -> Report:
    """What the current texts of all pages use and nobody registered, the most used first.

    A page that was not shown since the renderer changed is rendered now, some of them at once.
    """
    current = Revision.objects.filter(
        pk=F("page__current"), page__deleted_at=None, text_state=Revision.TextState.PRESENT
    ).select_related("page")
    stale = current.filter(~Q(renderer_version=renderer_version()), text__contains="{{")
    for revision in stale[:RENDERED_AT_ONCE]:
        rendered(revision)
    by_name: dict[str, Unknown] = {}
    read = current.filter(renderer_version=renderer_version()).exclude(rendered_unknown={})
    for revision in read.only("rendered_unknown", "page").order_by(Lower("page__title")):
        uses: dict[str, int] = {}
        for name, count in revision.rendered_unknown.items():
            key = shortcode_key(name)  # two ways to write the same name
            by_name.setdefault(key, Unknown(name))
            uses[key] = uses.get(key, 0) + count
        for key, count in uses.items():
            by_name[key].pages.append((revision.page, count))
    found = sorted(by_name.values(), key=lambda one: (-one.count, one.name.casefold(), one.name))
    return Report(found, waiting=stale.count())
