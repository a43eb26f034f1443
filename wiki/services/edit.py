"""Saving a page: the base is checked, newer revisions are merged, and no text is ever lost."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.history.merge import Merge, merge
from wiki.models import Page, PageName, Revision
from wiki.search import reindex
from wiki.services.alternatives import refuse_unnamed
from wiki.services.groups import add_translation, check_code
from wiki.services.hiding import Viewer, visible
from wiki.services.history import append_revision, free_slug
from wiki.services.links import adopt
from wiki.services.notices import told_of_talk
from wiki.services.rights import refuse_unless_editor
from wiki.services.signature import TWICE_MINUTES, sign
from wiki.services.subjects import TALK, join, refuse_no_subject
from wiki.services.summary import automatic
from wiki.services.undo import Undo, is_undone, mark_reverted, undo_of, undone_rows
from wiki.special import refuse_special
from wiki.titles import check_title, make_slug, split_namespace, title_key

MAX_TEXT_BYTES = 400_000
MAX_SUMMARY = 500  # characters
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True)
class Draft:
    """What somebody wants to save. ``base`` is the row id of the revision it started from; so are
    ``undo`` and ``undo_after``."""

    text: str
    base: int | None = None
    summary: str = ""
    minor: bool = False
    undo: int | None = (
        None  # the edit that it takes out, and where several: the one before the first
    )
    undo_after: int | None = None
    unnamed: bool = False  # its pictures may go without alternative texts: they only decorate


class EditConflict(WikiError):
    """Two people changed the same passage. ``merge`` holds it; ``theirs`` is the newer revision and
    ``mine`` the whole text that was to be saved."""

    def __init__(
        self, merged: Merge, *, base: Revision | None, theirs: Revision, mine: str
    ) -> None:
        who = "Somebody" if theirs.author_hidden else theirs.author_name  # it begins a sentence
        super().__init__(
            "edit_conflict",
            f"{who} saved a newer revision of this page while you were writing.",
            status=409,
        )
        self.merge = merged
        self.base = base
        self.theirs = theirs
        self.mine = mine


def clean_text(text: str) -> str:
    """``text`` as it is kept: line ends are one kind, no control characters, no white space after
    the last line. Raises WikiError ``too_long``."""
    text = CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).rstrip()
    if len(text.encode()) > MAX_TEXT_BYTES:
        raise WikiError(
            "too_long",
            f"A page can have at most {MAX_TEXT_BYTES:,} bytes; this one has "
            f"{len(text.encode()):,}. Nothing is saved; shorten it or make two pages of it.",
            status=413,
        )
    return text + "\n" if text else ""


def clean_summary(summary: str) -> str:
    """``summary`` on one line, without control characters. Raises WikiError ``long_summary``."""
    summary = " ".join(CONTROL.sub(" ", summary).split())
    if len(summary) > MAX_SUMMARY:
        raise WikiError(
            "long_summary",
            f"A summary can have at most {MAX_SUMMARY} characters; this one has {len(summary):,}. "
            "Nothing is saved yet.",
        )
    return summary


def edit_page(
    *,
    slug: str,
    title: str,
    author: User,
    draft: Draft,
    language: str = "en",
    translates: int | None = None,
    also: Callable[[Revision], None] | None = None,
) -> tuple[Revision, bool]:
    """Save ``draft`` as the newest revision of the page at ``slug``, which is made where there is
    none. Returns the revision that is current now and whether it is new: a text that is there
    already adds nothing.

    A new page is in ``language``, and a translation of the page ``translates`` where that is given.
    ``also`` is done with the revision in the same transaction, maybe twice. A revision newer than ``draft.base`` is merged. Raises EditConflict, or WikiError with
    ``bad_title``, ``too_long``, ``long_summary``, ``empty_page``, ``protected``, ``bad_base``,
    ``page_gone``, ``special_title``, ``bad_language``, ``language_taken``, ``other_kind``, ``no_subject``
    ``no_talk`` or ``no_alternative``; then nothing is saved.
    """
    save = partial(_save, also, slug, title, author, draft, language, translates)
    try:
        return save()
    except IntegrityError:  # somebody made the page just now: it is there, so edit it
        return save()
    except WikiError as error:
        if error.code != "title_taken" or not Page.objects.filter(slug=slug).exists():
            raise
        return save()  # the same, seen a moment later


@transaction.atomic
def _save(also: Callable[[Revision], None] | None, *edit: Any) -> tuple[Revision, bool]:
    revision, new = _edit(*edit)
    if also is not None:
        also(revision)
    return revision, new


def _edit(
    slug: str, title: str, author: User, draft: Draft, language: str, translates: int | None
) -> tuple[Revision, bool]:
    page = Page.objects.select_for_update(no_key=True).filter(slug=slug).first()
    if page is not None and not is_called(page, title):
        page = None  # another page, whose title asks for the same slug
    refuse_unless_editor(page, author)
    text, current, now = clean_text(draft.text), None, timezone.now()
    talks = (page.namespace if page else split_namespace(title)[0]) == TALK
    if talks:
        text = sign(text, name=author.get_username(), now=now)
    if page is not None and sent_before(page, draft, author, now):
        return page.current, False
    undone = undone_by(page, draft, text, author)
    summary = clean_summary(draft.summary)
    if page is None:
        if draft.base is not None:
            raise WikiError(
                "page_gone",
                "This page is not there any more. Nothing is saved; your text is here. Save it "
                "again to write the page anew.",
                status=409,
            )
        if not text:
            raise WikiError("empty_page", "A new page needs some text.")
        check_code(language)
        refuse_special(title)
        refuse_no_subject(title)
        page = create_page(title=title, language=language)
        if translates is not None:
            add_translation(page=page, of=translates, author=author)
    elif (current := page.current) is not None and current.pk != draft.base:
        text = merged_text(page, draft, text, current, author)
    if current is not None and current.text == text:
        return current, False
    if not draft.unnamed and draft.undo is None:
        refuse_unnamed(current.text if current else "", text)
    revision = append_revision(
        page,
        author=author,
        author_name=author.get_username(),
        timestamp=now,
        summary=summary or automatic(current, text),
        minor=draft.minor and current is not None,
        text=text,
    )
    if undone is not None:
        mark_reverted(undone_rows(undone), revision)
    if talks:
        told_of_talk(revision, before=current.text if current else "")
    return revision, True


def is_called(page: Page, title: str) -> bool:
    key = title_key(title)
    return key == title_key(page.title) or page.names.filter(key=key).exists()


def sent_before(page: Page, draft: Draft, author: User, now: datetime) -> bool:
    """Whether ``author`` saved ``draft`` a moment ago, on a talk page with the signatures of that moment: a
    form was sent twice, and what others wrote in between does not clash with it. Who has saved another
    text of the page since means it: that edit is one like any other."""
    newest = page.current
    if newest is None or newest.pk == draft.base:
        return False
    since = now - timedelta(minutes=TWICE_MINUTES)
    mine = page.revisions.filter(author=author, timestamp__gte=since, pk__gt=draft.base or 0)
    mine = mine.filter(event=Revision.Event.EDIT).only("timestamp", "text")
    if page.namespace != TALK:
        last = mine.order_by("pk").last()
        return last is not None and last.text == clean_text(draft.text)
    for row in mine:
        text = sign(clean_text(draft.text), name=author.get_username(), now=row.timestamp)
        base = base_revision(page, draft.base, author)
        merged = merge(base.text if base else "", newest.text, text)
        if row.text == text or (merged.text and clean_text(merged.text) == newest.text):
            return True
    return False


def undone_by(page: Page | None, draft: Draft, text: str, author: User) -> Undo | None:
    """The undo that ``draft`` is, where ``text`` is what comes of it; who changed more than that has
    made an edit like any other."""
    if page is None or draft.undo is None:
        return None
    if (base := base_revision(page, draft.base, author)) is None:
        return None
    try:
        undo = undo_of(
            page, base.text, last_id=draft.undo, after_id=draft.undo_after, person=author
        )
    except WikiError:
        return None
    return undo if is_undone(undo, text) else None


def merged_text(page: Page, draft: Draft, text: str, current: Revision, author: User) -> str:
    base = base_revision(page, draft.base, author)
    merged = merge(base.text if base else "", current.text, text)
    if merged.text is None:
        theirs = visible(current, author)
        raise EditConflict(merged, base=base, theirs=theirs, mine=text)
    return clean_text(merged.text)


def base_revision(page: Page, pk: int | None, person: Viewer) -> Revision | None:
    """The revision of ``page`` an edit started from, as ``person`` may see it: where its text was
    hidden meanwhile, it has none, and all that differs is a conflict. None: it started from nothing."""
    if pk is None:
        return None
    revision = page.revisions.filter(pk=pk).first()
    if revision is None:
        raise WikiError(
            "bad_base", "The revision this edit started from is not of this page.", status=409
        )
    return visible(revision, person)


def create_page(
    *, title: str, language: str, game: str = "", slug: str = "", namespace: str = ""
) -> Page:
    """A page without revisions, with its title as its first name. Inside a caller's transaction.

    Raises WikiError ``bad_title`` or ``title_taken``.
    """
    title = check_title(title)
    if taken := PageName.objects.select_related("page").filter(key=title_key(title)).first():
        raise WikiError(
            "title_taken", f"“{title}” leads to the page “{taken.page.title}” already.", status=409
        )
    page = Page.objects.create(
        title=title,
        slug=slug or free_slug(title),
        language=language,
        game=game,
        namespace=namespace or split_namespace(title)[0],
    )
    name_page(page, title)
    join(page)
    return page


def name_page(page: Page, title: str) -> None:
    """Let ``title`` lead to ``page``, and links to it that led nowhere. Raises WikiError
    ``title_taken`` where it leads elsewhere."""
    title = check_title(title)
    name, made = PageName.objects.get_or_create(
        key=title_key(title), defaults={"page": page, "title": title, "slug": make_slug(title)}
    )
    if name.page_id != page.pk:
        raise WikiError("title_taken", f"“{title}” is the name of another page.", status=409)
    if made:
        adopt(page, name.key)
        reindex(page)
