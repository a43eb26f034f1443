"""Answers that say no: a page with a way on, or a frame as ``docs/protocol.md`` has it for whoever
asked for JSON. The page of a defect is plain, since nothing else may work then."""

from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from games import door
from games.engine import GameError


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        reason = "That is more than this site takes at once. Nothing was changed."
        return refuse(request, 413, "too_large", reason)
    if isinstance(exception, TooManyFieldsSent | TooManyFilesSent):
        reason = "A form here has not so many fields. Nothing was changed."
        return refuse(request, 400, "bad_request", reason)
    reason = "The request was not one this site understands. Nothing was changed."
    return refuse(request, 400, "bad_request", reason)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return refuse(request, 403, "forbidden", str(exception) or "This page is not for you.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    reason = "The address may have a slip in it, or what stood here has moved."
    return refuse(request, 404, "not_found", reason)


def method_not_allowed(request: HttpRequest) -> HttpResponse:
    """The answer to a method that an address does not know, mostly a form's address that was opened."""
    reason = "This address takes what a form or a page sends, or only shows something. Nothing was changed."
    return refuse(request, 405, "method_not_allowed", reason)


def defect(request: HttpRequest) -> HttpResponse:
    if door.wants_json(request):
        return _frame(500, "defect", "Something went wrong here. It is our defect, not yours.")
    return HttpResponse(render_to_string("500.html"), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form is not of this session, mostly an old one. What was written in it comes back."""
    if door.wants_json(request):
        said = "This page is too old, or cookies are switched off. Reload it and try again."
        return _frame(403, "old_page", said)
    text = request.POST.get("text", "")
    return render(request, "403_csrf.html", {"text": text}, status=403)


def refuse(request: HttpRequest, status: int, code: str, reason: str) -> HttpResponse:
    """``reason`` under ``status``: the page ``<status>.html``, or the frame of a refusal."""
    if door.wants_json(request):
        return _frame(status, code, reason)
    return render(request, f"{status}.html", {"reason": reason}, status=status)


def _frame(status: int, code: str, reason: str) -> JsonResponse:
    found: dict[str, Any] = door.refusal(GameError(code, reason))
    return JsonResponse(found, status=status)
