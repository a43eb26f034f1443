"""What happens around every request."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from portal import people


def last_seen(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable:
    """Keeps ``User.last_seen``, by which idle guests are found."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.session.accessed and request.user.is_authenticated:
            people.see(request.user, now=timezone.now())
        return response

    return middleware
