"""``[[User:Ada]]``, ``[[User:Ada|her words]]``: a link to what somebody wrote here. It is no page."""

import re

# How other wikis call their namespace of people, in lower case.
USER_PREFIXES = frozenset(
    {
        "user",
        "benutzer",
        "benutzerin",
        "utilisateur",
        "utilisatrice",
        "usuario",
        "usuaria",
        "utente",
    }
    | {"gebruiker", "usuário", "użytkownik", "suradnik", "korisnik", "корисник", "участник"}
    | {"удзельнік", "利用者", "用户"}
)
PREFIX = "|".join(sorted(USER_PREFIXES))
USER = re.compile(rf"\s*(?i:{PREFIX})\s*:\s*(?P<name>[^\[\]|#/:\n][^\[\]|#/\n]{{0,254}}?)\s*")
USER_LINK = re.compile(rf"\[\[{USER.pattern}(?:\|[^\[\]\n]*)?\]\]")


def person_called(target: str) -> str:
    """The name in the target of a link to a person; empty for a link to anything else."""
    match = USER.fullmatch(target)
    return match["name"] if match else ""
