"""The description is what the addresses do, and what people can read of it."""

import re

import pytest
from django.test import Client
from openapi_spec_validator import validate

from tests.wiki.api.conftest import ROOT
from wiki.api.description import openapi_schema
from wiki.api.v1 import api

pytestmark = pytest.mark.django_db


def test_the_description_is_openapi(client: Client) -> None:
    answer = client.get(ROOT + "/openapi.json")
    assert answer["Content-Type"] == "application/json"
    assert answer["Access-Control-Allow-Origin"] == "*"
    validate(answer.json())
    again = client.get(ROOT + "/openapi.json", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


def test_every_address_is_described() -> None:
    routes = {
        (re.sub(r"{\w+:", "{", f"{ROOT}{path}"), method.lower())
        for router in api._get_bound_routers()
        for path, view in router.path_operations.items()
        for operation in view.operations
        for method in operation.methods
    }
    described = {
        (path, method) for path, methods in openapi_schema()["paths"].items() for method in methods
    }
    assert routes == described
    assert len(routes) > 12


def test_every_operation_says_what_it_takes_and_gives() -> None:
    for path, methods in openapi_schema()["paths"].items():
        for method, said in methods.items():
            place = f"{method} {path}"
            assert said["description"], place
            assert ("security" in said) == (method != "get"), place
            for status, answer in said["responses"].items():
                shape = answer["content"]["application/json"]["schema"]["$ref"]
                assert (shape.endswith("/Refusal")) == (int(status) >= 400), place
    schemes = openapi_schema()["components"]["securitySchemes"]
    assert schemes == {"Token": {"type": "http", "scheme": "bearer"}}


def test_people_can_read_it(client: Client) -> None:
    answer = client.get(ROOT + "/")
    html = answer.content.decode()
    assert answer.status_code == 200
    for path, methods in openapi_schema()["paths"].items():
        for said in methods.values():
            assert f'id="{said["operationId"]}"' in html, path
    for name in openapi_schema()["components"]["schemas"]:
        assert f'id="shape-{name}"' in html
    assert "<script>" not in html
    assert f"curl &#x27;http://testserver{ROOT}/pages/hearts&#x27;" in html
    assert '"base": 7' in html.replace("&quot;", '"')
    assert "<code>next_cursor</code> of the part before" in html
    assert "None" not in html.replace("If-None-Match", "")  # it is null in JSON
    assert client.post(ROOT + "/").status_code == 405
