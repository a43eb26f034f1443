"""Which page a talk page is about: found by its title, kept by row id, so that both may be renamed."""

from wiki.errors import WikiError
from wiki.models import Page, PageName, Watch
from wiki.titles import MAX_TITLE_BYTES, split_namespace, title_key

TALK = "talk"


def talk_title(page: Page) -> str:
    """What the talk page of ``page`` is called; of a very long title as much as a title can hold."""
    return f"Talk:{page.title}".encode()[:MAX_TITLE_BYTES].decode(errors="ignore").strip()


def refuse_no_subject(title: str) -> None:
    """Raises WikiError ``no_subject`` for the title of a talk page without a page to talk about, and
    ``no_talk`` where that is a talk page itself."""
    namespace, name = split_namespace(title)
    if namespace != TALK:
        return
    if split_namespace(name)[0] == TALK:
        raise WikiError("no_talk", "A talk page has no talk page of its own.")
    subject = subject_called(name)
    if subject is None:
        raise WikiError(
            "no_subject",
            f"There is no page called “{name}” to talk about. Write that page first; your text stays "
            "here.",
            status=409,
        )
    if (talk := getattr(subject, "talk", None)) is not None and talk.deleted_at is None:
        raise WikiError(
            "title_taken",
            f"“{subject.title}” has the talk page “{talk.title}” already.",
            status=409,
        )


def subject_called(name: str) -> Page | None:
    found = PageName.objects.select_related("page__talk").filter(key=title_key(name)).first()
    return found.page if found else None


def join(page: Page) -> None:
    """Tie the new ``page`` to the page that it talks about, or to the talk page that waits for it.
    Whoever watches the one watches the other. Inside a caller's transaction."""
    if page.namespace == TALK:
        subject, talk = subject_called(split_namespace(page.title)[1]), page
    else:
        named = PageName.objects.filter(key=title_key(talk_title(page)), page__subject=None)
        name = named.select_related("page").first()
        subject, talk = page, name.page if name else None
    if subject is None or talk is None or subject.namespace == TALK:
        return
    if Page.everything.filter(subject=subject).exclude(pk=talk.pk).exists():
        return
    talk.subject = subject
    talk.save(update_fields=["subject"])
    watchers = Watch.objects.filter(page=subject).values_list("user", flat=True)
    Watch.objects.bulk_create(
        [Watch(user_id=user, page=talk) for user in watchers], ignore_conflicts=True
    )
