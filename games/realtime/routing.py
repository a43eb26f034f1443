"""Sockets of games, by URL."""

from channels.routing import URLRouter
from django.urls import URLPattern

websocket_urlpatterns: list[URLPattern | URLRouter] = []
