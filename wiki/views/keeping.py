"""What a stranger's browser keeps of a page: it asks each time, and is told in a few bytes where nothing
changed."""

import hashlib
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control

# Of a form: another one each time, and as good as the one before.
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"')
View = Callable[..., HttpResponse]


def kept_by_strangers(view: View) -> View:
    """Gives what ``view`` shows to somebody without a session an ETag, of all that one reads there, and answers
    304 to a browser that has it."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if response.status_code != 200 or settings.SESSION_COOKIE_NAME in request.COOKIES:
            return response
        secret = request.META.get("CSRF_COOKIE") or ""  # which the tokens in the page go with
        said = TOKEN.sub(b"", response.content) + secret.encode()
        response["ETag"] = f'W/"{hashlib.sha256(said).hexdigest()[:32]}"'
        patch_cache_control(response, private=True, no_cache=True)
        return get_conditional_response(request, etag=response["ETag"], response=response)

    return guarded
