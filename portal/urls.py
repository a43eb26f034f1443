"""Every address. Games and wiki bring theirs; portal adds home, people and health."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import TemplateView

from portal import errors
from portal.health import healthz

page = TemplateView.as_view(template_name="portal/about.html")
urlpatterns = [
    path("", page, name="home"),
    path("games/", page, name="games"),
    path("games/<slug:slug>/", page, name="game"),
    path("wiki/", include("wiki.urls")),
    path("people/<str:name>/", page, name="person"),
    path("preferences/", page, name="preferences"),
    path("about/", page, name="about"),
    path("accounts/", include("allauth.urls")),
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
]

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
