"""The bell: how many notices wait for the person of a page."""

from django import template

from wiki.services.notices import unread

register = template.Library()


@register.simple_tag(takes_context=True)
def unread_notices(context: template.Context) -> int:
    """How many notices the person has not read; asked for once a request, and never for strangers."""
    request = context.get("request")
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return 0
    if not hasattr(request, "unread_notices"):
        request.unread_notices = unread(user).order_by().count()
    return request.unread_notices
