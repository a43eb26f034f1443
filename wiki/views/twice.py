"""A form that is sent twice, as by a double click without script: the second answer leads where the first
did, instead of refusing what is done already.

Every form that is shown has a token of its own. What was sent with it, once more, by the same person, is
the same form. Only a refusal is answered so: what can be done a second time is done.
"""

import hashlib
import time
from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

PLAIN = "application/x-www-form-urlencoded"
UNDER_WAY = ""
KEPT = 300  # seconds
PATIENCE, PAUSE = 2.0, 0.02  # seconds for the first one, which may be at its end only now
DONE = 302
REFUSED = (403, 404, 409, 410, 422)


def form_sent(request: HttpRequest) -> str | None:
    """Names the form that somebody sent, a stranger by the secret of their browser, and all it says; None for
    anything else. Forms with files are left alone: how these are taken in is their view's, which names them."""
    if request.method != "POST" or request.content_type != PLAIN or request.htmx:
        return None
    return name_of(request)


def name_of(request: HttpRequest, brought: str = "") -> str | None:
    """Names the form of ``request``; ``brought``: the file that came with it, by its hash."""
    who = request.user.pk or request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    if not who or not request.POST.get("csrfmiddlewaretoken"):
        return None
    said = repr((who, request.path, sorted(request.POST.lists()), brought))
    return f"wiki.sent.{hashlib.sha256(said.encode(errors='replace')).hexdigest()}"


def once(request: HttpRequest, form: str | None, work: Callable[[], HttpResponse]) -> HttpResponse:
    """What ``work`` answers to ``form``; where it came before and would be refused, what it got then. Of
    several that come at once, one is done first, so that it is not the one which is refused."""
    if form is None:
        return work()
    first = begin(form)
    if not first:
        led_by_the_first(form)
    try:
        response = work()
    except BaseException:
        if first:
            cache.delete(form)
        raise
    if not first and response.status_code != DONE:
        return as_the_first(request, form, response)
    end(form, response)
    return response


def begin(form: str) -> bool:
    """Whether ``form`` is sent for the first time."""
    return bool(cache.add(form, UNDER_WAY, timeout=KEPT))


def end(form: str, response: HttpResponse) -> None:
    """Keep where the first answer to ``form`` leads; nothing of one that leads nowhere."""
    if response.status_code == DONE:
        cache.set(form, response["Location"], timeout=KEPT)
    else:
        cache.delete(form)


def as_the_first(request: HttpRequest, form: str, response: HttpResponse) -> HttpResponse:
    """``response`` to ``form``, which was sent before; where it is a refusal, what the first one got, and
    a word that it is no new deed: others may have changed what it did."""
    if response.status_code not in REFUSED:
        return response
    led = led_by_the_first(form)
    if not led:
        return response
    messages.info(request, "You had sent this before, and it was done then.")
    return redirect(led)


def led_by_the_first(form: str) -> str | None:
    """Where the first answer to ``form`` led, once it is there; None where it led nowhere."""
    until = time.monotonic() + PATIENCE
    while (led := cache.get(form)) == UNDER_WAY and time.monotonic() < until:
        time.sleep(PAUSE)
    return led or None
