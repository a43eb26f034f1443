"""Where the request that is being answered comes from. Services ask it, since what somebody may write
depends on that too, whichever view or interface called them; in tasks and commands it is nowhere."""

import ipaddress
from contextvars import ContextVar

address: ContextVar[str] = ContextVar("address", default="")  # "192.0.2.7", or empty


def plain(where: str) -> str:
    """An address of version 4 as such, also where a proxy that listens to both versions writes ``::ffff:192.0.2.7``:
    else all of them would count as one network."""
    try:
        found = ipaddress.ip_address(where)
    except ValueError:
        return where
    return str(getattr(found, "ipv4_mapped", None) or where)


def network(where: str) -> str:
    """An address as one counts it: of version 6, the 64 bits that one household or machine has."""
    try:
        found = ipaddress.ip_address(where)
    except ValueError:  # a socket file, or a test: all alike
        return where
    if found.version == 4:
        return str(found)
    return str(ipaddress.ip_network((found, 64), strict=False))
