"""Pages, their names and their revisions. Nothing here is deleted or changed by an edit."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils import timezone

from portal.templatetags.addresses import address


class ImportSource(models.Model):
    """A file that was read by an import."""

    site = models.CharField(max_length=255, blank=True)
    kind = models.CharField(max_length=20)  # "feed-text", "page-text"
    sha256 = models.CharField(max_length=64, unique=True)  # of the bytes of the file
    file_name = models.CharField(max_length=255)
    loaded_at = models.DateTimeField(auto_now_add=True)
    feed_owner = models.CharField(max_length=255, blank=True)
    language = models.CharField(max_length=16, blank=True)

    def __str__(self) -> str:
        return self.file_name


class PageGroup(models.Model):
    """Pages that tell the same thing in several languages, at most one in each."""

    def __str__(self) -> str:
        return f"group {self.pk}"


class LivePages(models.Manager):
    """All pages but the deleted ones."""

    def get_queryset(self) -> models.QuerySet:
        return super().get_queryset().filter(deleted_at=None)


class Page(models.Model):
    """A page: what it is called, which game it tells about, and which revision is read now.

    A deleted page keeps its revisions and gives up its slug and its names, which it remembers.
    """

    class Protection(models.TextChoices):
        OPEN = "open", "Everybody may edit"
        ACCOUNTS = "accounts", "People with an account may edit"
        ESTABLISHED = "established", "Established accounts may edit"
        REVIEWERS = "reviewers", "Only reviewers may edit"
        MODERATORS = "staff", "Only moderators may edit"
        ADMINS = "admins", "Only admins may edit"

    title = models.CharField(max_length=255)  # the display title
    slug = models.SlugField(max_length=255, unique=True, allow_unicode=True)
    language = models.CharField(max_length=16, default="en")
    game = models.CharField(max_length=64, blank=True, db_index=True)  # a game's slug, or none
    namespace = models.CharField(max_length=10, blank=True)  # "", "file", "talk", "category"
    subject = models.OneToOneField(  # of a talk page: the page that is talked about
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="talk"
    )
    group = models.ForeignKey(
        PageGroup, null=True, blank=True, on_delete=models.SET_NULL, related_name="pages"
    )
    redirect_title = models.CharField(max_length=255, blank=True)  # where the text redirects to
    redirect_to = models.ForeignKey(  # the page of that title; none: a broken redirect
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="redirects"
    )
    protection = models.CharField(
        max_length=12, choices=Protection.choices, default=Protection.OPEN
    )
    protected_until = models.DateTimeField(null=True, blank=True)  # null: until it is changed
    protection_reason = models.CharField(max_length=300, blank=True)
    rename_protection = models.CharField(
        max_length=12, choices=Protection.choices, default=Protection.OPEN
    )
    rename_protected_until = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True, db_index=True)
    deleted_by = models.CharField(max_length=255, blank=True)
    deleted_reason = models.CharField(max_length=500, blank=True)
    deleted_names = models.JSONField(default=list, blank=True)  # titles; the slug comes first
    current = models.ForeignKey(
        "Revision", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LivePages()
    everything = models.Manager()  # noqa: DJ012

    class Meta:
        permissions = [
            ("protect_page", "Can protect pages: a moderator of the wiki"),
            ("patrol_revision", "Can mark changes as patrolled"),
            ("rollback", "Can roll back the last edits of a person with one click"),
            ("rename_page", "Can rename pages that are protected from it"),
            ("remove_page", "Can delete and undelete pages"),
            ("hide_revision", "Can hide what a revision says, or who wrote it"),
            ("mass_revert", "Can take back all edits of a person"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        kind = "wiki_file" if self.namespace == "file" else "wiki_page"
        return address(kind, self.slug)

    @property
    def level(self) -> str:
        """The protection in force now: one that ran out is none."""
        over = self.protected_until is not None and self.protected_until <= timezone.now()
        return self.Protection.OPEN if over else self.protection

    @property
    def leads_to(self) -> "Page | None":
        """The page that one who asks for this one reads, where this one redirects to another."""
        to = self.redirect_to
        return to if to is not None and to.deleted_at is None else None

    @property
    def rename_level(self) -> str:
        """The protection from being renamed that is in force now."""
        until = self.rename_protected_until
        over = until is not None and until <= timezone.now()
        return self.Protection.OPEN if over else self.rename_protection

    @property
    def level_words(self) -> str:
        return str(self.Protection(self.level).label)


class PageName(models.Model):
    """A name that leads to a page: its title, an alias, an imported title."""

    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="names")
    title = models.CharField(max_length=255)
    key = models.CharField(max_length=255, unique=True)  # wiki.titles.title_key(title)
    slug = models.SlugField(max_length=255, allow_unicode=True, db_index=True)

    def __str__(self) -> str:
        return self.title


class PageLink(models.Model):
    """What the current text of a page names, kept in step with it by the same transaction.

    ``target`` is the page that the name led to when it was saved: the link follows it whatever it is
    called later. Of a shortcode and a category without a page there is none.
    """

    class Kind(models.TextChoices):
        LINK = "link", "link"
        CATEGORY = "category", "category"
        FILE = "file", "file"

    source = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="links")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    key = models.CharField(max_length=255, db_index=True)  # wiki.titles.title_key(title)
    title = models.CharField(max_length=255)  # as the text writes it
    target = models.ForeignKey(
        Page, null=True, blank=True, on_delete=models.SET_NULL, related_name="linked_from"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["source", "kind", "key"], name="one_link_a_name")
        ]

    def __str__(self) -> str:
        return f"{self.source_id} to {self.title}"


class Revisions(models.QuerySet):
    """Revisions with all that is hidden; after ``seen_if`` as somebody may see them."""

    _sees: Callable[[], bool] | None = None

    def seen_if(self, sees: Callable[[], bool]) -> "Revisions":
        """The same rows; where ``sees()`` is False, each without what is hidden of it. Only whole rows
        are: ``values`` and the like must leave out the hidden ones by a filter."""
        rows = self._chain()
        rows._sees = sees
        return rows

    def _clone(self) -> "Revisions":
        rows = super()._clone()
        rows._sees = self._sees
        return rows

    def _fetch_all(self) -> None:
        fresh = self._result_cache is None
        super()._fetch_all()
        if fresh:
            for row in self._result_cache:
                self._cover(row)

    def iterator(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        for row in super().iterator(*args, **kwargs):
            self._cover(row)
            yield row

    def _cover(self, row: Any) -> None:
        if self._sees is not None and isinstance(row, Revision) and row.hides and not self._sees():
            row.cover()


class Revision(models.Model):
    """One state of a page's text, with who saved it, when and why.

    Sizes are bytes of UTF-8. ``number`` counts a page's revisions from 1 by time and may change
    when older ones are imported; addresses use the row's id.
    """

    TEXTS = ("text", "source_text", "rendered")  # the long fields; lists leave them out
    MADE = ("warnings", "rendered_toc", "rendered_unknown")  # what else only reading one row asks
    HIDES = ("text_hidden", "summary_hidden", "author_hidden")
    NAME_HIDDEN = "name hidden"  # in place of an author's name
    HIDDEN = "hidden"  # the ``text_state`` of a covered row without its text
    covered = False  # whether what is hidden is left out of this object, which is then only to read

    class Event(models.TextChoices):
        EDIT = "", "edit"
        PROTECTION = "protection", "protection"
        RENAME = "rename", "rename"
        DELETION = "deletion", "deletion"
        UNDELETION = "undeletion", "undeletion"
        LANGUAGE = "language", "language"

    class TextState(models.TextChoices):
        PRESENT = "present", "text"
        BLANK = "blank", "blanked"
        FILE = "file", "file not available"
        MISSING = "missing", "text not available"

    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField(default=0)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="wiki_revisions",
    )
    author_name = models.CharField(max_length=255, db_index=True)
    timestamp = models.DateTimeField(null=True, blank=True, db_index=True)  # null: undated
    summary = models.TextField(blank=True)
    minor = models.BooleanField(default=False)
    # A row that tells of something else than a new text repeats the text before it.
    event = models.CharField(max_length=12, choices=Event.choices, blank=True)
    # What only moderators see since somebody hid it.
    text_hidden = models.BooleanField(default=False)
    summary_hidden = models.BooleanField(default=False)
    author_hidden = models.BooleanField(default=False)
    patrolled_at = models.DateTimeField(null=True, blank=True)
    patrolled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="wiki_patrols",
    )
    reverted_by = models.ForeignKey(  # the later edit that took this one back
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="reverted"
    )
    text = models.TextField(blank=True)  # as ``format`` says
    format = models.CharField(max_length=10, default="markdown")
    text_sha1 = models.CharField(max_length=40)  # of ``text``, hexadecimal
    text_state = models.CharField(
        max_length=10, choices=TextState.choices, default=TextState.PRESENT
    )
    size = models.PositiveIntegerField(default=0)
    delta = models.IntegerField(null=True, blank=True)  # against the text before; null: unknown
    origin = models.ForeignKey(
        ImportSource, null=True, blank=True, on_delete=models.PROTECT, related_name="revisions"
    )
    origin_title = models.CharField(max_length=255, blank=True)  # the title as imported
    origin_revid = models.BigIntegerField(null=True, blank=True)
    origin_key = models.CharField(max_length=700, null=True, blank=True, unique=True)
    origin_parent = models.BigIntegerField(null=True, blank=True)  # the parent's id there
    origin_order = models.IntegerField(default=0)  # within one second: the larger is the later
    source_text = models.TextField(null=True, blank=True)  # the original wikitext, as read
    source_sha256 = models.CharField(max_length=64, blank=True)
    converter_version = models.PositiveIntegerField(default=0)  # 0: written here
    warnings = models.JSONField(default=list, blank=True)  # sentences of the converter
    rendered = models.TextField(blank=True)  # HTML of ``text``, sanitised
    # [[level, id, text], ...]; on a talk page a fourth says that the heading begins no topic
    rendered_toc = models.JSONField(default=list, blank=True)
    rendered_unknown = models.JSONField(default=dict, blank=True)  # unknown shortcode: uses
    renderer_version = models.CharField(max_length=40, blank=True)  # empty: not rendered yet
    created_at = models.DateTimeField(auto_now_add=True)

    objects = Revisions.as_manager()

    class Meta:
        ordering = ["page", "number"]
        indexes = [
            models.Index(fields=["page", "number"]),
            models.Index(fields=["-timestamp", "-id"]),
            models.Index(fields=["author_name", "-timestamp"]),
        ]

    def __str__(self) -> str:
        return f"{self.page_id}/{self.number} by {self.author_name}"

    def get_absolute_url(self) -> str:
        return f"{address('wiki_page', self.page.slug)}?rev={self.pk}"

    @property
    def needs_patrol(self) -> bool:
        """Whether no reviewer has looked at it yet (``wiki.services.patrol.UNPATROLLED``)."""
        written = self.origin_id is None and not self.event and self.author_id is not None
        return written and self.patrolled_at is None

    @property
    def hides(self) -> bool:
        """Whether something of it is hidden from the public."""
        return self.text_hidden or self.summary_hidden or self.author_hidden

    def cover(self) -> None:
        """Leave out of this object, not of the database, what is hidden."""
        self.covered = True
        if self.author_hidden:
            self.author, self.author_name = None, self.NAME_HIDDEN
        if self.summary_hidden:
            self.summary = ""
        if self.text_hidden:
            self.text = self.text_sha1 = self.rendered = ""
            self.source_text, self.source_sha256 = None, ""
            self.rendered_toc, self.rendered_unknown, self.warnings = [], {}, []
            self.text_state = self.HIDDEN


class FileVersion(models.Model):
    """One picture of a file page, with who brought it, when and from where.

    The bytes lie in the media folder under the SHA-256 of what was stored, which is never what was
    sent. A version is only ever hidden; going back to an older one adds a version.
    """

    class Licence(models.TextChoices):
        OWN = "own", "My own work, under CC BY-SA 4.0"
        BY_SA = "by-sa", "CC BY-SA, by somebody else"
        BY = "by", "CC BY, by somebody else"
        PUBLIC = "public", "Public domain or CC0"
        PERMISSION = "permission", "With the permission of its maker"

    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="file_versions")
    number = models.PositiveIntegerField()  # counts the versions of a page from 1
    sha256 = models.CharField(max_length=64, db_index=True)  # of the bytes as stored, hexadecimal
    sent_sha256 = models.CharField(max_length=64, db_index=True)  # of the bytes as they were sent
    kind = models.CharField(max_length=4)  # "png", "jpg", "webp" or "gif"
    width = models.PositiveIntegerField()  # pixels
    height = models.PositiveIntegerField()
    frames = models.PositiveIntegerField(default=1)  # more than one: it moves
    size = models.PositiveIntegerField()  # bytes as stored
    licence = models.CharField(max_length=10, choices=Licence.choices)
    source = models.CharField(max_length=500, blank=True)  # who made it, where it comes from
    comment = models.CharField(max_length=500, blank=True)
    uploader = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="uploads",
    )
    uploader_name = models.CharField(max_length=255)
    uploaded_at = models.DateTimeField(db_index=True)
    hidden_at = models.DateTimeField(null=True, blank=True)  # since then only moderators see it
    hidden_by = models.CharField(max_length=255, blank=True)
    hidden_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["page", "number"]
        constraints = [
            models.UniqueConstraint(fields=["page", "number"], name="one_file_version_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.page_id}/{self.number}, {self.sha256[:12]}.{self.kind}"


class Watch(models.Model):
    """A page that somebody watches. Its revisions with a row id above ``seen`` are new to them."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="wiki_watches"
    )
    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="watches")
    seen = models.PositiveBigIntegerField(default=0)  # a Revision's row id
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "page"], name="watched_once")]

    def __str__(self) -> str:
        return f"{self.user_id} watches {self.page_id}"


class WatchList(models.Model):
    """What somebody wants of the watch list; without a row, as the fields' defaults say."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="wiki_watch_list"
    )
    key = models.CharField(max_length=43, unique=True)  # the secret in the address of the feed
    add_edited = models.BooleanField(default=True)  # the editor's box "watch" is ticked at first
    mail = models.BooleanField(default=False)  # once a day, what is new
    mailed_at = models.DateTimeField(null=True, blank=True)
    unwanted = models.JSONField(default=list, blank=True)  # kinds of notices not to be told

    def __str__(self) -> str:
        return f"watch list of {self.user_id}"


class SavedDraft(models.Model):
    """What somebody is writing and has not published, kept by the server as they write."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="wiki_drafts"
    )
    slug = models.CharField(max_length=255)  # of the page, which may not exist yet
    section = models.PositiveIntegerField(default=0)  # 0: the whole page
    base = models.PositiveBigIntegerField(null=True, blank=True)  # a Revision's row id
    title = models.CharField(max_length=255, blank=True)
    text = models.TextField(blank=True)
    summary = models.CharField(max_length=500, blank=True)
    minor = models.BooleanField(default=False)
    language = models.CharField(max_length=16, blank=True)  # of a page that is not there yet
    translates = models.PositiveBigIntegerField(null=True, blank=True)  # the row id of a page
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "slug", "section"], name="one_draft_a_section")
        ]

    def __str__(self) -> str:
        return f"draft of {self.user_id} for {self.slug}"


class Notice(models.Model):
    """Something that concerns one person: an answer, a mention, an edit of theirs taken back."""

    class Kind(models.TextChoices):
        REPLY = "reply", "wrote on a talk page where you wrote"
        MENTION = "mention", "mentioned you"
        REVERT = "revert", "took back an edit of yours"
        TALK = "talk", "wrote about a page that you watch"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="wiki_notices"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="notices")
    at = models.DateTimeField(db_index=True)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "revision"], name="told_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"


class LogEntry(models.Model):
    """What was done to a page or a person besides editing; public, and never taken back."""

    covered = False  # as ``Revision.covered``

    class Kind(models.TextChoices):
        RENAME = "rename", "renamed"
        PROTECT = "protect", "changed who may edit"
        DELETE = "delete", "deleted"
        UNDELETE = "undelete", "undeleted"
        HIDE = "hide", "hid"
        SHOW = "show", "showed again"
        BLOCK = "block", "blocked"
        UNBLOCK = "unblock", "unblocked"
        REVERT = "revert", "took back all edits of"
        GROUPS = "groups", "changed the groups of"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    at = models.DateTimeField(db_index=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="wiki_log",
    )
    actor_name = models.CharField(max_length=255)
    page = models.ForeignKey(
        Page, null=True, blank=True, on_delete=models.SET_NULL, related_name="log"
    )
    title = models.CharField(max_length=255)  # of the page then, or the name of the person
    reason = models.CharField(max_length=500, blank=True)
    detail = models.JSONField(default=dict, blank=True)  # by kind: the new title, the groups

    class Meta:
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.actor_name} {self.kind} {self.title}"

    @property
    def hides(self) -> bool:
        """Whether a moderator hid who did it or the words, in the row of a history that tells of it."""
        return bool(self.detail.get("name_hidden") or self.detail.get("words_hidden"))

    def cover(self) -> None:
        """Leave out of this object, not of the database, what is hidden."""
        self.covered = True
        if self.detail.get("name_hidden"):
            self.actor, self.actor_name = None, Revision.NAME_HIDDEN
        if self.detail.get("words_hidden"):
            self.reason, self.title = "", self.page.title if self.page else ""
            self.detail = {
                name: said for name, said in self.detail.items() if name not in ("new", "slug")
            }


class ApiToken(models.Model):
    """A secret with which a program acts for a person; only its hash is kept."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    name = models.CharField(max_length=100)  # what it is for, as its owner says
    sha256 = models.CharField(max_length=64, unique=True)
    writes = models.BooleanField(default=False)  # else it only reads
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id}"


class Identity(models.Model):
    """Which site this database is: the one row from which the ids in feeds are made."""

    uuid = models.UUIDField(default=uuid4, editable=False)

    def __str__(self) -> str:
        return str(self.uuid)


class SearchEntry(models.Model):
    """What the search keeps of a page, besides its terms: on PostgreSQL those are another column of
    this row, on SQLite a row of an FTS5 table, which goes with this one by a trigger. A migration that
    makes SQLite copy this table, or that of names or words, must make their triggers again."""

    page = models.OneToOneField(
        Page, primary_key=True, on_delete=models.CASCADE, related_name="search_entry"
    )
    text = models.TextField(blank=True)  # of the current revision, without its marks
    version = models.PositiveSmallIntegerField()  # wiki.search.index.VERSION then

    def __str__(self) -> str:
        return f"search entry of {self.page_id}"


class SearchName(models.Model):
    """A name by which the search finds ``page``: its own, or that of ``origin``, which redirects to it."""

    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="search_names")
    origin = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="+")
    title = models.CharField(max_length=255)
    words = models.CharField(max_length=255, db_index=True)  # folded, by single spaces
    main = models.BooleanField()  # the title of ``page``

    def __str__(self) -> str:
        return self.title


class SearchWord(models.Model):
    """A word that stands, or once stood, on some page: what may be meant by one that is mistyped."""

    word = models.CharField(max_length=64, unique=True)  # folded

    def __str__(self) -> str:
        return self.word
