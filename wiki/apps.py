from django.apps import AppConfig


class WikiConfig(AppConfig):
    name = "wiki"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """The groups of the wiki are rows that a database must hold, like its permissions."""
        from django.db.models.signals import post_migrate

        from wiki.services.user_groups import make_groups

        post_migrate.connect(make_groups, sender=self)
