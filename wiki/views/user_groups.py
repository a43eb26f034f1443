"""Groups: what each may and who is in, for everybody; who gets in, for moderators. And the log."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from wiki.errors import WikiError
from wiki.services.user_groups import (
    GROUPS,
    WHAT_THEY_MAY,
    account,
    groups_of,
    may_give,
    members,
    set_groups,
)
from wiki.views.door import door

MEMBERS_SHOWN = 100  # of each group


@require_http_methods(["GET", "HEAD", "POST"])
@door
def groups(request: HttpRequest) -> HttpResponse:
    """All groups; ``?person=`` fills the form with somebody's."""
    error, sent = None, request.POST
    name = sent.get("person", request.GET.get("person", "")).strip()[:150]
    given = may_give(request.user)
    chosen = set(sent.getlist("group"))
    if request.method == "POST":
        try:
            person = set_groups(
                name=name, groups=chosen, reason=sent.get("reason", ""), by=request.user
            )
        except WikiError as refused:
            error = refused
        else:
            messages.success(request, f"The groups of {person.username} are set.")
            return redirect("wiki_groups")
    elif name and given:
        try:
            chosen = set(account(name).groups.values_list("name", flat=True))
        except WikiError as refused:
            error = refused
    context = {
        "groups": [
            {
                "name": group,
                "may": WHAT_THEY_MAY[group],
                "members": members(group)[:MEMBERS_SHOWN] if group != "reader" else [],
            }
            for group in GROUPS
        ],
        "mine": groups_of(request.user),
        "given": given,
        "person": name,
        "chosen": chosen,
        "kept": sorted(chosen - set(given) & set(GROUPS)) if name else [],
        "reason": sent.get("reason", ""),
        "error": error,
    }
    return render(request, "wiki/user_groups.html", context, status=error.status if error else 200)
