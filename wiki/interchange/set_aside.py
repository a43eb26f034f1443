"""First step of the conversion: what must not be read as wikitext goes on the shelf. Pure.

Comments, literal text, preformatted blocks, references, templates and links between double
brackets: each leaves a mark in the text.
"""

import re
from collections.abc import Callable

from wiki.interchange.escape import escape, escape_literal
from wiki.interchange.inline import convert_line, plain_line
from wiki.interchange.shelf import BREAK, RESERVED, Shelf
from wiki.titles import CATEGORY_PREFIXES, FILE_PREFIXES, split_namespace

LITERAL = re.compile(  # where something begins that is not read as wikitext
    r"(?P<comment>(?:^[ \t]*)?<!--)"
    r"|(?P<nothing><nowiki\s*/>)"
    r"|<(?P<nowiki>nowiki)>"
    r"|<(?P<pre>pre|source|syntaxhighlight)(?:\s[^<>]*)?>"
    r"|<br\s*/?>",
    re.MULTILINE | re.IGNORECASE,
)
LINE_END = re.compile(r"[ \t]*\n")
REFERENCE = re.compile(
    r"<ref(?P<attributes>(?:\s[^<>]*?)?)(?:/>|>(?P<text>(?:(?!<ref[\s/>]).)*?)</ref>)",
    re.DOTALL | re.IGNORECASE,
)
REFERENCES = re.compile(
    r"<references(?:\s[^<>]*)?/?>(?:(?:(?!<references).)*?</references>)?", re.DOTALL | re.I
)
REF_NAME = re.compile(r"\bname\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'/>]+))", re.IGNORECASE)
GALLERY = re.compile(
    r"<gallery(?:\s[^<>]*)?>(?P<text>(?:(?!<gallery[\s>]).)*?)</gallery>", re.DOTALL | re.IGNORECASE
)
POEM = re.compile(
    r"<poem(?:\s[^<>]*)?>\n?(?P<text>(?:(?!<poem[\s>]).)*?)\n?</poem>", re.DOTALL | re.IGNORECASE
)
ELSEWHERE = re.compile(  # what is not shown on the page itself, but where it is included
    r"<includeonly>(?:(?!<includeonly>).)*?</includeonly>", re.DOTALL | re.IGNORECASE
)
SETTING = re.compile(r"(?:DEFAULTSORT|DEFAULTSORTKEY|DEFAULTCATEGORYSORT|DISPLAYTITLE)\s*:")
# Of wikis in these languages: a plain link to one stands beside the page, not in it.
LANGUAGES = frozenset(
    {"ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo"}
    | {"es", "et", "eu", "fa", "fi", "fr", "ga", "gl", "he", "hi", "hr", "hu", "hy", "id"}
    | {"is", "it", "ja", "ka", "kk", "ko", "la", "lb", "lt", "lv", "mk", "ms", "nb", "nl"}
    | {"nn", "no", "pl", "pt", "pt-br", "ro", "ru", "sh", "simple", "sk", "sl", "sq", "sr", "sv"}
    | {"ta", "th", "tl", "tr", "uk", "ur", "uz", "vi", "zh", "zh-hans", "zh-hant", "zh-tw"}
)
PARAMETER = re.compile(r"\{\{\{([^{}]*)\}\}\}")
TEMPLATE = re.compile(r"\{\{([^{}]+)\}\}")
LINK = re.compile(r"\[\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\](?P<trail>[a-z]*)")
FLAT_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")  # inside a template: its label
BAD_TARGET = re.compile(r"[<>{}\[\]\n\ufdd0-\ufdd2]")
ADDRESS = re.compile(r"(?:https?:|ftp:)?//|mailto:", re.IGNORECASE)
SWITCH = re.compile(
    r"__(?:NO|FORCE)?(?:TOC|EDITSECTION|GALLERY|INDEX|NEWSECTIONLINK|TITLECONVERT|CONTENTCONVERT)__"
)
IMAGE_OPTIONS = frozenset(
    {"thumb", "thumbnail", "frame", "framed", "frameless", "border", "left", "right", "center"}
    | {"centre", "none", "baseline", "sub", "super", "top", "text-top", "middle", "bottom"}
    | {"text-bottom", "upright", "vignette", "gauche", "droite", "centré", "cadre", "sans_cadre"}
    | {"mini", "miniatur", "links", "rechts", "zentriert"}
)
IMAGE_FRAMES = frozenset({"thumb", "thumbnail", "frame", "framed", "cadre", "mini", "miniatur"})
IMAGE_SIZE = re.compile(r"(?:(?P<width>\d+)(?:x\d+)?|x\d+)\s*px")
IMAGE_SETTING = re.compile(r"(?:upright|link|page|lang|class|style)\s*=.*", re.DOTALL)
NESTING = 30  # levels of templates, of parameters and of links that are looked into
# Templates that our shortcodes can say.
SHORTCODES = {"whitedie": "die"}


def set_aside(text: str, shelf: Shelf) -> str:
    """``text`` with marks in place of all that; blocks keep lines of their own later."""
    if RESERVED.search(text):
        shelf.warn("Code points that are no characters are left out")
        text = RESERVED.sub("", text)
    text = _literals(text, shelf)
    if ELSEWHERE.search(text):
        shelf.warn("A passage for pages that include this one is left out")
        text = ELSEWHERE.sub("", text)
    text = GALLERY.sub(lambda match: _gallery(match, shelf), text)
    text = POEM.sub(lambda match: f"\n\n{BREAK.join(match['text'].split(chr(10)))}\n\n", text)
    if SWITCH.search(text):
        shelf.warn("A behaviour switch (as __TOC__) is left out")
        text = SWITCH.sub("", text)
    text = _innermost(PARAMETER, _parameter, text, shelf)
    text = _innermost(TEMPLATE, _template, text, shelf)
    text = _innermost(LINK, _link, text, shelf)
    text = REFERENCE.sub(lambda match: _reference(match, shelf), text)
    return REFERENCES.sub("", text)


def _innermost(
    pattern: re.Pattern[str],
    replace: Callable[[re.Match[str], Shelf], str],
    text: str,
    shelf: Shelf,
) -> str:
    """Replace from the inside out, until nothing matches or ``NESTING`` levels are done."""
    for _level in range(NESTING):
        text, count = pattern.subn(lambda match: replace(match, shelf), text)
        if not count:
            break
    return text


def _literals(text: str, shelf: Shelf) -> str:
    """``text`` without comments, its literal parts on the shelf; each part is read once.

    What begins and does not end is text.
    """
    out: list[str] = []
    endless: set[str] = set()  # of what there is no end any more
    at = 0
    while match := LITERAL.search(text, at):
        name = (match["nowiki"] or match["pre"] or (match["comment"] and "comment") or "").lower()
        ending = re.compile("-->" if match["comment"] else f"</{name}>", re.IGNORECASE)
        end = ending.search(text, match.end()) if name and name not in endless else None
        if name and end is None:
            endless.add(name)
            out.append(text[at : match.end()])
            at = match.end()
            continue
        out.append(text[at : match.start()])
        at = end.end() if end else match.end()
        inside = text[match.end() : end.start()] if end else ""
        if match["comment"]:
            shelf.warn("A comment is left out")
            alone = text[match.start() - 1 : match.start()] in ("", "\n")
            if alone and (line_end := LINE_END.match(text, at)):
                at = line_end.end()
            else:
                out.append(match["comment"].removesuffix("<!--"))
        elif match["pre"]:
            out.append(shelf.keep(fence(inside), inside.strip("\n"), block=True))
        elif match["nowiki"] or match["nothing"]:
            inside = " ".join(inside.split("\n"))
            out.append(shelf.keep(escape_literal(inside), inside))
        else:
            out.append(BREAK)
    return "".join([*out, text[at:]])


def fence(text: str) -> str:
    """``text`` as a fenced block; the fence is longer than any inside."""
    text = re.sub(r"</?nowiki\s*/?>", "", text, flags=re.IGNORECASE).strip("\n")
    longest = max((len(run) for run in re.findall(r"^`{3,}", text, re.MULTILINE)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}\n{text}\n{marks}"


def _gallery(match: re.Match[str], shelf: Shelf) -> str:
    """Each picture of a gallery, with its caption, by itself."""
    out = []
    for line in match["text"].split("\n"):
        name, _bar, caption = line.strip().partition("|")
        if not name:
            continue
        prefix, colon, rest = shelf.in_our_words(name).partition(":")
        if colon and prefix.strip().lower() in FILE_PREFIXES:
            name = rest
        out.append(f"[[File:{name.strip()}|thumb|{caption.strip()}]]")
    return "\n\n" + "\n\n".join(out) + "\n\n"


def _parameter(match: re.Match[str], shelf: Shelf) -> str:
    """{{{name|default}}}: outside a template it has no value and is shown."""
    text = shelf.plain(match[0])
    shelf.warn("A template's parameter is shown as text")
    return shelf.keep(escape_literal(text).replace("{{{", "&#123;&#123;&#123;"), text)


def _template(match: re.Match[str], shelf: Shelf) -> str:
    """{{name|arguments}} stays a shortcode, so that it stays visible. A magic word that shows nothing
    is left out."""
    if SETTING.match(match[1].strip()):
        shelf.warn_of("Settings of the page left out", " ".join(shelf.plain(match[1]).split()))
        return ""
    parts = [
        shelf.plain(part).replace("|", "/") for part in FLAT_LINK.sub(r"\1", match[1]).split("|")
    ]
    name, *arguments = [" ".join(part.split()) for part in parts]
    name = name.replace("_", " ").strip()
    name = SHORTCODES.get(name.lower(), name)
    if name not in SHORTCODES.values():
        shelf.warn_of("Templates without a shortcode of ours", name)
    code = "|".join([name, *arguments])
    for mark, code_mark in {"{": "(", "}": ")", "[[": "[", "]]": "]", "`": "'"}.items():
        code = code.replace(mark, code_mark)
    return shelf.keep("{{" + code + "}}", code)


def _link(match: re.Match[str], shelf: Shelf) -> str:
    """[[target|label]] with the letters that follow it, which wikis count to the label."""
    target, *labels = match[1].split("|")
    target = shelf.plain(target).strip() if "\n" not in target else ""
    if shelf.namespaces:
        colon = ":" if target.startswith(":") else ""
        target = colon + shelf.in_our_words(target.removeprefix(":").strip())
    prefix = target.partition(":")[0].strip().lower()
    if ADDRESS.match(target):  # an outside link inside brackets that are text
        linked = convert_line(f"[{match[1]}]", shelf)
        linked = shelf.keep(shelf.markdown(linked), shelf.plain(linked))
        bracket = shelf.keep(r"\[", "[")
        return f"{bracket}{linked}]{match['trail']}"
    if not target or BAD_TARGET.search(target):
        brackets = shelf.keep(r"\[\[", "[["), shelf.keep(r"]\]", "]]")
        return f"{brackets[0]}{match[1]}{brackets[1]}{match['trail']}"
    if prefix in FILE_PREFIXES and ":" in target:
        return _image(target.partition(":")[2], labels, shelf) + match["trail"]
    if prefix in CATEGORY_PREFIXES and ":" in target:
        name = " ".join(target.partition(":")[2].replace("_", " ").split())
        if name:
            return shelf.keep(f"[[Category:{name}]]", "") + match["trail"]
    if prefix in LANGUAGES and target.startswith(f"{prefix}:") and not labels:
        shelf.warn_of("Links to the page in other languages left out", target)
        return match["trail"]
    target = target.removeprefix(":").strip()
    label = plain_line("|".join(labels), shelf) + match["trail"] if labels else ""
    if not labels and match["trail"]:
        label = target + match["trail"]
    label = " ".join(label.replace("[", "(").replace("]", ")").replace("|", "/").split())
    label = label or target
    shown = escape(label)
    colon = ":" if split_namespace(target)[0] in ("file", "category") else ""
    if shown == target:
        return shelf.keep(f"[[{colon}{target}]]", target)
    return shelf.keep(f"[[{colon}{target}|{shown}]]", label)


def _image(name: str, options: list[str], shelf: Shelf) -> str:
    """An image by name and width. Its alternative text is its ``alt``, else its caption, else its
    name; a caption that readers saw below it stays one."""
    name = " ".join(name.replace("_", " ").split())
    alt = caption = width = ""
    framed = False
    for option in (" ".join(shelf.plain(part).split()) for part in options):
        if option.startswith("alt="):
            alt = option[4:].strip()
        elif size := IMAGE_SIZE.fullmatch(option):
            width = size["width"] or width
        elif option.lower() in IMAGE_FRAMES:
            framed = True
        elif option.lower() not in IMAGE_OPTIONS and not IMAGE_SETTING.fullmatch(option):
            caption = plain_line(option, shelf)
    shelf.warn_of("Files that did not come with the text", name)
    text = alt or caption or name
    target = link_path(name) + (f"?{width}" if 0 < len(width) <= 4 else "")
    shown = caption if caption and (framed or alt) else ""
    title = f' "{unmarked(shown)}"'.replace("\n", " ") if shown else ""
    return shelf.keep(f"![{unmarked(text)}](file:{target}{title})", text)


def unmarked(words: str) -> str:
    """``words`` as they can stand inside the marks of an image."""
    for mark, other in (("[", "("), ("]", ")"), ("`", "'"), ("\\", "/"), ('"', "'")):
        words = words.replace(mark, other)
    return words


def link_path(name: str) -> str:
    """A file's name as it stands in an image's address: no space, no bracket, no mark of ours."""
    path = name.replace(" ", "_")
    for mark in "%\\`|{}()<>[]\"'":
        path = path.replace(mark, f"%{ord(mark):02X}")
    return path


def _reference(match: re.Match[str], shelf: Shelf) -> str:
    """<ref>: a footnote; one with a name may be used again."""
    found = REF_NAME.search(match["attributes"])
    name = next(filter(None, found.groups()), "") if found else ""
    number = shelf.footnote_names.get(name) if name else None
    if number is None:
        shelf.footnotes.append("")
        number = len(shelf.footnotes)
        if name:
            shelf.footnote_names[name] = number
    if match["text"]:
        line = convert_line(" ".join(match["text"].split()), shelf)
        shelf.footnotes[number - 1] = shelf.markdown(line).replace(BREAK, " ")
    return shelf.keep(f"[^{number}]", f"[{number}]")
