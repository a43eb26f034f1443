from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from portal.models import User


@admin.register(User)
class PersonAdmin(UserAdmin):
    list_display = ["username", "email", "is_guest", "last_seen", "is_staff"]
    list_filter = ["is_guest", *UserAdmin.list_filter]
    fieldsets = [
        *UserAdmin.fieldsets,
        ("Parlour", {"fields": ["is_guest", "last_seen", "theme", "confirm_moves", "letter_keys"]}),
    ]
