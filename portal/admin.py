"""People and blocks for the staff. Whose account is closed or removed leaves all tables, and their sockets close."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse

from games.realtime.sessions import tell_all_sessions
from portal.blocks import leave_tables
from portal.models import SWITCHES, Block, User


@admin.register(User)
class PersonAdmin(UserAdmin):
    list_display = ["username", "email", "is_guest", "last_seen", "is_staff", "is_active"]
    list_filter = ["is_guest", *UserAdmin.list_filter]
    fieldsets = [
        *UserAdmin.fieldsets,
        ("Parlour", {"fields": ["is_guest", "last_seen", "theme", *SWITCHES]}),
    ]

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        turned = change and "is_active" in form.changed_data
        if turned and not obj.is_active:
            leave_tables(User.objects.get(pk=obj.pk))  # while it is one that may
        super().save_model(request, obj, form, change)
        if turned:
            tell_all_sessions(obj.pk)

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        answer = super().user_change_password(request, id, form_url)
        if request.method == "POST" and (person := self.get_object(request, id)):
            tell_all_sessions(person.pk)
        return answer

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        leave_tables(obj)
        tell_all_sessions(obj.pk)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for person in queryset:
            leave_tables(person)
            tell_all_sessions(person.pk)
        super().delete_queryset(request, queryset)


@admin.register(Block)
class BlockAdmin(admin.ModelAdmin):
    """What was blocked and why, to read: blocking is done on the page of the person."""

    list_display = ["person", "by", "reason", "at", "until", "lifted_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
