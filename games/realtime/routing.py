"""Sockets of games, by URL."""

from channels.routing import URLRouter
from django.urls import URLPattern, path

from games.realtime.consumers import TableConsumer

websocket_urlpatterns: list[URLPattern | URLRouter] = [
    path("ws/tables/<str:table_id>", TableConsumer.as_asgi(), name="table_socket"),
]
