"""What somebody may do, asked of the database once for each request."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser

from portal.models import User


class OneQuestion(ModelBackend):
    """Asks for the permissions of a person and those of their groups in one query instead of two, since
    every page of the wiki needs them. The backends after it let people in, and find the answer kept."""

    def authenticate(self, *args: Any, **credentials: Any) -> None:
        """Lets nobody in: a password is tried by the next backend, and only once."""

    def get_all_permissions(
        self, user_obj: User | AnonymousUser, obj: object | None = None
    ) -> set[str]:
        if not user_obj.is_active or user_obj.is_anonymous or obj is not None:
            return set()
        if user_obj.is_superuser or hasattr(user_obj, "_perm_cache"):
            return super().get_all_permissions(user_obj, obj)
        own, of_groups = (
            rows.order_by().values_list("content_type__app_label", "codename")
            for rows in (
                self._get_user_permissions(user_obj),
                self._get_group_permissions(user_obj),
            )
        )
        user_obj._perm_cache = {f"{app}.{name}" for app, name in own.union(of_groups)}
        return user_obj._perm_cache
