"""The talk page of a page: its topics, a new one, an answer. Whatever is refused, the words come back."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from wiki import hooks
from wiki.errors import WikiError
from wiki.markup import Rendered, answers
from wiki.markup.answers import Answer
from wiki.markup.headings import served_sections
from wiki.markup.links import resolve
from wiki.markup.sections import section_text, sections, told_apart
from wiki.models import Page, Revision
from wiki.services import rendered
from wiki.services import talk as talking
from wiki.services.limits import refuse_keeping
from wiki.services.notices import see_page
from wiki.services.rights import may_edit
from wiki.services.subjects import TALK, talk_title
from wiki.services.summary import place_of
from wiki.services.watch import unwatch, watch, watched, wishes
from wiki.times import in_words
from wiki.views.door import answer, door, existing_page, page_context, row_id
from wiki.views.edit_form import csrf_failure

DRAFT = "wiki_talk_draft"  # in the session: the words of somebody who went to log in
LONGEST_PLACE = 200  # characters of an anchor
HEADING = re.compile(r'<(h[2-6]) id="([^"]*)">')


@dataclass(frozen=True)
class Words:
    """What the forms of a talk page send. ``number`` is the section that is answered; 0: a new topic."""

    heading: str = ""
    text: str = ""
    number: int = 0
    to: int = 0  # the signature in that section of the answer that is answered in its turn; 0: none
    seen: int | None = None  # the revision in which section and signature have those numbers
    place: str = ""  # where that answer stands on the page
    watch: bool | None = None  # None: the form had no such box
    action: str = "save"  # save, guest, login

    @classmethod
    def read(cls, data: QueryDict) -> "Words":
        return cls(
            heading=data.get("heading", ""),
            text=data.get("text", "").replace("\r\n", "\n"),
            number=row_id(data.get("topic")) or 0,
            to=row_id(data.get("to")) or 0,
            seen=row_id(data.get("seen")),
            place=data.get("place", "")[:LONGEST_PLACE],
            watch="watch" in data if "can_watch" in data else None,
            action=data.get("action", "save"),
        )


@dataclass(frozen=True)
class Topic:
    """A stretch of a talk page: from a heading to the next. ``number`` 0: what stands before
    the first, or what cannot be answered by itself."""

    pieces: list["Said"]
    number: int = 0
    anchor: str = ""
    heading: str = ""

    @property
    def answered(self) -> bool:
        return any(piece.answer for piece in self.pieces)


@dataclass(frozen=True)
class Said:
    """A stretch of safe HTML, up to the end of the words of ``answer``; None: nobody can be answered
    there."""

    html: SafeString
    answer: Answer | None = None


def topics(revision: Revision, made: Rendered) -> list[Topic]:
    """The HTML of ``revision``, cut before the headings of second level; but for those in quotes and the
    like, and those that cannot be told to be a section of the source.
    """
    html = resolve(made.html, revision.page)
    heads, served = sections(revision.text), served_sections(revision.text, made)
    names = told_apart([text for _level, _anchor, text in made.toc])
    words = {row[1]: name for row, name in zip(made.toc, names, strict=True)}
    cuts = [
        (start, heads[served[start[2]] - 1], words[start[2]])
        for start in HEADING.finditer(html)
        if start[1] == "h2" and start[2] in served
    ]
    if not cuts:
        return [Topic(said(html, Counter()))]
    edges = [start.start() for start, _head, _text in cuts] + [len(html)]
    taken: Counter[str] = Counter()
    parts = [Topic(said(html[: edges[0]], taken))] if html[: edges[0]].strip() else []
    for (start, head, text), end in zip(cuts, edges[1:], strict=True):
        source = section_text(revision.text, head)
        stretch = said(html[start.start() : end], taken, source)
        parts.append(Topic(stretch, head.number, start[2], text))
    return parts


def said(html: str, taken: Counter[str], source: str = "") -> list[Said]:
    """The safe ``html`` of a topic in the stretches of its answers; they can be answered where its
    signatures are those of ``source``."""
    found = answers.pieces(html, taken)
    known = [(one.name, one.time) for one in answers.signatures(source.split("\n"))]
    same = known == answers.signed_by(html)
    return [Said(mark_safe(piece.html), piece.answer if same else None) for piece in found]


@csrf_exempt  # checked by hand below, so that a failure gives the words back
@require_http_methods(["GET", "HEAD", "POST"])
@door
def talk(request: HttpRequest, slug: str) -> HttpResponse:
    """What is said about the page at ``slug``: leads to its talk page, or offers to begin one."""
    page = existing_page(slug)
    if page.namespace == TALK:
        raise WikiError("no_talk", "A talk page has no talk page of its own.", status=404)
    if request.method == "POST":
        return say(request, page)
    kept = request.session.pop(DRAFT, None) if request.user.is_authenticated else None
    form = Words(**kept["words"]) if kept and kept["page"] == page.pk else None
    if slug != page.slug and form is None:
        return redirect("wiki_talk", page.slug)
    found = talking.talk_of(page)
    if found is not None and form is None:
        return redirect(found)
    note = "Here is what you wrote before you logged in." if form else ""
    return talk_page(request, page, found, form, note=note)


def say(request: HttpRequest, page: Page) -> HttpResponse:
    form = Words.read(request.POST)
    try:
        if csrf_failure(request):
            raise WikiError(
                "session_ended",
                "Your session had ended, so nothing is saved yet. Your text is here: save it again.",
                status=403,
            )
        if form.action == "login" and not request.user.is_authenticated:
            return to_login(request, page, form)
        revision = take(request, page, form)
    except WikiError as error:
        return talk_page(request, page, talking.talk_of(page), form, error=error)
    set_watch(request, page, form)
    messages.success(request, "Saved.")
    return redirect(revision.page.get_absolute_url() + topic_place(revision, form))


def take(request: HttpRequest, page: Page, form: Words) -> Revision:
    """Save what ``form`` says; a stranger who wants so is a guest from now on."""
    talking.words(form.text)
    if form.action == "guest" and not request.user.is_authenticated:
        hooks.make_guest(request)
    if not request.user.is_authenticated:
        raise WikiError(
            "who_are_you",
            "Nothing is saved yet: save as a guest with one click, or log in. Your text stays.",
            status=403,
        )
    if form.number:
        return talking.reply(
            page_id=page.pk,
            author=request.user,
            number=form.number,
            seen_id=form.seen,
            to=form.to,
            text=form.text,
        )
    return talking.add_topic(
        page_id=page.pk, author=request.user, heading=form.heading, text=form.text
    )


def to_login(request: HttpRequest, page: Page, form: Words) -> HttpResponse:
    """Keep the words in the session and go to log in; the talk page finds them afterwards. Raises
    WikiError for words that could not be saved either, and for haste."""
    talking.words(form.text)
    if not form.number:
        talking.clean_heading(form.heading)
    refuse_keeping()
    words = {name: getattr(form, name) for name in Words.__dataclass_fields__ if name != "action"}
    request.session[DRAFT] = {"page": page.pk, "words": words}
    back = reverse("wiki_talk", args=[page.slug])
    return redirect(f"{reverse('account_login')}?{urlencode({'next': back})}")


def set_watch(request: HttpRequest, page: Page, form: Words) -> None:
    """Put the page on the watch list or take it off, as the form says. The words are saved."""
    if form.watch is None:
        return
    try:
        (watch if form.watch else unwatch)(page=page, user=request.user)
    except WikiError as error:
        messages.warning(request, error.message)


def topic_place(revision: Revision, form: Words) -> str:
    """Where what was said stands in ``revision``, the talk page as saved: the topic that was begun, the
    answer, else the topic that was answered."""
    if not form.number:
        return place_of(revision, form.heading, -1)
    revision.page = Page.objects.get(pk=revision.page_id)
    mine = (revision.author_name, in_words(revision.timestamp))
    found = topics(revision, rendered(revision))
    said_by_me = [
        piece.answer.anchor
        for topic in found
        for piece in topic.pieces
        if piece.answer and (piece.answer.name, piece.answer.time) == mine
    ]
    if said_by_me:
        return f"#{said_by_me[-1]}"
    heads = [section.heading for section in sections(Revision.objects.get(pk=form.seen).text)]
    heading = heads[form.number - 1]  # as its author read it
    return place_of(revision, heading, heads[: form.number - 1].count(heading))


def talk_page(
    request: HttpRequest,
    page: Page,
    found: Page | None,
    form: Words | None = None,
    *,
    error: WikiError | None = None,
    note: str = "",
) -> HttpResponse:
    """The talk page ``found`` of ``page`` with its forms; ``form`` holds what was not saved."""
    if error is not None and error.code == "no_topic" and form is not None:
        form = replace(form, number=0, to=0, place="")
    context = page_context(request, found, "read") if found else page_context(request, page, "talk")
    context |= talk_context(request, page, found, form)
    context |= {"error": error, "note": note}
    if found is not None:
        see_page(found, request.user)
    return answer(request, "wiki/talk.html", context, error)


def talk_context(
    request: HttpRequest, page: Page | None, found: Page | None, form: Words | None = None
) -> dict[str, Any]:
    """What the body of a talk page needs; ``page`` None: what it was about is not here."""
    revision = found.current if found is not None else None
    context: dict[str, Any] = {"subject": page, "revision": revision, "form": form or Words()}
    context["talk_title"] = found.title if found else talk_title(page)
    context["may_talk"] = page is not None and may_edit(found, request.user)
    if revision is not None and revision.text_state == Revision.TextState.PRESENT:
        revision.page = found
        made = rendered(revision)
        context["topics"] = topics(revision, made)
        begun = {topic.anchor for topic in context["topics"]}
        context["toc"] = [row for row in made.toc if row[1] in begun]
        context["unknown"] = made.unknown
    if form is not None and form.number:
        context["form"] = opened(form, context.get("topics", []))
    if request.user.is_authenticated and page is not None:
        wanted = form.watch if form is not None and form.watch is not None else None
        if wanted is None:
            mine = watched(found or page, request.user)  # who watches the one watches the other
            wanted = mine is not None or wishes(request.user).add_edited
        context["watch"] = wanted
    return context


def opened(form: Words, found: list[Topic]) -> Words:
    """``form`` at a place that the page has: what cannot be put below its topic any more begins one."""
    places = {piece.answer.anchor for topic in found for piece in topic.pieces if piece.answer}
    place = form.place if form.to and form.place in places else ""
    if place or any(topic.number == form.number for topic in found):
        return replace(form, place=place, to=form.to if place else 0)
    return replace(form, number=0, to=0, place="")


def asked(request: HttpRequest) -> Words | None:
    """The form that an address asks to be open, ``?answer=`` the place of an answer."""
    place = request.GET.get("answer", "")[:LONGEST_PLACE]
    return Words(number=-1, to=-1, place=place) if place else None


def read_talk(request: HttpRequest, page: Page, context: dict[str, Any]) -> HttpResponse:
    """The talk page ``page`` as one reads it now; ``context`` is that of its frame."""
    see_page(page, request.user)
    context |= talk_context(request, page.subject, page, asked(request))
    return render(request, "wiki/talk.html", context)
