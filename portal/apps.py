from django.apps import AppConfig
from django.conf import settings


class PortalConfig(AppConfig):
    name = "portal"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Portal is where games and wiki meet: here each is given what it needs of the other."""
        from allauth.account import signals
        from django.contrib.auth.signals import user_logged_in
        from django.core.checks import register as register_check

        import games.hooks
        import wiki.hooks
        from games.services.hints import tell
        from portal import blocks, checks, guests, panels, shortcodes
        from portal.people import (
            confirmed_address,
            let_in,
            mail_address,
            tell_new_password,
            welcome,
        )
        from portal.selectors import help_link

        games.hooks.register(
            help_page=help_link,
            new_guest=guests.guest_at_a_table,
            welcome=welcome,
            mail_address=mail_address,
        )
        wiki.hooks.register(
            make_guest=guests.guest_who_writes,
            mail_address=mail_address,
            confirmed_address=confirmed_address,
            let_in=let_in,
            refuse_blocked=blocks.refuse_writing,
            tell_sockets=tell,
        )
        user_logged_in.connect(guests.bring_along)
        for signal in (signals.password_changed, signals.password_set, signals.password_reset):
            signal.connect(tell_new_password)
        panels.register()
        if settings.DATABASES["default"]["ENGINE"] == settings.POSTGRESQL:
            from portal import postgres

            postgres.register()
        shortcodes.register()
        register_check(checks.library, checks.TAG)
