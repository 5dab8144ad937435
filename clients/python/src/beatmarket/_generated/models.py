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
    """The producing user."""
    producer_name: str
    genre: GenreName
    price: float
    """The price of the basic license, or of the next one if the basic one is not sold; at most two decimals."""
    duration: int
    """Whole seconds; 0 when unknown."""
    bpm: int
    """Tempo in beats per minute."""
    key: str
    """Musical key such as "C# minor"; "" when unknown."""
    audio_url: str
    cover_image: str
    created_at: str
    """ISO 8601, UTC, whole seconds."""
    play_count: int
    download_count: int


class Pagination(Model):
    """The position of a page in its list."""

    total: int
    per_page: int
    current_page: int
    last_page: int
    next_page_url: str | None
    """Follow it to walk the whole list; None on the last page."""
    prev_page_url: str | None


class FacetCount(Model):
    """How many beats have a value, or are in a range of values."""

    value: GenreName | str | float
    """As in beats; "" for an unknown key."""
    count: int
    max: float | None = None
    """The highest, as for `bpm_max`."""


class Facets(Model):
    """How many beats have each value, by what was asked for."""

    genre: list[FacetCount] | None = None
    """Most frequent first."""
    key: list[FacetCount] | None = None
    """Most frequent first."""
    bpm: list[FacetCount] | None = None
    """In ranges of ten, slowest first."""
    price: list[FacetCount] | None = None
    """At most ten ranges, lowest first."""
    tag: list[FacetCount] | None = None
    """The 100 most frequent, most frequent first."""


class License(Model):
    """A license of a beat and its price."""

    type: LicenseType | str
    price: float
    available: bool
    """False for every license while the exclusive one is being bought, and once it is sold."""


class Analysis(Model):
    """The results of the analysis of a recording. A value that was not found is None."""

    bpm: float | None
    """Beats per minute; None if the recording has none."""
    bpm_confidence: float | None
    """How sure the tempo is, from 0 to 1."""
    bpm_alternative: float | None
    """The next best tempo, often twice or half of it."""
    key: str | None
    """The musical key, such as `C# minor`; None if the recording has none."""
    key_confidence: float | None
    """How sure the key is, from 0 to 1."""
    key_alternative: str | None
    """The next best key."""
    duration: int
    """In seconds."""
    format: str
    """The format, by the file's bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or `m4a`. The last three are lossy: licenses
    of such a recording bring no WAV.
    """
    sample_rate: int
    """In Hz."""
    channels: int
    loudness_lufs: float | None
    """Integrated loudness by EBU R128; None for silence."""
    true_peak_dbtp: float | None
    """The true peak in dBTP; None for silence."""
    clipped_samples: int
    """Samples in runs at full scale."""
    silence_start: float
    """Seconds of silence before the first sound."""
    silence_end: float
    """Seconds of silence after the last sound."""


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
    """Also for a license that is not sold."""
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
    """Your own limits, which replace the former ones; None is any number.

    Limits that are not named are those of the terms.
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
    """1 is a perfect match."""
    tempo_ratio: float
    """The octave in which this beat's tempo was compared: 0.5, 1 or 2; 2 when it is about twice as fast."""
    bpm_difference_percent: float
    """Absolute difference of the tempi in that octave, two decimals."""
    key_relation: KeyRelation | str
    """On the circle of fifths; other also where a key is unknown."""
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
    """Beats on sale."""
    created_at: str
    """ISO 8601, UTC, whole seconds."""


class Genre(Model):
    """A genre of the catalogue."""

    id: int
    name: str
    slug: str
    beats_count: int
    """Beats on sale in this genre."""


class SearchTotals(Model):
    """All results of a search, by type."""

    beats: int
    producers: int


class Interpretation(Model):
    """What was understood of a search, in the names of parameters."""

    q: str
    """The words that were searched for."""
    bpm_min: int | None = None
    bpm_max: int | None = None
    key: str | None = None
    """In the form of the parameter `key`."""
    price_min: float | None = None
    price_max: float | None = None
    widened: dict[str, str] | None = None
    """The typed tempo, and the range that was searched instead, because nothing has the tempo together with the rest.
    """
    corrected: dict[str, str] | None = None
    """Corrections: the replacement of each corrected word."""
    ignored: list[str] | None = None
    """Parts of the search text that were left out, because nothing matches them together with the rest."""


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
    """The page on which the buyer finishes the payment."""


class Order(Model):
    """A license that the account bought, or tried to."""

    id: int
    status: OrderStatus | str
    """pending becomes completed or failed; both are final."""
    beat: OrderBeat
    """The beat as it was when it was bought."""
    license_type: LicenseType | str
    amount: float
    """At most two decimals."""
    currency: str
    """ISO 4217."""
    payment_method: str
    failure_reason: str | None
    """A sentence; None unless failed."""
    created_at: str
    """ISO 8601, UTC, whole seconds."""
    completed_at: str | None
    """None unless completed."""
    refunded_amount: float
    """The part of `amount` that was paid back by refunds and lost disputes. At most two decimals."""
    refunded_at: str | None
    """When money was last paid back; None if none was. The order stays completed."""
    client_secret: str | None
    """With Stripe: the secret with which Stripe's own scripts finish the payment in the buyer's browser.

    None unless pending.
    """
    next_action: NextAction | None
    """The buyer's next step, such as 3-D Secure: open `url`. None unless pending."""


class CheckoutItem(Model):
    """A license that a checkout buys."""

    beat_id: int
    license_type: LicenseType | str
    title: str
    producer_name: str
    upgrades_license: str | None
    """The license that the item upgrades or renews; None for none."""
    credit: float
    """What the license in `upgrades_license` takes off the current price. At most two decimals."""
    discount: float
    """The part of its price that discounts take off. At most two decimals."""
    amount: float
    """The price when the checkout was made, less credit and discount. At most two decimals."""


class AppliedDiscount(Model):
    """What a discount takes off a checkout."""

    id: int
    name: str
    code: str | None
    """None for a discount that needs no code."""
    amount: float
    """The amount that it takes off. At most two decimals."""


class Checkout(Model):
    """One payment of one or more licenses."""

    id: int
    url: str | None
    """The page on which a person pays. Open it in a browser. None only while the provider cannot be reached."""
    status: CheckoutStatus | str
    """open becomes completed with the payment, expired at `expires_at`, or cancelled when an item is gone."""
    amount: float
    """The sum of the items. At most two decimals."""
    currency: str
    """ISO 4217."""
    success_url: str | None
    cancel_url: str | None
    failure_reason: str | None
    """A sentence; None unless cancelled."""
    created_at: str
    """ISO 8601, UTC, whole seconds."""
    expires_at: str
    """ISO 8601, UTC, whole seconds."""
    items: list[CheckoutItem]
    discounts: list[AppliedDiscount]
    """The discounts that were applied, each with the amount that it took off."""
    orders: list[Order]
    """One for each item, once the payment came through. Empty before."""


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
    """The license that the item upgrades or renews; None for none."""
    credit: float
    """What the license in `upgrades_license` takes off the current price. At most two decimals."""
    price: float
    """Today's price, less the credit. At most two decimals."""
    discount: float
    """The sum of discounts. At most two decimals."""
    amount: float
    """The amount to pay. At most two decimals."""
    discount_id: int | None
    """The discount that `discount` comes from."""


class QuoteDiscount(Model):
    """What a discount would take off."""

    id: int
    name: str
    code: str | None
    """None for a discount that needs no code."""
    amount: float
    """The amount that it takes off. At most two decimals."""


class QuoteRule(Model):
    """A discount that was tried, and why it applies or not."""

    id: int | None
    """Of the discount; None for an unknown code."""
    name: str | None
    kind: DiscountKind | str | None
    code: str | None
    """None for a discount that needs no code."""
    applied: bool
    """Whether it takes something off."""
    reason: str
    """A sentence: what it takes off, or why nothing."""
    amount: float
    """The amount that it takes off. At most two decimals."""


class Quote(Model):
    """What a purchase would cost, with every discount that was tried."""

    amount: float
    """What a checkout of the items charges. At most two decimals."""
    currency: str
    """ISO 4217."""
    items: list[QuoteItem]
    """In the order of the request."""
    discounts: list[QuoteDiscount]
    """The discounts that take something off."""
    rules: list[QuoteRule]
    """Every discount that was tried."""


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
    """With its title when it was bought."""
    license_type: LicenseType | str
    amount: float
    """At most two decimals."""
    refunded_amount: float
    """The part of the amount that was paid back; 0 without a refund."""
    currency: str
    """ISO 4217."""
    buyer: SaleBuyer
    """The buyer's name, as on the license."""
    license_id: str | None
    """Identifier of the license; None until it is issued."""
    downloads: int
    """Number of files that the buyer has downloaded."""
    completed_at: str
    """ISO 8601, UTC, whole seconds."""
    refunded_at: str | None
    """Of the last refund; None without one."""


class OrderFile(Model):
    """A file of an order. Its `url` needs no key until it expires."""

    kind: FileKind | str
    """`mp3`: untagged, of 320 kbit/s; of a lossy recording at its own bit rate.

    `wav`: the recording, if it is lossless. `stems`: the producer's ZIP. `license`: the certificate, a PDF.
    """
    filename: str
    """The name under which a browser saves it."""
    bytes: int
    """Size of the file."""
    sha256: str
    """Hash of the file's bytes."""
    url: str
    """A signed link: any client that has it can download the file until it expires, without a key.

    It supports `Range`.
    """
    expires_at: str
    """ISO 8601, UTC, whole seconds: 15 minutes from now. A download under way is not cut off."""


class IssuedLicense(Model):
    """The license of an order."""

    id: str
    url: str
    """The public page that says whether the license is valid."""
    jws: str
    """The certificate's facts, signed (JWS, EdDSA) with a key of `/.well-known/jwks.json`."""
    type: LicenseType | str
    terms_version: str
    """The version of the terms of the sale."""
    status: LicenseStatus | str
    """`expired` once its last day is over, `refunded` once the order is refunded in full, `replaced` once an upgrade or
    renewal replaced it.
    """


class OrderFiles(Model):
    """The files and the license of a completed order."""

    files: list[OrderFile]
    """The files of the license, in the order mp3, wav, stems, license. Empty once refunded in full."""
    license: IssuedLicense


class Invoice(Model):
    """An invoice or a credit note of an order."""

    number: str
    """`INV-2026-000042`, or `CN-2026-000007` of a credit note."""
    kind: InvoiceKind | str
    """`credit_note` takes back what was paid."""
    issued_at: str
    """UTC time."""
    amount: float
    """Tax included; positive in both kinds. At most two decimals."""
    currency: str
    """ISO 4217 code."""
    filename: str
    """A name for the file: its number."""
    url: str
    """The PDF. The link needs no key."""
    expires_at: str
    """When the link ends; UTC time."""


class LicenseReason(Model):
    """The clause that an answer follows from."""

    clause: LicenseClause | str
    """The clause that decides, or the one that comes nearest."""
    text: str
    """Its sentence, word for word as in the certificate."""
    limit: int | None
    """Its number; None for any number, and for clauses without one."""
    used: int | None
    """The usage that the holder has reported; None without a report."""


class LicenseRemedy(Model):
    """What to buy for a yes."""

    upgrade: LicenseType | str | None
    """The higher license to buy; None if `renew` is the remedy."""
    renew: LicenseType | str | None
    """The same license to buy again; None if `upgrade` is the remedy."""
    price: float
    """Its price today, before discounts; with the holder's key, the difference of an upgrade."""
    currency: str
    valid_until: str | None
    """The last day of the license that is bought today; None without an end."""


class LicenseVerdict(Model):
    """Whether a license allows a use, and why."""

    license_id: str
    status: LicenseState | str
    """Of the license, today."""
    replaced_by: str | None
    """The license that replaced it by an upgrade or renewal: ask that one.

    None without one, and until its certificate is issued.
    """
    use: str
    quantity: int
    territory: str | None
    """As in the request; None for no certain country."""
    on: str
    """The day of the answer."""
    allowed: Allowance | str
    """`unknown`: the terms do not speak of this use."""
    because: LicenseReason | None
    """None only if no clause comes near."""
    remedy: LicenseRemedy | None
    """The purchase that would allow the use; None unless the answer is no, and if no purchase would."""


class UsageReport(Model):
    """What a source counted of a use in a month."""

    use: CountedUse | str
    """The use: the name of its clause."""
    quantity: int
    """The number in the period."""
    period: str
    """A month, such as `2027-01`."""
    source: str
    """The source of the number, such as the distributor."""


class UsageSum(Model):
    """How much of a use is reported, and the limit."""

    use: CountedUse | str
    """The use: the name of its clause."""
    used: int
    """The sum over all periods and sources, including the usage before an upgrade."""
    limit: int | None
    """The number of the clause; None for any number."""


class LicenseUsage(Model):
    """The usage that the holder of a license has reported."""

    license_id: str
    reports: list[UsageReport]
    """By use, period and source."""
    sums: list[UsageSum]
    """One for each use."""


class Favorite(Model):
    """A beat among the favorites of an account."""

    beat_id: int
    created_at: str | None
    """ISO 8601, UTC, whole seconds. None for a beat that is no favorite."""


class Follow(Model):
    """A producer whom an account follows."""

    user_id: int
    """The producer."""
    created_at: str | None
    """ISO 8601, UTC, whole seconds. None for a producer whom the account does not follow."""


class Playlist(Model):
    """A list of beats in the order that its owner chose."""

    id: str
    title: str
    description: str
    visibility: PlaylistVisibility | str
    """`private`: only for the account. `public`: for everyone who has its id."""
    user_id: int
    """The id of its owner."""
    owner_name: str
    url: str
    """The address of its page."""
    beats_count: int
    """Beats that are on sale."""
    created_at: str
    """ISO 8601, UTC, whole seconds."""
    updated_at: str
    """ISO 8601, UTC, whole seconds."""


class Upload(Model):
    """A file that was uploaded, or whose bytes are still arriving."""

    id: str
    kind: UploadKind | str
    filename: str
    """As sent. A text, never a path."""
    bytes: int
    """Of the whole file."""
    received: int
    """The number of bytes that have arrived."""
    sha256: str | None
    """Of the file as it was sent; None until it is stored."""
    status: UploadStatus | str
    """receiving becomes analysing with the last byte, then ready or rejected."""
    rejection: str | None
    """Why it was rejected, as a sentence; None unless it was."""
    analysis: Analysis | None
    """Of audio that is ready; None otherwise."""
    created_at: str
    """ISO 8601, UTC, whole seconds."""
    expires_at: str | None
    """When it is deleted, unless a beat uses it by then; None when one does."""


class StorageUse(Model):
    """How much of the storage an account's files take, and may take."""

    used_bytes: int
    """Uploads that are incomplete or ready, and the files of beats in every state."""
    max_bytes: int | None
    """What the account's plan allows; None without a bound."""


class Change(Model):
    """A change of a listed beat."""

    position: int
    """Increases from change to change; there may be gaps."""
    type: ChangeType | str
    beat_id: int
    beat: BeatDetail | None
    """The beat as it is now, in the form of `GET /beats/{beat_id}`; None when it is withdrawn now, and in every change
    of type `withdrawn`.
    """


class LoggedRequest(Model):
    """A request of the account, as the request log keeps it."""

    id: str
    """The `X-Request-Id` of the response."""
    created_at: str
    """When it arrived, ISO 8601, UTC, milliseconds."""
    method: str
    path: str
    """As called."""
    query: str
    """As called, without the question mark and without secrets."""
    operation: str | None
    """The operation of the path; None where there is none."""
    status: int
    duration_ms: float
    """How long the response took, in milliseconds."""
    key_id: int
    """The key of the request."""
    key_name: str | None
    """None once the key is deleted."""
    error_code: str | None
    """The `code` of its error; None without one."""
    refused_by: str | None
    """The reason of the refusal, such as `limit:minute` or `parameter:genre`; None without one."""
    version: str | None
    """The dated version of the API that answered, such as `2026-11-20`; None where none did."""


class RequestPage(Model):
    """Requests, newest first, and the position after them."""

    requests: list[LoggedRequest]
    next: str | None
    """The position to continue from, as `after` of the next call; None when the whole log was searched."""
    searched_to: str | None
    """The time of the oldest request that was searched; None when the whole log was."""


class LoggedRequestDetail(Model):
    """A request with everything that the request log keeps."""

    id: str
    """The `X-Request-Id` of the response."""
    created_at: str
    """When it arrived, ISO 8601, UTC, milliseconds."""
    method: str
    path: str
    """As called."""
    query: str
    """As called, without the question mark and without secrets."""
    operation: str | None
    """The operation of the path; None where there is none."""
    status: int
    duration_ms: float
    """How long the response took, in milliseconds."""
    key_id: int
    """The key of the request."""
    key_name: str | None
    """None once the key is deleted."""
    error_code: str | None
    """The `code` of its error; None without one."""
    refused_by: str | None
    """The reason of the refusal, such as `limit:minute` or `parameter:genre`; None without one."""
    version: str | None
    """The dated version of the API that answered, such as `2026-11-20`; None where none did."""
    error_message: str | None
    """The `message` of its error."""
    error_details: str | None
    """The `details` of its error, without secrets."""
    reason: str | None
    """Why it was refused or failed, in words."""
    advice: str | None
    """The remedy."""
    headers: dict[str, str]
    """The headers of the request that are kept. Never its key, nor cookies."""
    user_agent: str
    """Empty without one."""
    body: str | None
    """The body as sent, up to 4,000 bytes, without secrets and what may be the number of a card. None without one."""
    client_address: str
    """The IP address of the client."""
    from_explorer: bool
    """Whether it was sent from the explorer, which has its own limits."""
    event_ids: list[str]
    """The events that it caused, oldest first."""


class Sandbox(Model):
    """A service of your own, with its own time."""

    id: str
    """16 letters and digits."""
    seed: str
    """What it grew from."""
    catalogue: str
    """`demo` or `empty`."""
    now: str
    """The time of the sandbox."""
    base_url: str
    """Where it is reached without a key; the API is below `/v1`."""
    created_at: str
    """Real time."""
    expires_at: str
    """Real time: when it is deleted, unless a request reaches it before."""


class SandboxAdvance(Model):
    """What an advance did."""

    sandbox: Sandbox
    is_complete: bool
    """False where the time of a call did not suffice."""
    remaining: str
    """What is left, as `by` of the next call."""
    orders: int
    """Orders that simulated buyers placed."""
    refunds: int
    """Refunds that they wanted."""
    disputes: int
    """Disputes that their banks opened."""
    payouts: int
    """Payouts to producers that were sent."""


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
    """An event that was caused, with the ids of what it is about. All of it exists, and stays."""

    type: str
    """The type of the event."""
    order_id: int | None = None
    """The order that was placed."""
    license_id: str | None = None
    """The license that was upgraded, or whose usage was reported."""
    beat_id: int | None = None
    """The beat that was made, changed or sold."""
    upload_id: str | None = None
    """The upload whose analysis causes the event."""
    payout_id: int | None = None
    """The payout to the account."""
    user_id: int | None = None
    """The account that was made or changed."""


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
    """At most two decimals."""
    currency: str
    """ISO 4217."""
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
    """At most two decimals."""
    currency: str
    """ISO 4217."""
    purchaser_id: int
    refunded_amount: float
    """The part of `amount` that was paid back so far by refunds and lost disputes. At most two decimals."""
    refunded_at: str | None
    """When money was last paid back; None if all of it was returned."""


class OrderFailure(Model):
    """An order that failed after it was placed."""

    order_id: int
    beat_id: int
    title: str
    producer_id: int
    producer_name: str
    license_type: LicenseType | str
    amount: float
    """At most two decimals."""
    currency: str
    """ISO 4217."""
    purchaser_id: int
    failure_reason: str
    """A sentence."""


class LicenseUpgrade(Model):
    """A license that was upgraded or renewed."""

    order_id: int
    beat_id: int
    title: str
    producer_id: int
    producer_name: str
    license_type: LicenseType | str
    amount: float
    """At most two decimals."""
    currency: str
    """ISO 4217."""
    purchaser_id: int
    replaced_license_id: str
    """The license that the new one replaces."""


class UsageRemedy(Model):
    """The license to buy for more."""

    license_type: str
    price: float
    """What the upgrade costs today."""
    currency: str
    """ISO 4217."""


class LicenseUsageReached(Model):
    """The usage of a license reached a part of its limit."""

    license_id: str
    order_id: int
    beat_id: int
    title: str
    license_type: str
    use: CountedUse | str
    """The use: the name of its clause."""
    percent: int
    """80 or 100: the percentage of the limit that the usage has reached."""
    used: int
    limit: int
    remedy: UsageRemedy | None
    """The license with a higher limit; None if none is for sale."""


class PublishingFailure(Model):
    """Why a beat could not be published."""

    beat_id: int
    title: str
    producer_id: int
    is_on_sale: bool
    """Whether the beat is on sale as it was before; if not, it is a draft, or stays as it was sold."""
    reason: str
    """A sentence, as `rejection` of the beat."""


class Payout(Model):
    """A payment of the marketplace to a producer."""

    id: int
    amount: float
    """At most two decimals."""
    currency: str
    """ISO 4217."""
    status: PayoutStatus | str
    destination: PayoutDestination | str
    """What receives the money: a bank account, or one at Stripe."""
    failure_reason: str | None
    """None unless `status` is `failed`."""
    created_at: str
    sent_at: str | None
    settled_at: str | None
    """When the payout arrived or failed; None before."""


class BeatDetail(Beat):
    """A beat with its description, tags and licenses; one of your own with its status too."""

    bpm: int
    """Tempo in beats per minute; 0 only for a draft of one's own whose tempo is not known yet."""
    description: str
    tags: list[str]
    licenses: list[License]
    updated_at: str
    """ISO 8601, UTC, whole seconds."""
    waveform_url: str | None = None
    """The waveform of the whole beat, as JSON of audiowaveform's version 2; None without one."""
    analysis: Analysis | None = None
    """The results of the analysis; None for a recording that was not analysed."""
    status: BeatStatus | str | None = None
    """Only for the beat's producer, like all fields below."""
    bpm_source: FieldSource | str | None = None
    """The source of `bpm`; None while it is unknown."""
    key_source: FieldSource | str | None = None
    """The source of `key`; None while it is unknown."""
    preview_tag: str | None = None
    """What is mixed into the preview: `default`, `none`, or the id of an upload."""
    license_settings: LicenseSettings | None = None
    """Which licenses are sold, and with which limits."""
    free_download: bool | None = None
    """Whether the tagged MP3 is free for an address."""
    publish_at: str | None = None
    """The moment of the planned publishing; None without one.

    It stays until the beat is on sale, or could not be published.
    """
    rejection: str | None = None
    """Why the last publishing failed, as a sentence; None if it did not."""


class SimilarBeat(Beat):
    """A beat and why it is similar."""

    similarity: Similarity


class Producer(User):
    """A public profile with figures about its beats."""

    play_count: int
    """Plays of all beats on sale."""
    genres: list[GenreName]
    """Most used first."""


class PlaylistDetail(Playlist):
    """A playlist with its beats."""

    beats: list[Beat]


class CreatedSandbox(Sandbox):
    """A new sandbox with the only copy of its key."""

    api_key: str
    """A key with all permissions. It is shown this once."""
    webhook_secret: str | None
    """Verifies the deliveries to `webhook_url`; None without one, and in a fork, whose secret stays the same."""


class BeatUpdated(Beat):
    """A beat with its details, and what changed in it."""

    description: str
    tags: list[str]
    licenses: list[License]
    waveform_url: str | None = None
    """The waveform of the whole beat, as JSON of audiowaveform's version 2; None without one."""
    analysis: Analysis | None = None
    """The results of the analysis; None for a recording that was not analysed."""
    available: bool
    """Whether licenses of it are for sale."""
    changed: list[str]
    """Names of the fields that changed."""


class UserUpdated(User):
    """A public profile and what changed in it."""

    changed: list[str]
    """Names of the fields that changed."""


class ReadyUpload(Upload):
    """An upload that is ready: beats can be made of it."""

    status: Literal["ready"]
    sha256: str
    """Of the file as it was sent."""
    rejection: None = None


class ChangePage(Model):
    """A page of changes, in the order of commits."""

    changes: list[Change]
    next: int
    """The position to continue from."""
