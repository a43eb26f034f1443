"""A page in the script that its reader asks for, ``?variant=sr-ec`` or ``sr-el``, or chose once for the
account.

Another value is passed over, as MediaWiki does: then the page reads as it was written. Who has no account is
remembered by the address alone: links lead on in the same script.
"""

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from portal.models import User
from wiki.languages import language
from wiki.markup import Rendered
from wiki.markup.scripts import OF_LANGUAGE, VARIANTS, Variant, in_variant, variant_of
from wiki.models import Page, Revision
from wiki.selectors import translations

LINK = re.compile(r'(<a class="wiki-link" href="[^"#?]*)(?=[#"])')


def preferred(person: User | AnonymousUser, written: str) -> Variant | None:
    """The script in which ``person`` reads pages that are ``written`` in a language."""
    return variant_of(written, person.reads) if person.is_authenticated else None


def shown_variant(request: HttpRequest, written: str) -> Variant | None:
    """The script in which a page that is ``written`` in a language is shown; None: as it is."""
    if "variant" in request.GET:
        return variant_of(written, request.GET["variant"])
    return preferred(request.user, written)


@dataclass(frozen=True)
class Way:
    """One way to read a page: ``name`` of the script, its ``tag`` for HTML, its ``query``."""

    name: str
    tag: str
    query: str
    chosen: bool


def in_languages(
    request: HttpRequest, page: Page, variant: Variant | None, revision: Revision | None
) -> dict[str, Any]:
    """What the templates need to show ``page``, or an old ``revision`` of it, in ``variant``, and to
    lead to its translations."""
    others = translations(page)
    shown: dict[str, Any] = {
        "kept_variant": variant if "variant" in request.GET else None,
        "language": language(page.language),
        "own_language": language(page.language),
        "variant": variant,
        "translations": [(other, language(other.language)) for other in others],
        "alternates": alternates(request, page, others),
    }
    codes = OF_LANGUAGE.get(page.language, ())
    old = {"rev": revision.pk} if revision else {}
    if codes:
        chosen = preferred(request.user, page.language)
        # without a word it would be shown in the script that the reader chose
        plain = {"variant": page.language.split("-")[0]} if chosen else {}
        shown["can_choose"] = request.user.is_authenticated and variant is not chosen
        shown["ways"] = [
            Way("Original", "en", query(old | plain), chosen=variant is None),
            *(
                Way(
                    VARIANTS[code].name,
                    language(code).tag,
                    query(old | {"variant": code}),
                    chosen=variant is VARIANTS[code],
                )
                for code in codes
            ),
        ]
    if variant:
        shown["language"] = language(variant.code)
        shown["shown_title"] = variant.convert(page.title)
    return shown


def alternates(request: HttpRequest, page: Page, others: list[Page]) -> list[tuple[str, str]]:
    """Language tags and whole addresses of ``page`` and all it can be read as, for search engines."""
    found: list[tuple[str, str]] = []
    if not others and page.language != "sr":
        return found
    for one in (page, *others):
        address = request.build_absolute_uri(one.get_absolute_url())
        found.append((language(one.language).tag, address))
        if one.language == settings.LANGUAGE_CODE:
            found.append(("x-default", address))
        elif one.language == "sr":  # the others are in one of its scripts by their own language
            found += [
                (language(code).tag, f"{address}?variant={code}") for code in OF_LANGUAGE["sr"]
            ]
    return found


def query(said: dict[str, Any]) -> str:
    return f"?{urlencode(said)}" if said else ""


def read_as(made: Rendered, variant: Variant) -> Rendered:
    """``made`` with its words, and its contents list, in the script of ``variant``."""
    return replace(
        made,
        html=in_variant(made.html, variant),
        toc=[(level, anchor, variant.convert(text)) for level, anchor, text in made.toc],
    )


def keep_variant(html: str, variant: Variant | None) -> str:
    """``html`` whose links to pages of the wiki go on in the same script."""
    return LINK.sub(rf"\1?variant={variant.code}", html) if variant else html
