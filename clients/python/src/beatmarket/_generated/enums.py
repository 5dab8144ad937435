# Generated from contract/openapi.json by npm run contract; do not edit.
"""Known values of fields and arguments. The API may add values."""

from __future__ import annotations

from typing import Literal

__all__ = [
    "Allowance",
    "BeatSort",
    "BeatStatus",
    "ChangeType",
    "CheckoutStatus",
    "CountedUse",
    "DiscountKind",
    "EventType",
    "FacetName",
    "FieldSource",
    "FileKind",
    "InvoiceKind",
    "KeyRelation",
    "LicenseClause",
    "LicenseState",
    "LicenseStatus",
    "LicenseType",
    "NewBeatStatus",
    "NextActionType",
    "OrderStatus",
    "PayoutDestination",
    "PayoutStatus",
    "PlaylistVisibility",
    "ProducerSort",
    "SandboxCatalogue",
    "SearchSort",
    "SearchType",
    "StatusClass",
    "UploadKind",
    "UploadStatus",
]

LicenseType = Literal["basic", "premium", "unlimited", "exclusive"]
BeatSort = Literal["newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"]
FacetName = Literal["genre", "key", "bpm", "price", "tag"]
BeatStatus = Literal["draft", "processing", "published", "withdrawn"]
FieldSource = Literal["producer", "analysis"]
NewBeatStatus = Literal["draft", "published"]
KeyRelation = Literal["same", "relative", "adjacent", "other"]
ProducerSort = Literal["popular", "newest", "name"]
SearchType = Literal["beats", "producers", "all"]
SearchSort = Literal["relevance", "newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"]
OrderStatus = Literal["completed", "pending", "failed"]
NextActionType = Literal["redirect"]
CheckoutStatus = Literal["open", "completed", "expired", "cancelled"]
DiscountKind = Literal["percent", "amount", "pack", "ownership"]
FileKind = Literal["mp3", "wav", "stems", "license"]
LicenseStatus = Literal["valid", "expired", "refunded", "replaced"]
InvoiceKind = Literal["invoice", "credit_note"]
LicenseState = Literal["valid", "expired", "refunded", "replaced"]
Allowance = Literal["yes", "no", "unknown"]
LicenseClause = Literal[
    "files",
    "song",
    "copies",
    "streams",
    "videos",
    "radio_stations",
    "paid_performances",
    "years",
    "territory",
    "credit",
    "publishing",
    "exclusive",
    "authorship",
    "resale",
    "sublicense",
    "content_id",
    "training",
    "beyond_limits",
    "upgrade_price",
    "refund",
    "breach",
]
CountedUse = Literal["streams", "copies", "videos"]
PlaylistVisibility = Literal["private", "public"]
UploadKind = Literal["audio", "stems", "cover"]
UploadStatus = Literal["receiving", "analysing", "ready", "rejected"]
ChangeType = Literal["published", "updated", "sold", "withdrawn"]
EventType = Literal[
    "beat.created",
    "beat.updated",
    "beat.withdrawn",
    "beat.taken_down",
    "beat.sold_exclusively",
    "beat.purchased",
    "order.refunded",
    "order.failed",
    "license.upgraded",
    "license.usage",
    "upload.ready",
    "upload.rejected",
    "beat.publishing_failed",
    "payout.sent",
    "payout.paid",
    "payout.failed",
    "user.registered",
    "user.updated",
]
StatusClass = Literal["2xx", "3xx", "4xx", "5xx"]
SandboxCatalogue = Literal["demo", "empty"]
PayoutStatus = Literal["pending", "sent", "paid", "failed"]
PayoutDestination = Literal["bank", "stripe"]
