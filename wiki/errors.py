"""What a request to the wiki may do wrong. Mapped to a page once, by ``wiki.views.door``."""


class WikiError(Exception):
    """A refusal: a sentence for the person, a stable ``code`` and the HTTP ``status`` to answer;
    ``retry_after`` seconds it may be tried again."""

    def __init__(
        self, code: str, message: str, status: int = 400, retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.code = code
        self.message = message
        self.status = status
