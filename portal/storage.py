"""How static files are stored: under hashed names, compressed, kept by browsers for good."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Rewrites the relative imports of ES modules too, so that a board finds the hashed kit."""

    support_js_module_import_aggregation = True
