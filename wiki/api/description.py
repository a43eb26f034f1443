"""The API described: as OpenAPI for programs, as a page for people."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from wiki.api.door import door
from wiki.api.v1 import api

Schema = dict[str, Any]
FORM = "multipart/form-data"


@door
def openapi(request: HttpRequest) -> HttpResponse:
    if request.method != "GET":
        return HttpResponse(status=405, headers={"Allow": "GET"})
    return JsonResponse(openapi_schema())


@cache
def openapi_schema() -> Schema:
    return json.loads(json.dumps(api.get_openapi_schema()))


@dataclass(frozen=True)
class Field:
    """A parameter or a field of a shape, as the page shows it. ``shape``: the shape it leads to."""

    name: str
    kind: str
    shape: str
    needed: bool
    words: str


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    short: str  # the path below the API's root
    words: str
    parameters: list[Field]
    body: str  # the shape it takes, and its fields
    body_fields: list[Field]
    form: bool  # they are fields of a form, one of them a file
    gives: str
    writes: bool
    example: str


@csrf_exempt  # other methods are refused, in the shape of the API
@require_safe
def description(request: HttpRequest) -> HttpResponse:
    schema = openapi_schema()
    base = request.build_absolute_uri("/").rstrip("/")
    operations = [
        operation(path, method, said, schema, base)
        for path, methods in schema["paths"].items()
        for method, said in methods.items()
    ]
    context = {
        "reading": [one for one in operations if not one.writes],
        "writing": [one for one in operations if one.writes],
        "shapes": [
            (name, fields(shape)) for name, shape in sorted(schema["components"]["schemas"].items())
        ],
    }
    return render(request, "wiki/api.html", context)


def operation(path: str, method: str, said: Schema, schema: Schema, base: str) -> Operation:
    content = said.get("requestBody", {}).get("content", {})
    form = content.get(FORM, {}).get("schema", {})
    body = content.get("application/json", {})
    answer = next(answer for status, answer in said["responses"].items() if status.startswith("2"))
    shapes = schema["components"]["schemas"]
    taken = shape_of(body.get("schema", {}))
    return Operation(
        id=said["operationId"],
        method=method.upper(),
        short=path.removeprefix(reverse("api_docs").rstrip("/")),
        words=said.get("description", said["summary"]),
        parameters=[
            field(one["name"], one["schema"], one["required"]) for one in said["parameters"]
        ],
        body=taken,
        body_fields=fields(form or shapes.get(taken, {})),
        form=bool(form),
        gives=shape_of(answer["content"]["application/json"]["schema"]),
        writes="security" in said,
        example=curl_form(path, form, base)
        if form
        else curl(path, method, said, shapes.get(taken), base),
    )


def fields(shape: Schema) -> list[Field]:
    needed = shape.get("required", [])
    return [field(name, said, name in needed) for name, said in shape.get("properties", {}).items()]


def field(name: str, said: Schema, needed: bool) -> Field:
    words = said.get("description", "")
    if not needed and said.get("default") not in (None, ""):
        words = f"{words}. Default: {json.dumps(said['default'])}".removeprefix(". ")
    return Field(name, kind(said), shape_of(said), needed, words)


def kind(said: Schema) -> str:
    """The type in words: "integer", "list of Link", "text or null"."""
    if "$ref" in said:
        return shape_of(said)
    if "anyOf" in said:
        return " or ".join(kind(one) for one in said["anyOf"])
    if said.get("format") == "binary":
        return "file"
    if "enum" in said:
        return " | ".join(said["enum"])
    if said.get("type") == "array":
        return f"list of {kind(said['items'])}"
    if said.get("format") == "date-time":
        return "time"
    return {"string": "text", "boolean": "true or false"}.get(said["type"], said["type"])


def shape_of(said: Schema) -> str:
    """The name of the shape that ``said`` refers to, itself or as one of several or many; else nothing."""
    if "$ref" in said:
        return said["$ref"].rsplit("/", 1)[-1]
    inner = [*said.get("anyOf", []), *([said["items"]] if "items" in said else [])]
    return next(filter(None, map(shape_of, inner)), "")


def curl(path: str, method: str, said: Schema, body: Schema | None, base: str) -> str:
    """A line that tries the operation."""
    query = []
    for one in said["parameters"]:
        example = str(one.get("example", ""))
        if one["in"] == "path":
            path = path.replace(f"{{{one['name']}}}", example)
        elif one["required"]:
            query.append(f"{one['name']}={example}")
    address = f"'{base}{path}{'?' if query else ''}{'&'.join(query)}'"
    if "security" not in said:
        return f"curl {address}"
    sent = json.dumps(
        {
            name: shown["examples"][0]
            for name, shown in (body or {}).get("properties", {}).items()
            if "examples" in shown
        },
        ensure_ascii=False,
    )
    return (
        f'curl -X {method.upper()} -H "Authorization: Bearer $TOKEN" '
        f"-H 'Content-Type: application/json' \\\n  -d '{sent}' \\\n  {address}"
    )


def curl_form(path: str, form: Schema, base: str) -> str:
    """A line that tries an operation which takes a form."""
    sent = ["file=@board.png"] + [
        f"{name}={shown['examples'][0]}"
        for name, shown in form["properties"].items()
        if "examples" in shown
    ]
    fields = " ".join(f"-F '{one}'" for one in sent)
    return f"curl -H \"Authorization: Bearer $TOKEN\" {fields} \\\n  '{base}{path}'"
