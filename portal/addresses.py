"""Blocking addresses and ranges of them, of version 4 and 6, from writing pages and becoming guests."""

import ipaddress
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from portal.models import AddressBlock, User
from wiki.models import LogEntry
from wiki.services.log import note
from wiki.services.rights import is_moderator
from wiki.times import in_words

WIDEST = {4: 16, 6: 32}  # bits that a range must name; a wider one would stop a whole country
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class BadRange(ValueError):
    """What was typed is no address and no range that can be blocked; says why."""


def may_block_addresses(person: User | AnonymousUser) -> bool:
    return person.is_active and (person.is_staff or person.has_perm("portal.add_block"))


def read_range(text: str) -> Network:
    """``192.0.2.7``, ``192.0.2.0/24`` or ``2001:db8::/48``; bits behind the range do not matter. Raises
    ``BadRange``."""
    try:
        found = ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        raise BadRange(
            "That is no address and no range: write it like 192.0.2.7, 192.0.2.0/24 or "
            "2001:db8::/48."
        ) from None
    mapped = getattr(found.network_address, "ipv4_mapped", None)
    if mapped is not None and found.prefixlen >= 96:
        found = ipaddress.ip_network((mapped, found.prefixlen - 96), strict=False)
    if found.prefixlen < WIDEST[found.version]:
        raise BadRange(
            f"That range is too wide: it must name at least {WIDEST[found.version]} bits, so that it "
            "does not stop very many people."
        )
    return found


def sortable(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    """``address`` as the columns of an ``AddressBlock`` have it."""
    return f"{address.version}.{int(address):032x}"


def range_around(address: str) -> str:
    """What to block of one who wrote from ``address``: of version 6, the network of the household."""
    found = ipaddress.ip_address(address)
    mapped = getattr(found, "ipv4_mapped", None)
    found = mapped or found
    return f"{found}/32" if found.version == 4 else f"{found}/64"


def in_force() -> QuerySet[AddressBlock]:
    now = timezone.now()
    return AddressBlock.objects.filter(lifted_at=None).filter(Q(until=None) | Q(until__gt=now))


def block_on(address: str, person: User | AnonymousUser | None = None) -> AddressBlock | None:
    """The block that stops ``person`` at ``address``, the one that lasts longest; None: none does."""
    rows = blocks_on(address, person).select_related("by")
    found = sorted(rows, key=lambda one: (one.until is None, one.until or one.at))
    if not found or (has_account(person) and is_moderator(person)):
        return None
    return found[-1]


def blocks_on(address: str, person: User | AnonymousUser | None) -> QuerySet[AddressBlock]:
    """The blocks of ``address`` that are for people like ``person``, moderators or not."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # a socket file, a test, no request at all
        return AddressBlock.objects.none()
    wanted = sortable(getattr(found, "ipv4_mapped", None) or found)
    rows = in_force().filter(first__lte=wanted, last__gte=wanted)
    return rows.filter(accounts_too=True) if has_account(person) else rows


def has_account(person: User | AnonymousUser | None) -> bool:
    return person is not None and person.is_authenticated and not person.is_guest


@transaction.atomic
def block_range(
    *, text: str, by: User, reason: str, days: int, accounts_too: bool, named: str = ""
) -> AddressBlock:
    """Block a range for ``days`` (0: for good), or change the block it is under. The public log says
    that an address was blocked, not which; ``named``: whose. Raises ``BadRange``, PermissionDenied."""
    if not may_block_addresses(by):
        raise PermissionDenied("You may not block addresses.")
    network = read_range(text)
    now = timezone.now()
    in_force().filter(network=str(network)).update(lifted_at=now)
    made = AddressBlock.objects.create(
        network=str(network),
        first=sortable(network[0]),
        last=sortable(network[-1]),
        accounts_too=accounts_too,
        by=by,
        reason=reason,
        at=now,
        until=now + timedelta(days=days) if days else None,
    )
    note(LogEntry.Kind.BLOCK, by, title=log_name(network, named), reason=reason, address=True)
    return made


@transaction.atomic
def lift_range(*, block_id: int, by: User) -> AddressBlock:
    """End a block before its time. Raises PermissionDenied, ``AddressBlock.DoesNotExist``."""
    if not may_block_addresses(by):
        raise PermissionDenied("You may not end this block.")
    block = in_force().select_for_update().get(pk=block_id)
    block.lifted_at = timezone.now()
    block.save(update_fields=["lifted_at"])
    note(LogEntry.Kind.UNBLOCK, by, title=log_name(read_range(block.network)), address=True)
    return block


def log_name(network: Network, named: str = "") -> str:
    """A range as the public log calls it: addresses of people are not for everybody's eyes."""
    if named:
        return f"the address of {named}"
    return "an address" if network.num_addresses == 1 else "a range of addresses"


def sentence(block: AddressBlock) -> str:
    """What whom ``block`` stops reads."""
    whom = "Nobody may write pages" if block.accounts_too else "Guests may not write pages"
    by = f" by {block.by.username}" if block.by else ""
    rest = "" if block.accounts_too else " Whoever has an account can log in and write on."
    return (
        f"{whom} from your address, which was blocked{by} {lasts(block.until)}. The reason given: "
        f"“{block.reason.removesuffix('.')}”.{rest}"
    )


def no_sign_up(block: AddressBlock) -> str:
    """What somebody reads who wants an account where ``block`` is."""
    return (
        f"Nobody can sign up from your address, which is blocked {lasts(block.until)}. The reason "
        f"given: “{block.reason.removesuffix('.')}”."
    )


def lasts(until: datetime | None) -> str:
    return f"until {in_words(until)} UTC" if until else "for good"
