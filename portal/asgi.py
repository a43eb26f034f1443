"""The door for HTTP and sockets: uvicorn serves ``application``."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
http = get_asgi_application()  # first: it loads the apps that the imports below need

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402

from games.realtime.routing import websocket_urlpatterns  # noqa: E402
from portal.bodies import BoundedBodies  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": BoundedBodies(http),
        "websocket": AllowedHostsOriginValidator(
            AuthMiddlewareStack(URLRouter(websocket_urlpatterns))
        ),
    }
)
