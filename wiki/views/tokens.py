"""Tokens of the API: a person's own, on one page in the account's area."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from wiki.errors import WikiError
from wiki.services.tokens import MAX_NAME, make_token, revoke_token
from wiki.views.door import door, row_id

LIFETIME_WORDS = {
    "week": "A week",
    "month": "A month",
    "quarter": "Three months",
    "year": "A year",
    "always": "Until I revoke it",
}


@login_required
@never_cache  # the secret is shown once
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables("secret")
@door
def tokens(request: HttpRequest) -> HttpResponse:
    """The list, and the form for a new one; its secret is in the answer to the form only."""
    sent, error, made, secret = request.POST, None, None, ""
    if request.method == "POST":
        try:
            made, secret = make_token(
                user=request.user,
                name=sent.get("name", ""),
                writes=sent.get("scope") == "write",
                lifetime=sent.get("lifetime", ""),
            )
        except WikiError as refused:
            error = refused
    kept = {} if made else sent
    context = {
        "tokens": request.user.api_tokens.order_by("-pk"),
        "now": timezone.now(),
        "made": made,
        "secret": secret,
        "error": error,
        "lifetimes": LIFETIME_WORDS.items(),
        "lifetime": kept.get("lifetime", "quarter"),
        "writes": kept.get("scope") == "write",
        "name": kept.get("name", ""),
        "max_name": MAX_NAME,
    }
    return render(request, "wiki/tokens.html", context, status=error.status if error else 200)


@login_required
@require_POST
@door
def revoke(request: HttpRequest) -> HttpResponse:
    name = revoke_token(user=request.user, token_id=row_id(request.POST.get("token")))
    messages.success(
        request, f"The token “{name}” is revoked: nothing can be done with it any more."
    )
    return redirect("api_tokens")
