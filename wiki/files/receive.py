"""Taking a picture from a request: into a temporary file, and never more than one may have.

What goes wrong on the way is kept with the file and told when it is asked for, so that the fields of
the form, which come behind it, are read all the same.
"""

from tempfile import TemporaryFile
from typing import IO

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler

from wiki.errors import WikiError
from wiki.files.pictures import MAX_BYTES, too_large
from wiki.files.store import FULL, disk_full


class SentFile(UploadedFile):
    """A file as it came; ``refusal`` says what was wrong with it on the way."""

    refusal: WikiError | None = None

    def contents(self) -> bytes:
        """All of its bytes. Raises WikiError ``too_large`` or ``disk_full``."""
        if self.refusal is not None:
            raise self.refusal
        self.seek(0)
        return self.read(MAX_BYTES + 1)


class PictureHandler(FileUploadHandler):
    """Keeps up to ``MAX_BYTES`` of each file; of what comes behind that nothing."""

    file: IO[bytes] | None = None

    def new_file(self, *args: object, **kwargs: object) -> None:
        super().new_file(*args, **kwargs)
        self.refusal: WikiError | None = None
        self.size = 0
        try:
            self.file = TemporaryFile()  # noqa: SIM115 - closed with the request
        except OSError as error:
            self.stop(error)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.size += len(raw_data)
        if self.size > MAX_BYTES:
            self.refusal = self.refusal or too_large()
        if self.refusal is not None:
            return
        try:
            self.file.write(raw_data)
            self.file.flush()
        except OSError as error:
            self.stop(error)

    def stop(self, error: OSError) -> None:
        if error.errno not in FULL:
            raise error
        self.refusal = disk_full()

    def file_complete(self, file_size: int) -> SentFile:
        sent = SentFile(self.file, self.file_name, self.content_type, file_size, self.charset)
        sent.refusal = self.refusal
        return sent
