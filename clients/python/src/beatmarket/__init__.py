"""The client of the Beat Marketplace API.

    from beatmarket import BeatMarket

    with BeatMarket() as client:
        for beat in client.beats.list(sort="popular", max_items=10):
            print(beat.title)

`BeatMarket` and `AsyncBeatMarket` have the same methods. `webhooks` verifies webhooks without an API key.
"""

from ._async.beats import AsyncBeats
from ._async.client import AsyncBeatMarket
from ._async.orders import AsyncOrders
from ._async.resources import AsyncGenres, AsyncProducers, AsyncUsers
from ._async.sales import AsyncSales
from ._async.streams import AsyncChanges, AsyncEvents, AsyncExports
from ._async.uploads import AsyncUploads
from ._sync.beats import Beats
from ._sync.client import BeatMarket
from ._sync.orders import Orders
from ._sync.resources import Genres, Producers, Users
from ._sync.sales import Sales
from ._sync.streams import Changes, Events, Exports
from ._sync.uploads import Uploads
from ._version import __version__
from ._webhooks import Webhooks, webhooks
from .downloads import DownloadedFile, DownloadProgress, SalesExport
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
from .events import (
    BeatCreatedEvent,
    BeatPurchasedEvent,
    BeatUpdatedEvent,
    Event,
    UserRegisteredEvent,
    UserUpdatedEvent,
)
from .exports import BeatExport
from .listings import AsyncBeatListing, AsyncListing, AsyncSearchListing, BeatListing, Listing, SearchListing
from .models import (
    Analysis,
    Beat,
    BeatDetail,
    BeatSort,
    BeatStatus,
    BeatUpdated,
    Buyer,
    Change,
    FacetName,
    Facets,
    Genre,
    GenreCount,
    GenreName,
    Interpretation,
    License,
    LicenseType,
    Model,
    NextAction,
    Order,
    OrderedBeat,
    OrderFile,
    OrderFileKind,
    OrderFiles,
    OrderLicense,
    OrderStatus,
    Pagination,
    Producer,
    ProducerSort,
    Purchase,
    RangeCount,
    Sale,
    SearchSort,
    SearchTotals,
    SearchType,
    SimilarBeat,
    Similarity,
    SoldBeat,
    TextCount,
    Upload,
    UploadKind,
    User,
    UserUpdated,
)
from .not_given import NOT_GIVEN, NotGiven
from .pages import BeatBatch, BeatPage, ChangePage, EventPage, ItemList, Page, SearchPage
from .response import RateLimit, Response
from .transfer import UploadProgress

Client = BeatMarket
"""An alias for `import beatmarket`: `beatmarket.Client()`."""
AsyncClient = AsyncBeatMarket
"""An alias for `import beatmarket`: `beatmarket.AsyncClient()`."""

__all__ = [
    "NOT_GIVEN",
    "APIConnectionError",
    "APIStatusError",
    "APITimeoutError",
    "Analysis",
    "AsyncBeatListing",
    "AsyncBeatMarket",
    "AsyncBeats",
    "AsyncChanges",
    "AsyncClient",
    "AsyncEvents",
    "AsyncExports",
    "AsyncGenres",
    "AsyncListing",
    "AsyncOrders",
    "AsyncProducers",
    "AsyncSales",
    "AsyncSearchListing",
    "AsyncUploads",
    "AsyncUsers",
    "AuthenticationError",
    "Beat",
    "BeatBatch",
    "BeatCreatedEvent",
    "BeatDetail",
    "BeatExport",
    "BeatListing",
    "BeatMarket",
    "BeatMarketError",
    "BeatPage",
    "BeatPurchasedEvent",
    "BeatSort",
    "BeatStatus",
    "BeatUpdated",
    "BeatUpdatedEvent",
    "Beats",
    "Buyer",
    "Change",
    "ChangePage",
    "Changes",
    "ChecksumError",
    "Client",
    "DownloadProgress",
    "DownloadedFile",
    "Event",
    "EventPage",
    "Events",
    "Exports",
    "FacetName",
    "Facets",
    "Genre",
    "GenreCount",
    "GenreName",
    "Genres",
    "GoneError",
    "Interpretation",
    "InvalidRequestError",
    "ItemList",
    "License",
    "LicenseType",
    "Listing",
    "Model",
    "NextAction",
    "NotFoundError",
    "NotGiven",
    "Order",
    "OrderFile",
    "OrderFileKind",
    "OrderFiles",
    "OrderLicense",
    "OrderStatus",
    "OrderedBeat",
    "Orders",
    "Page",
    "Pagination",
    "PermissionDeniedError",
    "PreconditionFailedError",
    "Producer",
    "ProducerSort",
    "Producers",
    "Purchase",
    "RangeCount",
    "RateLimit",
    "RateLimitError",
    "Response",
    "Sale",
    "Sales",
    "SalesExport",
    "SearchListing",
    "SearchPage",
    "SearchSort",
    "SearchTotals",
    "SearchType",
    "ServerError",
    "SignatureVerificationError",
    "SimilarBeat",
    "Similarity",
    "SoldBeat",
    "TextCount",
    "Upload",
    "UploadKind",
    "UploadProgress",
    "UploadRejectedError",
    "Uploads",
    "User",
    "UserRegisteredEvent",
    "UserUpdated",
    "UserUpdatedEvent",
    "Users",
    "Webhooks",
    "__version__",
    "webhooks",
]
