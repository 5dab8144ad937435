"""The client of the Beat Marketplace API.

    from beatmarket import BeatMarket

    with BeatMarket() as client:
        for beat in client.beats.list(sort="popular", max_items=10):
            print(beat.title)

`BeatMarket` and `AsyncBeatMarket` have the same methods. `webhooks` verifies webhooks without an API key.
"""

from typing import TYPE_CHECKING, Any

from ._generated import enums, events, models
from ._generated._sync.pages import BeatListing, BeatPage, SearchListing, SearchPage, UploadListing, UploadPage
from ._generated.enums import *  # noqa: F403
from ._generated.events import *  # noqa: F403
from ._generated.models import *  # noqa: F403
from ._sync.client import BeatMarket
from ._sync.lists import Listing, Page
from ._version import __version__
from ._webhooks import Webhooks, webhooks
from .errors import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AuthenticationError,
    BeatMarketError,
    ChecksumError,
    GoneError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    PreconditionFailedError,
    RateLimitError,
    ServerError,
    SignatureVerificationError,
    UploadRejectedError,
)
from .model import Model
from .not_given import NOT_GIVEN, NotGiven
from .observers import RequestInfo, ResponseInfo
from .operation import ItemList
from .pages import BeatBatch
from .response import RateLimit, Response

if TYPE_CHECKING:
    from ._async.client import AsyncBeatMarket
    from ._async.event_stream import AsyncEventStream
    from ._async.files import AsyncBeatStream
    from ._async.lists import AsyncListing, AsyncPage
    from ._generated._async.pages import (
        AsyncBeatListing,
        AsyncBeatPage,
        AsyncSearchListing,
        AsyncSearchPage,
        AsyncUploadListing,
        AsyncUploadPage,
    )
    from ._sync.event_stream import EventStream
    from ._sync.files import BeatStream
    from .downloads import DownloadedFile, DownloadProgress, OrderArchive, SalesExport
    from .exports import BeatExport
    from .transfer import UploadProgress

    AsyncClient = AsyncBeatMarket
    """An alias for `import beatmarket`: `beatmarket.AsyncClient()`."""

Client = BeatMarket
"""An alias for `import beatmarket`: `beatmarket.Client()`."""

__all__ = [  # noqa: RUF022
    "APIConnectionError",
    "APIStatusError",
    "APITimeoutError",
    "AsyncBeatListing",
    "AsyncBeatMarket",
    "AsyncBeatPage",
    "AsyncBeatStream",
    "AsyncClient",
    "AsyncEventStream",
    "AsyncListing",
    "AsyncPage",
    "AsyncSearchListing",
    "AsyncSearchPage",
    "AsyncUploadListing",
    "AsyncUploadPage",
    "AuthenticationError",
    "BeatBatch",
    "BeatExport",
    "BeatListing",
    "BeatMarket",
    "BeatMarketError",
    "BeatPage",
    "BeatStream",
    "ChecksumError",
    "Client",
    "DownloadProgress",
    "DownloadedFile",
    "EventStream",
    "GoneError",
    "InvalidRequestError",
    "ItemList",
    "Listing",
    "Model",
    "NOT_GIVEN",
    "NotFoundError",
    "NotGiven",
    "Page",
    "PermissionDeniedError",
    "PreconditionFailedError",
    "RateLimit",
    "RateLimitError",
    "RequestInfo",
    "Response",
    "ResponseInfo",
    "OrderArchive",
    "SalesExport",
    "SearchListing",
    "SearchPage",
    "ServerError",
    "SignatureVerificationError",
    "UploadListing",
    "UploadPage",
    "UploadProgress",
    "UploadRejectedError",
    "Webhooks",
    "__version__",
    "webhooks",
]
__all__ += enums.__all__
__all__ += events.__all__
__all__ += models.__all__

_LATER = {
    "._async.client": ("AsyncBeatMarket",),
    "._async.event_stream": ("AsyncEventStream",),
    "._async.files": ("AsyncBeatStream",),
    "._async.lists": ("AsyncListing", "AsyncPage"),
    "._generated._async.pages": (
        "AsyncBeatListing",
        "AsyncBeatPage",
        "AsyncSearchListing",
        "AsyncSearchPage",
        "AsyncUploadListing",
        "AsyncUploadPage",
    ),
    "._sync.event_stream": ("EventStream",),
    "._sync.files": ("BeatStream",),
    ".downloads": ("DownloadedFile", "DownloadProgress", "OrderArchive", "SalesExport"),
    ".exports": ("BeatExport",),
    ".transfer": ("UploadProgress",),
}
"""The names that are imported at their first use, by module, because most programs need few of them."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name == "AsyncClient":
            return __getattr__("AsyncBeatMarket")
        if f".{name}" in _LATER:
            return import_module(f".{name}", __name__)
        for module, names in _LATER.items():
            if name in names:
                value = globals()[name] = getattr(import_module(module, __name__), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
