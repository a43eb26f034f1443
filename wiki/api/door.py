"""What happens around every request to the API: who asks, how often, what is refused, how it may be
kept. No cookie counts here, so no page elsewhere can write in somebody's name."""

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from django.views.decorators.csrf import csrf_exempt

from portal.visitor import network
from wiki.api.allowance import take
from wiki.api.refusals import refusal, refusal_of
from wiki.api.routes import UPLOADS
from wiki.api.shapes import conflict_told
from wiki.errors import WikiError
from wiki.files.receive import PictureHandler
from wiki.models import ApiToken
from wiki.services.again import again
from wiki.services.edit import EditConflict
from wiki.services.tokens import token_of

View = Callable[..., HttpResponse]
SAFE = ("GET", "HEAD")
FORM = "multipart/form-data"
CORS_ASKED = "Accept, Content-Type, If-None-Match"
CORS_SHOWN = "ETag, Retry-After"


def door(view: View) -> View:
    """A view of the API: knows ``request.token`` (None: nobody in particular) and ``request.person``."""

    @csrf_exempt  # there is no cookie to trust
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "OPTIONS":
            return open_to_all(HttpResponse(status=204), preflight=True)
        reads = request.method in SAFE
        if reads:
            request.method = "GET"  # the server sends no body of its own accord to a HEAD
        try:
            admit(request, writes=not reads)
            answer = again(lambda: view(request, *args, **kwargs))
        except EditConflict as conflict:
            answer = refusal_of(conflict, conflict=conflict_told(conflict, request))
        except WikiError as error:
            answer = refusal_of(error)
        if answer.status_code == 405:
            answer = wrong_method(answer)
        if not reads:
            answer["Cache-Control"] = "no-store"
            return answer
        patch_vary_headers(answer, ["Authorization"])
        answer["Cache-Control"] = "no-cache"
        return open_to_all(conditional(request, answer))

    return guarded


def admit(request: HttpRequest, *, writes: bool) -> None:
    """Find out who asks. Raises WikiError for a token that is none, haste, and bodies of a kind or
    size that is not taken."""
    address = f"address.{network(request.META.get('REMOTE_ADDR', ''))}"
    try:
        request.token = bearer(request)
    except WikiError:
        take(address, writes=writes)  # who guesses is not faster than others
        raise
    request.person = request.token.user if request.token else AnonymousUser()
    take(f"person.{request.token.user_id}" if request.token else address, writes=writes)
    if not writes:
        return
    if takes_file(request):
        if request.content_type != FORM:
            raise WikiError(
                "not_a_form", f"Send the picture in a form, with Content-Type: {FORM}.", status=415
            )
        request.upload_handlers = [PictureHandler(request)]  # before anything of it is read
        return
    try:
        sent = request.body
    except RequestDataTooBig:
        raise WikiError(
            "too_large", "That is more than this site takes at once. Nothing is saved.", status=413
        ) from None
    if sent and request.content_type != "application/json":
        raise WikiError("not_json", "Send JSON, with Content-Type: application/json.", status=415)


def takes_file(request: HttpRequest) -> bool:
    match = request.resolver_match
    return request.method == "POST" and match is not None and match.route.endswith(UPLOADS)


def bearer(request: HttpRequest) -> ApiToken | None:
    """The token of the header ``Authorization``; None where there is no such header. Raises
    WikiError."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _space, secret = header.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise WikiError("bad_token", "Send Authorization: Bearer and a token.", status=401)
    return token_of(secret.strip())


def wrong_method(answer: HttpResponse) -> HttpResponse:
    known = {*answer["Allow"].replace(" ", "").split(","), "OPTIONS"}
    allowed = sorted(known | {"HEAD"} if "GET" in known else known)
    said = refusal(405, "method_not_allowed", f"This address knows only {', '.join(allowed)}.")
    said["Allow"] = ", ".join(allowed)
    return said


def conditional(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """``answer`` with its tag, or 304 where the client has it already."""
    if answer.status_code != 200:
        return answer
    etag = quote_etag(hashlib.sha256(answer.content).hexdigest()[:32])
    answer["ETag"] = etag
    return get_conditional_response(request, etag=etag, response=answer)


def open_to_all(answer: HttpResponse, *, preflight: bool = False) -> HttpResponse:
    """Let scripts of every site read ``answer``, as anybody could without a name."""
    answer["Access-Control-Allow-Origin"] = "*"
    if preflight:
        answer["Access-Control-Allow-Methods"] = "GET, HEAD"
        answer["Access-Control-Allow-Headers"] = CORS_ASKED
        answer["Access-Control-Max-Age"] = "86400"
    else:
        answer["Access-Control-Expose-Headers"] = CORS_SHOWN
    return answer


@door
def unknown(request: HttpRequest) -> HttpResponse:
    """Every address below /api/ that is none."""
    raise WikiError("not_found", "There is nothing at this address of the API.", status=404)
