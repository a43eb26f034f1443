"""A Valkey on a port of its own, that is stopped and started as one likes."""

import subprocess
from pathlib import Path

import redis

from portal.valkey import patience, valkey_command
from tests.site import free_port, wait_until


class Valkey:
    """It keeps nothing on disk: killed, it comes back empty."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.client = redis.from_url(self.url, **patience(self.url, 2.0))
        self.start()

    def start(self) -> None:
        command = valkey_command(socket=self.folder / "v.sock", data_dir=self.folder)
        self.process = subprocess.Popen([*command, "--port", str(self.port), "--save", ""])
        wait_until(self.answers, "Valkey")

    def answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except redis.RedisError:
            return False

    def send(self, number: int) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def listeners(self, table: str) -> int:
        """How many processes hear hints of a table."""
        return int(self.client.pubsub_numsub(f"parlour__group__table.{table}")[0][1])
