"""The editor. Whatever goes wrong, the text comes back."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from wiki import hooks, selectors
from wiki.categories import category
from wiki.errors import WikiError
from wiki.history.diff import Words, compare
from wiki.history.merge import Merge, merge
from wiki.markup import render as render_text
from wiki.markup.links import resolve
from wiki.markup.lists import part_lists
from wiki.markup.sections import (
    find_section,
    section_or_none,
    section_text,
    sections,
    with_section,
)
from wiki.models import Page, Revision
from wiki.services import Draft, edit_page
from wiki.services.drafts import (
    Written,
    drafts_of,
    drop_published,
    keep_conflict,
    no_draft,
    version_of,
)
from wiki.services.edit import (
    MAX_SUMMARY,
    MAX_TEXT_BYTES,
    EditConflict,
    base_revision,
    clean_summary,
    clean_text,
)
from wiki.services.hiding import visible
from wiki.services.limits import refuse_keeping
from wiki.services.rename import renamed_page
from wiki.services.rights import is_moderator, refuse_unless_editor
from wiki.services.signature import sign
from wiki.services.subjects import TALK
from wiki.services.summary import mark_of, place_of
from wiki.services.undo import undo_of
from wiki.services.watch import unwatch, watch, wishes
from wiki.special import lead_of, split_special
from wiki.times import in_words
from wiki.titles import check_title, fits, make_slug, split_namespace
from wiki.views import parcel
from wiki.views.conflicts import leaves_out, passage_rows, taken
from wiki.views.door import answer, door, page_context, refuse_unknown, revision_of, row_id
from wiki.views.drafts import offers
from wiki.views.edit_form import Form, csrf_failure
from wiki.views.languages import begun
from wiki.views.toolbar import examples, tools

NOT_LINKED = ("language_taken", "other_kind", "no_page", "protected")


@never_cache  # who comes back is offered the draft as it is now
@csrf_exempt  # checked by hand below, so that a failure gives the text back
@require_http_methods(["GET", "HEAD", "POST"])
@door
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    asked = request.POST if request.method == "POST" else request.GET
    found = selectors.find_page(slug, asked.get("title", ""))
    page = found.page if found else None
    if page and request.method == "POST" and slug != page.slug and not selectors.find_page(slug):
        page = None  # a new page, but its title leads elsewhere: saving says so
    if request.method == "POST" and (was := renamed_page(row_id(request.POST.get("base")))):
        page = was  # an edit that began before its page was renamed
    if page is not None and slug != page.slug and request.method != "POST":
        parcel.move(request, slug, page.slug)
        return redirect(f"{reverse('wiki_edit', args=[page.slug])}?{request.GET.urlencode()}")
    editor = Editor(request, page, page.slug if page else make_slug(slug) or slug)
    return editor.post() if request.method == "POST" else editor.get()


class Editor:
    """One request to the editor of one page, which may not exist yet (``page`` None)."""

    def __init__(self, request: HttpRequest, page: Page | None, slug: str) -> None:
        self.request = request
        self.page = page
        self.slug = slug

    # What is asked

    def get(self) -> HttpResponse:
        """The editor with the current text, a section, an undone change, or a kept draft."""
        query = self.request.GET
        kept = parcel.kept(self.request, self.slug)
        if kept and "fresh" not in query:
            return self.show_kept(kept)
        if kept:
            parcel.drop(self.request, self.slug)
        try:
            refuse_unless_editor(self.page, self.request.user)
        except WikiError:
            if self.page is None:
                raise
            return self.locked(self.page)
        current = self.page.current if self.page else None
        title = self.title(query.get("title", ""))
        if self.page is None and (special := split_special(title)):
            return redirect(lead_of(*special))
        form = Form(
            text=current.text if current else "",
            base=current.pk if current else None,
            title=title,
        )
        if self.page is None and "draft" not in query and (start := begun(query)):
            form = replace(form, **start["fields"])
            return self.show(form, note=start["note"], offered=True)
        if "draft" in query:
            return self.restore(row_id(query["draft"]))
        if "undo" in query and self.page:
            return self.undo(form)
        if "rev" in query and self.page:
            old = revision_of(self.page, query["rev"], self.request.user)
            refuse_unknown(old)  # an empty editor would blank the page
            return self.show(
                replace(form, text=old.text), note="This is the text of an old revision."
            )
        if (number := row_id(query.get("section"))) and current:
            section = find_section(current.text, number)
            form = replace(
                form,
                text=section_text(current.text, section),
                section=number,
                summary=f"{mark_of(section.heading)} ",
            )
        return self.show(form, offered=True)

    def restore(self, pk: int | None) -> HttpResponse:
        """The editor with a draft, which started from the base that it names."""
        if not self.request.user.is_authenticated:
            raise WikiError("who_are_you", "Log in to see your drafts.", status=403)
        draft = drafts_of(self.request.user, self.page, self.slug).filter(pk=pk).first()
        if draft is None:
            raise no_draft()
        form = Form(
            text=draft.text,
            base=draft.base,
            section=draft.section,
            summary=draft.summary,
            minor=draft.minor,
            title=draft.title,
            language=draft.language,
            of=draft.translates,
            draft=version_of(draft),
        )
        note = f"This is your draft of {in_words(draft.saved_at)}."
        current = self.page.current if self.page else None
        if current is not None and current.pk != draft.base:
            who = "Somebody" if current.author_hidden else current.author_name
            note += (
                f" {who} has saved a newer revision of the page since: saving brings both together."
            )
        return self.show(form, note=note)

    def undo(self, form: Form) -> HttpResponse:
        """The editor with the current text less older changes, and what that changes; where later
        edits changed the same passages, these to be decided."""
        query = self.request.GET
        if self.page.current is None:
            raise WikiError("no_text", "The text of this page is not available.", status=409)
        form = replace(form, undo=row_id(query["undo"]), undo_after=row_id(query.get("undoafter")))
        made = undo_of(
            self.page,
            form.text,
            last_id=form.undo,
            after_id=form.undo_after,
            person=self.request.user,
        )
        form = replace(form, summary=made.summary[:MAX_SUMMARY])
        if made.merge.text is None:
            mine = made.before.text if made.before else ""
            return self.show_conflict(
                form, made.merge, made.last, self.page.current, mine=mine, status=200
            )
        note = "This is the page without that change. Save it to undo it."
        return self.show(replace(form, text=made.merge.text), note=note, changes=True)

    def post(self) -> HttpResponse:
        form = Form.read(self.request.POST)
        refused = None
        settles = "conflict" in self.request.POST
        only_shows = form.action == "preview" and not settles
        if not only_shows and csrf_failure(self.request):
            refused = WikiError(
                "session_ended",
                "Your session had ended, so nothing is saved yet. Your text is here: save it again.",
                status=403,
            )
        try:
            if settles:
                # whatever happens, the whole text must come back, with the base it has
                started = row_id(self.request.POST.get("started"))
                mine = self.request.POST.get("mine", "")
                form = replace(form, text=mine, base=started, section=0)
                return self.settle(form, refused)
            if refused:
                raise refused
            if "text" not in self.request.POST:  # saved, it would blank the page
                raise WikiError("no_text_sent", "The text did not arrive. Nothing is saved.")
            return self.act(form)
        except EditConflict as conflict:
            return self.show_conflict(
                self.kept_in_conflict(form, conflict),
                conflict.merge,
                conflict.base,
                conflict.theirs,
                mine=conflict.mine,
            )
        except WikiError as error:
            return self.show(form, error=error)

    def kept_in_conflict(self, form: Form, conflict: EditConflict) -> Form:
        """``form`` with the draft that now holds the whole text, whatever its author does next; it is
        no undo any more."""
        kept = keep_conflict(
            user=self.request.user,
            slug=self.slug,
            known=form.draft,
            written=Written(
                text=conflict.mine,
                base=conflict.base.pk if conflict.base else None,
                title=form.title,
                summary=form.summary,
                minor=form.minor,
            ),
        )
        return replace(form, draft=version_of(kept) if kept else "", undo=None)

    def act(self, form: Form) -> HttpResponse:
        if form.action == "preview":
            if self.request.htmx:
                return render(self.request, "wiki/_preview.html", self.preview(form))
            return self.show(form)
        if form.action == "changes":
            return self.show(form, changes=True)
        return self.save(form, *self.full_text(form))

    def save(
        self, form: Form, text: str, parted: int = 0, *, left_out: bool = False
    ) -> HttpResponse:
        """Publish ``text``, the whole page. ``parted``: lists that got a blank line above; ``left_out``:
        something of what the draft holds is not in it, so that it stays."""
        clean_text(text)  # too long a text is refused before anybody becomes a guest or logs in
        if form.action == "login":
            return self.to_login(form)
        if form.action == "guest" and not self.request.user.is_authenticated:
            hooks.make_guest(self.request)
        if not self.request.user.is_authenticated:
            raise WikiError(
                "who_are_you",
                "Nothing is saved yet: save as a guest with one click, or log in. Your text stays.",
                status=403,
            )
        draft = Draft(
            text=text,
            base=form.base,
            summary=form.summary,
            minor=form.minor,
            undo=form.undo,
            undo_after=form.undo_after,
            unnamed=form.unnamed,
        )

        def finish(revision: Revision) -> None:
            drop_published(
                user=self.request.user,
                page=revision.page,
                slug=self.slug,
                known="" if left_out else form.draft,
                text=form.text,
            )
            self.set_watch(form, revision.page)

        revision, new = edit_page(
            slug=self.slug,
            title=self.title(form.title),
            author=self.request.user,
            draft=draft,
            language=form.language or settings.LANGUAGE_CODE,
            translates=form.of,
            also=finish,
        )
        parcel.drop(self.request, self.slug)
        self.request.session["wiki_saved"] = revision.page.slug
        user, since = self.request.user, form.base or 0
        again = not new and revision.author_id == user.pk and form.base != revision.pk
        mine = revision.page.revisions.filter(author=user, pk__gt=since, pk__lt=revision.pk)
        if again:  # sent twice, as on a slow line
            messages.success(self.request, "Saved.")
        elif not new and revision.text != clean_text(text) and mine.exists():
            who = "Somebody" if revision.author_hidden else revision.author_name
            messages.info(
                self.request,
                f"Your text was saved when you first sent it; {who} has edited the page since.",
            )
        elif not new:
            messages.info(self.request, "The page has that text already: nothing was changed.")
        elif revision.text != clean_text(text):
            messages.success(self.request, "Saved, together with what others wrote meanwhile.")
        else:
            messages.success(self.request, "Saved.")
        if left_out:
            messages.info(
                self.request, "Your own text is not all in it: it stays among your drafts."
            )
        if new and parted:
            messages.info(self.request, parted_words(parted, "got"))
        return redirect(revision.page.get_absolute_url() + self.place(form, revision))

    def set_watch(self, form: Form, page: Page) -> None:
        """Put the page on the watch list or take it off, as the form says."""
        if form.watch is None:
            return
        try:
            (watch if form.watch else unwatch)(page=page, user=self.request.user)
        except WikiError as error:
            messages.warning(self.request, error.message)

    def place(self, form: Form, revision: Revision) -> str:
        """Where the section that was edited stands in ``revision``."""
        first = sections(form.text)[:1] if form.section else []
        if not first:
            return ""
        before = sections(self.shown_base(form))[: form.section - 1]
        same = [section for section in before if section.heading == first[0].heading]
        return place_of(revision, first[0].heading, len(same))

    def settle(self, form: Form, refused: WikiError | None) -> HttpResponse:
        """Save a text whose clashing passages were decided, or help to decide them.

        ``refused``: why nothing may be saved; then the decisions are only shown again.
        """
        data = self.request.POST
        if self.page is None:
            raise WikiError("no_page", "There is no page of this name.", status=404)
        started = base_revision(self.page, form.base, self.request.user)
        theirs = revision_of(self.page, data.get("base"), self.request.user)
        mine = clean_text(form.text)
        merged = merge(started.text if started else "", theirs.text, mine)
        chosen = [text.replace("\r\n", "\n") for text in data.getlist("passage")]
        if len(chosen) != len(merged.passages):
            return self.show_conflict(form, merged, started, theirs, mine=mine)
        try:
            if refused:
                raise refused
            if data.get("take"):
                chosen = taken(merged.passages, chosen, data["take"])
                return self.show_conflict(form, merged, started, theirs, chosen, mine=mine)
            text, parted = merged.with_passages(chosen), 0
            if not form.undo:
                text, parted = part_lists(text, theirs.text)
            if form.action == "changes":
                return self.show_conflict(
                    form, merged, started, theirs, chosen, mine=mine, text=text
                )
            left_out = bool(form.draft) and not form.undo and leaves_out(merged, chosen)
            return self.save(
                replace(form, text=text, base=theirs.pk), text, parted, left_out=left_out
            )
        except EditConflict as again:
            if form.draft and leaves_out(merged, chosen):  # the draft holds more than this text
                return self.show_conflict(
                    replace(form, draft="", undo=None),
                    again.merge,
                    again.base,
                    again.theirs,
                    mine=again.mine,
                )
            raise
        except WikiError as error:
            return self.show_conflict(form, merged, started, theirs, chosen, mine=mine, error=error)

    # What is shown

    def show_kept(self, form: Form) -> HttpResponse:
        """The text of somebody who went to log in, whatever became of the page meanwhile."""
        error = None
        try:
            refuse_unless_editor(self.page, self.request.user)
        except WikiError as refused:
            error = refused
        note = "Here is the text you wrote before you logged in."
        return self.show(form, note=note, error=error)

    def locked(self, page: Page) -> HttpResponse:
        """The source of a page that this person may not change, and why."""
        context = page_context(self.request, page, "edit")
        context |= {"text": page.current.text if page.current else ""}
        try:
            refuse_unless_editor(page, self.request.user)
        except WikiError as error:
            context["error"] = error
        return render(self.request, "wiki/locked.html", context, status=403)

    def show(
        self,
        form: Form,
        *,
        error: WikiError | None = None,
        note: str = "",
        changes: bool = False,
        offered: bool = False,
    ) -> HttpResponse:
        if error and error.code == "page_gone":
            form = replace(form, base=None, section=0)  # saved again, it is a new page
        if error and form.of and error.code in NOT_LINKED:
            form = replace(form, of=None)  # saved again, it is a page by itself
        if error and error.code == "bad_language":
            form = replace(form, language="")
        context = self.context(form) | self.preview(form)
        context |= {
            "error": error,
            "note": note,
            "tools": tools(self.page),
            "shortcodes": examples(),
        }
        if self.page is None:
            context["deleted"] = selectors.deleted_from(self.slug)
            context["moderates"] = is_moderator(self.request.user)
        if offered and self.request.user.is_authenticated:
            context["offers"] = offers(self.request.user, self.page, self.slug)
        base = self.shown_base(form)
        if form.section and (section := section_or_none(base, form.section)):
            context["section"] = section
            found = sections(base)
            context["section_count"] = len(found)
            context["sections_before"] = sum(
                other.level <= 2 for other in found[: section.number - 1]
            )
            base = section_text(base, section)
        if changes:
            context["difference"] = compare(base, form.text)
        same = form.text.rstrip().splitlines() == base.rstrip().splitlines()
        context["unsaved"] = self.request.method == "POST" and (form.draft != "" or not same)
        return answer(self.request, "wiki/edit.html", context, error)

    def show_conflict(
        self,
        form: Form,
        merged: Merge,
        started: Revision | None,
        theirs: Revision,
        chosen: list[str] | None = None,
        *,
        mine: str,
        error: WikiError | None = None,
        text: str | None = None,
        status: int = 409,
    ) -> HttpResponse:
        """Both texts side by side. ``text``: the result, to be shown as changes to theirs."""
        for row in (started, theirs):
            if row is not None:
                visible(row, self.request.user)
        passages, words = merged.passages, Words()
        context = self.context(replace(form, section=0)) | {
            "error": error,
            "started": started,
            "theirs": theirs,
            "fitted": merged.fitted,
            "mine": mine,
            "decided": chosen is not None,
            "undoing": started is not None and started.pk == form.undo,
            "passages": [
                passage_rows(passage, saved, words)
                for passage, saved in zip(
                    passages, chosen or [passage.mine for passage in passages], strict=True
                )
            ],
        }
        if text is not None:
            context["difference"] = compare(theirs.text, text)
        return answer(self.request, "wiki/conflict.html", context, error, status)

    def context(self, form: Form) -> dict[str, Any]:
        title = self.page.title if self.page else form.title or self.slug
        shared = page_context(self.request, self.page, "edit") if self.page else {"tab": "edit"}
        return shared | {
            "form": form,
            "slug": self.slug,
            "title": title,
            "watch": form.watch if form.watch is not None else self.watches(shared),
        }

    def watches(self, shared: dict[str, Any]) -> bool:
        """Whether the box "watch this page" is ticked at first."""
        user = self.request.user
        return shared.get("watched") or (user.is_authenticated and wishes(user).add_edited)

    def preview(self, form: Form) -> dict[str, Any]:
        if len(form.text.encode()) > MAX_TEXT_BYTES:
            return {"preview": "", "warnings": ["This text is too long for a preview."]}
        text, parted = (form.text, 0) if form.undo else part_lists(form.text, self.shown_base(form))
        if split_namespace(self.page.title if self.page else form.title)[0] == TALK:
            name = self.request.user.get_username() or "Guest"
            text = sign(text, name=name, now=timezone.now())
        made = render_text(text, page=self.page)
        warnings = [parted_words(parted, "gets")] if parted else []
        return {
            "preview": mark_safe(resolve(made.html, self.page)),
            "warnings": warnings + made.warnings,
            "categories": [category(f"Category:{name}") for name in made.categories],
        }

    # Help

    def title(self, asked: str) -> str:
        """The title of the page, or of the new page; what is asked must fit the address."""
        if self.page:
            return self.page.title
        if asked and fits(self.slug, asked):
            return check_title(asked)
        words = self.slug.replace("-", " ")
        return check_title(words[:1].upper() + words[1:])

    def base_text(self, form: Form) -> str:
        if self.page and self.page.current and self.page.current_id == form.base:  # read already
            return visible(self.page.current, self.request.user).text
        base = base_revision(self.page, form.base, self.request.user) if self.page else None
        return base.text if base else ""

    def shown_base(self, form: Form) -> str:
        """The base to compare with on the editor's page, which must come up whatever was sent."""
        if self.page is None or form.base is None:
            return ""
        base = self.page.current  # mostly, and read already
        if base is None or base.pk != form.base:
            base = self.page.revisions.filter(pk=form.base).first()
        return visible(base, self.request.user).text if base else ""

    def full_text(self, form: Form) -> tuple[str, int]:
        """The whole page that ``form`` asks to save, and how many lists got a blank line above. Raises
        WikiError ``no_section``."""
        base = self.base_text(form)
        text, parted = (form.text, 0) if form.undo else part_lists(form.text, base)
        if form.section:
            text = with_section(base, find_section(base, form.section), text)
        return text, parted

    def to_login(self, form: Form) -> HttpResponse:
        """Keep the text in the session and go to log in; the editor finds it afterwards."""
        clean_summary(form.summary)
        title = self.title(form.title)
        refuse_keeping()
        parcel.keep(self.request, self.slug, replace(form, title=title))
        back = reverse("wiki_edit", args=[self.slug])
        return redirect(f"{reverse('account_login')}?{urlencode({'next': back})}")


def parted_words(count: int, verb: str) -> str:
    """What is said of lists right below a line of text."""
    lists = "A list" if count == 1 else f"{count} lists"
    verb = verb if count == 1 else {"gets": "get"}.get(verb, verb)
    needs = "it needs" if count == 1 else "they need"
    return f"{lists} {verb} the blank line {needs} above."
