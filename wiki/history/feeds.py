"""Atom feeds that carry the full text of every revision.

The shape is the one that other wikis give for contributions, so that a reader, or an importer,
finds what it knows: entry title is the page's title, ``updated`` the time of the edit, and the
summary (HTML) is ``<p>user: summary</p><hr /><div>text</div>`` with the text escaped and a ``<br />``
before each line end. Imported revisions give back their title and wikitext as they were read.
"""

import hashlib
import re
from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.http import quote_etag

from wiki.models import Revision

# What XML 1.0 cannot hold.
UNSPEAKABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def original_text(revision: Revision) -> str:
    """The text as it was written: wikitext for imported revisions, else Markdown."""
    return revision.text if revision.source_text is None else revision.source_text


def entry_html(revision: Revision) -> str:
    text = str(escape(original_text(revision))).replace("\n", "<br />\n")
    byline = f"{escape(revision.author_name)}: {escape(revision.summary)}"
    return f"<p>{byline}</p>\n<hr />\n<div>{text}</div>"


def plain(text: str) -> str:
    return UNSPEAKABLE.sub("", text)


def feed_response(
    request: HttpRequest, *, title: str, html_url: str, revisions: Iterable[Revision]
) -> HttpResponse:
    """An Atom feed of dated ``revisions``, newest first; 304 to a reader that has it as it is."""
    absolute = request.build_absolute_uri
    feed = Atom1Feed(
        title=plain(title),
        link=absolute(html_url),
        feed_url=absolute(request.get_full_path()),
        description=None,
        language="en",
    )
    for revision in revisions:
        link = reverse("wiki_diff", args=[revision.page.slug, revision.parent_id or 0, revision.pk])
        feed.add_item(
            title=plain(revision.origin_title or revision.page.title),
            link=absolute(link),
            description=plain(entry_html(revision)),
            author_name=plain(revision.author_name),
            unique_id=f"tag:parlour,2026:wiki:revision:{revision.pk}",
            updateddate=revision.timestamp,
            pubdate=revision.timestamp,
        )
    content = feed.writeString("utf-8").encode()
    tag = quote_etag(hashlib.sha256(content).hexdigest()[:32])
    response = HttpResponse(
        content,
        content_type="application/atom+xml; charset=utf-8",
        headers={"ETag": tag, "Cache-Control": "no-cache"},
    )
    return get_conditional_response(request, etag=tag, response=response)
