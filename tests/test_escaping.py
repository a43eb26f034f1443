"""Whatever anybody typed is text on every page: marks are planted in all fields, and every page is read."""

from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from urllib.parse import quote, urljoin, urlsplit
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from games.models import ChatMessage, SeatNote, Table
from games.services import open_table, play_now
from portal import addresses, blocks
from portal.models import User
from wiki.models import ImportSource, Page, PageName, Revision
from wiki.services import Draft, edit_page, renumber
from wiki.services.delete import delete_page
from wiki.services.drafts import Written, save_draft
from wiki.services.hide import set_hidden
from wiki.services.history import sha1
from wiki.services.protect import protect
from wiki.services.rename import rename
from wiki.services.talk import add_topic, reply
from wiki.services.tokens import make_token
from wiki.services.user_groups import set_groups
from wiki.services.watch import watch
from wiki.titles import make_slug

pytestmark = pytest.mark.django_db
MOST_PAGES = 400


def mark(field: str) -> str:
    """What would become an element with ``data-planted``, wherever it is not escaped."""
    return f"\"'></script></title></textarea><img data-planted={field} src=x onerror=alert(1)>"


class Reader(HTMLParser):
    """The links of a page, and the planted marks that became elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.links: set[str] = set()
        self.marks: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if "data-planted" in given or any(name.startswith("on") for name in given):
            self.marks.append(f"{tag} {given}")
        for name in ("href", "src", "action", "formaction", "hx-get", "hx-post"):
            address = (given.get(name) or "").strip()
            if address.lower().startswith(("javascript:", "data:", "vbscript:")):
                self.marks.append(f"{tag} {name}={address}")
            elif name in ("href", "hx-get") and address:
                self.links.add(address)


def plant() -> User:
    """A site with marks in every field that people fill; returns somebody who may see much of it."""
    user = User.objects.create_user(mark("name")[:150], password="pass", is_staff=True)
    other = User.objects.create_user(mark("other")[:150], password="pass")
    title = "Title " + mark("title")
    text = "\n\n".join(
        [
            f"## {mark('heading')}",
            mark("text"),
            f"{{{{{mark('shortcode')}|{mark('argument')}}}}}",
            f"[[{mark('target')}|{mark('label')}]]",
            f"[{mark('words')}](javascript:alert(1)) <a href='javascript:alert(1)'>x</a>",
            f"![{mark('alt')}](file:X.png)",
            f"| {mark('cell')} |\n| - |\n| x |",
            f"```\n{mark('code')}\n```",
        ]
    )
    page = None
    for number, author in enumerate((user, other, user)):
        draft = Draft(
            text=f"{text}\n\n{number}\n",
            base=page and page.current_id,
            summary=f"/* {mark('section')} */ {mark('summary')}",
        )
        revision, _new = edit_page(slug=make_slug(title), title=title, author=author, draft=draft)
        page = revision.page
    alias = "Alias " + mark("alias")
    PageName.objects.create(page=page, title=alias, key=alias, slug=make_slug(alias))
    plant_import(page)
    protect(page_id=page.pk, level="accounts", span="week", reason=mark("reason"), moderator=user)
    watch(page=page, user=user)
    edit_page(
        slug="hearts",
        title="Hearts",
        author=other,
        draft=Draft(text=text, summary=mark("on the page of a game")),
    )
    Page.objects.filter(slug="hearts").update(game="hearts")
    plant_table(user, other)
    return user


def plant_import(page: Page) -> None:
    source = ImportSource.objects.create(
        site=mark("site"), kind="feed-text", sha256="0" * 64, file_name=mark("file")
    )
    Revision.objects.create(
        page=page,
        author_name=mark("imported author"),
        timestamp=datetime(2019, 6, 12, tzinfo=UTC),
        summary=mark("imported summary"),
        text=mark("imported text"),
        text_sha1=sha1(mark("imported text")),
        size=10,
        origin=source,
        origin_title=mark("origin title"),
        origin_key="k",
        source_text=mark("wikitext"),
        warnings=[mark("warning")],
    )
    renumber(page)


def plant_table(user: User, other: User) -> None:
    """A table that waits for people and one that runs, with chat and notes."""
    open_table(player=other, game="hearts", seats=["open", "open", "bot"])
    running = play_now(player=user, game="nibble")
    for table in Table.objects.all():
        ChatMessage.objects.create(
            table=table, user=other, name=other.username, text=mark("chat"), at=timezone.now()
        )
    SeatNote.objects.create(table=running, user=user, text=mark("note"), saved_at=timezone.now())


def plant_care(user: User) -> list[str]:
    """Marks in what is said while the wiki is looked after; returns where that is read."""
    other = User.objects.get(username=mark("other")[:150])
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    user = User.objects.get(pk=user.pk)
    page = Page.objects.get(title__startswith="Title")
    spoken = f"[[Category:{mark('category')}]] [[Talk:{mark('talk')}]] ~~~~"
    made = {
        title: edit_page(
            slug=make_slug(title), title=title, author=user, draft=Draft(text=text, unnamed=True)
        )[0].page
        for title, text in (
            (f"Category:{mark('category')}", f"{spoken} {mark('about')}"),
            (f"To {mark('redirect')}", f"#REDIRECT [[{page.title}#{mark('place')}]]"),
            (f"Lost {mark('redirect')}", f"#REDIRECT [[{mark('nowhere')}]]"),
            (f"Gone {mark('gone')}", f"{spoken} gone"),
            ("File:X.png", mark("description")),
        )
    }
    gone, file = made[f"Gone {mark('gone')}"], made["File:X.png"]
    file.file_versions.create(
        number=1, sha256="0" * 64, sent_sha256="0" * 64, kind="png", width=9, height=9, size=9,
        licence="by", source=mark("source"), comment=mark("comment"), uploader=user,
        uploader_name=user.username, uploaded_at=timezone.now(), hidden_reason=mark("why gone"),
    )  # fmt: skip
    talk = add_topic(page_id=page.pk, author=other, heading=mark("topic"), text=mark("said")).page
    reply(page_id=page.pk, author=user, number=1, seen_id=talk.current_id, text=mark("answer"))
    rename(
        page_id=page.pk,
        author=user,
        seen=page.title,
        title=f"New {mark('new')}",
        reason=mark("why"),
    )
    page.refresh_from_db()
    old = page.revisions.order_by("number").first()
    set_hidden(revision_id=old.pk, parts=["summary"], reason=mark("hidden why"), person=user)
    delete_page(page_id=gone.pk, reason=mark("deleted why"), person=user)
    set_groups(name=other.username, groups=["reviewer"], reason=mark("group why"), by=user)
    blocks.block(person=other, by=user, reason=mark("block why"), days=1, wiki_only=True)
    addresses.block_range(
        text="192.0.2.0/24", by=user, reason=mark("range why"), days=1, accounts_too=False
    )
    make_token(user=user, name=mark("token")[:100], writes=True, lifetime="week")
    save_draft(
        user=user, slug=page.slug, known="", written=Written(text=mark("draft"), title=page.title)
    )
    at = f"/wiki/{page.slug}/"
    name = quote(other.username, safe="")
    return [
        *(f"{at}{rest}" for rest in ("", "talk/", "history/", "links/", "rename/", "language/")),
        *(f"{at}{rest}" for rest in ("delete/", "export/", "?printable=yes", "edit/?undo=1")),
        *(f"{at}hide/{old.pk}/", f"{at}?rev={old.pk}", f"{at}revert/{old.pk}/"),
        *(f"/wiki/{one.slug}/?redirect=no" for one in made.values()),
        *(one.get_absolute_url() for one in (talk, file)),
        f"{talk.get_absolute_url()}history/",
        f"{talk.get_absolute_url()}edit/",
        *(f"/wiki/{rest}" for rest in ("log/", "drafts/", "notices/", "categories/", "files/")),
        *(f"/wiki/reports/{rest}/" for rest in ("wanted", "broken-redirects", "double-redirects")),
        *(f"/wiki/reports/{rest}/" for rest in ("deleted", "blocks", "groups", "orphans")),
        f"/wiki/reports/deleted/{gone.pk}/",
        f"/wiki/{make_slug('Gone ' + mark('gone'))}/",
        f"/wiki/search/?q={quote(mark('query'))}&in=all",
        f"/wiki/nothing/?title={quote(mark('nothing'))}",
        f"/wiki/log/?by={quote(mark('by'))}&of={quote(mark('of'))}",
        f"/people/{name}/",
        f"/wiki/contributions/{name}/",
        f"/wiki/contributions/{name}/revert/",
        "/wiki/watchlist/",
        "/wiki/changes/?unpatrolled=1",
        "/accounts/tokens/",
    ]


def crawl(client: Client, start: str) -> Iterator[tuple[str, object]]:
    """Every page of the site that links lead to, once for each path and a few for its queries."""
    todo, seen = [start], {start}
    while todo and len(seen) < MOST_PAGES:
        address = todo.pop(0)
        answer = client.get(address)
        yield address, answer
        if not answer.get("Content-Type", "").startswith("text/html"):
            continue
        links = set()
        if "Location" in answer:
            links.add(answer["Location"])
        else:
            reader = Reader()
            reader.feed(answer.content.decode())
            links = reader.links
        for link in links:
            parts = urlsplit(urljoin(address, link))
            way = parts.path + (f"?{parts.query}" if parts.query else "")
            if parts.netloc or way in seen or parts.path.startswith(("/static/", "/admin/")):
                continue
            if not parts.path.startswith("/accounts/logout"):
                seen.add(way)
                todo.append(way)


def test_nothing_anybody_typed_becomes_markup_anywhere() -> None:
    user = plant()
    client, visited, found = Client(), set(), []
    client.force_login(user)
    for address, answer in crawl(client, "/"):
        assert answer.status_code < 500, address
        visited.add(address.split("?")[0])
        kind = answer.get("Content-Type", "")
        if kind.startswith("text/html"):
            reader = Reader()
            reader.feed(answer.content.decode())
            found += [f"{address}: {one}" for one in reader.marks]
        elif "xml" in kind:
            elements = ElementTree.fromstring(answer.content).iter()
            found += [address for one in elements if one.tag.endswith("img")]
        else:
            assert answer["X-Content-Type-Options"] == "nosniff", address
    assert found == []
    slug = Page.objects.exclude(slug="hearts").get().slug
    parts = ["", "history/", "edit/", "source/", "protect/", "history/feed/"]
    wanted = {f"/wiki/{slug}/{part}" for part in parts}
    wanted |= {"/wiki/changes/", "/wiki/watchlist/", "/wiki/reports/shortcodes/", "/wiki/hearts/"}
    assert not wanted - visited
    for start in ("/wiki/contributions/", f"/wiki/{slug}/diff/", "/tables/", "/people/"):
        assert any(way.startswith(start) for way in visited), start


def test_nothing_said_while_caring_for_the_wiki_becomes_markup() -> None:
    user = plant()
    places = plant_care(user)
    keeper = Client()
    keeper.force_login(user)
    found = []
    for client in (Client(), keeper):
        for address in places:
            answer = client.get(address, follow=True)
            assert answer.status_code < 500, address
            if client is keeper:
                assert answer.status_code in (200, 404, 409, 410), address
            reader = Reader()
            reader.feed(answer.content.decode())
            found += [f"{address}: {one}" for one in reader.marks]
    assert found == []
