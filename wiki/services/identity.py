"""Ids that mean the same thing for ever, and on no other site."""

from uuid import UUID, uuid5

from wiki.models import Identity


def site_uuid() -> UUID:
    """The id of this site: made once, kept in its database."""
    return Identity.objects.get_or_create(pk=1)[0].uuid


def lasting_id(site: UUID, *name: object) -> str:
    """The id of what ``name`` says on ``site``, as a URN."""
    return uuid5(site, ":".join(map(str, name))).urn
