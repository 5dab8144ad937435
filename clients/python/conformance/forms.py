"""The normal form of results and errors; clients/conformance/README.md describes it."""

from __future__ import annotations

import traceback
from typing import Any

from beatmarket import (
    APIStatusError,
    BeatExport,
    BeatListing,
    BeatMarketError,
    Listing,
    Model,
    OrderArchive,
    Response,
    SalesExport,
    SearchListing,
    UploadListing,
    UploadRejectedError,
)


def value_form(result: Any) -> Any:
    """A result in wire names and types."""
    if isinstance(result, Model):
        return result.to_dict()
    if isinstance(result, SearchListing):
        extras = {"totals": result.totals, "interpreted": result.interpreted, "facets": result.facets}
        return {
            "beats": plain(result.beats),
            "producers": plain(result.producers),
            "pagination": result.pagination.to_dict(),
            **{name: plain(value) for name, value in extras.items() if value is not None},
        }
    if isinstance(result, BeatExport):
        return {"position": result.position, "ids": [beat.id for beat in result]}
    if isinstance(result, (OrderArchive, SalesExport)):
        return {"path": result.path}
    if isinstance(result, BeatListing):
        facets = {} if result.facets is None else {"facets": plain(result.facets)}
        missing = {} if result.missing is None else {"missing": result.missing}
        return {"items": plain(result.data), "pagination": result.pagination.to_dict(), **facets, **missing}
    if isinstance(result, UploadListing):
        return {
            "items": plain(result.data),
            "pagination": result.pagination.to_dict(),
            "storage": plain(result.storage),
        }
    if isinstance(result, Listing):
        return {"items": plain(result.data), "pagination": result.pagination.to_dict()}
    return plain(result)


def plain(value: Any) -> Any:
    """Objects in wire names, also within lists."""
    if isinstance(value, Model):
        return value.to_dict()
    return [plain(item) for item in value] if isinstance(value, list) else value


def typed_read(result: Any, path: str) -> Any:
    """The value at a dotted path of attributes; `items` is the `data` of a list."""
    found = result
    for name in path.split("."):
        if name.isdigit():
            found = found[int(name)]
        else:
            is_list = name == "items" and isinstance(found, (BeatListing, Listing, UploadListing))
            found = found.data if is_list else getattr(found, name)
    return plain(found)


def meta_form(response: Response) -> dict[str, Any]:
    """The metadata of a response."""
    limit = response.rate_limit
    return {
        "status": response.status,
        "request_id": response.request_id,
        "etag": response.etag,
        "rate_limit": None if limit is None else vars(limit),
    }


def error_form(error: Exception) -> dict[str, Any]:
    """An error in the form of the protocol."""
    if not isinstance(error, BeatMarketError):
        return {"class": None, "text": "".join(traceback.format_exception(error))}
    kinds = [kind.__name__ for kind in type(error).__mro__ if issubclass(kind, BeatMarketError)]
    status = error if isinstance(error, APIStatusError) else None
    limit = status and status.rate_limit
    extra = {"upload": error.upload.to_dict()} if isinstance(error, UploadRejectedError) else {}
    return {
        **extra,
        "class": kinds[0],
        "is": kinds,
        "status": status and status.status,
        "code": status and status.code,
        "message": status.message if status else str(error),
        "details": status and status.details,
        "request_id": status and status.request_id,
        "idempotency_key": error.idempotency_key,
        "retry_after": status and status.retry_after,
        "content_type": status and status.content_type,
        "excerpt": status and status.excerpt,
        "rate_limit": limit and vars(limit),
        "cause": None if error.__cause__ is None else str(error.__cause__),
        "text": str(error),
    }
