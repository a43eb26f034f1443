"""Version 1 of the wiki's API: its operations, and how their exceptions become refusals."""

from collections.abc import Iterable
from typing import Any, NoReturn

import msgspec
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.parser import Parser

from wiki.api import reading, writing  # noqa: F401 - they put their operations on the router
from wiki.api.refusals import refusal
from wiki.api.routes import router

WHOLES = ("asked", "sent")


class StrictJson(Parser):
    """JSON by the letter: no NaN, no half surrogates, not a million brackets."""

    def parse_body(self, request: HttpRequest) -> Any:
        return msgspec.json.decode(request.body)


api = NinjaAPI(
    title="Parlour wiki",
    version="1",
    description="Pages, revisions, differences, search and recent changes of the wiki. Reading needs "
    "no token; writing needs one that may write. Every refusal is `{error: {code, message}}`.",
    urls_namespace="wiki_api",
    openapi_url="",
    parser=StrictJson(),
)
api.add_router("", router)


@api.exception_handler(ValidationError)
def bad_fields(request: HttpRequest, error: ValidationError) -> HttpResponse:
    fields = [{"field": place(found["loc"]), "problem": found["msg"]} for found in error.errors]
    said = "; ".join(f"{found['field']}: {found['problem']}" for found in fields[:3])
    return refusal(422, "bad_fields", f"Nothing was done. {said}.", fields=fields)


def place(steps: Iterable[Any]) -> str:
    """Where a value stood: ``body.text``, without the names that our functions give to the whole."""
    return ".".join(str(step) for step in steps if step not in WHOLES)


@api.exception_handler(HttpError)
def bad_json(request: HttpRequest, error: HttpError) -> HttpResponse:
    return refusal(400, "bad_json", "This is no JSON. Nothing was done.")


@api.exception_handler(Exception)
def rise(request: HttpRequest, error: Exception) -> NoReturn:
    """WikiErrors are the door's, everything else is a defect."""
    raise error
