"""The wiki in the admin, to look at. Texts are changed by edits and protections on the page itself:
both keep a history."""

from django.contrib import admin

from wiki.models import Page


@admin.register(Page)
class PageAdmin(admin.ModelAdmin):
    list_display = ["title", "slug", "language", "game", "protection"]
    list_filter = ["protection", "language"]
    search_fields = ["title", "slug"]
    fields = ["title", "slug", "language", "game", "protection", "protected_until"]

    def has_change_permission(self, request: object, obj: Page | None = None) -> bool:
        return False

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: Page | None = None) -> bool:
        return False
