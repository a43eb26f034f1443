"""What a request to the wiki may do wrong. Mapped to a page once, by ``wiki.views.door``."""


class WikiError(Exception):
    """A refusal: a sentence for the person, a stable ``code`` and the HTTP ``status`` to answer."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
