"""The list of blocks: of accounts, for everybody; of addresses, which only moderators read and set."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from portal import addresses, blocks
from portal.forms import AddressBlockForm
from portal.models import AddressBlock

PER_SHEET = 50


@require_http_methods(["GET", "HEAD", "POST"])
def block_list(request: HttpRequest) -> HttpResponse:
    """Blocks in force, the latest first. Moderators block a range of addresses here, and end blocks."""
    moderates = addresses.may_block_addresses(request.user)
    if request.method == "POST" and not moderates:
        raise PermissionDenied("Only moderators block addresses and end such blocks.")
    form = AddressBlockForm(request.POST if "reason" in request.POST else None)
    if request.method == "POST" and "lift" in request.POST:
        return lift(request)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            made = addresses.block_range(text=data.pop("range"), by=request.user, **data)
        except addresses.BadRange as error:
            form.add_error("range", str(error))
        else:
            messages.success(request, f"{made.network} is blocked.")
            return redirect("blocks")
    context: dict[str, Any] = {
        "accounts": Paginator(blocks.in_force(), PER_SHEET).get_page(request.GET.get("page")),
        "moderates": moderates,
        "form": form if moderates else None,
    }
    if moderates:
        context["ranges"] = addresses.in_force().select_related("by").order_by("-pk")
    status = 422 if form.errors else 200
    return render(request, "portal/blocks.html", context, status=status)


def lift(request: HttpRequest) -> HttpResponse:
    asked = request.POST["lift"]
    try:
        if not asked.isascii() or not asked.isdigit():
            raise AddressBlock.DoesNotExist
        ended = addresses.lift_range(block_id=int(asked[:18]), by=request.user)
    except AddressBlock.DoesNotExist:
        raise Http404 from None
    messages.success(request, f"{ended.network} is no longer blocked.")
    return redirect("blocks")
