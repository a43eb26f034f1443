"""The shapes of what the API takes and gives, as OpenAPI describes them. Times are UTC; sizes are bytes
of UTF-8; ids of revisions are row ids, as in the addresses of pages."""

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from wiki import models
from wiki.search.query import MAX_QUERY
from wiki.services.patrol import MOST_AT_ONCE

MAX_ID = 2**63 - 1
RevisionId = Annotated[int, Field(ge=1, le=MAX_ID)]
Level = Literal["open", "accounts", "established", "reviewers", "staff", "admins"]
Span = Literal["hour", "day", "three-days", "week", "month", "year", "always"]


# What is given


class FieldProblem(Schema):
    field: str = Field(description="Where it stands, as in `body.text`")
    problem: str


class Passage(Schema):
    section: str = Field(description="The heading it stands under; may be empty")
    before: str
    theirs: str
    mine: str
    tail: str = Field(description="White space that follows whatever is chosen")


class ConflictPart(Schema):
    text: str | None = Field(description="Text that is settled")
    passage: int | None = Field(description="Or the number of a passage to decide, from 0")


class Author(Schema):
    name: str
    account: bool = Field(
        description="False for guests long gone and for authors of imported texts"
    )


class PageRef(Schema):
    slug: str
    title: str
    language: str
    namespace: str = Field(description="Empty for a page of rules; else file, talk or category")
    url: str


class Revision(Schema):
    id: int
    page: PageRef
    number: int = Field(
        description="Counts a page's revisions from 1; may change when older ones are imported"
    )
    parent_id: int | None
    timestamp: datetime | None = Field(description="null: the date is unknown")
    author: Author | None = Field(description="null: hidden by a moderator")
    summary: str | None = Field(description="null: hidden by a moderator")
    minor: bool
    event: str = Field(description="Empty for an edit; else what happened, as in protection")
    size: int
    delta: int | None = Field(description="Against the text before; null: unknown")
    text_state: str = Field(description="present, blank, file, or missing")
    hidden: list[str] = Field(description="What moderators hid: text, summary, author")
    origin: str | None = Field(description="The wiki it was imported from")
    reverted_by: int | None = Field(description="The later revision that took this one back")
    unpatrolled: bool | None = Field(
        description="Whether a reviewer has still to look at it; null: only reviewers are told"
    )
    url: str


class FullRevision(Revision):
    text: str | None = Field(description="Markdown; null where it is hidden or not available")
    html: str | None = Field(description="The same as safe HTML")
    wikitext: str | None = Field(description="The original of an imported revision")


class Section(Schema):
    number: int
    level: int
    heading: str
    start: int = Field(description="Line of the text, from 0")
    end: int = Field(description="The line after the last")


class Link(Schema):
    kind: str = Field(description="link, category or file")
    title: str = Field(description="As the text writes it")
    page: PageRef | None = Field(description="null: there is no such page")


class Protection(Schema):
    edit: str = Field(description="open, accounts, established, reviewers, staff or admins")
    edit_until: datetime | None
    rename: str
    rename_until: datetime | None
    reason: str


class Redirect(Schema):
    title: str
    page: PageRef | None = Field(description="null: a broken redirect")


class ListedPage(PageRef):
    game: str = Field(description="Slug of the game it tells about; may be empty")
    current_id: int | None
    timestamp: datetime | None
    size: int | None


class Page(ListedPage):
    names: list[str] = Field(description="All titles that lead here")
    protection: Protection
    redirect: Redirect | None
    subject: PageRef | None = Field(description="Of a talk page: the page it is about")
    translations: list[PageRef]
    links: list[Link]
    sections: list[Section]
    current: FullRevision | None


class Pages(Schema):
    items: list[ListedPage]
    next_cursor: str | None = Field(description="Ask with it for what follows; null: this is all")


class Revisions(Schema):
    items: list[Revision]
    next_cursor: str | None


class LogEntry(Schema):
    id: int
    kind: str = Field(description="rename, protect, delete, undelete, hide, show, block and others")
    at: datetime
    actor: str
    title: str = Field(description="Of the page then, or the name of the person it was done to")
    page: PageRef | None
    reason: str


class Log(Schema):
    items: list[LogEntry]
    next_cursor: str | None


class DeletedPage(Schema):
    id: int
    title: str
    names: list[str] = Field(description="All titles that led there")
    namespace: str
    deleted_at: datetime
    deleted_by: str
    reason: str


class DeletedPages(Schema):
    items: list[DeletedPage]
    next_cursor: str | None


class Piece(Schema):
    kind: Literal["same", "old", "new"]
    text: str


class Line(Schema):
    kind: Literal["head", "same", "change", "add", "remove"]
    old_line: int | None = Field(description="From 1")
    new_line: int | None
    section: str = Field(description="Of a head: the heading under which the lines stand")
    pieces: list[Piece]


class Diff(Schema):
    old: Revision | None = Field(description="null: the time before the page existed")
    new: Revision
    same: bool
    words: bool = Field(description="False: too long to be compared word by word")
    lines: list[Line]
    unified: str = Field(description="The same in the form that `patch` reads")


class Marked(Schema):
    text: str
    match: bool = Field(description="Whether it was looked for")


class Hit(Schema):
    page: PageRef
    title: list[Marked]
    name: list[Marked] = Field(description="The other name by which it was found; may be empty")
    snippet: list[Marked]


class Hits(Schema):
    query: str
    total: int
    how: str = Field(
        description="all: each hit holds every word; where none does: begun (words that begin so), "
        "meant (the words of the suggestion), some (at least one word)"
    )
    suggestion: str = Field(description="The query as it may have been meant; may be empty")
    items: list[Hit]


class Contributions(Revisions):
    name: str
    account: bool
    edits: int
    pages: int
    imported: int
    first: datetime | None


class FileVersion(Schema):
    number: int
    kind: str = Field(description="png, jpg, webp or gif")
    width: int
    height: int
    frames: int
    size: int
    sha256: str
    licence: str
    source: str
    comment: str
    uploader: str
    uploaded_at: datetime
    url: str


class File(Schema):
    page: PageRef
    name: str
    current: FileVersion | None = Field(description="null: the file has no picture")


class FullFile(File):
    versions: list[FileVersion] = Field(description="The newest first")
    used_on: list[PageRef]


class Files(Schema):
    items: list[File]
    next_cursor: str | None


class Conflict(Schema):
    base: FullRevision | None
    theirs: FullRevision
    mine: str
    passages: list[Passage]
    parts: list[ConflictPart]


class Problem(Schema):
    code: str = Field(description="Stable; the message is for people")
    message: str
    fields: list[FieldProblem] | None = None
    conflict: Conflict | None = None


class Refusal(Schema):
    error: Problem


class Saved(Schema):
    outcome: Literal["saved", "merged", "unchanged"] = Field(
        description="merged: together with what others wrote meanwhile; unchanged: nothing was saved"
    )
    revision: FullRevision


class Done(Schema):
    revision: Revision


# What is asked for


class Part(Schema):
    limit: int = Field(50, ge=1, le=200, description="Rows of one part")
    cursor: str | None = Field(
        None, max_length=2_000, description="`next_cursor` of the part before"
    )


class PagesAsked(Part):
    language: str | None = Field(None, description="As in en")
    game: str | None = Field(None, description="Slug of a game")
    category: str | None = Field(None, description="Its name, without “Category:”")
    namespace: str = Field(
        "", description="Empty: pages of rules; else file, talk, category, or * for all"
    )


class RevisionsAsked(Part):
    minor: bool = Field(True, description="Minor edits too")


class Patrolled(Schema):
    marked: int = Field(description="How many nobody had looked at before")


class ChangesAsked(RevisionsAsked):
    days: int = Field(0, ge=0, le=36_500, description="Of so many days; 0: of all times")
    mine: bool = Field(True, description="Those of the token's owner too")
    imports: bool = Field(True, description="Imported revisions too")
    unpatrolled: bool = Field(
        False, description="Only those that nobody has looked at; with a reviewer's token"
    )


class LogAsked(Part):
    kind: str = Field("", max_length=10, description="Only of this kind")
    by: str = Field("", max_length=255, description="Only by this person")
    of: str = Field("", max_length=255, description="Only of this page or person")


class DeletedAsked(Part):
    q: str = Field("", max_length=255, description="What the title holds")


class SearchAsked(Schema):
    q: str = Field(
        max_length=MAX_QUERY,
        description='Words that must all be there; "in a row", -not there, begin*',
        json_schema_extra={"example": "queen"},
    )
    limit: int = Field(20, ge=1, le=50)
    offset: int = Field(0, ge=0, le=10_000, description="Hits to pass over")
    language: str = Field("", max_length=16, description="Only pages in it")
    namespace: str = Field(
        "", description="Empty: pages of rules; else file, talk, category, or * for all"
    )


# What is taken


class Sent(Schema):
    model_config = ConfigDict(strict=True, extra="forbid")


class NewPage(Sent):
    title: str = Field(examples=["Black Maria"])
    text: str = Field(description="Markdown", examples=["Take few points.\n"])
    base: None = Field(examples=[None], description="Always null: a new page starts from nothing")
    summary: str = ""
    language: str = Field("en", max_length=16)


class Edit(Sent):
    text: str = Field(
        description="Of the whole page, or of the section where one is named",
        examples=["Take few points.\n"],
    )
    base: int | None = Field(
        description="Id of the revision the text started from; null only for a page without text",
        examples=[7],
        ge=1,
        le=MAX_ID,
    )
    section: int | None = Field(
        None, description="Number of a section of the base", ge=1, le=MAX_ID
    )
    summary: str = Field("", examples=["Shorter"])
    minor: bool = False


class Upload(Schema):
    """What comes with a picture, in fields of a form."""

    name: str = Field("", description="What it is called; empty: as the file that is sent")
    description: str = Field(
        "",
        description="What it shows: the text of its page, where that has none yet",
        examples=["The board at the start."],
    )
    licence: str = Field(
        "",
        description=" | ".join(models.FileVersion.Licence.values),
        examples=[models.FileVersion.Licence.OWN.value],
    )
    source: str = Field("", description="Who made it and where it comes from; may be empty for own")
    comment: str = Field("", description="For the history")
    new_version: bool = Field(False, description="There may be a picture of this name already")
    anyway: bool = Field(False, description="The same picture may be here under another name")


class Patrol(Sent):
    revisions: list[RevisionId] = Field(
        description="Ids of the changes that you have looked at",
        examples=[[7]],
        min_length=1,
        max_length=MOST_AT_ONCE,
    )


class GoBack(Sent):
    revision: int = Field(
        examples=[3], description="Whose text becomes the newest", ge=1, le=MAX_ID
    )
    base: int | None = Field(
        examples=[7],
        description="Id of the revision that you know as the current one",
        ge=1,
        le=MAX_ID,
    )
    summary: str = ""


class Undo(Sent):
    revision: int = Field(
        examples=[5], description="The edit to take out; later ones stay", ge=1, le=MAX_ID
    )
    after: int | None = Field(
        None,
        description="To take out several: the revision before the first of them; 0: all from the start",
        ge=0,
        le=MAX_ID,
    )
    base: int = Field(
        examples=[7],
        description="Id of the revision that you know as the current one",
        ge=1,
        le=MAX_ID,
    )
    summary: str = ""


class Rename(Sent):
    title: str = Field(examples=["Black Lady"])
    seen: str = Field(examples=["Hearts"], description="The title that you know it by now")
    reason: str = Field("", examples=["Its usual name"])
    redirect: bool = Field(True, description="The old title leads to the page still")


class Delete(Sent):
    reason: str = Field(examples=["Nothing but advertising"])


class Restore(Delete):
    title: str = Field("", description="It is called so from now on; empty: as it was")


class Protect(Sent):
    level: Level = Field(examples=["accounts"])
    span: Span = Field(examples=["week"])
    rename_level: Level | None = Field(
        None, description="Who may give it another name; null: as it is"
    )
    rename_span: Span = "always"
    reason: str = Field("", examples=["Vandalism"])
