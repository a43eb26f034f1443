"""The HTML of a revision: made once, kept, made again when the renderer is another."""

import logging

from django.db import OperationalError

from wiki.markup import Rendered, render, renderer_version
from wiki.markup.headings import served_sections
from wiki.models import Revision
from wiki.services.subjects import TALK

logger = logging.getLogger(__name__)

NO_TOPIC = "no topic"  # fourth in the row of a talk page's heading
KEPT = ["rendered", "rendered_toc", "rendered_unknown", "renderer_version"]


def render_anew(revision: Revision) -> Rendered:
    """What ``revision`` looks like, and what it names; set in its fields ``KEPT``, not saved."""
    version = renderer_version()
    made = render(revision.text, page=revision.page)
    revision.rendered = made.html
    revision.rendered_toc = [list(row) for row in made.toc]
    if revision.page.namespace == TALK:  # a heading in a quote and the like begins no topic
        served = served_sections(revision.text, made)
        for row in revision.rendered_toc:
            row += [] if row[1] in served else [NO_TOPIC]
    revision.rendered_unknown = made.unknown
    revision.renderer_version = version
    return made


def rendered(revision: Revision) -> Rendered:
    """What ``revision`` looks like, from its row where the renderer is the same as then."""
    if revision.text_state == Revision.HIDDEN:  # what is left out of it must not be kept so
        return Rendered(html="")
    if revision.renderer_version != renderer_version():
        render_anew(revision)
        _keep(revision)
    return Rendered(
        html=revision.rendered,
        toc=[(level, anchor, text) for level, anchor, text, *_no_topic in revision.rendered_toc],
        unknown=revision.rendered_unknown,
    )


def _keep(revision: Revision) -> None:
    try:
        revision.save(update_fields=KEPT)
    except OperationalError as error:  # no room, or no time: it can be read all the same
        logger.warning("rendered text not kept: revision=%s error=%s", revision.pk, error)
