"""Which pages a text names: kept in rows, so that links follow their pages whatever these are called.

A row remembers the page that its name led to when it was saved first. From then on the name means that
page in this text, though the page be renamed and another one take the name. A name that leads nowhere
yet gets its page as soon as there is one.
"""

from django.db.models import Q

from wiki.markup import Rendered
from wiki.markup.links import MARKS
from wiki.models import Page, PageLink, PageName, Revision
from wiki.redirects import redirect_of
from wiki.search import reindex
from wiki.services.render import KEPT, render_anew
from wiki.titles import MAX_TITLE_BYTES, title_key

MOST_LINKS = 5_000  # names of one page that are kept; further ones are looked up by name
AT_ONCE = 500  # keys in one query
Key = tuple[str, str]  # kind and key of a name


def names_in(made: Rendered) -> dict[Key, str]:
    """The names in a text that was rendered, as it writes them."""
    kinds = PageLink.Kind
    named = [(kinds.LINK, title) for title in made.links]
    named += [(kinds.CATEGORY, f"Category:{name}") for name in made.categories]
    named += [(kinds.FILE, f"File:{name}") for name in made.files]
    found: dict[Key, str] = {}
    for kind, title in named:
        if len(title.encode()) <= MAX_TITLE_BYTES and len(key := title_key(title)) <= 255:
            found.setdefault((str(kind), key), title)
        if len(found) == MOST_LINKS:
            break
    return found


def may_name(revision: Revision) -> bool:
    """Whether the text of ``revision`` may name a page or a picture."""
    present = revision.text_state == Revision.TextState.PRESENT
    return present and any(mark in revision.text for mark in MARKS)


def keep_links(page: Page, made: Rendered | None = None) -> None:
    """Write down what the current text of ``page`` names; ``made``: how that looks, where it is known
    and kept already. Inside a caller's transaction."""
    current = page.current
    names: dict[Key, str] = {}
    if current is not None and may_name(current):
        current.page = page
        if made is None:
            made = render_anew(current)
            current.save(update_fields=KEPT)
        names = names_in(made)
    known = {(row.kind, row.key): row for row in page.links.select_related("target")}
    gone = [row.pk for key, row in known.items() if key not in names]
    for start in range(0, len(gone), AT_ONCE):
        PageLink.objects.filter(pk__in=gone[start : start + AT_ONCE]).delete()
    kept = {key: row for key, row in known.items() if key in names}
    lost = {key for key, row in kept.items() if row.target is None or row.target.deleted_at}
    new = [key for key in names if key not in kept]
    places = pages_named({key for _kind, key in [*lost, *new]})
    rows = [
        PageLink(source=page, kind=kind, key=key, title=names[kind, key], target_id=places.get(key))
        for kind, key in new
    ]
    PageLink.objects.bulk_create(rows, batch_size=AT_ONCE, ignore_conflicts=True)
    for kind, key in lost:
        if key in places:
            PageLink.objects.filter(pk=kept[kind, key].pk).update(target=places[key])
    set_redirect(page, redirect_of(current.text) if names and current else "")


def pages_named(keys: set[str]) -> dict[str, int]:
    """Row ids of the pages to which the names ``keys`` lead."""
    found: dict[str, int] = {}
    wanted = sorted(keys)
    for start in range(0, len(wanted), AT_ONCE):
        rows = PageName.objects.filter(key__in=wanted[start : start + AT_ONCE])
        found |= dict(rows.values_list("key", "page_id"))
    return found


def redirect_key(redirect_title: str) -> str:
    """The key of the page that a redirect names, without its section."""
    return title_key(redirect_title.partition("#")[0])


def set_redirect(page: Page, title: str) -> None:
    """Remember where ``page`` redirects to; an empty ``title``: nowhere."""
    title = title if len(title) <= 255 else title.partition("#")[0][:255]
    target = None
    if title:
        link = page.links.filter(kind=PageLink.Kind.LINK, key=redirect_key(title)).first()
        target = link.target_id if link else None
    if (page.redirect_title, page.redirect_to_id) != (title, target):
        page.redirect_title, page.redirect_to_id = title, target
        page.save(update_fields=["redirect_title", "redirect_to"])


def adopt(page: Page, key: str) -> None:
    """Lead links to the name ``key`` that led nowhere to ``page``, which has that name now. Inside a
    caller's transaction."""
    nowhere = Q(target=None) | Q(target__deleted_at__isnull=False)
    rows = PageLink.objects.filter(nowhere, key=key)
    sources = set(
        rows.filter(kind=PageLink.Kind.LINK)
        .exclude(source__redirect_title="")
        .values_list("source", flat=True)
    )
    rows.update(target=page)
    for source in Page.everything.filter(pk__in=sources):
        if redirect_key(source.redirect_title) == key:
            Page.everything.filter(pk=source.pk).update(redirect_to=page)
            reindex(source)
