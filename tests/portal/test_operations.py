"""What the page about operations says is so."""

import re

import pytest
from django.conf import settings

PAGE = (settings.BASE_DIR / "docs/operations.md").read_text()
READ = re.compile(r"""(?:env_\w+\(|environ\.get\(|environ\[)\s*"([A-Z_]+)\"""")


def test_every_setting_is_described():
    found = set(READ.findall((settings.BASE_DIR / "portal/settings.py").read_text()))
    assert {"PORT", "DATABASE_URL", "HTTPS", "ALLOWED_HOSTS"} <= found
    rows = "\n".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE))
    assert {name for name in found if f"`{name}`" not in rows} == set()


@pytest.mark.parametrize("file", re.findall(r"`((?:tests|docs|portal|script)/[\w/.]+)`", PAGE))
def test_every_file_it_names_is_there(file):
    assert (settings.BASE_DIR / file).exists()
