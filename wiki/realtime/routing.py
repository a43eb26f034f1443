"""Sockets of the wiki, by URL."""

from django.urls import path

from wiki.realtime.consumers import EditingConsumer

websocket_urlpatterns = [
    path("ws/wiki/<str:slug>", EditingConsumer.as_asgi(), name="editing_socket"),
]
