"""The books on the shelf."""

from django.templatetags.static import static

from games.finders import has_file


def cover_url(slug: str) -> str:
    """The URL of a game's cover, or of the house's binding for games without one."""
    if has_file(slug, "cover.svg"):
        return static(f"games/{slug}/cover.svg")
    return static("portal/cover-house.svg")
