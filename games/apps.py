from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games.realtime.sessions import tell_logged_out

        user_logged_out.connect(tell_logged_out)
