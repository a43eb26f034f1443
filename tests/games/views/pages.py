"""What tests read from a page."""

import json
import re
from typing import Any


def payload_of(response: Any) -> dict[str, Any]:
    """The table as the page brings it."""
    text = response.content.decode()
    found = re.search(
        r'<script id="table-payload" type="application/json">(.*?)</script>', text, re.S
    )
    assert found
    return json.loads(found[1])
