"""Names of accounts: what a name may be, and which two look alike."""

import re
import unicodedata

from django.core.exceptions import ValidationError

SHORTEST, LONGEST = 2, 30  # characters
KEPT = re.compile(
    r"(admin|administrator|anonymous|bot|engine|everybody|freeseat|guest|host|moderator|nobody|"
    r"player|root|server|spectator|staff|support|system|webmaster|you|zombie)\d*"
)
BLANKS = "\u115f\u1160\u3164\uffa0"  # letters without any shape
# Letters of other scripts that are drawn as Latin ones, after case folding.
DRAWN_ALIKE = str.maketrans(
    "авеѕіјкмнорсԛтухһԁԝӏ" + "αβεικνορτυχγω" + "ı",
    "abesijkmhopcqtyxhdwl" + "abeiknoptuxyw" + "i",
)


def shown_name(name: str) -> str:
    """A name as it is kept: one way of writing for what is one sign, no spaces around it."""
    return unicodedata.normalize("NFKC", name).strip()


def name_key(name: str) -> str:
    """What is equal for names that one takes for the same: whatever the case, the width, or the
    script of letters that are drawn alike."""
    return shown_name(name).casefold().translate(DRAWN_ALIKE)


def check_name(name: str) -> None:
    """Raises ValidationError where nobody may be called ``name`` (as ``shown_name`` gives it)."""
    if not SHORTEST <= len(name) <= LONGEST:
        raise ValidationError(f"A name has {SHORTEST} to {LONGEST} characters.")
    if any(sign in BLANKS for sign in name):
        raise ValidationError("A name has letters that one can see.")
    if not any(sign.isalnum() for sign in name):  # no address holds "..", say
        raise ValidationError("A name needs at least one letter or digit.")
    found = KEPT.fullmatch(re.sub(r"[\W_]", "", name_key(name)))
    if found and found[1] == "guest":
        raise ValidationError("Names of this kind are for guests. Please choose another.")
    if found:
        raise ValidationError(
            "This name would look like a part of the site. Please choose another."
        )
    if len(scripts(name)) > 1:
        raise ValidationError("A name is written in one alphabet. Please choose another.")


def scripts(name: str) -> set[str]:
    """The alphabets among Latin, Cyrillic, Greek and Armenian of whose letters ``name`` is made: those
    whose letters one takes for another's."""
    known = {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN"}
    return {unicodedata.name(sign, "").split(" ")[0] for sign in name} & known
