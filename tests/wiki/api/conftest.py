"""A client of the API that holds every answer to the description."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from jsonschema import Draft202012Validator, FormatChecker

from portal.models import User
from wiki.api.description import openapi_schema
from wiki.services.tokens import make_token

ROOT = "/api/wiki/v1"


def operation_at(path: str, method: str) -> dict[str, Any] | None:
    """The operation of the description that a path belongs to."""
    for template, methods in openapi_schema()["paths"].items():
        pattern = re.sub(r"\\{(title|name)\\}", ".+", re.escape(template))
        pattern = re.sub(r"\\{\w+\\}", "[^/]+", pattern)
        if re.fullmatch(pattern, path):
            return methods.get(method.lower())
    return None


def hold_to_description(path: str, method: str, answer: HttpResponse) -> None:
    """Fails where ``answer`` is not one that the description promises."""
    said = operation_at(path, method)
    schema: dict[str, Any] = {"$ref": "#/components/schemas/Refusal"}
    if said is not None and answer.status_code != 405:
        assert str(answer.status_code) in said["responses"], (method, path, answer.status_code)
        content = said["responses"][str(answer.status_code)]["content"]
        schema = content["application/json"]["schema"]
    else:
        assert answer.status_code in (404, 405)
    whole = {**schema, "components": openapi_schema()["components"]}
    Draft202012Validator(whole, format_checker=FormatChecker()).validate(answer.json())


class Api:
    """Asks with a token, or without one."""

    def __init__(self, token: str = "") -> None:
        self.client = Client(raise_request_exception=False)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method: str, path: str, sent: Any = None, **headers: str) -> HttpResponse:
        data = sent if isinstance(sent, bytes) else b"" if sent is None else json.dumps(sent)
        answer = self.client.generic(
            method,
            ROOT + path,
            data,
            content_type="application/json",
            headers=self.headers | headers,
        )
        if answer.status_code != 304:
            path = ROOT + path.partition("?")[0]
            hold_to_description(path, method, answer)
        return answer

    def form(self, path: str, fields: dict[str, Any]) -> HttpResponse:
        """Send a form, as ``curl -F`` does."""
        answer = self.client.post(ROOT + path, fields, headers=self.headers)
        hold_to_description(ROOT + path, "POST", answer)
        return answer

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.ask("GET", path, **headers)

    def read(self, path: str) -> Any:
        """What is at ``path``, which must be there."""
        answer = self.get(path)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def post(self, path: str, sent: Any) -> HttpResponse:
        return self.ask("POST", path, sent)

    def put(self, path: str, sent: Any) -> HttpResponse:
        return self.ask("PUT", path, sent)


def refused(answer: HttpResponse, code: str, status: int) -> dict[str, Any]:
    """The refusal that ``answer`` must be."""
    error = answer.json()["error"]
    assert (error["code"], answer.status_code) == (code, status), error
    assert error["message"].endswith((".", "…"))
    return error


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


@pytest.fixture
def token_for(db: None) -> Callable[..., str]:
    def make(user: User, *, writes: bool = True, lifetime: str = "week") -> str:
        name = f"token {user.api_tokens.count() + 1}"
        return make_token(user=user, name=name, writes=writes, lifetime=lifetime)[1]

    return make


@pytest.fixture
def anybody(db: None) -> Api:
    return Api()


@pytest.fixture
def ada_writes(ada: User, token_for: Callable[..., str]) -> Api:
    return Api(token_for(ada))


@pytest.fixture
def bob_writes(bob: User, token_for: Callable[..., str]) -> Api:
    return Api(token_for(bob))
