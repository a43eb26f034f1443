"""Where the request that is being answered comes from. Services ask it, since what somebody may write
depends on that too, whichever view or interface called them; in tasks and commands it is nowhere."""

from contextvars import ContextVar

address: ContextVar[str] = ContextVar("address", default="")  # "192.0.2.7", or empty
