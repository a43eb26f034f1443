"""PostgreSQL's pool of connections, after the server went away and came back.

``psycopg_pool`` 3.3 tries the connections that died with the server one after the other, and waits between two
of them as long as between attempts to reach a server that is down: a dozen took three requests of three
seconds. Here the first that is found dead takes all that lie in the pool with it, and new ones are opened.
"""

from typing import Any

from psycopg_pool import ConnectionPool

check_alone = ConnectionPool.check_connection


def check_connection(connection: Any) -> None:
    """As the pool's own check; raises what it raises."""
    try:
        check_alone(connection)
    except Exception:
        connection._pool.drain()
        raise


def register() -> None:
    """Django hands this attribute to the pool that it makes."""
    setattr(ConnectionPool, "check_connection", staticmethod(check_connection))  # noqa: B010
