from django.apps import AppConfig


class PortalConfig(AppConfig):
    name = "portal"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Portal is where games and wiki meet: here each is given what it needs of the other."""
        from games import hooks
        from portal import panels
        from portal.people import mail_address, make_guest
        from portal.selectors import help_revision

        hooks.register(help_revision=help_revision, guest_for=make_guest, mail_address=mail_address)
        panels.register()
