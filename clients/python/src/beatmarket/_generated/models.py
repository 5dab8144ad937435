# Generated from contract/openapi.json by npm run contract; do not edit.
"""The objects of the API."""

from __future__ import annotations

from typing import TypedDict

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
    KeyRelation,
    LicenseClause,
    LicenseState,
    LicenseStatus,
    LicenseType,
    NextActionType,
    OrderStatus,
    PlaylistVisibility,
    UploadKind,
    UploadStatus,
)

__all__ = [
    "Analysis",
    "AppliedDiscount",
    "Beat",
    "BeatDetail",
    "BeatUpdated",
    "BeatWithdrawal",
    "Change",
    "ChangePage",
    "Checkout",
    "CheckoutItem",
    "FacetCount",
    "Facets",
    "Favorite",
    "Follow",
    "Genre",
    "GenreName",
    "Interpretation",
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
    "Playlist",
    "PlaylistDetail",
    "Producer",
    "PublishingFailure",
    "Purchase",
    "Quote",
    "QuoteDiscount",
    "QuoteItem",
    "QuoteRule",
    "RequestPage",
    "Sale",
    "SaleBeat",
    "SaleBuyer",
    "SearchTotals",
    "SimilarBeat",
    "Similarity",
    "StorageUse",
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
    """The basic license's, or that of the next one where the basic one is not sold; at most two decimals."""
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
    """Which page of a list this is, and where the next one is."""

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
    """As beats show it; "" where it is unknown."""
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
    """In tens, slowest first."""
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
    """What was heard in a recording; None where nothing could be told."""

    bpm: float | None
    """Beats per minute; None if none can be told."""
    bpm_confidence: float | None
    """How sure the tempo is, from 0 to 1."""
    bpm_alternative: float | None
    """The next best tempo, often twice or half of it."""
    key: str | None
    """The musical key, such as `C# minor`; None if none can be told."""
    key_confidence: float | None
    """How sure the key is, from 0 to 1."""
    key_alternative: str | None
    """The next best key."""
    duration: int
    """In seconds."""
    format: str
    """What the file is by its bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or `m4a`. The last three are lossy: licenses
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
    """Also of a license that is not sold."""
    limits: LicenseLimits
    """Those that the producer changed."""


class LicenseSettings(Model):
    """Which licenses of a beat are sold, and with which limits."""

    basic: LicenseSetting
    premium: LicenseSetting
    unlimited: LicenseSetting
    exclusive: LicenseSetting


class LicensePrices(TypedDict, total=False):
    """Prices of the licenses beside the basic one."""

    premium: float
    unlimited: float
    exclusive: float


class NewLicenseSetting(Model):
    """Whether a license is to be sold, and its limits."""

    sold: bool | None = None
    """Whether the license is sold."""
    limits: LicenseLimits | None = None
    """Limits of your own, in the place of those before; None is any number. Those that are not named are the terms'."""


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
    """As the parameter `key`."""
    price_min: float | None = None
    price_max: float | None = None
    corrected: dict[str, str] | None = None
    """What was searched for instead of a word, by the word."""
    ignored: list[str] | None = None
    """What was typed and left out, since nothing has it together with the rest."""


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
    """As it was when it was bought."""
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
    """What was paid back of `amount`, by refunds and lost disputes. At most two decimals."""
    refunded_at: str | None
    """When money was last paid back; None if none was. The order stays completed."""
    client_secret: str | None
    """With Stripe: what Stripe's own scripts finish the payment with in the buyer's browser. None unless pending."""
    next_action: NextAction | None
    """What the buyer has to do, such as 3-D Secure: open `url`. None unless pending."""


class CheckoutItem(Model):
    """A license that a checkout buys."""

    beat_id: int
    license_type: LicenseType | str
    title: str
    producer_name: str
    discount: float
    """What discounts take off its price. At most two decimals."""
    amount: float
    """The price when the checkout was made, less the discount. At most two decimals."""


class AppliedDiscount(Model):
    """What a discount takes off a checkout."""

    id: int
    name: str
    code: str | None
    """None for one that applies by itself."""
    amount: float
    """What it takes off. At most two decimals."""


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
    """What was taken off, by which discount."""
    orders: list[Order]
    """One for each item, once the payment came through. Empty before."""


class NewCheckoutItem(TypedDict, total=False):
    """A license that a new checkout is to buy."""

    beat_id: int
    license_type: LicenseType | str


class QuoteItem(Model):
    """A license of a quote, with its price."""

    beat_id: int
    license_type: LicenseType | str
    title: str
    producer_name: str
    price: float
    """Today's price. At most two decimals."""
    discount: float
    """What is taken off. At most two decimals."""
    amount: float
    """What is to be paid. At most two decimals."""
    discount_id: int | None
    """The discount that takes it off."""


class QuoteDiscount(Model):
    """What a discount would take off."""

    id: int
    name: str
    code: str | None
    """None for one that applies by itself."""
    amount: float
    """What it takes off. At most two decimals."""


class QuoteRule(Model):
    """A discount that was tried, and why it applies or not."""

    id: int | None
    """Of the discount; None for an unknown code."""
    name: str | None
    kind: DiscountKind | str | None
    code: str | None
    """None for one that applies by itself."""
    applied: bool
    """Whether it takes something off."""
    reason: str
    """A sentence: what it takes off, or why nothing."""
    amount: float
    """What it takes off. At most two decimals."""


class Quote(Model):
    """What a purchase would cost, with every discount that was tried."""

    amount: float
    """What a checkout of the items charges. At most two decimals."""
    currency: str
    """ISO 4217."""
    items: list[QuoteItem]
    """In the order of the request."""
    discounts: list[QuoteDiscount]
    """Those that take something off."""
    rules: list[QuoteRule]
    """Every discount that was tried."""


class NewQuoteItem(TypedDict, total=False):
    """A license to quote."""

    beat_id: int
    license_type: LicenseType | str


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
    """What of it went back to the buyer; 0 without a refund."""
    currency: str
    """ISO 4217."""
    buyer: SaleBuyer
    """As their license names them."""
    license_id: str | None
    """Identifier of the license; None until it is issued."""
    downloads: int
    """Files of the order that the buyer has downloaded."""
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
    """What a browser saves it as."""
    bytes: int
    """Size of the file."""
    sha256: str
    """Hash of the file's bytes."""
    url: str
    """Signed: a client that has it downloads the file until it expires, without a key. Resumes (`Range`)."""
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
    """The version of the terms that it was sold under."""
    status: LicenseStatus | str
    """`refunded` once the order is refunded in full, `replaced` once an upgrade or renewal replaced it."""


class OrderFiles(Model):
    """What a completed order brings."""

    files: list[OrderFile]
    """What the license brings, in the order mp3, wav, stems, license. Empty once refunded in full."""
    license: IssuedLicense


class LicenseReason(Model):
    """The clause that an answer follows from."""

    clause: LicenseClause | str
    """The clause that decides, or the one that comes nearest."""
    text: str
    """Its sentence, word for word as the certificate has it."""
    limit: int | None
    """Its number; None for any number, and for clauses without one."""
    used: int | None
    """How much of it the holder has reported as used; None where nothing is reported."""


class LicenseRemedy(Model):
    """What to buy for a yes."""

    upgrade: LicenseType | str | None
    """The higher license to buy; None if `renew` is the remedy."""
    renew: LicenseType | str | None
    """The same license to buy again; None if `upgrade` is the remedy."""
    price: float
    """What it costs today, before discounts; for the holder's key, of an upgrade the difference."""
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
    """As asked; None for no certain country."""
    on: str
    """The day that the answer is for."""
    allowed: Allowance | str
    """`unknown`: the terms do not speak of this use."""
    because: LicenseReason | None
    """None only where the terms have no clause that comes near."""
    remedy: LicenseRemedy | None
    """What to buy today for a yes; None unless the answer is no, and where nothing helps."""


class UsageReport(Model):
    """What a source counted of a use in a month."""

    use: CountedUse | str
    """What was used; the name of its clause."""
    quantity: int
    """How many in the period."""
    period: str
    """A month, such as `2027-01`."""
    source: str
    """Who counted them, such as the distributor."""


class UsageSum(Model):
    """How much of a use is reported, and the limit."""

    use: CountedUse | str
    """What was used; the name of its clause."""
    used: int
    """Over all periods and sources, with what was used before an upgrade."""
    limit: int | None
    """The number of the clause; None for any number."""


class LicenseUsage(Model):
    """What the holder of a license has reported as used."""

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
    """A list of beats in an order of its owner's."""

    id: str
    title: str
    description: str
    visibility: PlaylistVisibility | str
    """`private` is the account's alone; `public` is there for everybody with its id."""
    user_id: int
    """Whose it is."""
    owner_name: str
    url: str
    """Its page, which a public one has for everybody."""
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
    """As it was given. A text, never a path."""
    bytes: int
    """Of the whole file."""
    received: int
    """Of these so many have arrived."""
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
    """Uploads that are on their way or ready, and the files of beats in every state."""
    max_bytes: int | None
    """What the account's plan allows; None without a bound."""


class Change(Model):
    """A change of a listed beat."""

    position: int
    """Rises from change to change; numbers may be left out."""
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
    """The key that it was made with."""
    key_name: str | None
    """None once the key is deleted."""
    error_code: str | None
    """The `code` of its error; None without one."""
    refused_by: str | None
    """What refused it, such as `limit:minute` or `parameter:genre`; None if nothing did."""


class RequestPage(Model):
    """Requests, newest first, and the position behind them."""

    requests: list[LoggedRequest]
    next: str | None
    """The position to go on from, as `after` of the next call; None when the whole log was searched."""
    searched_to: str | None
    """The time of the oldest request that was searched; None when the whole log was."""


class LoggedRequestDetail(Model):
    """A request with all that the request log keeps of it."""

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
    """The key that it was made with."""
    key_name: str | None
    """None once the key is deleted."""
    error_code: str | None
    """The `code` of its error; None without one."""
    refused_by: str | None
    """What refused it, such as `limit:minute` or `parameter:genre`; None if nothing did."""
    error_message: str | None
    """The `message` of its error."""
    error_details: str | None
    """The `details` of its error, without secrets."""
    reason: str | None
    """Why it was refused or failed, in words."""
    advice: str | None
    """What to do about it."""
    headers: dict[str, str]
    """The headers of the request that are kept. Never its key, nor cookies."""
    user_agent: str
    """Empty without one."""
    body: str | None
    """The body as sent, up to 4,000 bytes, without secrets and what may be the number of a card. None without one."""
    client_address: str
    """The IP address that it came from."""
    from_explorer: bool
    """It was made in the explorer, which has limits of its own."""
    event_ids: list[str]
    """The events that it caused, oldest first."""


class BeatWithdrawal(Model):
    """A beat that nobody but its producer sees any more."""

    beat_id: int
    title: str
    producer_id: int
    producer_name: str
    withdrawn_at: str


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
    """What was paid back of an order."""

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
    """What was paid back of `amount` by now, by all refunds and lost disputes. At most two decimals."""
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
    """A license that was replaced by a higher one, or renewed."""

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
    """What was used; the name of its clause."""
    percent: int
    """80 or 100: the part of the limit that the usage has reached."""
    used: int
    limit: int
    remedy: UsageRemedy | None
    """The license to buy for more; None where none is for sale."""


class PublishingFailure(Model):
    """Why a beat could not be published."""

    beat_id: int
    title: str
    producer_id: int
    is_on_sale: bool
    """Whether the beat is on sale as it was before; if not, it is a draft, or stays as it was sold."""
    reason: str
    """A sentence, as `rejection` of the beat."""


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
    """What was heard in the recording; None for one that was not analysed."""
    status: BeatStatus | str | None = None
    """To the beat's producer alone, as all below."""
    bpm_source: FieldSource | str | None = None
    """Who said the `bpm`; None while nobody has."""
    key_source: FieldSource | str | None = None
    """Who said the `key`; None while nobody has."""
    preview_tag: str | None = None
    """What is mixed into the preview: `default`, `none`, or the id of an upload."""
    license_settings: LicenseSettings | None = None
    """Which licenses are sold, and with which limits."""
    free_download: bool | None = None
    """Whether the tagged MP3 is free for an address."""
    publish_at: str | None = None
    """When it is published by itself; None if it is not.

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


class BeatUpdated(Beat):
    """A beat with its details, and what changed in it."""

    description: str
    tags: list[str]
    licenses: list[License]
    waveform_url: str | None = None
    """The waveform of the whole beat, as JSON of audiowaveform's version 2; None without one."""
    analysis: Analysis | None = None
    """What was heard in the recording; None for one that was not analysed."""
    available: bool
    """Whether licenses of it are for sale."""
    changed: list[str]
    """Names of the fields that changed."""


class UserUpdated(User):
    """A public profile and what changed in it."""

    changed: list[str]
    """Names of the fields that changed."""


class ChangePage(Model):
    """A page of changes, in the order of commits."""

    changes: list[Change]
    next: int
    """The position to go on from."""
