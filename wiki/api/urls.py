"""Addresses below /api/: version 1 of the wiki's API, its description, and nothing else."""

from django.urls import include, path, re_path
from django.urls.resolvers import URLPattern

from wiki.api.description import description, openapi
from wiki.api.door import door, unknown
from wiki.api.v1 import api


def guarded(pattern: URLPattern) -> URLPattern:
    pattern.callback = door(pattern.callback)
    return pattern


operations, ninja, namespace = api.urls

urlpatterns = [
    path("wiki/v1/", description, name="api_docs"),
    path("wiki/v1/openapi.json", openapi, name="api_openapi"),
    path("wiki/v1/", include(([guarded(one) for one in operations], ninja), namespace)),
    re_path("", unknown, name="api_unknown"),
]
