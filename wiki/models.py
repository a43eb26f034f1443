"""Pages, their names and their revisions. Nothing here is deleted or changed by an edit."""

from django.conf import settings
from django.db import models
from django.urls import reverse


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


class Page(models.Model):
    """A page: what it is called, which game it tells about, and which revision is read now."""

    class Protection(models.TextChoices):
        OPEN = "open", "Everybody may edit"
        ACCOUNTS = "accounts", "People with an account may edit"
        STAFF = "staff", "Only the staff may edit"

    title = models.CharField(max_length=255)  # the display title
    slug = models.SlugField(max_length=255, unique=True, allow_unicode=True)
    language = models.CharField(max_length=16, default="en")
    game = models.CharField(max_length=64, blank=True, db_index=True)  # a game's slug, or none
    namespace = models.CharField(max_length=10, blank=True)  # "" or "file"
    protection = models.CharField(
        max_length=10, choices=Protection.choices, default=Protection.OPEN
    )
    current = models.ForeignKey(
        "Revision", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("wiki_page", args=[self.slug])


class PageName(models.Model):
    """A name that leads to a page: its title, an alias, an imported title."""

    page = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="names")
    title = models.CharField(max_length=255)
    key = models.CharField(max_length=255, unique=True)  # wiki.titles.title_key(title)
    slug = models.SlugField(max_length=255, allow_unicode=True, db_index=True)

    def __str__(self) -> str:
        return self.title


class Revision(models.Model):
    """One state of a page's text, with who saved it, when and why.

    Sizes are bytes of UTF-8. ``number`` counts a page's revisions from 1 by time and may change
    when older ones are imported; addresses use the row's id.
    """

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
    origin_order = models.IntegerField(default=0)  # within one second: the larger is the later
    source_text = models.TextField(null=True, blank=True)  # the original wikitext, as read
    source_sha256 = models.CharField(max_length=64, blank=True)
    converter_version = models.PositiveIntegerField(default=0)  # 0: written here
    warnings = models.JSONField(default=list, blank=True)  # sentences of the converter
    rendered = models.TextField(blank=True)  # HTML of ``text``, sanitised
    rendered_toc = models.JSONField(default=list, blank=True)  # [[level, id, text], ...]
    rendered_unknown = models.JSONField(default=list, blank=True)  # names of unknown shortcodes
    renderer_version = models.CharField(max_length=40, blank=True)  # empty: not rendered yet
    created_at = models.DateTimeField(auto_now_add=True)

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
        return f"{reverse('wiki_page', args=[self.page.slug])}?rev={self.pk}"
