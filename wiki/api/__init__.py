"""The wiki for programs: JSON over HTTP, described by OpenAPI (docs/api.md).

Thin: translates requests to services and selectors, and their answers and refusals to JSON.
"""
