"""Where the operations of the API are gathered, and what they have in common."""

from typing import Any

from django.http import HttpRequest
from ninja import Router
from ninja.security import HttpBearer

from wiki.api.schemas import Refusal
from wiki.errors import WikiError
from wiki.models import ApiToken

READ = frozenset({400, 401, 403, 404, 422, 429})  # how reading may be refused
WRITE = READ | {409, 413, 415}
UPLOAD = WRITE | {507}
UPLOADS = "/files"  # the address that takes a form with a file
router = Router()


def gives(schema: type) -> dict[Any, type]:
    """The answers of an operation that reads."""
    return {200: schema, READ: Refusal}


def takes(schema: type, status: int = 200, *, refuses: frozenset[int] = WRITE) -> dict[Any, type]:
    """The answers of an operation that writes."""
    return {status: schema, refuses: Refusal}


class Token(HttpBearer):
    """A token that may write; ``request.person`` is its owner."""

    def __call__(self, request: HttpRequest) -> ApiToken:
        if request.token is None:
            raise WikiError(
                "no_token", "Send a token that may write: Authorization: Bearer.", status=401
            )
        if not request.token.writes:
            raise WikiError("read_only_token", "This token only reads.", status=403)
        return request.token

    def authenticate(self, request: HttpRequest, token: str) -> None:
        raise NotImplementedError  # the door has read the header


MAY_WRITE = Token()
