"""How fast and how much somebody may write: guests and new accounts less than others, so that nobody
fills the wiki with advertising faster than people can take it away.

The numbers are settings (docs/operations.md, "Settings"). Reviewers and moderators have no limits.
"""

import html
import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from portal import visitor
from portal.models import User
from wiki.errors import WikiError
from wiki.markup import render
from wiki.models import LogEntry, Page, Revision
from wiki.services.render import rendered
from wiki.services.rights import is_established, is_reviewer

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
GUEST, NEW, ESTABLISHED = range(3)  # places in the settings
HREF = re.compile(r'href="(https?:[^"]*)"', re.IGNORECASE)
SCHEME = re.compile(
    r"(https?):[/\\]*", re.IGNORECASE
)  # browsers read it so, with any such signs after
COUNTED = (Revision.Event.EDIT, Revision.Event.LANGUAGE)  # what everybody may do, and does fast
MOST_COUNTED = 1000  # of what somebody did in an hour; a limit above it is none
KEPT_COUNT = 7200  # seconds, longer than what is counted lasts
KEPT_ADDRESS = 14 * 86400  # seconds for which the address that somebody wrote from is known


def standing(person: User) -> int | None:
    """``GUEST``, ``NEW`` or ``ESTABLISHED``; None: without limits."""
    if person.is_guest:
        return GUEST
    if is_reviewer(person):
        return None
    return ESTABLISHED if is_established(person) else NEW


def refuse_limits(page: Page, author: User, text: str) -> None:
    """Before ``author`` saves ``text`` as ``page``, which has no revision where it is new, or changes its
    language. Raises WikiError ``slow_down`` (with ``retry_after``) or ``outside_links``."""
    rank = standing(author)
    if rank is None:
        return
    one_at_a_time(author)
    now = timezone.now()
    done = Revision.objects.filter(author=author, created_at__gt=now - HOUR, event__in=COUNTED)
    a_minute, an_hour = settings.WIKI_EDITS_PER_MINUTE[rank], settings.WIKI_EDITS_PER_HOUR[rank]
    if a_minute or an_hour:
        latest = done.order_by("-created_at").values_list("created_at", flat=True)
        times = list(latest[: min(MOST_COUNTED, max(a_minute, an_hour))])
        refuse_haste("edit", times, now, a_minute, MINUTE)
        refuse_haste("edit", times, now, an_hour, HOUR)
    if page.current_id is None and (most := settings.WIKI_NEW_PAGES_PER_HOUR[rank]):
        made = done.filter(parent=None).order_by("-created_at")
        times = list(made.values_list("created_at", flat=True)[:most])
        refuse_haste("new page", times, now, most, HOUR)
    if rank == GUEST:
        count_tries("guest edit", network_here(), settings.WIKI_GUEST_EDITS_PER_ADDRESS)
    if rank in (GUEST, NEW):
        refuse_outside_links(page, text, rank)


def refuse_renames(person: User) -> None:
    """Raises WikiError ``slow_down`` where ``person`` renamed many pages within an hour."""
    rank = standing(person)
    if rank is None:
        return
    one_at_a_time(person)
    now = timezone.now()
    done = LogEntry.objects.filter(actor=person, kind=LogEntry.Kind.RENAME, at__gt=now - HOUR)
    times = list(done.order_by("-at").values_list("at", flat=True)[:MOST_COUNTED])
    refuse_haste("renaming", times, now, settings.WIKI_RENAMES_PER_HOUR[rank], HOUR)


def one_at_a_time(person: User) -> None:
    """Until this transaction ends no other counts what ``person`` did: of many edits sent at the same
    moment to different pages each would find room."""
    list(User.objects.select_for_update(no_key=True).filter(pk=person.pk).values_list("pk"))


def refuse_uploads(person: User) -> None:
    """One more attempt of ``person`` to upload, whatever comes of it. Raises WikiError ``slow_down``."""
    rank = standing(person)
    if rank is not None:
        count_tries("upload", str(person.pk), settings.WIKI_UPLOADS_PER_HOUR[rank])


def refuse_keeping() -> None:
    """One more text that is kept for somebody at this address who is nobody yet and goes to log in.
    Raises WikiError ``slow_down``."""
    count_tries("kept text", network_here(), settings.WIKI_GUEST_EDITS_PER_ADDRESS)


def refuse_haste(
    what: str, times: Sequence[datetime], now: datetime, most: int, within: timedelta
) -> None:
    """Raises WikiError ``slow_down`` where ``most`` (0: any number) of ``times``, the latest first, lie
    within that span."""
    recent = [time for time in times if time > now - within]
    if most and len(recent) >= most:
        wait = (recent[most - 1] + within - now).total_seconds()
        raise slow_down(what, most, within, max(1, int(wait) + 1))


def count_tries(what: str, whose: str, most: int) -> None:
    """One more try within the hour that began with the first. Raises WikiError ``slow_down`` after
    ``most`` (0: any number)."""
    if not most or not whose:
        return
    now = timezone.now()
    key = f"wiki.tries.{what.replace(' ', '-')}.{whose.replace(':', '-')}"
    ends = cache.get_or_set(f"{key}.ends", now + HOUR, timeout=KEPT_COUNT)
    if ends is None or ends <= now:
        ends = now + HOUR
        cache.set(f"{key}.ends", ends, timeout=KEPT_COUNT)
    count_key = f"{key}.{int(ends.timestamp())}"
    cache.add(count_key, 0, timeout=KEPT_COUNT)
    try:
        count = cache.incr(count_key)  # at once: tries that come together are counted all
    except ValueError:  # Redis went away or came back just now
        return
    if count > most:
        raise slow_down(what, most, HOUR, int((ends - now).total_seconds()) + 1)


def network_here() -> str:
    """The address of this request, of version 6 its network: one household has all of that."""
    return visitor.network(visitor.address.get())


def slow_down(what: str, most: int, within: timedelta, wait: int) -> WikiError:
    span = "a minute" if within == MINUTE else "an hour"
    named = f"{most} {what}{'' if most == 1 else 's'}"
    return WikiError(
        "slow_down",
        f"That is faster than we take it: {named} within {span} are as many as you may make here. "
        f"Nothing is saved yet, and nothing is lost: try again in {in_words(wait)}.",
        status=429,
        retry_after=wait,
    )


def in_words(seconds: int) -> str:
    """A time to wait: "40 seconds", "3 minutes"."""
    if seconds < 90:
        return f"{seconds} second{'' if seconds == 1 else 's'}"
    return f"{-(-seconds // 60)} minutes"


def refuse_outside_links(page: Page, text: str, rank: int) -> None:
    """Raises WikiError ``outside_links`` where ``text`` leads to other sites more often than the page
    does now by more than may be added, or to sites to which the page does not lead."""
    most_links, most_hosts = settings.WIKI_OUTSIDE_LINKS[rank], settings.WIKI_OUTSIDE_HOSTS[rank]
    if (most_links < 0 and most_hosts < 0) or not SCHEME.search(html.unescape(text)):
        return
    after = outside(render(text, page=page).html)
    before = Counter[str]()
    if page.current is not None:
        page.current.page = page
        before = outside(rendered(page.current).html)
    added = after - before
    new_hosts = sorted({host_of(link) for link in added} - {host_of(link) for link in before})
    why = "guests" if rank == GUEST else "accounts that are new here"
    if 0 <= most_hosts < len(new_hosts):
        may = "none" if not most_hosts else f"at most {most_hosts}"
        raise outside_links(
            f"This leads to {', '.join(new_hosts[:3])}, which the page did not do before; {why} may "
            f"add {may} of such sites."
        )
    if 0 <= most_links < (count := sum(added.values())):
        raise outside_links(
            f"This adds {count} links to other sites, such as {next(iter(added))[:200]}; {why} may "
            f"add {most_links or 'none'} in one edit."
        )


def outside_links(reason: str) -> WikiError:
    return WikiError(
        "outside_links",
        f"{reason} Nothing is saved yet: take the links out, and save again. Advertising is why.",
        status=422,
    )


def outside(made: str) -> Counter[str]:
    """Addresses on other sites to which rendered HTML leads, with how often."""
    own = host_of(settings.SITE_URL)
    found = (html.unescape(address) for address in HREF.findall(made))
    return Counter(address for address in found if host_of(address) != own)


def host_of(address: str) -> str:
    """The site of an address, without "www."; the address itself where it cannot be read."""
    address = SCHEME.sub(r"\1://", address, count=1).replace("\\", "/")
    try:
        return (urlsplit(address).hostname or address).removeprefix("www.")
    except ValueError:
        return address


def remember_address(person: User) -> None:
    """Keep for some days where ``person`` wrote from, so that a moderator can block that too."""
    if address := visitor.address.get():
        cache.set(f"wiki.wrote-from.{person.pk}", address, timeout=KEPT_ADDRESS)


def wrote_from(person: User) -> str:
    """The address from which ``person`` wrote last, if that is still known; nobody is shown it."""
    return cache.get(f"wiki.wrote-from.{person.pk}") or ""
