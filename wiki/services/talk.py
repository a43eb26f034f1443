"""Talking about a page: a new topic, an answer. Both are added to what stands there now, so that people
who write at the same time never clash."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.markup import answers
from wiki.markup.answers import Signed
from wiki.markup.fences import fenced
from wiki.markup.sections import Section, section_text, sections, with_section
from wiki.models import Page, Revision
from wiki.selectors import company
from wiki.services.edit import Draft, clean_text, edit_page
from wiki.services.history import free_slug
from wiki.services.locks import locked_page
from wiki.services.render import NO_TOPIC
from wiki.services.signature import TWICE_MINUTES, sign
from wiki.services.subjects import TALK, talk_title
from wiki.services.summary import mark_of
from wiki.times import in_words

MAX_HEADING = 200  # characters
# A last line to which no signature can be added, or which answers would go on with.
BLOCK = re.compile(r"[|#>]|~~~|```|[ \t]|(?:[-*+]|\d+\.)[ \t]|[-=*_]+[ \t]*$|\*?\[[^\[\]]+\]:")
TILDES_AT_END = re.compile(r"— \[\[User:~\]\], [^\n]{1,40} \(UTC\)\Z")  # as ``signed`` makes them
HEADING = re.compile(r"^(?=#{1,6}(?:[^#]|$)|=+[ \t]*$|-+[ \t]*$)")


def talk_of(page: Page) -> Page | None:
    """The talk page of ``page``, if there is one."""
    return Page.objects.select_related("current").filter(subject=page).first()


def add_topic(*, page_id: int, author: User, heading: str, text: str) -> Revision:
    """Begin a topic about a page, below those that are there; the talk page is made where there is none.

    The text is signed where its author did not sign. Raises WikiError ``no_talk``, ``no_heading``,
    ``long_heading``, ``no_words``, and those of ``edit_page``; then nothing is saved.
    """
    heading = clean_heading(heading)
    said = f"## {heading}\n\n{signed(words(text))}\n"

    def begun(before: str) -> str | None:
        return None if said_before(said, author, before) else f"{before}{said}"

    return _append(page_id, author, heading, begun)


def reply(
    *, page_id: int, author: User, number: int, seen_id: int | None, text: str, to: int = 0
) -> Revision:
    """Answer in a topic of the talk page of a page, below what is said there: an item of a list.

    ``number`` is the section's in revision ``seen_id``, which the author read; ``to`` is the signature in
    that section of an answer that is answered in its turn, 0: the topic itself. Raises WikiError ``no_talk``,
    ``no_topic`` where that topic or answer is gone, ``no_words``, and those of ``edit_page``; then nothing
    is saved.
    """
    talk = talk_of(Page.objects.get(pk=page_id))
    seen = talk.revisions.filter(pk=seen_id).first() if talk else None
    known = sections(seen.text) if seen else []
    if not 0 < number <= len(known):
        raise no_topic()
    asked = known[number - 1]
    said = listed(signed(words(text)))

    def answered(before: str) -> str | None:
        topic = same_topic(seen.text, asked, before)
        now = section_text(before, topic).rstrip()
        lines = now.split("\n")
        place = (
            place_below(section_text(seen.text, asked), to, now) if to else Place(0, len(lines), 0)
        )
        indent = " " * answers.INDENT * place.depth
        item = "\n".join(indent + line if line else "" for line in said.split("\n"))
        if said_before(item, author, "\n".join(lines[place.start : place.end])):
            return None
        above, rest = lines[: place.end], "\n".join(lines[place.end :]).lstrip("\n")
        whole = "\n".join([*above, "", item, "", rest]).rstrip()
        return with_section(before, topic, whole)

    return _append(page_id, author, asked.heading, answered, new=False)


def same_topic(seen: str, asked: Section, now: str) -> Section:
    """The section of the text ``now`` that is section ``asked`` of the text ``seen``. Of several that are
    called so, it is the one that begins with the same words, or is the same in their order.

    Raises WikiError ``no_topic``.
    """
    alike = [
        [section for section in sections(text) if section.heading == asked.heading]
        for text in (seen, now)
    ]
    place = alike[0].index(asked)
    said = section_text(seen, asked).rstrip()
    held = [section for section in alike[1] if section_text(now, section).startswith(said)]
    if len(held) == 1:
        return held[0]
    if len(alike[0]) != len(alike[1]):
        raise no_topic()
    return alike[1][place]


def said_before(said: str, author: User, now: str) -> bool:
    """Whether ``author`` said just this a moment ago in the text ``now``: a form was sent twice."""
    time = timezone.now()
    given = sign(said, name=author.get_username(), now=time).rstrip()
    lines = [re.escape(line) for line in given.split("\n")]
    pattern = "\n".join(lines).replace(re.escape(in_words(time)), r"(?P<time>[^()\n]{1,40})", 1)
    found = re.search(rf"^{pattern}$", now, re.MULTILINE)
    times = [time - timedelta(minutes=minutes) for minutes in range(TWICE_MINUTES + 1)]
    return found is not None and found["time"] in map(in_words, times)


@dataclass(frozen=True)
class Place:
    """Where answers to something stand: from one line to before another, ``depth`` lists deep."""

    start: int
    end: int
    depth: int


def place_below(seen: str, to: int, now: str) -> Place:
    """Where in the topic ``now`` answers stand to that answer which has signature ``to`` in ``seen``, the
    topic as it was read. Raises WikiError ``no_topic``."""
    read, lines = seen.split("\n"), now.split("\n")
    known = answers.signatures(read)
    if not 0 < to <= len(known):
        raise no_topic()
    start = answers.item_around(lines, same_signature(read, known[to - 1], lines))
    if start is None:  # no answer, but the topic itself
        return Place(0, len(lines), 0)
    depth = min(answers.level(lines[start]) + 1, answers.DEEPEST - 1)
    return Place(start + 1, answers.item_end(lines, start), depth)


def same_signature(seen: list[str], mine: Signed, now: list[str]) -> int:
    """The line of ``now`` with the signature ``mine`` of ``seen``: below the same words or, where those were
    changed, the only one of that time. Several are told apart by their order. Raises WikiError
    ``no_topic``."""

    def alike(lines: list[str], *, words: bool) -> list[int]:
        return [
            one.line
            for one in answers.signatures(lines)
            if (one.name, one.time) == (mine.name, mine.time)
            and (not words or lines[one.line].strip() == seen[mine.line].strip())
        ]

    place = alike(seen, words=True).index(mine.line)
    if len(held := alike(now, words=True)) > place:
        return held[place]
    if len(held := alike(now, words=False)) == len(alike(seen, words=False)) == 1:
        return held[0]
    raise no_topic()


def no_topic() -> WikiError:
    return WikiError(
        "no_topic",
        "What you answer is not here any more: somebody renamed or removed it. Nothing is saved; your text is "
        "below. Look at the page first, or begin a new topic.",
        status=409,
    )


@transaction.atomic
def _append(
    page_id: int,
    author: User,
    heading: str,
    change: Callable[[str], str | None],
    *,
    new: bool = True,
) -> Revision:
    """Save the talk page of a page as ``change`` makes it of its text now; None: it stays as it is. The
    lock on the page lets one at a time do so."""
    page = locked_page(page_id)
    if page.namespace == TALK:
        raise WikiError("no_talk", "A talk page has no talk page of its own.")
    talk = talk_of(page)
    current = None
    if talk is not None:
        talk = Page.objects.select_for_update(no_key=True).get(pk=talk.pk)
        current = talk.current
    before = current.text.rstrip() + "\n\n" if current and current.text.strip() else ""
    title = talk.title if talk else talk_title(page)
    text = change(before)
    if text is None:
        return current
    revision, _new = edit_page(
        slug=talk.slug if talk else free_slug(title),
        title=title,
        author=author,
        language=page.language,
        draft=Draft(
            text=text,
            base=current.pk if current else None,
            summary=f"{mark_of(heading)} {'new topic' if new else 'answer'}",
        ),
    )
    return revision


def clean_heading(heading: str) -> str:
    """``heading`` on one line, without the marks of a heading. Raises WikiError ``no_heading`` or
    ``long_heading``."""
    heading = fold_heading(heading)
    if not any(mark.isalnum() for mark in heading):
        raise WikiError("no_heading", "Say in a few words what this is about.", status=422)
    if len(heading) > MAX_HEADING:
        raise WikiError(
            "long_heading",
            f"A heading can have at most {MAX_HEADING} characters; this one has {len(heading):,}.",
            status=422,
        )
    return heading


def fold_heading(heading: str) -> str:
    return " ".join(clean_text(heading).split()).strip("#= ")


def words(text: str) -> str:
    """What somebody says, as it is kept. Raises WikiError ``no_words`` or ``too_long``."""
    text = clean_text(text).strip("\n")
    if not text.strip(" ~\n"):
        raise WikiError(
            "no_words", "There is nothing to save yet: write something first.", status=422
        )
    return text


def signed(text: str) -> str:
    """``text`` with tildes for a signature at its end, where it has none: there its words end."""
    text = text.rstrip()
    if TILDES_AT_END.search(sign(text, name="~", now=timezone.now())):
        return text
    return text + ("\n\n" if BLOCK.match(text.split("\n")[-1]) else " ") + "~~~~"


def listed(text: str) -> str:
    """``text`` as one item of a list. Headings become text, fenced code becomes indented: neither can
    stand in a list."""
    lines = text.lstrip().split("\n")
    blocks = dict(fenced(lines))
    made, number = [], 0
    while number < len(lines):
        if number in blocks:
            code = lines[number + 1 : blocks[number]]
            made += ["", *(f"    {line}" for line in code), ""]
            number = blocks[number]
        else:
            made.append(HEADING.sub(r"\\", lines[number]))
        number += 1
    return "- " + "\n".join(f"    {line}" if line.strip() else "" for line in made).lstrip()


@dataclass(frozen=True)
class TalkTab:
    """Where the tab of a page's talk leads, and how many topics are there; None: no talk page yet."""

    address: str
    count: int | None


def talk_tab(page: Page) -> TalkTab:
    """Reads the text only where nobody has looked at the talk page since it changed."""
    if page.namespace == TALK:
        return TalkTab(page.get_absolute_url(), None)
    found = next((other for other in company(page) if other.subject_id == page.pk), None)
    if found is None:
        return TalkTab(reverse("wiki_talk", args=[page.slug]), None)
    levels = [max(2, section.level) for section in sections(found.unread)]
    levels = levels or [head[0] for head in found.heads or () if NO_TOPIC not in head[3:]]
    return TalkTab(reverse("wiki_page", args=[found.slug]), levels.count(2))
