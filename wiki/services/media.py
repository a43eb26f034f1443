"""The media folder: what uploads that were killed or refused left there goes."""

import contextlib

from wiki.files import store
from wiki.models import FileVersion

AT_ONCE = 500


def clean_up(now: float) -> int:
    """Remove files that no version of any file page is; return how many. ``now`` in seconds.

    A second run finds none left. What an upload wrote or found within a day stays, so that nobody loses
    a picture whose page is being saved.
    """
    gone, old = list(store.left_over(now)), list(store.unclaimed(now))
    for start in range(0, len(old), AT_ONCE):
        some = old[start : start + AT_ONCE]
        known = set(
            FileVersion.objects.filter(sha256__in=[sha256 for sha256, _path in some]).values_list(
                "sha256", flat=True
            )
        )
        gone += [path for sha256, path in some if sha256 not in known]
    removed = 0
    for path in gone:
        if not store.aged(path, now, store.HALF):
            continue  # an upload has come for it meanwhile
        with contextlib.suppress(OSError):
            path.unlink()
            removed += 1
    return removed
