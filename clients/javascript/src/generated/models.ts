// Generated from contract/openapi.json by npm run contract; do not edit.

export type LicenseType = "basic" | "premium" | "unlimited" | "exclusive" | (string & {});

export type BeatSort = "newest" | "popular" | "price_asc" | "price_desc" | "bpm_asc" | "bpm_desc" | (string & {});

export type FacetName = "genre" | "key" | "bpm" | "price" | "tag" | (string & {});

export type BeatStatus = "draft" | "processing" | "published" | "withdrawn" | (string & {});

export type FieldSource = "producer" | "analysis" | (string & {});

export type NewBeatStatus = "draft" | "published" | (string & {});

export type KeyRelation = "same" | "relative" | "adjacent" | "other" | (string & {});

export type ProducerSort = "popular" | "newest" | "name" | (string & {});

export type SearchType = "beats" | "producers" | "all" | (string & {});

export type SearchSort =
  | "relevance"
  | "newest"
  | "popular"
  | "price_asc"
  | "price_desc"
  | "bpm_asc"
  | "bpm_desc"
  | (string & {});

export type OrderStatus = "completed" | "pending" | "failed" | (string & {});

export type NextActionType = "redirect" | (string & {});

export type CheckoutStatus = "open" | "completed" | "expired" | "cancelled" | (string & {});

export type DiscountKind = "percent" | "amount" | "pack" | "ownership" | (string & {});

export type FileKind = "mp3" | "wav" | "stems" | "license" | (string & {});

export type LicenseStatus = "valid" | "expired" | "refunded" | "replaced" | (string & {});

export type InvoiceKind = "invoice" | "credit_note" | (string & {});

export type LicenseState = "valid" | "expired" | "refunded" | "replaced" | (string & {});

export type Allowance = "yes" | "no" | "unknown" | (string & {});

export type LicenseClause =
  | "files"
  | "song"
  | "copies"
  | "streams"
  | "videos"
  | "radio_stations"
  | "paid_performances"
  | "years"
  | "territory"
  | "credit"
  | "publishing"
  | "exclusive"
  | "authorship"
  | "resale"
  | "sublicense"
  | "content_id"
  | "training"
  | "beyond_limits"
  | "upgrade_price"
  | "refund"
  | "breach"
  | (string & {});

export type CountedUse = "streams" | "copies" | "videos" | (string & {});

export type PlaylistVisibility = "private" | "public" | (string & {});

export type UploadKind = "audio" | "stems" | "cover" | (string & {});

export type UploadStatus = "receiving" | "analysing" | "ready" | "rejected" | (string & {});

export type ChangeType = "published" | "updated" | "sold" | "withdrawn" | (string & {});

export type EventType =
  | "beat.created"
  | "beat.updated"
  | "beat.withdrawn"
  | "beat.taken_down"
  | "beat.sold_exclusively"
  | "beat.purchased"
  | "order.refunded"
  | "order.failed"
  | "license.upgraded"
  | "license.usage"
  | "upload.ready"
  | "upload.rejected"
  | "beat.publishing_failed"
  | "payout.sent"
  | "payout.paid"
  | "payout.failed"
  | "user.registered"
  | "user.updated"
  | (string & {});

export type StatusClass = "2xx" | "3xx" | "4xx" | "5xx" | (string & {});

export type SandboxCatalogue = "demo" | "empty" | (string & {});

export type PayoutStatus = "pending" | "sent" | "paid" | "failed" | (string & {});

export type PayoutDestination = "bank" | "stripe" | (string & {});

/** The genre of a beat or producer. */
export interface GenreName {
  id: number;
  name: string;
}

/** A beat in a list. */
export interface Beat {
  id: number;
  title: string;
  /** The user who produced the beat. */
  user_id: number;
  producer_name: string;
  genre: GenreName;
  /** The price of the basic license, or of the next one if the basic one is not sold. At most two decimals. */
  price: number;
  /** The duration in whole seconds; 0 if it is unknown. */
  duration: number;
  /** The tempo in beats per minute. */
  bpm: number;
  /** The musical key, such as "C# minor"; "" if it is unknown. */
  key: string;
  audio_url: string;
  cover_image: string;
  /** A time in ISO 8601, UTC, whole seconds. */
  created_at: string;
  play_count: number;
  download_count: number;
}

/** The position of a page in its list. */
export interface Pagination {
  total: number;
  per_page: number;
  current_page: number;
  last_page: number;
  /** The address of the next page. Null on the last page. */
  next_page_url: string | null;
  prev_page_url: string | null;
}

/** How many beats have a value, or are in a range of values. */
export interface FacetCount {
  /** The key as in beats; "" for an unknown key. */
  value: GenreName | string | number;
  count: number;
  /** The highest bpm of the range, as for `bpm_max`. */
  max?: number;
}

/** How many beats have each value, by requested facet. */
export interface Facets {
  /** The most frequent genre comes first. */
  genre?: (FacetCount & { value: GenreName })[];
  /** The most frequent key comes first. */
  key?: (FacetCount & { value: string })[];
  /** Ranges of ten, the slowest first. */
  bpm?: (FacetCount & { value: number })[];
  /** At most ten ranges, the lowest first. */
  price?: (FacetCount & { value: number })[];
  /** The 100 most frequent tags, the most frequent first. */
  tag?: (FacetCount & { value: string })[];
}

/** A license of a beat and its price. */
export interface License {
  type: LicenseType;
  price: number;
  /**
   * Whether the license can be bought now. False for every license while the exclusive one is being bought, and after
   * it is sold.
   */
  available: boolean;
}

/** The results of the analysis of a recording. An unknown value is null. */
export interface Analysis {
  /** The tempo in beats per minute. Null if the recording has none. */
  bpm: number | null;
  /** How sure the tempo is, from 0 to 1. */
  bpm_confidence: number | null;
  /** The second most likely tempo, often half or double of the first. */
  bpm_alternative: number | null;
  /** The musical key, such as `C# minor`. Null if the recording has none. */
  key: string | null;
  /** How sure the key is, from 0 to 1. */
  key_confidence: number | null;
  /** The second most likely key. */
  key_alternative: string | null;
  /** The duration in seconds. */
  duration: number;
  /**
   * The format, by the file's bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or `m4a`. The last three are lossy; licenses
   * of such a recording include no WAV.
   */
  format: string;
  /** The sample rate in Hz. */
  sample_rate: number;
  channels: number;
  /** The integrated loudness by EBU R128. Null for silence. */
  loudness_lufs: number | null;
  /** The true peak in dBTP. Null for silence. */
  true_peak_dbtp: number | null;
  /** The number of samples in runs at full scale. */
  clipped_samples: number;
  /** The number of seconds of silence before the first sound. */
  silence_start: number;
  /** The number of seconds of silence after the last sound. */
  silence_end: number;
}

/** Limits of a license that its producer changed. */
export interface LicenseLimits {
  copies?: number | null;
  streams?: number | null;
  videos?: number | null;
  radio_stations?: number | null;
  paid_performances?: number | null;
  years?: number | null;
}

/** Whether a license is sold, its price, and its limits. */
export interface LicenseSetting {
  sold: boolean;
  /** The price, also of a license that is not sold. */
  price: number;
  /** The limits that the producer changed. */
  limits: LicenseLimits;
}

/** Which licenses of a beat are sold, and with which limits. */
export interface LicenseSettings {
  basic: LicenseSetting;
  premium: LicenseSetting;
  unlimited: LicenseSetting;
  exclusive: LicenseSetting;
}

/** Prices of the licenses other than the basic one. */
export interface LicensePrices {
  premium?: number;
  unlimited?: number;
  exclusive?: number;
}

/** Whether a license is to be sold, and its limits. */
export interface NewLicenseSetting {
  /** Whether the license is sold. */
  sold?: boolean;
  /**
   * Your own limits, which replace your earlier ones. Null means any number. A limit that is not named is as in the
   * terms.
   */
  limits?: LicenseLimits;
}

/** Which licenses of a beat are to be sold, and with which limits. */
export interface NewLicenseSettings {
  basic?: NewLicenseSetting;
  premium?: NewLicenseSetting;
  unlimited?: NewLicenseSetting;
  exclusive?: NewLicenseSetting;
}

/** How similar a beat is, and why. */
export interface Similarity {
  /** The similarity. 1 is a perfect match. */
  score: number;
  /** This beat's tempo relative to the given beat: 0.5, 1 or 2. It is 2 if this beat is about twice as fast. */
  tempo_ratio: number;
  /** The difference of the tempos in percent, after `tempo_ratio` halves or doubles one of them, with two decimals. */
  bpm_difference_percent: number;
  /** The relation of the keys on the circle of fifths. `other` also if a key is unknown. */
  key_relation: KeyRelation;
  same_genre: boolean;
}

/** A public profile. */
export interface User {
  id: number;
  username: string;
  display_name: string;
  bio: string | null;
  location: string | null;
  website: string | null;
  avatar_url: string | null;
  is_producer: boolean;
  /** The number of beats on sale. */
  beats_count: number;
  /** A time in ISO 8601, UTC, whole seconds. */
  created_at: string;
}

/** A genre of the catalogue. */
export interface Genre {
  id: number;
  name: string;
  slug: string;
  /** The number of beats on sale in this genre. */
  beats_count: number;
}

/** All results of a search, by type. */
export interface SearchTotals {
  beats: number;
  producers: number;
}

/** The filters that the service found in the text of a search, by parameter. */
export interface Interpretation {
  /** The words of the search. */
  q: string;
  bpm_min?: number;
  bpm_max?: number;
  /** The key, in the form of the parameter `key`. */
  key?: string;
  price_min?: number;
  price_max?: number;
  /**
   * The typed tempo and the wider range that was searched instead, because nothing matches the tempo together with the
   * rest.
   */
  widened?: Record<string, string>;
  /** The corrected words, each with its replacement. */
  corrected?: Record<string, string>;
  /** The parts of the search text that were ignored, because nothing matches them together with the rest. */
  ignored?: string[];
}

/** The beat of an order, as it was when it was bought. */
export interface OrderBeat {
  id: number;
  title: string;
  producer_id: number;
  producer_name: string;
}

/** What the buyer has to do to pay. */
export interface NextAction {
  type: NextActionType;
  /** The page on which the buyer completes the payment. */
  url: string;
}

/** The purchase of a license by the account, also if it is pending or failed. */
export interface Order {
  id: number;
  /** The status. `pending` becomes `completed` or `failed`; both are final. */
  status: OrderStatus;
  /** The beat as it was at the time of the purchase. */
  beat: OrderBeat;
  license_type: LicenseType;
  /** The price of the license, with at most two decimals. */
  amount: number;
  /** The currency, by ISO 4217. */
  currency: string;
  payment_method: string;
  /** Why the order failed, as a sentence. Null unless it failed. */
  failure_reason: string | null;
  /** A time in ISO 8601, UTC, whole seconds. */
  created_at: string;
  /** When the order was completed. Null unless it was. */
  completed_at: string | null;
  /** The part of `amount` that was paid back by refunds and lost disputes, with at most two decimals. */
  refunded_amount: number;
  /** When money was last paid back. Null if none was. The order stays completed. */
  refunded_at: string | null;
  /**
   * Only with Stripe: the secret with which Stripe's scripts complete the payment in the buyer's browser. Null unless
   * the order is pending.
   */
  client_secret: string | null;
  /** The buyer's next step, such as 3-D Secure: open `url`. Null unless the order is pending. */
  next_action: NextAction | null;
}

/** A license that a checkout buys. */
export interface CheckoutItem {
  beat_id: number;
  license_type: LicenseType;
  title: string;
  producer_name: string;
  /** The license that the item upgrades or renews. Null if it does neither. */
  upgrades_license: string | null;
  /**
   * The credit for the license in `upgrades_license`, which is subtracted from the current price. At most two decimals.
   */
  credit: number;
  /** The amount of the item's discount, with at most two decimals. */
  discount: number;
  /** The price at the time of the checkout, less credit and discount. At most two decimals. */
  amount: number;
}

/** What a discount takes off a checkout. */
export interface AppliedDiscount {
  id: number;
  name: string;
  /** The code of the discount. Null if it needs none. */
  code: string | null;
  /** The amount of the discount, with at most two decimals. */
  amount: number;
}

/** One payment of one or more licenses. */
export interface Checkout {
  id: number;
  /** The page on which a person pays. Open it in a browser. Null only while the provider is unreachable. */
  url: string | null;
  /**
   * The status. `open` becomes `completed` with the payment, `expired` at `expires_at`, or `cancelled` when it cannot
   * be fulfilled, for example because an item is no longer for sale.
   */
  status: CheckoutStatus;
  /** The sum of the items, with at most two decimals. */
  amount: number;
  /** The currency, by ISO 4217. */
  currency: string;
  success_url: string | null;
  cancel_url: string | null;
  /** Why the checkout was cancelled, as a sentence. Null unless it was. */
  failure_reason: string | null;
  /** A time in ISO 8601, UTC, whole seconds. */
  created_at: string;
  /** A time in ISO 8601, UTC, whole seconds. */
  expires_at: string;
  items: CheckoutItem[];
  /** The applied discounts, each with its amount. */
  discounts: AppliedDiscount[];
  /** One order for each item, once the payment has succeeded. Empty before. */
  orders: Order[];
}

/** A license that a new checkout is to buy. */
export interface NewCheckoutItem {
  /** The beat of which to buy a license. Each beat may be named once. */
  beat_id: number;
  /** The license to buy. Default: basic. */
  license_type?: LicenseType;
  /**
   * The id of a license of the beat that the account has. The item upgrades or renews it, and costs the difference.
   * Discounts do not apply to it.
   */
  upgrades_license?: string;
}

/** A license of a quote, with its price. */
export interface QuoteItem {
  beat_id: number;
  license_type: LicenseType;
  title: string;
  producer_name: string;
  /** The license that the item upgrades or renews. Null if it does neither. */
  upgrades_license: string | null;
  /**
   * The credit for the license in `upgrades_license`, which is subtracted from the current price. At most two decimals.
   */
  credit: number;
  /** Today's price, less the credit. At most two decimals. */
  price: number;
  /** The amount of the discount, with at most two decimals. */
  discount: number;
  /** The amount to pay, with at most two decimals. */
  amount: number;
  /** The discount that reduces the price. Null if no discount applies. */
  discount_id: number | null;
}

/** What a discount would take off. */
export interface QuoteDiscount {
  id: number;
  name: string;
  /** The code of the discount. Null if it needs none. */
  code: string | null;
  /** The amount of the discount, with at most two decimals. */
  amount: number;
}

/** A discount that was tried, and why it applies or not. */
export interface QuoteRule {
  /** The id of the discount. Null for an unknown code. */
  id: number | null;
  name: string | null;
  kind: DiscountKind | null;
  /** The code of the discount. Null if it needs none. */
  code: string | null;
  /** Whether the discount applies. */
  applied: boolean;
  /** A sentence: the effect of the discount, or why it does not apply. */
  reason: string;
  /** The amount of the discount, with at most two decimals. */
  amount: number;
}

/** The price of a purchase, with every discount that was considered. */
export interface Quote {
  /** The amount that a checkout of the items charges, with at most two decimals. */
  amount: number;
  /** The currency, by ISO 4217. */
  currency: string;
  /** The items, in the order of the request. */
  items: QuoteItem[];
  /** The discounts that apply. */
  discounts: QuoteDiscount[];
  /** Every discount that was considered. */
  rules: QuoteRule[];
}

/** A license to quote. */
export interface NewQuoteItem {
  /** The beat of which to buy a license. Each beat may be named once. */
  beat_id: number;
  /** The license to buy. Default: basic. */
  license_type?: LicenseType;
  /**
   * The id of a license of the beat that the account has. The item upgrades or renews it, and costs the difference.
   * Discounts do not apply to it.
   */
  upgrades_license?: string;
}

/** The beat of a sale, with its title when it was bought. */
export interface SaleBeat {
  id: number;
  title: string;
}

/** The buyer of a sale. */
export interface SaleBuyer {
  name: string;
}

/** A completed order of a beat that the account sold. */
export interface Sale {
  /** Identifier of the order. */
  id: number;
  /** The beat, with its title at the time of the purchase. */
  beat: SaleBeat;
  license_type: LicenseType;
  /** An amount with at most two decimals. */
  amount: number;
  /** The part of the amount that was paid back. 0 without a refund. */
  refunded_amount: number;
  /** The currency, by ISO 4217. */
  currency: string;
  /** The name of the buyer on the license. */
  buyer: SaleBuyer;
  /** Identifier of the license. Null until it is issued. */
  license_id: string | null;
  /** The number of files that the buyer has downloaded. */
  downloads: number;
  /** A time in ISO 8601, UTC, whole seconds. */
  completed_at: string;
  /** When the last refund was made. Null if there is none. */
  refunded_at: string | null;
}

/** A file of an order. */
export interface OrderFile {
  /**
   * The kind of the file. `mp3`: untagged, with 320 kbit/s, or with the bit rate of a lossy recording. `wav`: the
   * recording, if it is lossless. `stems`: the producer's ZIP. `license`: the certificate, a PDF.
   */
  kind: FileKind;
  /** The name under which a browser saves the file. */
  filename: string;
  /** The size of the file in bytes. */
  bytes: number;
  /** The SHA-256 of the file, in hexadecimal. */
  sha256: string;
  /** A signed link. Every client that has it can download the file without a key until it expires. Supports `Range`. */
  url: string;
  /**
   * When the link expires: ISO 8601, UTC, whole seconds, 15 minutes from now. A download that has begun is not
   * interrupted.
   */
  expires_at: string;
}

/** The license of an order. */
export interface IssuedLicense {
  id: string;
  /** The public page that says whether the license is valid. */
  url: string;
  /** The facts of the certificate, signed (JWS, EdDSA) with a key of `/.well-known/jwks.json`. */
  jws: string;
  type: LicenseType;
  /** The version of the terms at the time of the sale. */
  terms_version: string;
  /**
   * The status of the license: `expired` after its last day, `refunded` once the order is refunded in full, `replaced`
   * after an upgrade or renewal.
   */
  status: LicenseStatus;
}

/** The files and the license of a completed order. */
export interface OrderFiles {
  /** The files of the license, in the order mp3, wav, stems, license. Empty once the order is refunded in full. */
  files: OrderFile[];
  license: IssuedLicense;
}

/** An invoice or a credit note of an order. */
export interface Invoice {
  /** The number, such as `INV-2026-000042`, or `CN-2026-000007` for a credit note. */
  number: string;
  /** The kind of the document. A `credit_note` cancels what was paid back. */
  kind: InvoiceKind;
  /** When the document was issued, in UTC. */
  issued_at: string;
  /** The amount with tax, positive in both kinds. At most two decimals. */
  amount: number;
  /** The currency, by ISO 4217. */
  currency: string;
  /** A name for the file: the number of the document. */
  filename: string;
  /** The address of the PDF, which needs no key. */
  url: string;
  /** When the link expires, in UTC. */
  expires_at: string;
}

/** The clause that an answer follows from. */
export interface LicenseReason {
  /** The clause that decides the answer, or the clause that comes nearest. */
  clause: LicenseClause;
  /** The sentence of the clause, word for word as in the certificate. */
  text: string;
  /** The number in the clause. Null for any number, and for clauses without one. */
  limit: number | null;
  /** The usage that the holder has reported. Null without a report. */
  used: number | null;
}

/** What to buy so that the use is allowed. */
export interface LicenseRemedy {
  /** The higher license to buy. Null if `renew` is the remedy. */
  upgrade: LicenseType | null;
  /** The same license, to be bought again. Null if `upgrade` is the remedy. */
  renew: LicenseType | null;
  /** The price today, before discounts. With the holder's key: the difference of an upgrade. */
  price: number;
  currency: string;
  /** The last day of the license if it is bought today. Null if it has no end. */
  valid_until: string | null;
}

/** Whether a license allows a use, and why. */
export interface LicenseVerdict {
  license_id: string;
  /** The status of the license today. */
  status: LicenseState;
  /**
   * The license that replaced this one by an upgrade or a renewal. Send the question for that one. Null if there is
   * none, and until its certificate is issued.
   */
  replaced_by: string | null;
  use: string;
  quantity: number;
  /** The country in the request. Null if the request has none. */
  territory: string | null;
  /** The day that the answer is for. */
  on: string;
  /** Whether the license allows the use. `unknown`: the terms do not mention this use. */
  allowed: Allowance;
  /** The reason for the answer. Null only if no clause is about such a use. */
  because: LicenseReason | null;
  /** The purchase that would allow the use. Null unless the answer is no, and if no purchase would. */
  remedy: LicenseRemedy | null;
}

/** How much of a use a source counted in a month. */
export interface UsageReport {
  /** What is counted: streams, copies or videos. */
  use: CountedUse;
  /** The number of streams, copies or videos in the period. */
  quantity: number;
  /** A month, such as `2027-01`. */
  period: string;
  /** The source of the number, such as the distributor. */
  source: string;
}

/** How much of a use is reported, and the limit. */
export interface UsageSum {
  /** What is counted: streams, copies or videos. */
  use: CountedUse;
  /** The sum over all periods and sources, including the usage before an upgrade. */
  used: number;
  /** The limit in the clause. Null for any number. */
  limit: number | null;
}

/** The usage of a license, as its holder has reported it. */
export interface LicenseUsage {
  license_id: string;
  /** The reports, ordered by use, period and source. */
  reports: UsageReport[];
  /** The sums, one for each use. */
  sums: UsageSum[];
}

/** A beat among the favorites of an account. */
export interface Favorite {
  beat_id: number;
  /** When the beat was added: ISO 8601, UTC, whole seconds. Null for a beat that is not a favorite. */
  created_at: string | null;
}

/** A producer whom an account follows. */
export interface Follow {
  /** The id of the producer. */
  user_id: number;
  /** Since when the account follows the producer: ISO 8601, UTC, whole seconds. Null if it does not. */
  created_at: string | null;
}

/** A list of beats in the order that its owner chose. */
export interface Playlist {
  id: string;
  title: string;
  description: string;
  /** Who can read the playlist. `private`: only the account. `public`: everyone who has its id. */
  visibility: PlaylistVisibility;
  /** The id of the owner. */
  user_id: number;
  owner_name: string;
  /** The address of the playlist's page. */
  url: string;
  /** The number of beats that are on sale. */
  beats_count: number;
  /** A time in ISO 8601, UTC, whole seconds. */
  created_at: string;
  /** A time in ISO 8601, UTC, whole seconds. */
  updated_at: string;
}

/** A file that was uploaded, or of which some bytes have arrived. */
export interface Upload {
  id: string;
  kind: UploadKind;
  /** The name of the file, as sent. It is a text, never a path. */
  filename: string;
  /** The size of the whole file in bytes. */
  bytes: number;
  /** The number of bytes that have arrived. */
  received: number;
  /** The SHA-256 of the sent file. Null until the file is stored. */
  sha256: string | null;
  /** The status. `receiving` becomes `analysing` with the last byte, then `ready` or `rejected`. */
  status: UploadStatus;
  /** Why the upload was rejected, as a sentence. Null unless it was. */
  rejection: string | null;
  /** The results of the analysis. Null unless the upload is audio and ready. */
  analysis: Analysis | null;
  /** A time in ISO 8601, UTC, whole seconds. */
  created_at: string;
  /** When the upload will be deleted, unless a beat uses it by then. Null if a beat uses it. */
  expires_at: string | null;
}

/** How much of the storage an account's files take, and may take. */
export interface StorageUse {
  /**
   * The size of all files of the account, in bytes: incomplete and ready uploads, the files of beats in every state,
   * replaced files that buyers keep, and the profile picture.
   */
  used_bytes: number;
  /** The limit of the account's plan, in bytes. Null if there is none. */
  max_bytes: number | null;
}

/** A change of the catalogue: a beat was published, updated, sold or withdrawn. */
export interface Change {
  /** The position of the change. Positions increase and can have gaps. */
  position: number;
  type: ChangeType;
  beat_id: number;
  /**
   * The present state of the beat, in the form of `GET /beats/{beat_id}`. Null if it is withdrawn now, and in every
   * change of type `withdrawn`.
   */
  beat: BeatDetail | null;
}

/** A request of the account in the request log. */
export interface LoggedRequest {
  /** The `X-Request-Id` of the response. */
  id: string;
  /** When the request arrived: ISO 8601, UTC, milliseconds. */
  created_at: string;
  method: string;
  /** The path of the request. */
  path: string;
  /** The query string of the request, without the question mark and without secrets. */
  query: string;
  /** The operation of the path. Null if there is none. */
  operation: string | null;
  status: number;
  /** The duration until the end of the response, in milliseconds. */
  duration_ms: number;
  /** The key of the request. */
  key_id: number;
  /** The name of the key. Null once the key is deleted. */
  key_name: string | null;
  /** The `code` of the error. Null if there is none. */
  error_code: string | null;
  /** The reason of the refusal, such as `limit:minute` or `parameter:genre`. Null if there is none. */
  refused_by: string | null;
  /**
   * The dated version of the API in which the response was written, such as `2026-11-20`. Null if it has no version.
   */
  version: string | null;
}

/** A page of requests, the newest first. */
export interface RequestPage {
  requests: LoggedRequest[];
  /** The position to continue from: the `after` of the next request. Null when the whole log was searched. */
  next: string | null;
  /** The time of the oldest request that was searched. Null when the whole log was searched. */
  searched_to: string | null;
}

/** A request with all that the request log stores. */
export interface LoggedRequestDetail {
  /** The `X-Request-Id` of the response. */
  id: string;
  /** When the request arrived: ISO 8601, UTC, milliseconds. */
  created_at: string;
  method: string;
  /** The path of the request. */
  path: string;
  /** The query string of the request, without the question mark and without secrets. */
  query: string;
  /** The operation of the path. Null if there is none. */
  operation: string | null;
  status: number;
  /** The duration until the end of the response, in milliseconds. */
  duration_ms: number;
  /** The key of the request. */
  key_id: number;
  /** The name of the key. Null once the key is deleted. */
  key_name: string | null;
  /** The `code` of the error. Null if there is none. */
  error_code: string | null;
  /** The reason of the refusal, such as `limit:minute` or `parameter:genre`. Null if there is none. */
  refused_by: string | null;
  /**
   * The dated version of the API in which the response was written, such as `2026-11-20`. Null if it has no version.
   */
  version: string | null;
  /** The `message` of the error. */
  error_message: string | null;
  /** The `details` of the error, without secrets. */
  error_details: string | null;
  /** Why the request was refused or failed, in words. */
  reason: string | null;
  /** What to do. */
  advice: string | null;
  /** The stored headers of the request. They never include the key or cookies. */
  headers: Record<string, string>;
  /** The header User-Agent. Empty if there is none. */
  user_agent: string;
  /**
   * The body of the request: up to 4,000 bytes, without secrets and without numbers that could be card numbers. Null if
   * there is none.
   */
  body: string | null;
  /** The IP address of the client. */
  client_address: string;
  /** Whether the request was sent from the explorer, which has its own limits. */
  from_explorer: boolean;
  /** The events that the request caused, the oldest first. */
  event_ids: string[];
}

/** A service of your own with its own clock. */
export interface Sandbox {
  /** Identifier of the sandbox: 16 letters and digits. */
  id: string;
  /** The seed from which the sandbox was generated. */
  seed: string;
  /** The catalogue that the sandbox began with: `demo` or `empty`. */
  catalogue: string;
  /** The present time of the sandbox. */
  now: string;
  /** The address of the sandbox, which needs no key. The API is below `/v1`. */
  base_url: string;
  /** When the sandbox was created, in real time. */
  created_at: string;
  /** When the sandbox will be deleted, in real time. Every request to the sandbox extends it. */
  expires_at: string;
}

/** What happened in the sandbox while its clock advanced. */
export interface SandboxAdvance {
  sandbox: Sandbox;
  /** Whether the clock advanced by the whole duration. If not, send `remaining`. */
  is_complete: boolean;
  /** The remaining duration: the `by` of the next request. */
  remaining: string;
  /** The number of orders that simulated buyers placed. */
  orders: number;
  /** The number of refunds that simulated buyers requested. */
  refunds: number;
  /** The number of disputes that banks of simulated buyers opened. */
  disputes: number;
  /** The number of payouts that were sent to producers. */
  payouts: number;
}

/** What goes wrong while a sandbox advances. */
export interface SandboxFault {
  /** `down`: the receivers of webhooks respond with 503. */
  receiver?: string;
  /** When the fault begins, as a duration from the present time of the sandbox, such as `PT0S`. */
  from?: string;
  /** When the fault ends, as a duration from the present time of the sandbox, such as `P3D`. */
  to?: string;
  /** `bounce`: refunds of simulated buyers are accepted, and fail later. */
  refunds?: string;
  /** `open`: the banks of simulated buyers open disputes. */
  disputes?: string;
  /** `fail`: the banks of producers return payouts. */
  payouts?: string;
  /** The share of orders or payouts with the fault, from 0 to 1 in hundredths. */
  share?: number;
}

/**
 * The event that the request caused. The order, beat or other object that it names exists, and is not deleted
 * afterwards.
 */
export interface TestEvent {
  /** The type of the event. */
  type: string;
  /** The order that was placed. */
  order_id?: number;
  /** The license that was upgraded, or whose usage was reported. */
  license_id?: string;
  /** The beat that was created, changed or sold. */
  beat_id?: number;
  /** The upload whose analysis causes the event. */
  upload_id?: string;
  /** The payout to the account. */
  payout_id?: number;
  /** The account that was created or changed. */
  user_id?: number;
}

/** A beat that only its producer still sees. */
export interface BeatWithdrawal {
  beat_id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  withdrawn_at: string;
}

/** A beat that the operator of the marketplace removed. */
export interface BeatTakedown {
  beat_id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  taken_down_at: string;
}

/** A beat whose exclusive license was sold. */
export interface ExclusiveSale {
  beat_id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  sold_at: string;
}

/** A completed purchase of a beat. */
export interface Purchase {
  beat_id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  license_type: LicenseType;
  /** The price of the license, with at most two decimals. */
  amount: number;
  /** The currency, by ISO 4217. */
  currency: string;
  purchaser_id: number;
}

/** The refund of an order. */
export interface OrderRefund {
  order_id: number;
  beat_id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  license_type: LicenseType;
  /** The price of the license, with at most two decimals. */
  amount: number;
  /** The currency, by ISO 4217. */
  currency: string;
  purchaser_id: number;
  /** The part of `amount` that refunds and lost disputes have paid back so far. At most two decimals. */
  refunded_amount: number;
  /** When money was last paid back. Null if all refunds were returned. */
  refunded_at: string | null;
}

/** An order that failed after it was placed. */
export interface OrderFailure {
  order_id: number;
  beat_id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  license_type: LicenseType;
  /** The price of the license, with at most two decimals. */
  amount: number;
  /** The currency, by ISO 4217. */
  currency: string;
  purchaser_id: number;
  /** The reason as a sentence. */
  failure_reason: string;
}

/** A license that was upgraded or renewed. */
export interface LicenseUpgrade {
  order_id: number;
  beat_id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  license_type: LicenseType;
  /** The price of the license, with at most two decimals. */
  amount: number;
  /** The currency, by ISO 4217. */
  currency: string;
  purchaser_id: number;
  /** The license that the new one replaces. */
  replaced_license_id: string;
}

/** The license to buy for more of the use. */
export interface UsageRemedy {
  license_type: string;
  /** The price of the upgrade today. */
  price: number;
  /** The currency, by ISO 4217. */
  currency: string;
}

/** The report that the usage of a license has reached 80 or 100 percent of a limit. */
export interface LicenseUsageReached {
  license_id: string;
  order_id: number;
  beat_id: number;
  title: string;
  license_type: string;
  /** What is counted: streams, copies or videos. */
  use: CountedUse;
  /** The percentage of the limit that the usage has reached: 80 or 100. */
  percent: number;
  used: number;
  limit: number;
  /** The license with a higher limit. Null if none is for sale. */
  remedy: UsageRemedy | null;
}

/** Why a beat could not be published. */
export interface PublishingFailure {
  beat_id: number;
  title: string;
  producer_id: number;
  /** Whether the beat is on sale. If false, it is a draft, is withdrawn, or its exclusive license is sold. */
  is_on_sale: boolean;
  /** The reason as a sentence, the same as `rejection` of the beat. */
  reason: string;
}

/** A payment of the marketplace to a producer. */
export interface Payout {
  id: number;
  /** The amount of the payout, with at most two decimals. */
  amount: number;
  /** The currency, by ISO 4217. */
  currency: string;
  status: PayoutStatus;
  /** The kind of account that receives the money: a bank account, or an account at Stripe. */
  destination: PayoutDestination;
  /** Why the payout failed. Null unless `status` is `failed`. */
  failure_reason: string | null;
  created_at: string;
  sent_at: string | null;
  /** When the payout arrived or failed. Null before that. */
  settled_at: string | null;
}

/** A beat with its description, tags and licenses. Your own beats have their status, too. */
export interface BeatDetail extends Beat {
  /** The tempo in beats per minute. 0 only for a draft of your own whose tempo is unknown. */
  bpm: number;
  description: string;
  tags: string[];
  licenses: License[];
  /** A time in ISO 8601, UTC, whole seconds. */
  updated_at: string;
  /** The waveform of the whole beat, as JSON of audiowaveform's version 2. Null if there is none. */
  waveform_url?: string | null;
  /** The results of the analysis. Null if the recording was not analysed. */
  analysis?: Analysis | null;
  /** The status of the beat. Only its producer gets this field and those below. */
  status?: BeatStatus;
  /** The source of `bpm`. Null while it is unknown. */
  bpm_source?: FieldSource | null;
  /** The source of `key`. Null while it is unknown. */
  key_source?: FieldSource | null;
  /** The tag that is mixed into the preview: `default`, `none`, or the id of an upload. */
  preview_tag?: string;
  /** Which licenses are sold, and with which limits. */
  license_settings?: LicenseSettings;
  /** Whether people who give an e-mail address get the tagged MP3 for free. */
  free_download?: boolean;
  /**
   * The time of the planned publishing. Null if none is planned. It stays until the beat is on sale or could not be
   * published.
   */
  publish_at?: string | null;
  /** Why the last publishing failed, as a sentence. Null if it did not. */
  rejection?: string | null;
}

/** A beat and why it is similar. */
export interface SimilarBeat extends Beat {
  similarity: Similarity;
}

/** A public profile with figures about its beats. */
export interface Producer extends User {
  /** The number of plays of all beats on sale. */
  play_count: number;
  /** The most frequent comes first. */
  genres: GenreName[];
}

/** A playlist with its beats. */
export interface PlaylistDetail extends Playlist {
  beats: Beat[];
}

/** A new sandbox with its key. */
export interface CreatedSandbox extends Sandbox {
  /** A key with all permissions, which is shown only once. */
  api_key: string;
  /**
   * The secret that verifies the deliveries to `webhook_url`. Null without a `webhook_url`, and for a copy, which keeps
   * the secret of the original.
   */
  webhook_secret: string | null;
}

/** A beat with its details, and the names of the changed fields. */
export interface BeatUpdated extends Beat {
  description: string;
  tags: string[];
  licenses: License[];
  /** The waveform of the whole beat, as JSON of audiowaveform's version 2. Null if there is none. */
  waveform_url?: string | null;
  /** The results of the analysis. Null if the recording was not analysed. */
  analysis?: Analysis | null;
  /** Whether a license of the beat is for sale. */
  available: boolean;
  /** The names of the changed fields. */
  changed: string[];
}

/** A public profile, and the names of the changed fields. */
export interface UserUpdated extends User {
  /** The names of the changed fields. */
  changed: string[];
}

export interface BeatFields {
  /** The title of the beat. */
  title: string;
  /** A genre of `GET /genres`, by its id or its name. */
  genre: string | number;
  /** The id of an upload of kind `audio`. */
  audio: string;
  /** The price of the basic license in the currency's main unit, with at most two decimals. */
  price: number;
  /** The prices of the other licenses. Default: twice, five and twenty times `price`, rounded up to end in 99 cents. */
  license_prices?: LicensePrices | undefined;
  /**
   * Which licenses are sold, and with which limits. A license that is not named keeps its settings; in a new beat, it
   * has your default settings.
   */
  license_settings?: NewLicenseSettings | undefined;
  /** Whether people who confirm an e-mail address get the tagged MP3 for free, for non-commercial use. */
  free_download?: boolean | undefined;
  /** The tempo. Default: the result of the analysis. */
  bpm?: number | undefined;
  /** The musical key, such as `A minor`, `Am` or `8A`. Default: the result of the analysis. */
  key?: string | undefined;
  description?: string | undefined;
  /**
   * At most 20 tags, each with at most 50 characters and without a comma. Of tags that differ only in case, accents,
   * spaces or punctuation, the first is stored.
   */
  tags?: string | readonly string[] | undefined;
  /** The id of an upload of kind `cover`. */
  cover?: string | undefined;
  /** The id of an upload of kind `stems`. */
  stems?: string | undefined;
  /**
   * The tag that is mixed into the preview every 15 seconds: `default` is the service's own tag, `none` is no tag, and
   * the id of an upload of kind `audio` is your own tag.
   */
  preview_tag?: string | undefined;
  /** The time at which to publish the beat: in the future, within two years. Not together with `status` `published`. */
  publish_at?: string | Date | undefined;
  /** `published` puts the beat on sale as soon as its files are processed. Default: draft. */
  status?: NewBeatStatus | undefined;
}

/** Fields to change: an absent field is unchanged, null clears it. */
export interface BeatChanges {
  /** The title of the beat. */
  title?: string | undefined;
  /** A genre of `GET /genres`, by its id or its name. */
  genre?: string | number | undefined;
  /** The id of an upload of kind `audio`. */
  audio?: string | undefined;
  /** The price of the basic license in the currency's main unit, with at most two decimals. */
  price?: number | undefined;
  /** The prices to change. Null derives all three from `price` again. */
  license_prices?: LicensePrices | null | undefined;
  /**
   * Which licenses are sold, and with which limits. A license that is not named keeps its settings; in a new beat, it
   * has your default settings.
   */
  license_settings?: NewLicenseSettings | undefined;
  /** Whether people who confirm an e-mail address get the tagged MP3 for free, for non-commercial use. */
  free_download?: boolean | undefined;
  /** The tempo. Null takes the result of the analysis. */
  bpm?: number | null | undefined;
  /** The musical key. Null takes the result of the analysis. */
  key?: string | null | undefined;
  description?: string | null | undefined;
  tags?: string | readonly string[] | null | undefined;
  cover?: string | null | undefined;
  stems?: string | null | undefined;
  /**
   * The tag that is mixed into the preview every 15 seconds: `default` is the service's own tag, `none` is no tag, and
   * the id of an upload of kind `audio` is your own tag.
   */
  preview_tag?: string | undefined;
  /** The time at which to publish a draft or a withdrawn beat: in the future, within two years. Null cancels it. */
  publish_at?: string | Date | null | undefined;
  /**
   * `published` puts a draft or a withdrawn beat on sale; `draft` stops the publishing of a beat that was never on
   * sale.
   */
  status?: NewBeatStatus | undefined;
}

/** Fields to change: an absent field is unchanged, null clears it. */
export interface ProfileFields {
  /** The name that is shown. */
  display_name?: string | undefined;
  bio?: string | null | undefined;
  location?: string | null | undefined;
  website?: string | null | undefined;
  avatar_url?: string | null | undefined;
}

export interface OrderRequest {
  /** The beat to buy. */
  beat_id: number;
  /**
   * How to pay: the payment provider's identifier of a payment method, never a card number. With Stripe, the id of a
   * payment method made with Stripe's own scripts. In the sandbox: pm_card_visa, pm_card_visa_debit,
   * pm_card_mastercard, pm_card_mastercard_debit, pm_card_amex, pm_card_discover, pm_card_diners, pm_card_jcb,
   * pm_card_unionpay, pm_card_authenticationRequired, pm_card_threeDSecure2Required, pm_card_visa_chargeDeclined,
   * pm_card_visa_chargeDeclinedInsufficientFunds, pm_card_chargeDeclinedExpiredCard,
   * pm_card_chargeDeclinedIncorrectCvc, pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or
   * pm_card_refundFail.
   */
  payment_method: string;
  /** The license to buy. An exclusive one sells once, and takes the beat out of the catalogue. Default: basic. */
  license_type?: LicenseType | undefined;
  /**
   * The price that the buyer agreed to, in the currency's main unit. If the license has another price today, the order
   * is 409 and nothing is charged.
   */
  expected_amount?: number | undefined;
  /** The currency that the buyer agreed to, by ISO 4217. If prices are in another currency, the order is 409. */
  currency?: string | undefined;
}

export interface CheckoutRequest {
  /** The licenses to buy with one payment. */
  items: readonly NewCheckoutItem[];
  /** The e-mail address for the receipt. Default: the account's. */
  email?: string | undefined;
  /**
   * The address to which the page sends the buyer after the payment. `{CHECKOUT_ID}` in it is replaced by the
   * checkout's id. Default: the page itself, with the files.
   */
  success_url?: string | undefined;
  /** The address to which the page sends a buyer who does not pay. Default: the basket. */
  cancel_url?: string | undefined;
  /** A discount code. Upper and lower case are equal. A code that cannot be used is refused with 409. */
  discount_code?: string | undefined;
}

export interface QuoteRequest {
  /** The licenses to buy with one payment. */
  items: readonly NewQuoteItem[];
  /** A discount code. Upper and lower case are equal. If it does not apply, `rules` says why. */
  discount_code?: string | undefined;
  /** The buyer's e-mail address, for discounts with a limit for each buyer. Default: the account's. */
  email?: string | undefined;
}

export interface LicenseQuestion {
  /** The use, such as `streams` or `content_id`: a word from the list of uses at /portal/docs/clauses#uses. */
  use: string;
  /** The total number of streams, copies or videos. Default: 1. */
  quantity?: number | undefined;
  /** The country of the use, by ISO 3166-1, such as `DE`. */
  territory?: string | undefined;
  /** The day of the use, in UTC. Default: today. */
  on?: string | undefined;
}

export interface UsageReportRequest {
  /** What is counted: streams, copies or videos. */
  use: CountedUse;
  /** The number of streams, copies or videos in the period. */
  quantity: number;
  /** A month, such as `2027-01`. */
  period: string;
  /** The source of the number, such as the distributor. */
  source: string;
}

export interface UpgradeRequest {
  /** A license higher than the present one; or the same one, to renew it. */
  license_type: LicenseType;
  /**
   * How to pay: the payment provider's identifier of a payment method, never a card number. With Stripe, the id of a
   * payment method made with Stripe's own scripts. In the sandbox: pm_card_visa, pm_card_visa_debit,
   * pm_card_mastercard, pm_card_mastercard_debit, pm_card_amex, pm_card_discover, pm_card_diners, pm_card_jcb,
   * pm_card_unionpay, pm_card_authenticationRequired, pm_card_threeDSecure2Required, pm_card_visa_chargeDeclined,
   * pm_card_visa_chargeDeclinedInsufficientFunds, pm_card_chargeDeclinedExpiredCard,
   * pm_card_chargeDeclinedIncorrectCvc, pm_card_chargeDeclinedProcessingError, pm_card_pendingRefund or
   * pm_card_refundFail.
   */
  payment_method: string;
  /**
   * The price that the buyer agreed to, in the currency's main unit. If the license has another price today, the order
   * is 409 and nothing is charged.
   */
  expected_amount?: number | undefined;
  /** The currency that the buyer agreed to, by ISO 4217. If prices are in another currency, the order is 409. */
  currency?: string | undefined;
}

export interface PlaylistFields {
  title: string;
  description?: string | undefined;
  /** Who can read the playlist. `private`: only the account. `public`: everyone who has its id. */
  visibility?: PlaylistVisibility | undefined;
  /** The beats, in order. Each is on sale, and appears once. */
  beat_ids?: number | readonly number[] | undefined;
}

/** Fields to change: an absent field is unchanged, null clears it. */
export interface PlaylistChanges {
  title?: string | undefined;
  description?: string | undefined;
  /** Who can read the playlist. `private`: only the account. `public`: everyone who has its id. */
  visibility?: PlaylistVisibility | undefined;
  /** The beats, in order. Each is on sale, and appears once. */
  beat_ids?: number | readonly number[] | undefined;
}

export interface SandboxRequest {
  /** The seed of the sandbox. The same seed generates the same ids, beats and buyers. Default: a random seed. */
  seed?: string | undefined;
  /** The address that gets all events of the sandbox. */
  webhook_url?: string | undefined;
  /** `demo`: 500 invented beats. `empty`: no beats, only the genres. Default: demo. */
  catalogue?: SandboxCatalogue | undefined;
}

export interface SandboxAdvanceRequest {
  /** The duration to advance by, at most 3,650 days, such as `P90D`. */
  by: string;
  /** How many orders the simulated buyers place in each day, at random times. Default: 0. */
  orders_per_day?: number | undefined;
  /** The faults that happen in that time. */
  faults?: readonly SandboxFault[] | undefined;
}

export interface TestEventRequest {
  /** The type of the event to cause. */
  type: EventType;
}

export interface ListBeatsQuery {
  /** The number of the page, from 1. Default 1. */
  page?: number | null | undefined;
  /** The number of results on a page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Only beats of the genres with these ids. */
  genre?: number | readonly number[] | null | undefined;
  /** Only beats of the producers with these ids. */
  producer?: number | readonly number[] | null | undefined;
  /** Only beats of this `bpm` or faster. 1 to 999. */
  bpm_min?: number | null | undefined;
  /** Only beats of this `bpm` or slower. 1 to 999. */
  bpm_max?: number | null | undefined;
  /** Only beats of this `bpm`. Instead of `bpm_min` and `bpm_max`. 1 to 999. */
  bpm?: number | null | undefined;
  /** The percentage by which a beat may differ from `bpm`. Default: 0. 0 to 50. */
  bpm_tolerance?: number | null | undefined;
  /** Whether beats of half and of double the `bpm` match as well. Default: false. */
  half_double?: boolean | null | undefined;
  /**
   * Only beats in these keys: `A minor`, `Am` or `8A` (Camelot); enharmonic spellings are the same key; `unknown` for
   * beats without one.
   */
  key?: string | readonly string[] | null | undefined;
  /**
   * Only beats that mix with this key: itself, its relative and its neighbours on the circle of fifths. Spelled as in
   * `key`.
   */
  key_compatible?: string | null | undefined;
  /** Only beats whose `price` is this or more. */
  price_min?: number | null | undefined;
  /** Only beats whose `price` is this or less. */
  price_max?: number | null | undefined;
  /** Only beats of this many seconds or more. */
  duration_min?: number | null | undefined;
  /** Only beats of this many seconds or less. */
  duration_max?: number | null | undefined;
  /** Only beats whose `created_at` is this time or later, ISO 8601. A date alone is its first second, UTC. */
  created_after?: string | Date | null | undefined;
  /** Only beats whose `created_at` is this time or earlier, ISO 8601. A date alone is its last second, UTC. */
  created_before?: string | Date | null | undefined;
  /** Only beats with one of these tags. Accents and case are ignored. */
  tag?: string | readonly string[] | null | undefined;
  /** Only beats with one of these licenses available. */
  license?: LicenseType | readonly LicenseType[] | null | undefined;
  /** The order of the list. Every order ends with the id, so pages never overlap. Default newest. */
  sort?: BeatSort | null | undefined;
  /** The properties to count beats by. Counts are exact and apply all filters except those on the same property. */
  facets?: FacetName | readonly FacetName[] | null | undefined;
  /**
   * Ids of beats. Returns these beats in this order, with all details, also sold ones. Can be combined with `fields`
   * only.
   */
  ids?: number | readonly number[] | null | undefined;
  /**
   * The fields to return of each object, by their names in the response. Fields that only the response of a single beat
   * has are allowed, too. All other fields are absent, although the schemas of responses describe whole objects.
   */
  fields?: string | readonly string[] | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListSimilarBeatsQuery {
  /** The number of similar beats. 1 to 20, default 5. */
  limit?: number | null | undefined;
}

export interface ListOwnBeatsQuery {
  /** The number of the page, from 1. Default 1. */
  page?: number | null | undefined;
  /** The number of results on a page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Only beats with this status. */
  status?: BeatStatus | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListProducersQuery {
  /** The number of the page, from 1. Default 1. */
  page?: number | null | undefined;
  /** The number of results on a page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** The order of the list. Every order ends with the id, so pages never overlap. Default popular. */
  sort?: ProducerSort | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface SearchQuery {
  /** The types to search. Default all. */
  type?: SearchType | null | undefined;
  /** The number of the page, from 1. Default 1. */
  page?: number | null | undefined;
  /** The largest number of beats, and of producers, on a page. 1 to 50, default 20. */
  limit?: number | null | undefined;
  /** Only beats of the genres with these ids. */
  genre?: number | readonly number[] | null | undefined;
  /** Only beats of the producers with these ids. */
  producer?: number | readonly number[] | null | undefined;
  /** Only beats of this `bpm` or faster. 1 to 999. */
  bpm_min?: number | null | undefined;
  /** Only beats of this `bpm` or slower. 1 to 999. */
  bpm_max?: number | null | undefined;
  /** Only beats of this `bpm`. Instead of `bpm_min` and `bpm_max`. 1 to 999. */
  bpm?: number | null | undefined;
  /** The percentage by which a beat may differ from `bpm`. Default: 0. 0 to 50. */
  bpm_tolerance?: number | null | undefined;
  /** Whether beats of half and of double the `bpm` match as well. Default: false. */
  half_double?: boolean | null | undefined;
  /**
   * Only beats in these keys: `A minor`, `Am` or `8A` (Camelot); enharmonic spellings are the same key; `unknown` for
   * beats without one.
   */
  key?: string | readonly string[] | null | undefined;
  /**
   * Only beats that mix with this key: itself, its relative and its neighbours on the circle of fifths. Spelled as in
   * `key`.
   */
  key_compatible?: string | null | undefined;
  /** Only beats whose `price` is this or more. */
  price_min?: number | null | undefined;
  /** Only beats whose `price` is this or less. */
  price_max?: number | null | undefined;
  /** Only beats of this many seconds or more. */
  duration_min?: number | null | undefined;
  /** Only beats of this many seconds or less. */
  duration_max?: number | null | undefined;
  /** Only beats whose `created_at` is this time or later, ISO 8601. A date alone is its first second, UTC. */
  created_after?: string | Date | null | undefined;
  /** Only beats whose `created_at` is this time or earlier, ISO 8601. A date alone is its last second, UTC. */
  created_before?: string | Date | null | undefined;
  /** Only beats with one of these tags. Accents and case are ignored. */
  tag?: string | readonly string[] | null | undefined;
  /** Only beats with one of these licenses available. */
  license?: LicenseType | readonly LicenseType[] | null | undefined;
  /** The order of the beats. Default relevance. */
  sort?: SearchSort | null | undefined;
  /** The properties to count beats by. Counts are exact and apply all filters except those on the same property. */
  facets?: FacetName | readonly FacetName[] | null | undefined;
  /**
   * The fields to return of each object, by their names in the response. Fields that only the response of a single beat
   * has are allowed, too. All other fields are absent, although the schemas of responses describe whole objects.
   */
  fields?: string | readonly string[] | null | undefined;
  /** Whether tempos, keys and prices in `q` become filters. With false, they are words like any other. Default true. */
  interpret?: boolean | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListOrdersQuery {
  /** The number of the page, from 1. Default 1. */
  page?: number | null | undefined;
  /** The number of results on a page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Only orders in this state. */
  status?: OrderStatus | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListSalesQuery {
  /** The number of the page, from 1. Default 1. */
  page?: number | null | undefined;
  /** The number of results on a page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Only sales completed at this time or later, ISO 8601. A date alone is its first moment in UTC. */
  from?: string | Date | null | undefined;
  /** Only sales completed before this time, ISO 8601. A date alone is its first moment in UTC. */
  to?: string | Date | null | undefined;
  /** Only sales of this beat. */
  beat?: number | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListFavoritesQuery {
  /** The number of the page, from 1. Default 1. */
  page?: number | null | undefined;
  /** The number of results on a page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListFollowingQuery {
  /** The number of the page, from 1. Default 1. */
  page?: number | null | undefined;
  /** The number of results on a page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListPlaylistsQuery {
  /** The number of the page, from 1. Default 1. */
  page?: number | null | undefined;
  /** The number of results on a page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListUploadsQuery {
  /** The number of the page, from 1. Default 1. */
  page?: number | null | undefined;
  /** The number of results on a page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListChangesQuery {
  /**
   * Only changes after this position: the `next` of the previous response, or the `X-Change-Position` of an export.
   * Default: from the oldest stored change.
   */
  after?: number | null | undefined;
  /** The maximum number of changes in a response. 1 to 1000, default 100. */
  limit?: number | null | undefined;
  /**
   * The number of seconds to wait for a change if there is none yet. The response is sent as soon as there is one. 0 to
   * 30, default 0.
   */
  wait?: number | null | undefined;
}

export interface ListEventsQuery {
  /** Only events after this position: the `next` of the previous response. Default: from the oldest stored event. */
  after?: number | null | undefined;
  /**
   * Only events of these types, separated by commas: beat.created, beat.updated, beat.withdrawn, beat.taken_down,
   * beat.sold_exclusively, beat.purchased, order.refunded, order.failed, license.upgraded, license.usage, upload.ready,
   * upload.rejected, beat.publishing_failed, payout.sent, payout.paid, payout.failed, user.registered, user.updated.
   * Default: all types, including later ones.
   */
  type?: string | null | undefined;
  /** The maximum number of events in a response. 1 to 1000, default 100. */
  limit?: number | null | undefined;
  /**
   * The number of seconds to wait for an event if there is none yet. The response is sent as soon as there is one. 0 to
   * 30, default 0.
   */
  wait?: number | null | undefined;
}

export interface ListRequestsQuery {
  /** Only requests from this time on, ISO 8601. A date alone is its first moment in UTC. */
  from?: string | Date | null | undefined;
  /** Only requests before this time, ISO 8601. A date alone is its first moment in UTC. */
  to?: string | Date | null | undefined;
  /** Only requests whose status has this first digit. */
  status_class?: StatusClass | null | undefined;
  /** Only requests with this status. 100 to 599. */
  status?: number | null | undefined;
  /** Only requests with this method, such as `GET`. */
  method?: string | null | undefined;
  /** Only requests of this operation; `none` for paths outside of the API. */
  operation_id?: string | null | undefined;
  /** Only requests made with this key. */
  key?: number | null | undefined;
  /** Only the request with this id, the `X-Request-Id` of its response. */
  request_id?: string | null | undefined;
  /**
   * Only requests that contain this text in the path, the query, the error details, the request id or the user agent.
   */
  text?: string | null | undefined;
  /** The `next` of the previous response. Returns the requests that follow it in the list, which are older. */
  after?: string | null | undefined;
  /** The maximum number of requests in a response. 1 to 100, default 50. */
  limit?: number | null | undefined;
}

interface EventOf<Type extends string, Data> {
  /** The same for every delivery of the event: recognise duplicates by it. */
  id: string;
  /** Unix time in seconds. */
  created: number;
  type: Type;
  data: Data;
}

/** A new beat was uploaded. */
export type BeatCreatedEvent = EventOf<"beat.created", Beat>;

/** A beat was updated, or its exclusive license was sold. */
export type BeatUpdatedEvent = EventOf<"beat.updated", BeatUpdated>;

/** A beat is withdrawn: its producer took it off sale, or an operator took it down. */
export type BeatWithdrawnEvent = EventOf<"beat.withdrawn", BeatWithdrawal>;

/** An operator took a beat down. */
export type BeatTakenDownEvent = EventOf<"beat.taken_down", BeatTakedown>;

/** The exclusive license of a beat was sold. */
export type BeatSoldExclusivelyEvent = EventOf<"beat.sold_exclusively", ExclusiveSale>;

/** A beat was purchased. */
export type BeatPurchasedEvent = EventOf<"beat.purchased", Purchase>;

/** Money of an order was paid back, or a refund was returned. */
export type OrderRefundedEvent = EventOf<"order.refunded", OrderRefund>;

/** The payment of a pending order failed after the order was placed. */
export type OrderFailedEvent = EventOf<"order.failed", OrderFailure>;

/** A license was upgraded or renewed. */
export type LicenseUpgradedEvent = EventOf<"license.upgraded", LicenseUpgrade>;

/** The reported usage of a license reached 80 or 100 percent of a limit. */
export type LicenseUsageEvent = EventOf<"license.usage", LicenseUsageReached>;

/** An upload was analysed and can be used. */
export type UploadReadyEvent = EventOf<"upload.ready", Upload>;

/** An upload cannot be used. */
export type UploadRejectedEvent = EventOf<"upload.rejected", Upload>;

/** A beat could not be published, or not with its new files. */
export type BeatPublishingFailedEvent = EventOf<"beat.publishing_failed", PublishingFailure>;

/** A payout is on its way to a bank account. */
export type PayoutSentEvent = EventOf<"payout.sent", Payout>;

/** A payout arrived. */
export type PayoutPaidEvent = EventOf<"payout.paid", Payout>;

/** A payout failed or came back; its money is in the balance again. */
export type PayoutFailedEvent = EventOf<"payout.failed", Payout>;

/** A new user registered. */
export type UserRegisteredEvent = EventOf<"user.registered", User>;

/** A user's profile was updated. */
export type UserUpdatedEvent = EventOf<"user.updated", UserUpdated>;

/**
 * An event of a type that is newer than this version of the client: the `default` of a `switch` over `type`. The
 * text below stands for its `type`, so that TypeScript narrows the known types.
 */
export type UnknownEvent = EventOf<"(newer than this client)", unknown>;

export type WebhookEvent =
  | BeatCreatedEvent
  | BeatUpdatedEvent
  | BeatWithdrawnEvent
  | BeatTakenDownEvent
  | BeatSoldExclusivelyEvent
  | BeatPurchasedEvent
  | OrderRefundedEvent
  | OrderFailedEvent
  | LicenseUpgradedEvent
  | LicenseUsageEvent
  | UploadReadyEvent
  | UploadRejectedEvent
  | BeatPublishingFailedEvent
  | PayoutSentEvent
  | PayoutPaidEvent
  | PayoutFailedEvent
  | UserRegisteredEvent
  | UserUpdatedEvent
  | UnknownEvent;
