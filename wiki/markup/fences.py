"""Blocks between fences of ``~~~`` or backticks: where they are, and what they become."""

import re
from collections import defaultdict
from collections.abc import Iterator
from html import escape

from markdown.preprocessors import Preprocessor

# A fence, then nothing, attributes in braces, or a language; none of it is shown.
OPENING = re.compile(
    r"(~{3,}|`{3,}) *(?:\{[^{}]*\}|[\w#.+-]* *(?:hl_lines=(?:\"[^\"]*\"|'[^']*'))?) *"
)
CLOSING = re.compile(r"(~{3,}|`{3,}) *")


def fenced(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The numbers of the lines of each opening and closing fence; reads each line once.

    A block ends at the next line that holds the same fence alone; without one it is none.
    """
    closings: dict[str, list[int]] = defaultdict(list)  # by fence, the last line first
    for number in range(len(lines) - 1, -1, -1):
        if match := CLOSING.fullmatch(lines[number]):
            closings[match[1]].append(number)
    number = 0
    while number < len(lines):
        if lines[number][:1] in ("~", "`") and (match := OPENING.fullmatch(lines[number])):
            ends = closings[match[1]]
            while ends and ends[-1] <= number:
                ends.pop()
            if ends:
                yield number, ends[-1]
                number = ends[-1]
        number += 1


class FencedCode(Preprocessor):
    """Sets fenced blocks aside, so that nothing in them is taken for a mark."""

    def run(self, lines: list[str]) -> list[str]:
        made: list[str] = []
        after = 0
        for first, last in fenced(lines):
            code = escape("".join(f"{line}\n" for line in lines[first + 1 : last]), quote=False)
            kept = self.md.htmlStash.store(f"<pre><code>{code}</code></pre>")
            made += [*lines[after:first], "", kept, ""]
            after = last + 1
        return made + lines[after:]
