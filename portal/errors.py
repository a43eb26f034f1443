"""Pages that say no. The 500 page is plain, since nothing else may work then."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    reason = str(exception) or "This page is not for you."
    return render(request, "403.html", {"reason": reason}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form is not of this session, mostly an old one. What was written in it comes back."""
    if request.headers.get("Accept", "").startswith("application/json"):
        said = "This page is too old, or cookies are switched off. Reload it and try again."
        msg = {"text": said, "params": {}}
        refusal = {"on": "refused", "key": None, "code": "old_page", "reason": said, "msg": msg}
        return JsonResponse(refusal, status=403)
    text = request.POST.get("text", "")
    return render(request, "403_csrf.html", {"text": text}, status=403)
