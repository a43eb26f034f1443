"""Keeping the index in step with the pages."""

from collections.abc import Iterable
from functools import partial
from itertools import islice

from django.db import transaction

from wiki.markup.plain import plain_words
from wiki.markup.sections import sections
from wiki.models import Page, Revision, SearchEntry, SearchName, SearchWord
from wiki.search.backend import Terms, backend
from wiki.search.words import GAP, folded_words, in_scripts, is_spelled, name_words, terms
from wiki.titles import title_key

VERSION = 1  # of what is kept of a page; rows of another are made anew
MOST_REDIRECTS = 5  # from one to the next
AT_ONCE = 1000  # words in one question to the database


def reindex(page: Page, *, anew: bool = True) -> None:
    """Make ``page`` be found by what its row says now (``anew`` False: by what ``page`` says); inside a
    caller's transaction.

    A deleted page is found by nothing; one that redirects lends its names to the page it leads to.
    A text that is hidden is left out.
    """
    if anew:
        page = Page.everything.select_related("current").get(pk=page.pk)
    target = leads_to(page)
    others = set(put_names(page, target))
    if target is not None and target.pk != page.pk:
        others.add(target.pk)
    for other in Page.objects.select_related("current").filter(pk__in=others - {page.pk}):
        put_entry(other)
    if page.deleted_at is None:
        put_entry(page)
    else:
        backend().forget(page.pk)
        SearchEntry.objects.filter(page=page).delete()


def leads_to(page: Page) -> Page | None:
    """The page that is read under the names of ``page``; None where it is deleted."""
    if page.deleted_at is not None:
        return None
    seen = {page.pk}
    target = page
    while target.redirect_to_id is not None and target.redirect_to_id not in seen:
        following = Page.objects.filter(pk=target.redirect_to_id).first()
        if following is None or len(seen) > MOST_REDIRECTS:
            break
        seen.add(following.pk)
        target = following
    return target


def put_names(page: Page, target: Page | None) -> Iterable[int]:
    """Write the names of ``page`` as names of ``target``; the ids of pages that lost one."""
    wanted: set[tuple[int, str, str, bool]] = set()
    if target is not None:
        titles = {name.title for name in page.names.all()} | {page.title}
        for title in titles:
            main = title == page.title and target.pk == page.pk
            for written in in_scripts(title, page.language):
                if words := name_words(written):
                    wanted.add((target.pk, title, words, main))
    rows = {
        (row.page_id, row.title, row.words, row.main): row
        for row in SearchName.objects.filter(origin=page)
    }
    gone = [row for key, row in rows.items() if key not in wanted]
    if gone:
        SearchName.objects.filter(pk__in=[row.pk for row in gone]).delete()
    SearchName.objects.bulk_create(
        SearchName(page_id=leads, origin=page, title=title, words=words, main=main)
        for leads, title, words, main in sorted(wanted - rows.keys())
    )
    return {row.page_id for row in gone}


def put_entry(page: Page) -> None:
    """Write what ``page``, which comes with its current revision, is found by."""
    source = current_text(page)
    text = plain_words(source)
    entry = SearchEntry(page=page, text=text, version=VERSION)
    SearchEntry.objects.bulk_create(
        [entry], update_conflicts=True, unique_fields=["page"], update_fields=["text", "version"]
    )
    own = title_key(page.title)
    titles = set(SearchName.objects.filter(page=page).values_list("title", flat=True))
    names = {title for title in titles if title_key(title) != own}
    backend().write(
        page.pk,
        Terms(
            title=indexed([page.title], page.language),
            names=indexed(sorted(names), page.language),
            headings=indexed(headings(source), page.language),
            body=indexed([plain_words(source, headings=False)], page.language),
        ),
    )
    transaction.on_commit(partial(learn, [text, *titles], page.language), robust=True)


def current_text(page: Page) -> str:
    """The Markdown that everybody may read of ``page`` now; nothing of one that redirects."""
    current = page.current
    if current is None or current.text_hidden or page.redirect_title:
        return ""
    return current.text if current.text_state == Revision.TextState.PRESENT else ""


def headings(text: str) -> list[str]:
    return [plain_words(section.heading) for section in sections(text)]


def indexed(texts: Iterable[str], language: str) -> list[str]:
    """The terms of ``texts`` in every script, with a gap between two."""
    found: list[str] = []
    for text in texts:
        for written in in_scripts(text, language):
            found += [*terms(written), GAP]
    return found[:-1]


def learn(texts: Iterable[str], language: str) -> None:
    """Keep the words of a page, its text and its names, for those who mistype one of them.

    Not part of the change: two changes that bring the same words in another order would wait for
    each other. Words stay when the page goes; none is told to anybody unless it finds something.
    """
    words = {
        word
        for text in texts
        for written in in_scripts(text, language)
        for word in folded_words(written)
        if is_spelled(word)
    }
    rest = iter(sorted(words))
    while some := list(islice(rest, AT_ONCE)):
        known = SearchWord.objects.filter(word__in=some).values_list("word", flat=True)
        new = sorted(set(some) - set(known))
        if new:
            SearchWord.objects.bulk_create(
                [SearchWord(word=word) for word in new], ignore_conflicts=True
            )
