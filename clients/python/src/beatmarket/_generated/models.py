# Generated from contract/openapi.json by npm run contract; do not edit.
"""The objects of the API."""

from __future__ import annotations

from typing import Literal, TypedDict

from ..model import Model
from .enums import (
    Allowance,
    BeatStatus,
    ChangeType,
    CheckoutStatus,
    CountedUse,
    DiscountKind,
    FieldSource,
    FileKind,
    InvoiceKind,
    KeyRelation,
    LicenseClause,
    LicenseState,
    LicenseStatus,
    LicenseType,
    NextActionType,
    OrderStatus,
    PayoutDestination,
    PayoutStatus,
    PlaylistVisibility,
    UploadKind,
    UploadStatus,
)

__all__ = [
    "Analysis",
    "AppliedDiscount",
    "Beat",
    "BeatDetail",
    "BeatTakedown",
    "BeatUpdated",
    "BeatWithdrawal",
    "Change",
    "ChangePage",
    "Checkout",
    "CheckoutItem",
    "CreatedSandbox",
    "ExclusiveSale",
    "FacetCount",
    "Facets",
    "Favorite",
    "Follow",
    "Genre",
    "GenreCount",
    "GenreName",
    "Interpretation",
    "Invoice",
    "IssuedLicense",
    "License",
    "LicenseLimits",
    "LicensePrices",
    "LicenseReason",
    "LicenseRemedy",
    "LicenseSetting",
    "LicenseSettings",
    "LicenseUpgrade",
    "LicenseUsage",
    "LicenseUsageReached",
    "LicenseVerdict",
    "LoggedRequest",
    "LoggedRequestDetail",
    "NewCheckoutItem",
    "NewLicenseSetting",
    "NewLicenseSettings",
    "NewQuoteItem",
    "NextAction",
    "NumberCount",
    "Order",
    "OrderBeat",
    "OrderFailure",
    "OrderFile",
    "OrderFiles",
    "OrderRefund",
    "Pagination",
    "Payout",
    "Playlist",
    "PlaylistDetail",
    "Producer",
    "PublishingFailure",
    "Purchase",
    "Quote",
    "QuoteDiscount",
    "QuoteItem",
    "QuoteRule",
    "ReadyUpload",
    "RequestPage",
    "Sale",
    "SaleBeat",
    "SaleBuyer",
    "Sandbox",
    "SandboxAdvance",
    "SandboxFault",
    "SearchTotals",
    "SimilarBeat",
    "Similarity",
    "StorageUse",
    "TestEvent",
    "TextCount",
    "Upload",
    "UsageRemedy",
    "UsageReport",
    "UsageSum",
    "User",
    "UserUpdated",
]


class GenreName(Model):
    """The genre of a beat or producer."""

    id: int
    name: str


class Beat(Model):
    """A beat in a list."""

    id: int
    title: str
    user_id: int
    """The user who produced the beat."""
    producer_name: str
    genre: GenreName
    price: float
    """The price of the basic license, or of the next one if the basic one is not sold. At most two decimals."""
    duration: int
    """The duration in whole seconds; 0 if it is unknown."""
    bpm: int
    """The tempo in beats per minute."""
    key: str
    """The musical key, such as "C# minor"; "" if it is unknown."""
    audio_url: str
    cover_image: str
    created_at: str
    """A time in ISO 8601, UTC, whole seconds."""
    play_count: int
    download_count: int


class Pagination(Model):
    """The position of a page in its list."""

    total: int
    per_page: int
    current_page: int
    last_page: int
    next_page_url: str | None
    """The address of the next page. None on the last page."""
    prev_page_url: str | None


class FacetCount(Model):
    """How many beats have a value, or are in a range of values."""

    value: GenreName | str | float
    """The key as in beats; "" for an unknown key."""
    count: int
    max: float | None = None
    """The highest bpm of the range, as for `bpm_max`."""


class Facets(Model):
    """How many beats have each value, by requested facet."""

    genre: list[GenreCount] | None = None
    """The most frequent genre comes first."""
    key: list[TextCount] | None = None
    """The most frequent key comes first."""
    bpm: list[NumberCount] | None = None
    """Ranges of ten, the slowest first."""
    price: list[NumberCount] | None = None
    """At most ten ranges, the lowest first."""
    tag: list[TextCount] | None = None
    """The 100 most frequent tags, the most frequent first."""


class License(Model):
    """A license of a beat and its price."""

    type: LicenseType | str
    price: float
    available: bool
    """Whether the license can be bought now.

    False for every license while the exclusive one is being bought, and after it is sold.
    """


class Analysis(Model):
    """The results of the analysis of a recording. An unknown value is None."""

    bpm: float | None
    """The tempo in beats per minute. None if the recording has none."""
    bpm_confidence: float | None
    """How sure the tempo is, from 0 to 1."""
    bpm_alternative: float | None
    """The second most likely tempo, often half or double of the first."""
    key: str | None
    """The musical key, such as `C# minor`. None if the recording has none."""
    key_confidence: float | None
    """How sure the key is, from 0 to 1."""
    key_alternative: str | None
    """The second most likely key."""
    duration: int
    """The duration in seconds."""
    format: str
    """The format, by the file's bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or `m4a`. The last three are lossy; licenses
    of such a recording include no WAV.
    """
    sample_rate: int
    """The sample rate in Hz."""
    channels: int
    loudness_lufs: float | None
    """The integrated loudness by EBU R128. None for silence."""
    true_peak_dbtp: float | None
    """The true peak in dBTP. None for silence."""
    clipped_samples: int
    """The number of samples in runs at full scale."""
    silence_start: float
    """The number of seconds of silence before the first sound."""
    silence_end: float
    """The number of seconds of silence after the last sound."""


class LicenseLimits(Model):
    """Limits of a license that its producer changed."""

    copies: int | None = None
    streams: int | None = None
    videos: int | None = None
    radio_stations: int | None = None
    paid_performances: int | None = None
    years: int | None = None


class LicenseSetting(Model):
    """Whether a license is sold, its price, and its limits."""

    sold: bool
    price: float
    """The price, also of a license that is not sold."""
    limits: LicenseLimits
    """The limits that the producer changed."""


class LicenseSettings(Model):
    """Which licenses of a beat are sold, and with which limits."""

    basic: LicenseSetting
    premium: LicenseSetting
    unlimited: LicenseSetting
    exclusive: LicenseSetting


class LicensePrices(TypedDict, total=False):
    """Prices of the licenses other than the basic one."""

    premium: float
    unlimited: float
    exclusive: float


class NewLicenseSetting(Model):
    """Whether a license is to be sold, and its limits."""

    sold: bool | None = None
    """Whether the license is sold."""
    limits: LicenseLimits | None = None
    """Your own limits, which replace your earlier ones.

    None means any number. A limit that is not named is as in the terms.
    """


class NewLicenseSettings(TypedDict, total=False):
    """Which licenses of a beat are to be sold, and with which limits."""

    basic: NewLicenseSetting
    premium: NewLicenseSetting
    unlimited: NewLicenseSetting
    exclusive: NewLicenseSetting


class Similarity(Model):
    """How similar a beat is, and why."""

    score: float
    """The similarity. 1 is a perfect match."""
    tempo_ratio: float
    """This beat's tempo relative to the given beat: 0.5, 1 or 2. It is 2 if this beat is about twice as fast."""
    bpm_difference_percent: float
    """The difference of the tempos in percent, after `tempo_ratio` halves or doubles one of them, with two decimals."""
    key_relation: KeyRelation | str
    """The relation of the keys on the circle of fifths. `other` also if a key is unknown."""
    same_genre: bool


class User(Model):
    """A public profile."""

    id: int
    username: str
    display_name: str
    bio: str | None
    location: str | None
    website: str | None
    avatar_url: str | None
    is_producer: bool
    beats_count: int
    """The number of beats on sale."""
    created_at: str
    """A time in ISO 8601, UTC, whole seconds."""


class Genre(Model):
    """A genre of the catalogue."""

    id: int
    name: str
    slug: str
    beats_count: int
    """The number of beats on sale in this genre."""


class SearchTotals(Model):
    """All results of a search, by type."""

    beats: int
    producers: int


class Interpretation(Model):
    """The filters that the service found in the text of a search, by parameter."""

    q: str
    """The words of the search."""
    bpm_min: int | None = None
    bpm_max: int | None = None
    key: str | None = None
    """The key, in the form of the parameter `key`."""
    price_min: float | None = None
    price_max: float | None = None
    widened: dict[str, str] | None = None
    """The typed tempo and the wider range that was searched instead, because nothing matches the tempo together with
    the rest.
    """
    corrected: dict[str, str] | None = None
    """The corrected words, each with its replacement."""
    ignored: list[str] | None = None
    """The parts of the search text that were ignored, because nothing matches them together with the rest."""


class OrderBeat(Model):
    """The beat of an order, as it was when it was bought."""

    id: int
    title: str
    producer_id: int
    producer_name: str


class NextAction(Model):
    """What the buyer has to do to pay."""

    type: NextActionType | str
    url: str
    """The page on which the buyer completes the payment."""


class Order(Model):
    """The purchase of a license by the account, also if it is pending or failed."""

    id: int
    status: OrderStatus | str
    """The status. `pending` becomes `completed` or `failed`; both are final."""
    beat: OrderBeat
    """The beat as it was at the time of the purchase."""
    license_type: LicenseType | str
    amount: float
    """The price of the license, with at most two decimals."""
    currency: str
    """The currency, by ISO 4217."""
    payment_method: str
    failure_reason: str | None
    """Why the order failed, as a sentence. None unless it failed."""
    created_at: str
    """A time in ISO 8601, UTC, whole seconds."""
    completed_at: str | None
    """When the order was completed. None unless it was."""
    refunded_amount: float
    """The part of `amount` that was paid back by refunds and lost disputes, with at most two decimals."""
    refunded_at: str | None
    """When money was last paid back. None if none was. The order stays completed."""
    client_secret: str | None
    """Only with Stripe: the secret with which Stripe's scripts complete the payment in the buyer's browser.

    None unless the order is pending.
    """
    next_action: NextAction | None
    """The buyer's next step, such as 3-D Secure: open `url`. None unless the order is pending."""


class CheckoutItem(Model):
    """A license that a checkout buys."""

    beat_id: int
    license_type: LicenseType | str
    title: str
    producer_name: str
    upgrades_license: str | None
    """The license that the item upgrades or renews. None if it does neither."""
    credit: float
    """The credit for the license in `upgrades_license`, which is subtracted from the current price.

    At most two decimals.
    """
    discount: float
    """The amount of the item's discount, with at most two decimals."""
    amount: float
    """The price at the time of the checkout, less credit and discount. At most two decimals."""


class AppliedDiscount(Model):
    """What a discount takes off a checkout."""

    id: int
    name: str
    code: str | None
    """The code of the discount. None if it needs none."""
    amount: float
    """The amount of the discount, with at most two decimals."""


class Checkout(Model):
    """One payment of one or more licenses."""

    id: int
    url: str | None
    """The page on which a person pays. Open it in a browser. None only while the provider is unreachable."""
    status: CheckoutStatus | str
    """The status.

    `open` becomes `completed` with the payment, `expired` at `expires_at`, or `cancelled` when it cannot be fulfilled,
    for example because an item is no longer for sale.
    """
    amount: float
    """The sum of the items, with at most two decimals."""
    currency: str
    """The currency, by ISO 4217."""
    success_url: str | None
    cancel_url: str | None
    failure_reason: str | None
    """Why the checkout was cancelled, as a sentence. None unless it was."""
    created_at: str
    """A time in ISO 8601, UTC, whole seconds."""
    expires_at: str
    """A time in ISO 8601, UTC, whole seconds."""
    items: list[CheckoutItem]
    discounts: list[AppliedDiscount]
    """The applied discounts, each with its amount."""
    orders: list[Order]
    """One order for each item, once the payment has succeeded. Empty before."""


class NewCheckoutItem(TypedDict, total=False):
    """A license that a new checkout is to buy."""

    beat_id: int
    license_type: LicenseType | str
    upgrades_license: str


class QuoteItem(Model):
    """A license of a quote, with its price."""

    beat_id: int
    license_type: LicenseType | str
    title: str
    producer_name: str
    upgrades_license: str | None
    """The license that the item upgrades or renews. None if it does neither."""
    credit: float
    """The credit for the license in `upgrades_license`, which is subtracted from the current price.

    At most two decimals.
    """
    price: float
    """Today's price, less the credit. At most two decimals."""
    discount: float
    """The amount of the discount, with at most two decimals."""
    amount: float
    """The amount to pay, with at most two decimals."""
    discount_id: int | None
    """The discount that reduces the price. None if no discount applies."""


class QuoteDiscount(Model):
    """What a discount would take off."""

    id: int
    name: str
    code: str | None
    """The code of the discount. None if it needs none."""
    amount: float
    """The amount of the discount, with at most two decimals."""


class QuoteRule(Model):
    """A discount that was tried, and why it applies or not."""

    id: int | None
    """The id of the discount. None for an unknown code."""
    name: str | None
    kind: DiscountKind | str | None
    code: str | None
    """The code of the discount. None if it needs none."""
    applied: bool
    """Whether the discount applies."""
    reason: str
    """A sentence: the effect of the discount, or why it does not apply."""
    amount: float
    """The amount of the discount, with at most two decimals."""


class Quote(Model):
    """The price of a purchase, with every discount that was considered."""

    amount: float
    """The amount that a checkout of the items charges, with at most two decimals."""
    currency: str
    """The currency, by ISO 4217."""
    items: list[QuoteItem]
    """The items, in the order of the request."""
    discounts: list[QuoteDiscount]
    """The discounts that apply."""
    rules: list[QuoteRule]
    """Every discount that was considered."""


class NewQuoteItem(TypedDict, total=False):
    """A license to quote."""

    beat_id: int
    license_type: LicenseType | str
    upgrades_license: str


class SaleBeat(Model):
    """The beat of a sale, with its title when it was bought."""

    id: int
    title: str


class SaleBuyer(Model):
    """The buyer of a sale."""

    name: str


class Sale(Model):
    """A completed order of a beat that the account sold."""

    id: int
    """Identifier of the order."""
    beat: SaleBeat
    """The beat, with its title at the time of the purchase."""
    license_type: LicenseType | str
    amount: float
    """An amount with at most two decimals."""
    refunded_amount: float
    """The part of the amount that was paid back. 0 without a refund."""
    currency: str
    """The currency, by ISO 4217."""
    buyer: SaleBuyer
    """The name of the buyer on the license."""
    license_id: str | None
    """Identifier of the license. None until it is issued."""
    downloads: int
    """The number of files that the buyer has downloaded."""
    completed_at: str
    """A time in ISO 8601, UTC, whole seconds."""
    refunded_at: str | None
    """When the last refund was made. None if there is none."""


class OrderFile(Model):
    """A file of an order."""

    kind: FileKind | str
    """The kind of the file.

    `mp3`: untagged, with 320 kbit/s, or with the bit rate of a lossy recording. `wav`: the recording, if it is
    lossless. `stems`: the producer's ZIP. `license`: the certificate, a PDF.
    """
    filename: str
    """The name under which a browser saves the file."""
    bytes: int
    """The size of the file in bytes."""
    sha256: str
    """The SHA-256 of the file, in hexadecimal."""
    url: str
    """A signed link.

    Every client that has it can download the file without a key until it expires. Supports `Range`.
    """
    expires_at: str
    """When the link expires: ISO 8601, UTC, whole seconds, 15 minutes from now. A download that has begun is not
    interrupted.
    """


class IssuedLicense(Model):
    """The license of an order."""

    id: str
    url: str
    """The public page that says whether the license is valid."""
    jws: str
    """The facts of the certificate, signed (JWS, EdDSA) with a key of `/.well-known/jwks.json`."""
    type: LicenseType | str
    terms_version: str
    """The version of the terms at the time of the sale."""
    status: LicenseStatus | str
    """The status of the license: `expired` after its last day, `refunded` once the order is refunded in full,
    `replaced` after an upgrade or renewal.
    """


class OrderFiles(Model):
    """The files and the license of a completed order."""

    files: list[OrderFile]
    """The files of the license, in the order mp3, wav, stems, license. Empty once the order is refunded in full."""
    license: IssuedLicense


class Invoice(Model):
    """An invoice or a credit note of an order."""

    number: str
    """The number, such as `INV-2026-000042`, or `CN-2026-000007` for a credit note."""
    kind: InvoiceKind | str
    """The kind of the document. A `credit_note` cancels what was paid back."""
    issued_at: str
    """When the document was issued, in UTC."""
    amount: float
    """The amount with tax, positive in both kinds. At most two decimals."""
    currency: str
    """The currency, by ISO 4217."""
    filename: str
    """A name for the file: the number of the document."""
    url: str
    """The address of the PDF, which needs no key."""
    expires_at: str
    """When the link expires, in UTC."""


class LicenseReason(Model):
    """The clause that an answer follows from."""

    clause: LicenseClause | str
    """The clause that decides the answer, or the clause that comes nearest."""
    text: str
    """The sentence of the clause, word for word as in the certificate."""
    limit: int | None
    """The number in the clause. None for any number, and for clauses without one."""
    used: int | None
    """The usage that the holder has reported. None without a report."""


class LicenseRemedy(Model):
    """What to buy so that the use is allowed."""

    upgrade: LicenseType | str | None
    """The higher license to buy. None if `renew` is the remedy."""
    renew: LicenseType | str | None
    """The same license, to be bought again. None if `upgrade` is the remedy."""
    price: float
    """The price today, before discounts. With the holder's key: the difference of an upgrade."""
    currency: str
    valid_until: str | None
    """The last day of the license if it is bought today. None if it has no end."""


class LicenseVerdict(Model):
    """Whether a license allows a use, and why."""

    license_id: str
    status: LicenseState | str
    """The status of the license today."""
    replaced_by: str | None
    """The license that replaced this one by an upgrade or a renewal.

    Send the question for that one. None if there is none, and until its certificate is issued.
    """
    use: str
    quantity: int
    territory: str | None
    """The country in the request. None if the request has none."""
    on: str
    """The day that the answer is for."""
    allowed: Allowance | str
    """Whether the license allows the use. `unknown`: the terms do not mention this use."""
    because: LicenseReason | None
    """The reason for the answer. None only if no clause is about such a use."""
    remedy: LicenseRemedy | None
    """The purchase that would allow the use. None unless the answer is no, and if no purchase would."""


class UsageReport(Model):
    """How much of a use a source counted in a month."""

    use: CountedUse | str
    """What is counted: streams, copies or videos."""
    quantity: int
    """The number of streams, copies or videos in the period."""
    period: str
    """A month, such as `2027-01`."""
    source: str
    """The source of the number, such as the distributor."""


class UsageSum(Model):
    """How much of a use is reported, and the limit."""

    use: CountedUse | str
    """What is counted: streams, copies or videos."""
    used: int
    """The sum over all periods and sources, including the usage before an upgrade."""
    limit: int | None
    """The limit in the clause. None for any number."""


class LicenseUsage(Model):
    """The usage of a license, as its holder has reported it."""

    license_id: str
    reports: list[UsageReport]
    """The reports, ordered by use, period and source."""
    sums: list[UsageSum]
    """The sums, one for each use."""


class Favorite(Model):
    """A beat among the favorites of an account."""

    beat_id: int
    created_at: str | None
    """When the beat was added: ISO 8601, UTC, whole seconds. None for a beat that is not a favorite."""


class Follow(Model):
    """A producer whom an account follows."""

    user_id: int
    """The id of the producer."""
    created_at: str | None
    """Since when the account follows the producer: ISO 8601, UTC, whole seconds. None if it does not."""


class Playlist(Model):
    """A list of beats in the order that its owner chose."""

    id: str
    title: str
    description: str
    visibility: PlaylistVisibility | str
    """Who can read the playlist. `private`: only the account. `public`: everyone who has its id."""
    user_id: int
    """The id of the owner."""
    owner_name: str
    url: str
    """The address of the playlist's page."""
    beats_count: int
    """The number of beats that are on sale."""
    created_at: str
    """A time in ISO 8601, UTC, whole seconds."""
    updated_at: str
    """A time in ISO 8601, UTC, whole seconds."""


class Upload(Model):
    """A file that was uploaded, or of which some bytes have arrived."""

    id: str
    kind: UploadKind | str
    filename: str
    """The name of the file, as sent. It is a text, never a path."""
    bytes: int
    """The size of the whole file in bytes."""
    received: int
    """The number of bytes that have arrived."""
    sha256: str | None
    """The SHA-256 of the sent file. None until the file is stored."""
    status: UploadStatus | str
    """The status. `receiving` becomes `analysing` with the last byte, then `ready` or `rejected`."""
    rejection: str | None
    """Why the upload was rejected, as a sentence. None unless it was."""
    analysis: Analysis | None
    """The results of the analysis. None unless the upload is audio and ready."""
    created_at: str
    """A time in ISO 8601, UTC, whole seconds."""
    expires_at: str | None
    """When the upload will be deleted, unless a beat uses it by then. None if a beat uses it."""


class StorageUse(Model):
    """How much of the storage an account's files take, and may take."""

    used_bytes: int
    """The size of all files of the account, in bytes: incomplete and ready uploads, the files of beats in every state,
    replaced files that buyers keep, and the profile picture.
    """
    max_bytes: int | None
    """The limit of the account's plan, in bytes. None if there is none."""


class Change(Model):
    """A change of the catalogue: a beat was published, updated, sold or withdrawn."""

    position: int
    """The position of the change. Positions increase and can have gaps."""
    type: ChangeType | str
    beat_id: int
    beat: BeatDetail | None
    """The present state of the beat, in the form of `GET /beats/{beat_id}`.

    None if it is withdrawn now, and in every change of type `withdrawn`.
    """


class LoggedRequest(Model):
    """A request of the account in the request log."""

    id: str
    """The `X-Request-Id` of the response."""
    created_at: str
    """When the request arrived: ISO 8601, UTC, milliseconds."""
    method: str
    path: str
    """The path of the request."""
    query: str
    """The query string of the request, without the question mark and without secrets."""
    operation: str | None
    """The operation of the path. None if there is none."""
    status: int
    duration_ms: float
    """The duration until the end of the response, in milliseconds."""
    key_id: int
    """The key of the request."""
    key_name: str | None
    """The name of the key. None once the key is deleted."""
    error_code: str | None
    """The `code` of the error. None if there is none."""
    refused_by: str | None
    """The reason of the refusal, such as `limit:minute` or `parameter:genre`. None if there is none."""
    version: str | None
    """The dated version of the API in which the response was written, such as `2026-11-20`.

    None if it has no version.
    """


class RequestPage(Model):
    """A page of requests, the newest first."""

    requests: list[LoggedRequest]
    next: str | None
    """The position to continue from: the `after` of the next request. None when the whole log was searched."""
    searched_to: str | None
    """The time of the oldest request that was searched. None when the whole log was searched."""


class LoggedRequestDetail(Model):
    """A request with all that the request log stores."""

    id: str
    """The `X-Request-Id` of the response."""
    created_at: str
    """When the request arrived: ISO 8601, UTC, milliseconds."""
    method: str
    path: str
    """The path of the request."""
    query: str
    """The query string of the request, without the question mark and without secrets."""
    operation: str | None
    """The operation of the path. None if there is none."""
    status: int
    duration_ms: float
    """The duration until the end of the response, in milliseconds."""
    key_id: int
    """The key of the request."""
    key_name: str | None
    """The name of the key. None once the key is deleted."""
    error_code: str | None
    """The `code` of the error. None if there is none."""
    refused_by: str | None
    """The reason of the refusal, such as `limit:minute` or `parameter:genre`. None if there is none."""
    version: str | None
    """The dated version of the API in which the response was written, such as `2026-11-20`.

    None if it has no version.
    """
    error_message: str | None
    """The `message` of the error."""
    error_details: str | None
    """The `details` of the error, without secrets."""
    reason: str | None
    """Why the request was refused or failed, in words."""
    advice: str | None
    """What to do."""
    headers: dict[str, str]
    """The stored headers of the request. They never include the key or cookies."""
    user_agent: str
    """The header User-Agent. Empty if there is none."""
    body: str | None
    """The body of the request: up to 4,000 bytes, without secrets and without numbers that could be card numbers.

    None if there is none.
    """
    client_address: str
    """The IP address of the client."""
    from_explorer: bool
    """Whether the request was sent from the explorer, which has its own limits."""
    event_ids: list[str]
    """The events that the request caused, the oldest first."""


class Sandbox(Model):
    """A service of your own with its own clock."""

    id: str
    """Identifier of the sandbox: 16 letters and digits."""
    seed: str
    """The seed from which the sandbox was generated."""
    catalogue: str
    """The catalogue that the sandbox began with: `demo` or `empty`."""
    now: str
    """The present time of the sandbox."""
    base_url: str
    """The address of the sandbox, which needs no key. The API is below `/v1`."""
    created_at: str
    """When the sandbox was created, in real time."""
    expires_at: str
    """When the sandbox will be deleted, in real time. Every request to the sandbox extends it."""


class SandboxAdvance(Model):
    """What happened in the sandbox while its clock advanced."""

    sandbox: Sandbox
    is_complete: bool
    """Whether the clock advanced by the whole duration. If not, send `remaining`."""
    remaining: str
    """The remaining duration: the `by` of the next request."""
    orders: int
    """The number of orders that simulated buyers placed."""
    refunds: int
    """The number of refunds that simulated buyers requested."""
    disputes: int
    """The number of disputes that banks of simulated buyers opened."""
    payouts: int
    """The number of payouts that were sent to producers."""


SandboxFault = TypedDict(
    "SandboxFault",
    {
        "receiver": str,
        "from": str,
        "to": str,
        "refunds": str,
        "disputes": str,
        "payouts": str,
        "share": float,
    },
    total=False,
)
SandboxFault.__doc__ = "What goes wrong while a sandbox advances."


class TestEvent(Model):
    """The event that the request caused.

    The order, beat or other object that it names exists, and is not deleted afterwards.
    """

    type: str
    """The type of the event."""
    order_id: int | None = None
    """The order that was placed."""
    license_id: str | None = None
    """The license that was upgraded, or whose usage was reported."""
    beat_id: int | None = None
    """The beat that was created, changed or sold."""
    upload_id: str | None = None
    """The upload whose analysis causes the event."""
    payout_id: int | None = None
    """The payout to the account."""
    user_id: int | None = None
    """The account that was created or changed."""


class BeatWithdrawal(Model):
    """A beat that only its producer still sees."""

    beat_id: int
    title: str
    producer_id: int
    producer_name: str
    withdrawn_at: str


class BeatTakedown(Model):
    """A beat that the operator of the marketplace removed."""

    beat_id: int
    title: str
    producer_id: int
    producer_name: str
    taken_down_at: str


class ExclusiveSale(Model):
    """A beat whose exclusive license was sold."""

    beat_id: int
    title: str
    producer_id: int
    producer_name: str
    sold_at: str


class Purchase(Model):
    """A completed purchase of a beat."""

    beat_id: int
    title: str
    producer_id: int
    producer_name: str
    license_type: LicenseType | str
    amount: float
    """The price of the license, with at most two decimals."""
    currency: str
    """The currency, by ISO 4217."""
    purchaser_id: int


class OrderRefund(Model):
    """The refund of an order."""

    order_id: int
    beat_id: int
    title: str
    producer_id: int
    producer_name: str
    license_type: LicenseType | str
    amount: float
    """The price of the license, with at most two decimals."""
    currency: str
    """The currency, by ISO 4217."""
    purchaser_id: int
    refunded_amount: float
    """The part of `amount` that refunds and lost disputes have paid back so far. At most two decimals."""
    refunded_at: str | None
    """When money was last paid back. None if all refunds were returned."""


class OrderFailure(Model):
    """An order that failed after it was placed."""

    order_id: int
    beat_id: int
    title: str
    producer_id: int
    producer_name: str
    license_type: LicenseType | str
    amount: float
    """The price of the license, with at most two decimals."""
    currency: str
    """The currency, by ISO 4217."""
    purchaser_id: int
    failure_reason: str
    """The reason as a sentence."""


class LicenseUpgrade(Model):
    """A license that was upgraded or renewed."""

    order_id: int
    beat_id: int
    title: str
    producer_id: int
    producer_name: str
    license_type: LicenseType | str
    amount: float
    """The price of the license, with at most two decimals."""
    currency: str
    """The currency, by ISO 4217."""
    purchaser_id: int
    replaced_license_id: str
    """The license that the new one replaces."""


class UsageRemedy(Model):
    """The license to buy for more of the use."""

    license_type: str
    price: float
    """The price of the upgrade today."""
    currency: str
    """The currency, by ISO 4217."""


class LicenseUsageReached(Model):
    """The report that the usage of a license has reached 80 or 100 percent of a limit."""

    license_id: str
    order_id: int
    beat_id: int
    title: str
    license_type: str
    use: CountedUse | str
    """What is counted: streams, copies or videos."""
    percent: int
    """The percentage of the limit that the usage has reached: 80 or 100."""
    used: int
    limit: int
    remedy: UsageRemedy | None
    """The license with a higher limit. None if none is for sale."""


class PublishingFailure(Model):
    """Why a beat could not be published."""

    beat_id: int
    title: str
    producer_id: int
    is_on_sale: bool
    """Whether the beat is on sale. If false, it is a draft, is withdrawn, or its exclusive license is sold."""
    reason: str
    """The reason as a sentence, the same as `rejection` of the beat."""


class Payout(Model):
    """A payment of the marketplace to a producer."""

    id: int
    amount: float
    """The amount of the payout, with at most two decimals."""
    currency: str
    """The currency, by ISO 4217."""
    status: PayoutStatus | str
    destination: PayoutDestination | str
    """The kind of account that receives the money: a bank account, or an account at Stripe."""
    failure_reason: str | None
    """Why the payout failed. None unless `status` is `failed`."""
    created_at: str
    sent_at: str | None
    settled_at: str | None
    """When the payout arrived or failed. None before that."""


class BeatDetail(Beat):
    """A beat with its description, tags and licenses. Your own beats have their status, too."""

    bpm: int
    """The tempo in beats per minute. 0 only for a draft of your own whose tempo is unknown."""
    description: str
    tags: list[str]
    licenses: list[License]
    updated_at: str
    """A time in ISO 8601, UTC, whole seconds."""
    waveform_url: str | None = None
    """The waveform of the whole beat, as JSON of audiowaveform's version 2. None if there is none."""
    analysis: Analysis | None = None
    """The results of the analysis. None if the recording was not analysed."""
    status: BeatStatus | str | None = None
    """The status of the beat. Only its producer gets this field and those below."""
    bpm_source: FieldSource | str | None = None
    """The source of `bpm`. None while it is unknown."""
    key_source: FieldSource | str | None = None
    """The source of `key`. None while it is unknown."""
    preview_tag: str | None = None
    """The tag that is mixed into the preview: `default`, `none`, or the id of an upload."""
    license_settings: LicenseSettings | None = None
    """Which licenses are sold, and with which limits."""
    free_download: bool | None = None
    """Whether people who give an e-mail address get the tagged MP3 for free."""
    publish_at: str | None = None
    """The time of the planned publishing.

    None if none is planned. It stays until the beat is on sale or could not be published.
    """
    rejection: str | None = None
    """Why the last publishing failed, as a sentence. None if it did not."""


class SimilarBeat(Beat):
    """A beat and why it is similar."""

    similarity: Similarity


class Producer(User):
    """A public profile with figures about its beats."""

    play_count: int
    """The number of plays of all beats on sale."""
    genres: list[GenreName]
    """The most frequent comes first."""


class PlaylistDetail(Playlist):
    """A playlist with its beats."""

    beats: list[Beat]


class CreatedSandbox(Sandbox):
    """A new sandbox with its key."""

    api_key: str
    """A key with all permissions, which is shown only once."""
    webhook_secret: str | None
    """The secret that verifies the deliveries to `webhook_url`.

    None without a `webhook_url`, and for a copy, which keeps the secret of the original.
    """


class BeatUpdated(Beat):
    """A beat with its details, and the names of the changed fields."""

    description: str
    tags: list[str]
    licenses: list[License]
    waveform_url: str | None = None
    """The waveform of the whole beat, as JSON of audiowaveform's version 2. None if there is none."""
    analysis: Analysis | None = None
    """The results of the analysis. None if the recording was not analysed."""
    available: bool
    """Whether a license of the beat is for sale."""
    changed: list[str]
    """The names of the changed fields."""


class UserUpdated(User):
    """A public profile, and the names of the changed fields."""

    changed: list[str]
    """The names of the changed fields."""


class ReadyUpload(Upload):
    """An upload that is ready: beats can be created from it."""

    status: Literal["ready"]
    sha256: str
    """The SHA-256 of the file that you uploaded, in hex."""
    rejection: None = None


class GenreCount(FacetCount):
    """How many beats have a genre."""

    value: GenreName


class TextCount(FacetCount):
    """How many beats have a key, as it is in beats ("" for an unknown one), or a tag."""

    value: str


class NumberCount(FacetCount):
    """How many beats have a bpm or a price in a range of values, of which `value` is the lowest."""

    value: float


class ChangePage(Model):
    """A page of changes, in the order of commits."""

    changes: list[Change]
    next: int
    """The position to continue from."""
