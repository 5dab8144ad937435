# Generated from contract/openapi.json by npm run contract; do not edit.
"""The API's operations."""

from __future__ import annotations

from ..operation import Operation

LIST_BEATS = Operation("listBeats", "GET", "/beats", "beats.list")
CREATE_BEAT = Operation(
    "createBeat",
    "POST",
    "/beats",
    "beats.create",
    (
        "title",
        "genre",
        "audio",
        "price",
        "license_prices",
        "license_settings",
        "free_download",
        "bpm",
        "key",
        "description",
        "tags",
        "cover",
        "stems",
        "preview_tag",
        "publish_at",
        "status",
    ),
)
GET_BEAT = Operation("getBeat", "GET", "/beats/{beat_id}", "beats.get")
UPDATE_BEAT = Operation(
    "updateBeat",
    "PATCH",
    "/beats/{beat_id}",
    "beats.update",
    (
        "title",
        "genre",
        "audio",
        "price",
        "license_prices",
        "license_settings",
        "free_download",
        "bpm",
        "key",
        "description",
        "tags",
        "cover",
        "stems",
        "preview_tag",
        "publish_at",
        "status",
    ),
)
WITHDRAW_BEAT = Operation("withdrawBeat", "DELETE", "/beats/{beat_id}", "beats.withdraw")
LIST_SIMILAR_BEATS = Operation("listSimilarBeats", "GET", "/beats/{beat_id}/similar", "beats.similar")
LIST_OWN_BEATS = Operation("listOwnBeats", "GET", "/users/me/beats", "users.my_beats")
GET_USER = Operation("getUser", "GET", "/users/{user_id}", "users.get")
UPDATE_PROFILE = Operation(
    "updateProfile",
    "PUT",
    "/users/profile",
    "users.update_profile",
    ("display_name", "bio", "location", "website", "avatar_url"),
)
LIST_PRODUCERS = Operation("listProducers", "GET", "/producers", "producers.list")
LIST_GENRES = Operation("listGenres", "GET", "/genres", "genres.list")
SEARCH = Operation("search", "GET", "/search", "search")
LIST_ORDERS = Operation("listOrders", "GET", "/orders", "orders.list")
CREATE_ORDER = Operation(
    "createOrder",
    "POST",
    "/orders",
    "orders.create",
    ("beat_id", "payment_method", "license_type", "expected_amount", "currency"),
)
GET_ORDER = Operation("getOrder", "GET", "/orders/{order_id}", "orders.get")
CREATE_CHECKOUT = Operation(
    "createCheckout",
    "POST",
    "/checkouts",
    "checkouts.create",
    ("items", "email", "success_url", "cancel_url", "discount_code"),
)
GET_CHECKOUT = Operation("getCheckout", "GET", "/checkouts/{checkout_id}", "checkouts.get")
CREATE_QUOTE = Operation("createQuote", "POST", "/quotes", "quotes.create", ("items", "discount_code", "email"))
LIST_SALES = Operation("listSales", "GET", "/users/me/sales", "sales.list")
EXPORT_SALES = Operation("exportSales", "GET", "/users/me/sales.csv", "sales.export")
LIST_ORDER_FILES = Operation("listOrderFiles", "GET", "/orders/{order_id}/files", "orders.files")
DOWNLOAD_ORDER_ARCHIVE = Operation("downloadOrderArchive", "GET", "/orders/{order_id}/archive", "orders.archive")
LIST_ORDER_INVOICES = Operation("listOrderInvoices", "GET", "/orders/{order_id}/invoices", "orders.invoices")
ASK_LICENSE = Operation(
    "askLicense", "POST", "/licenses/{license_id}/may", "licenses.may", ("use", "quantity", "territory", "on")
)
LIST_LICENSE_USAGE = Operation("listLicenseUsage", "GET", "/licenses/{license_id}/usage", "licenses.usage")
REPORT_LICENSE_USAGE = Operation(
    "reportLicenseUsage",
    "POST",
    "/licenses/{license_id}/usage",
    "licenses.report_usage",
    ("use", "quantity", "period", "source"),
)
UPGRADE_LICENSE = Operation(
    "upgradeLicense",
    "POST",
    "/licenses/{license_id}/upgrade",
    "licenses.upgrade",
    ("license_type", "payment_method", "expected_amount", "currency"),
)
LIST_FAVORITES = Operation("listFavorites", "GET", "/users/me/favorites", "favorites.list")
ADD_FAVORITE = Operation("addFavorite", "PUT", "/users/me/favorites/{beat_id}", "favorites.add")
REMOVE_FAVORITE = Operation("removeFavorite", "DELETE", "/users/me/favorites/{beat_id}", "favorites.remove")
LIST_FOLLOWING = Operation("listFollowing", "GET", "/users/me/following", "users.following")
FOLLOW_USER = Operation("followUser", "PUT", "/users/me/following/{user_id}", "users.follow")
UNFOLLOW_USER = Operation("unfollowUser", "DELETE", "/users/me/following/{user_id}", "users.unfollow")
LIST_PLAYLISTS = Operation("listPlaylists", "GET", "/playlists", "playlists.list")
CREATE_PLAYLIST = Operation(
    "createPlaylist", "POST", "/playlists", "playlists.create", ("title", "description", "visibility", "beat_ids")
)
GET_PLAYLIST = Operation("getPlaylist", "GET", "/playlists/{playlist_id}", "playlists.get")
UPDATE_PLAYLIST = Operation(
    "updatePlaylist",
    "PATCH",
    "/playlists/{playlist_id}",
    "playlists.update",
    ("title", "description", "visibility", "beat_ids"),
)
DELETE_PLAYLIST = Operation("deletePlaylist", "DELETE", "/playlists/{playlist_id}", "playlists.delete")
ADD_PLAYLIST_BEAT = Operation(
    "addPlaylistBeat", "PUT", "/playlists/{playlist_id}/beats/{beat_id}", "playlists.add_beat"
)
REMOVE_PLAYLIST_BEAT = Operation(
    "removePlaylistBeat", "DELETE", "/playlists/{playlist_id}/beats/{beat_id}", "playlists.remove_beat"
)
LIST_UPLOADS = Operation("listUploads", "GET", "/uploads", "uploads.list")
DELETE_UPLOAD = Operation("deleteUpload", "DELETE", "/uploads/{upload_id}", "uploads.delete")
GET_UPLOAD = Operation("getUpload", "GET", "/uploads/{upload_id}", "uploads.get")
RETRY_UPLOAD = Operation("retryUpload", "POST", "/uploads/{upload_id}/retry", "uploads.retry")
LIST_CHANGES = Operation("listChanges", "GET", "/changes", "changes.list")
LIST_EVENTS = Operation("listEvents", "GET", "/events", "events.list")
GET_EVENT = Operation("getEvent", "GET", "/events/{event_id}", "events.get")
LIST_REQUESTS = Operation("listRequests", "GET", "/requests", "requests.list")
GET_REQUEST = Operation("getRequest", "GET", "/requests/{request_id}", "requests.get")
EXPORT_BEATS = Operation("exportBeats", "GET", "/exports/beats.ndjson.gz", "exports.beats")
CREATE_SANDBOX = Operation(
    "createSandbox", "POST", "/test/sandboxes", "sandboxes.create", ("seed", "webhook_url", "catalogue")
)
LIST_SANDBOXES = Operation("listSandboxes", "GET", "/test/sandboxes", "sandboxes.list")
GET_SANDBOX = Operation("getSandbox", "GET", "/test/sandboxes/{sandbox_id}", "sandboxes.get")
DELETE_SANDBOX = Operation("deleteSandbox", "DELETE", "/test/sandboxes/{sandbox_id}", "sandboxes.delete")
ADVANCE_SANDBOX = Operation(
    "advanceSandbox",
    "POST",
    "/test/sandboxes/{sandbox_id}/advance",
    "sandboxes.advance",
    ("by", "orders_per_day", "faults"),
)
FORK_SANDBOX = Operation("forkSandbox", "POST", "/test/sandboxes/{sandbox_id}/fork", "sandboxes.fork")
TRIGGER_EVENT = Operation("triggerEvent", "POST", "/test/events", "events.trigger", ("type",))

OPERATIONS: tuple[Operation, ...] = (
    LIST_BEATS,
    CREATE_BEAT,
    GET_BEAT,
    UPDATE_BEAT,
    WITHDRAW_BEAT,
    LIST_SIMILAR_BEATS,
    LIST_OWN_BEATS,
    GET_USER,
    UPDATE_PROFILE,
    LIST_PRODUCERS,
    LIST_GENRES,
    SEARCH,
    LIST_ORDERS,
    CREATE_ORDER,
    GET_ORDER,
    CREATE_CHECKOUT,
    GET_CHECKOUT,
    CREATE_QUOTE,
    LIST_SALES,
    EXPORT_SALES,
    LIST_ORDER_FILES,
    DOWNLOAD_ORDER_ARCHIVE,
    LIST_ORDER_INVOICES,
    ASK_LICENSE,
    LIST_LICENSE_USAGE,
    REPORT_LICENSE_USAGE,
    UPGRADE_LICENSE,
    LIST_FAVORITES,
    ADD_FAVORITE,
    REMOVE_FAVORITE,
    LIST_FOLLOWING,
    FOLLOW_USER,
    UNFOLLOW_USER,
    LIST_PLAYLISTS,
    CREATE_PLAYLIST,
    GET_PLAYLIST,
    UPDATE_PLAYLIST,
    DELETE_PLAYLIST,
    ADD_PLAYLIST_BEAT,
    REMOVE_PLAYLIST_BEAT,
    LIST_UPLOADS,
    DELETE_UPLOAD,
    GET_UPLOAD,
    RETRY_UPLOAD,
    LIST_CHANGES,
    LIST_EVENTS,
    GET_EVENT,
    LIST_REQUESTS,
    GET_REQUEST,
    EXPORT_BEATS,
    CREATE_SANDBOX,
    LIST_SANDBOXES,
    GET_SANDBOX,
    DELETE_SANDBOX,
    ADVANCE_SANDBOX,
    FORK_SANDBOX,
    TRIGGER_EVENT,
)
"""All operations."""
