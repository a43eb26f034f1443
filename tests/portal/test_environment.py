"""What the environment may say, and what is made where it says nothing."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from portal import environment


@pytest.mark.parametrize(
    ("read", "given", "least", "found"),
    [
        (environment.env_int, "0", 0, 0),
        (environment.env_float, "0.25", 0, 0.25),
        (environment.env_float, "", 0, 7),
        (environment.env_ints, "-1", -1, (-1, -1)),
        (environment.env_ints, "0,3", 0, (0, 3)),
    ],
)
def test_a_number_within_its_bound_is_taken(monkeypatch, read, given, least, found):
    monkeypatch.setenv("NUMBER", given)
    default = (7, 7) if read is environment.env_ints else 7
    assert read("NUMBER", default=default, least=least) == found


@pytest.mark.parametrize(
    ("read", "given"),
    [
        (environment.env_int, "-5"),
        (environment.env_float, "-0.1"),
        (environment.env_float, "nan"),
        (environment.env_float, "inf"),
        (environment.env_float, "soon"),
        (environment.env_ints, "3,-1"),
        (environment.env_ints, "1,2,3"),
    ],
)
def test_a_number_that_makes_no_sense_is_refused_by_name(monkeypatch, read, given):
    monkeypatch.setenv("NUMBER", given)
    default = (7, 7) if read is environment.env_ints else 7
    with pytest.raises(ImproperlyConfigured, match=r"^NUMBER must be .*\.$"):
        read("NUMBER", default=default, least=0)


def test_processes_that_start_together_have_one_secret(tmp_path: Path):
    path = tmp_path / "secret_key"
    with ThreadPoolExecutor(8) as starting:
        found = set(starting.map(environment.kept_secret, [path] * 40))
    assert len(found) == 1
    assert len(found.pop()) > 60
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]
