"""Made-up exports and feeds in the shape in which MediaWiki writes them."""

from typing import Any
from xml.sax.saxutils import escape, quoteattr

from wiki.interchange.mediawiki_xml import base36_sha1

NAMESPACES = {
    0: "",
    1: "Talk",
    2: "User",
    3: "User talk",
    6: "File",
    10: "Template",
    14: "Category",
}


def export(
    *pages: str,
    schema: str = "0.11",
    site: str = "Tiny Wiki",
    language: str = "en",
    namespaces: dict[int, str] | None = None,
) -> str:
    names = "".join(
        f'<namespace key="{key}" case="first-letter">{escape(name)}</namespace>'
        for key, name in (NAMESPACES | (namespaces or {})).items()
    )
    uri = f"http://www.mediawiki.org/xml/export-{schema}/"
    return (
        f'<mediawiki xmlns="{uri}" version="{schema}" xml:lang="{language}">\n<siteinfo>'
        f"<sitename>{escape(site)}</sitename><dbname>tiny</dbname>"
        f"<base>https://tiny.example/wiki/Main_Page</base><generator>MediaWiki 1.39.17</generator>"
        f"<case>first-letter</case><namespaces>{names}</namespaces></siteinfo>\n"
        f"{''.join(pages)}</mediawiki>\n"
    )


def page(title: str, *parts: str, ns: int = 0, number: int = 1, redirect: str = "") -> str:
    leads = f"<redirect title={quoteattr(redirect)} />" if redirect else ""
    inside = "".join(parts)
    return f"<page><title>{escape(title)}</title><ns>{ns}</ns><id>{number}</id>{leads}{inside}</page>\n"


def revision(number: int, time: str, user: str = "Ann", text: str = "", **said: Any) -> str:
    """``said``: comment, minor, parent, ip, model, sha1, hidden (a set of what is), slots."""
    hidden = said.get("hidden", ())
    name = "ip" if said.get("ip") else "username"
    who = "" if name == "ip" else "<id>7</id>"
    contributor = (
        '<contributor deleted="deleted" />'
        if "user" in hidden
        else f"<contributor><{name}>{escape(user)}</{name}>{who}</contributor>"
    )
    comment = f"<comment>{escape(said['comment'])}</comment>" if said.get("comment") else ""
    if "comment" in hidden:
        comment = '<comment deleted="deleted" />'
    sha1 = said.get("sha1", base36_sha1(text))
    body = (
        f'<text bytes="{len(text.encode())}" sha1="{sha1}" deleted="deleted" />'
        if "text" in hidden
        else f'<text bytes="{len(text.encode())}" sha1="{sha1}" xml:space="preserve">{escape(text)}</text>'
    )
    return (
        f"<revision><id>{number}</id>"
        + (f"<parentid>{said['parent']}</parentid>" if said.get("parent") else "")
        + f"<timestamp>{time}</timestamp>{contributor}"
        + ("<minor/>" if said.get("minor") else "")
        + f"{comment}<origin>{number}</origin><model>{said.get('model', 'wikitext')}</model>"
        + f"<format>text/x-wiki</format>{body}{said.get('slots', '')}<sha1>{sha1}</sha1></revision>"
    )


def upload(time: str, user: str, name: str, size: int) -> str:
    return (
        f"<upload><timestamp>{time}</timestamp><contributor><username>{user}</username><id>1</id>"
        f"</contributor><comment>a board</comment><filename>{name}</filename>"
        f"<src>https://tiny.example/{name}</src><size>{size}</size>"
        f"<sha1base36>abc</sha1base36><rel>a/ab/{name}</rel></upload>"
    )


def atom(*entries: str, title: str = "Tiny Wiki - User contributions [en]") -> str:
    return (
        '<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">'
        f"<id>https://tiny.example/api.php</id><title>{escape(title)}</title>"
        "<updated>2020-05-01T00:00:00Z</updated><generator>MediaWiki 1.39.17</generator>"
        f"{''.join(entries)}</feed>"
    )


def atom_entry(
    number: int | None, title: str, time: str, user: str = "Ann", comment: str = "", text: str = ""
) -> str:
    body = escape(text, {'"': "&quot;", "'": "&#039;"}).replace("\n", "<br />\n")
    summary = f"<p>{escape(user)}: {escape(comment)}</p>\n<hr />\n<div>{body}</div>"
    query = f"&amp;diff={number}" if number is not None else ""
    link = f"https://tiny.example/index.php?title=X{query}"
    return (
        f'<entry><id>{link}</id><title>{escape(title)}</title><link rel="alternate" href="{link}"/>'
        f'<updated>{time}</updated><summary type="html">{escape(summary)}</summary>'
        f"<author><name>{escape(user)}</name></author></entry>"
    )
