"""The one shape of every refusal below /api/: ``{"error": {"code", "message", ...}}``."""

import json
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse

from wiki.errors import WikiError

ROOT = "/api/"
RETRY_SECONDS = 60  # where a refusal for haste does not say how long to wait


def told(code: str, message: str, **more: Any) -> str:
    return json.dumps({"error": {"code": code, "message": message, **more}}, cls=DjangoJSONEncoder)


def refusal(status: int, code: str, message: str, **more: Any) -> HttpResponse:
    answer = HttpResponse(
        told(code, message, **more), status=status, content_type="application/json"
    )
    if status == 401:
        answer["WWW-Authenticate"] = 'Bearer realm="Parlour"'
    return answer


def refusal_of(error: WikiError, **more: Any) -> HttpResponse:
    answer = refusal(error.status, error.code, error.message, **more)
    if error.status == 429:
        answer["Retry-After"] = str(error.retry_after or RETRY_SECONDS)
    return answer
