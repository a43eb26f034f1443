"""Every address. Games and wiki bring theirs; portal adds home, people and health."""

from allauth.account import views as allauth
from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from portal import block_pages, errors, views
from portal.health import healthz
from wiki.views import tokens

# The admin's own log-in would take any number of guesses.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", views.home, name="home"),
    path("open-tables/", views.open_tables, name="open_tables"),
    path("games/", views.shelf, name="games"),
    path("games/<slug:slug>/", views.game, name="game"),
    path("", include("games.urls")),
    path("wiki/reports/blocks/", block_pages.block_list, name="blocks"),
    path("wiki/", include("wiki.urls")),
    path("people/<path:name>/block/", views.block_person, name="block_person"),
    path("people/<path:name>/unblock/", views.unblock_person, name="unblock_person"),
    path("people/<path:name>/", views.person, name="person"),
    path("preferences/switch", views.switch, name="switch"),
    path("preferences/", views.preferences, name="preferences"),
    path("about/", views.about, name="about"),
    path("accounts/login/", views.GuestLogin.as_view(), name="account_login"),
    path("accounts/signup/", views.GuestSignup.as_view(), name="account_signup"),
    path("accounts/email/", views.for_accounts(allauth.email), name="account_email"),
    path(
        "accounts/password/change/",
        views.for_accounts(allauth.password_change),
        name="account_change_password",
    ),
    path(
        "accounts/password/set/",
        views.for_accounts(allauth.password_set),
        name="account_set_password",
    ),
    path("accounts/tokens/", tokens.tokens, name="api_tokens"),
    path("accounts/tokens/revoke/", tokens.revoke, name="api_token_revoke"),
    path("accounts/", include("allauth.urls")),
    path("api/", include("wiki.api.urls")),
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
]

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.failed
