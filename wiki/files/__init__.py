"""Pictures that people upload: what a file holds, how it is made anew, and where it lies.

``headers`` reads sizes without decoding, ``pictures`` decodes and encodes, ``store`` knows the disk,
``receive`` takes the bytes from a request: none of them asks the database. ``reading`` does, for
pages that show pictures. What changes them is ``wiki.services.uploading``.
"""
