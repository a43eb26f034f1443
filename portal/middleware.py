"""What happens around every request."""

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from games.translation import Reader, reading, wishes_of
from portal import errors, people, visitor


class StaticFiles(WhiteNoiseMiddleware):
    """Answers with whole files: ours are small, and a stream of one would hold a thread until it is
    read."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file as file:
                content = file.read()
        response = HttpResponse(content, status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        return response


def last_seen(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Keeps ``User.last_seen``, by which idle guests are found."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.session.accessed and request.user.is_authenticated:
            people.see(request.user, now=timezone.now())
        return response

    return middleware


def came_from(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Lets services know the address of the request (``portal.visitor``)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        token = visitor.address.set(request.META.get("REMOTE_ADDR", ""))
        try:
            return get_response(request)
        finally:
            visitor.address.reset(token)

    return middleware


def reads_in(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Lets texts of games be told in the language of the account."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with reading(Reader(lambda: wishes_of(request.user))):
            return get_response(request)

    return middleware


def refuse_methods_in_words(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Gives a method that an address does not know a page, or a frame, instead of nothing."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code != 405 or response.content:
            return response
        said = errors.method_not_allowed(request)
        said["Allow"] = response["Allow"]
        return said

    return middleware


def keep_no_refusal(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Lets nobody keep a refusal: what is gone may come back, but a browser would show a 410 that says
    nothing of it for good."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code >= 400:
            response.headers.setdefault("Cache-Control", "no-cache")
        return response

    return middleware


def no_nul(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Refuses an address with a NUL in it: nothing here is called so, and PostgreSQL cannot even
    look for it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("an address cannot hold a NUL")
        return get_response(request)

    return middleware
