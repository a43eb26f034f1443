"""What the editor sends: its fields, and whether they came from a form of ours."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import CsrfViewMiddleware

from wiki.views.door import row_id


@dataclass(frozen=True)
class Form:
    """What the editor sends. ``text`` is the section where ``section`` is not 0, else the page."""

    text: str = ""
    base: int | None = None
    section: int = 0
    summary: str = ""
    minor: bool = False
    watch: bool | None = None  # None: the form had no such box
    title: str = ""
    undo: int | None = None  # the edit that this takes out, and where several: the one before them
    undo_after: int | None = None
    draft: str = ""  # the version of the draft that the form knows; empty: of none
    language: str = ""  # of a new page; empty: the site's
    of: int | None = None  # the page that a new one translates
    unnamed: bool = False  # pictures without words are meant so
    action: str = "save"  # save, guest, login, preview, changes, take

    @classmethod
    def read(cls, data: QueryDict) -> "Form":
        return cls(
            text=data.get("text", "").replace("\r\n", "\n"),
            base=row_id(data.get("base")),
            section=row_id(data.get("section")) or 0,
            summary=data.get("summary", ""),
            minor="minor" in data,
            watch="watch" in data if "can_watch" in data else None,
            title=data.get("title", ""),
            undo=row_id(data.get("undo")),
            undo_after=row_id(data.get("undoafter")),
            draft=data.get("draft", ""),
            language=data.get("language", ""),
            of=row_id(data.get("of")),
            unnamed="unnamed" in data,
            action=data.get("action", "save"),
        )


class CsrfCheck(CsrfViewMiddleware):
    """The site's own check, which tells its reason instead of answering: the text must survive."""

    def _reject(self, request: HttpRequest, reason: str) -> str:
        return reason


def csrf_failure(request: HttpRequest) -> str | None:
    """Why the request cannot be trusted to come from our form, or None."""
    return CsrfCheck(lambda _request: HttpResponse()).process_view(request, None, (), {})
