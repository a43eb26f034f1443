"""Answers that say no: a page with a way on, or a frame as ``docs/protocol.md`` has it for whoever
asked for JSON. The page of a defect is plain, since nothing else may work then."""

import sys
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from games import door
from games.engine import GameError
from games.errors import ServerError
from portal.bodies import came_from
from wiki.api.refusals import ROOT, refusal

RETRY_SECONDS = 5  # after which one may try again what the database could not do


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


def failed(request: HttpRequest) -> HttpResponse:
    """Something broke: the database is away, or there is no room (``Retry-After`` then), or it is our
    defect. Asks the database for nothing. What was written in a form comes back, ready to be sent again."""
    error = sys.exc_info()[1]
    found = door.failure(
        error if isinstance(error, Exception) else RuntimeError(), path=told_path(request)
    )
    if request.path.startswith(ROOT):
        answer: HttpResponse = refusal(found.status, found.code, str(found))
    elif door.wants_json(request):
        answer = JsonResponse(door.refusal(found), status=found.status)
    elif isinstance(found, ServerError):
        answer = HttpResponse(render_to_string("500.html"), status=500)
    else:
        context = {"reason": str(found), "sent": _sent(request), "path": request.get_full_path()}
        answer = HttpResponse(render_to_string("503.html", context), status=found.status)
    if not isinstance(found, ServerError):
        answer["Retry-After"] = str(RETRY_SECONDS)
    answer._has_been_logged = True  # Django would log it again, with the traceback
    return answer


def told_path(request: HttpRequest) -> str:
    """The path for the log, without the secret key that addresses of feeds and in mails have."""
    match = getattr(request, "resolver_match", None)
    key = match.kwargs.get("key") if match else None
    return request.path.replace(key, "...") if key else request.path


def _sent(request: HttpRequest) -> list[tuple[str, str]]:
    """Names and texts of a form that was posted; none where it had files, or a password in it."""
    if (
        request.method != "POST"
        or request.FILES
        or any("password" in name for name in request.POST)
    ):
        return []
    return [(name, text) for name, texts in request.POST.lists() for text in texts]


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form is not of this session, mostly an old one. What was written in it comes back."""
    if door.wants_json(request):
        said = "This page is too old, or cookies are switched off. Reload it and try again."
        return _frame(403, "old_page", said)
    kept = {"text": request.POST.get("text", ""), "back": _form_of(request)}
    return render(request, "403_csrf.html", kept, status=403)


def refuse(request: HttpRequest, status: int, code: str, reason: str) -> HttpResponse:
    """``reason`` under ``status``: the page ``<status>.html``, or the frame of a refusal; below /api/
    that API's own shape."""
    if request.path.startswith(ROOT):
        return refusal(status, code, reason)
    if door.wants_json(request):
        return _frame(status, code, reason)
    said = {"reason": reason, "back": _form_of(request)}
    return render(request, f"{status}.html", said, status=status)


def _form_of(request: HttpRequest) -> str:
    """The page from which this was sent; empty where nothing was sent or that is not told."""
    if request.method != "POST":
        return ""
    return came_from(request.META.get("HTTP_REFERER", ""), request.META.get("HTTP_HOST", ""))


def _frame(status: int, code: str, reason: str) -> JsonResponse:
    found: dict[str, Any] = door.refusal(GameError(code, reason))
    return JsonResponse(found, status=status)
