"""JSON for ``dumpdata`` and ``loaddata`` (``--format exact``) whose times keep their microseconds: Django's
own rounds them, and revisions and pages are known again by their times."""

import datetime
from typing import Any

from django.core.serializers import json
from django.core.serializers.json import Deserializer, DjangoJSONEncoder

__all__ = ["Deserializer", "Serializer"]


class ExactEncoder(DjangoJSONEncoder):
    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime.datetime) else super().default(o)


class Serializer(json.Serializer):
    internal_use_only = False

    def serialize(self, queryset: Any, **options: Any) -> Any:
        return super().serialize(queryset, **{"cls": ExactEncoder, **options})
