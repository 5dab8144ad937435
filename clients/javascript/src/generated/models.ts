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
  /** The producing user. */
  user_id: number;
  producer_name: string;
  genre: GenreName;
  /** The price of the basic license, or of the next one if the basic one is not sold; at most two decimals. */
  price: number;
  /** Whole seconds; 0 when unknown. */
  duration: number;
  /** Tempo in beats per minute. */
  bpm: number;
  /** Musical key such as "C# minor"; "" when unknown. */
  key: string;
  audio_url: string;
  cover_image: string;
  /** ISO 8601, UTC, whole seconds. */
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
  /** Follow it to walk the whole list; null on the last page. */
  next_page_url: string | null;
  prev_page_url: string | null;
}

/** How many beats have a value, or are in a range of values. */
export interface FacetCount {
  /** As in beats; "" for an unknown key. */
  value: GenreName | string | number;
  count: number;
  /** The highest, as for `bpm_max`. */
  max?: number;
}

/** How many beats have each value, by what was asked for. */
export interface Facets {
  /** Most frequent first. */
  genre?: (FacetCount & { value: GenreName })[];
  /** Most frequent first. */
  key?: (FacetCount & { value: string })[];
  /** In ranges of ten, slowest first. */
  bpm?: (FacetCount & { value: number })[];
  /** At most ten ranges, lowest first. */
  price?: (FacetCount & { value: number })[];
  /** The 100 most frequent, most frequent first. */
  tag?: (FacetCount & { value: string })[];
}

/** A license of a beat and its price. */
export interface License {
  type: LicenseType;
  price: number;
  /** False for every license while the exclusive one is being bought, and once it is sold. */
  available: boolean;
}

/** The results of the analysis of a recording. A value that was not found is null. */
export interface Analysis {
  /** Beats per minute; null if the recording has none. */
  bpm: number | null;
  /** How sure the tempo is, from 0 to 1. */
  bpm_confidence: number | null;
  /** The next best tempo, often twice or half of it. */
  bpm_alternative: number | null;
  /** The musical key, such as `C# minor`; null if the recording has none. */
  key: string | null;
  /** How sure the key is, from 0 to 1. */
  key_confidence: number | null;
  /** The next best key. */
  key_alternative: string | null;
  /** In seconds. */
  duration: number;
  /**
   * The format, by the file's bytes: `wav`, `aiff`, `flac`, `mp3`, `ogg` or `m4a`. The last three are lossy: licenses
   * of such a recording bring no WAV.
   */
  format: string;
  /** In Hz. */
  sample_rate: number;
  channels: number;
  /** Integrated loudness by EBU R128; null for silence. */
  loudness_lufs: number | null;
  /** The true peak in dBTP; null for silence. */
  true_peak_dbtp: number | null;
  /** Samples in runs at full scale. */
  clipped_samples: number;
  /** Seconds of silence before the first sound. */
  silence_start: number;
  /** Seconds of silence after the last sound. */
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
  /** Also for a license that is not sold. */
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
   * Your own limits, which replace the former ones; null is any number. Limits that are not named are those of the
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
  /** 1 is a perfect match. */
  score: number;
  /** The octave in which this beat's tempo was compared: 0.5, 1 or 2; 2 when it is about twice as fast. */
  tempo_ratio: number;
  /** Absolute difference of the tempi in that octave, two decimals. */
  bpm_difference_percent: number;
  /** On the circle of fifths; other also where a key is unknown. */
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
  /** Beats on sale. */
  beats_count: number;
  /** ISO 8601, UTC, whole seconds. */
  created_at: string;
}

/** A genre of the catalogue. */
export interface Genre {
  id: number;
  name: string;
  slug: string;
  /** Beats on sale in this genre. */
  beats_count: number;
}

/** All results of a search, by type. */
export interface SearchTotals {
  beats: number;
  producers: number;
}

/** What was understood of a search, in the names of parameters. */
export interface Interpretation {
  /** The words that were searched for. */
  q: string;
  bpm_min?: number;
  bpm_max?: number;
  /** In the form of the parameter `key`. */
  key?: string;
  price_min?: number;
  price_max?: number;
  /** The typed tempo, and the range that was searched instead, because nothing has the tempo together with the rest. */
  widened?: Record<string, string>;
  /** Corrections: the replacement of each corrected word. */
  corrected?: Record<string, string>;
  /** Parts of the search text that were left out, because nothing matches them together with the rest. */
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
  /** The page on which the buyer finishes the payment. */
  url: string;
}

/** A license that the account bought, or tried to. */
export interface Order {
  id: number;
  /** pending becomes completed or failed; both are final. */
  status: OrderStatus;
  /** The beat as it was when it was bought. */
  beat: OrderBeat;
  license_type: LicenseType;
  /** At most two decimals. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  payment_method: string;
  /** A sentence; null unless failed. */
  failure_reason: string | null;
  /** ISO 8601, UTC, whole seconds. */
  created_at: string;
  /** Null unless completed. */
  completed_at: string | null;
  /** The part of `amount` that was paid back by refunds and lost disputes. At most two decimals. */
  refunded_amount: number;
  /** When money was last paid back; null if none was. The order stays completed. */
  refunded_at: string | null;
  /**
   * With Stripe: the secret with which Stripe's own scripts finish the payment in the buyer's browser. Null unless
   * pending.
   */
  client_secret: string | null;
  /** The buyer's next step, such as 3-D Secure: open `url`. Null unless pending. */
  next_action: NextAction | null;
}

/** A license that a checkout buys. */
export interface CheckoutItem {
  beat_id: number;
  license_type: LicenseType;
  title: string;
  producer_name: string;
  /** The license that the item upgrades or renews; null for none. */
  upgrades_license: string | null;
  /** What the license in `upgrades_license` takes off the current price. At most two decimals. */
  credit: number;
  /** The part of its price that discounts take off. At most two decimals. */
  discount: number;
  /** The price when the checkout was made, less credit and discount. At most two decimals. */
  amount: number;
}

/** What a discount takes off a checkout. */
export interface AppliedDiscount {
  id: number;
  name: string;
  /** Null for a discount that needs no code. */
  code: string | null;
  /** The amount that it takes off. At most two decimals. */
  amount: number;
}

/** One payment of one or more licenses. */
export interface Checkout {
  id: number;
  /** The page on which a person pays. Open it in a browser. Null only while the provider cannot be reached. */
  url: string | null;
  /** open becomes completed with the payment, expired at `expires_at`, or cancelled when an item is gone. */
  status: CheckoutStatus;
  /** The sum of the items. At most two decimals. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  success_url: string | null;
  cancel_url: string | null;
  /** A sentence; null unless cancelled. */
  failure_reason: string | null;
  /** ISO 8601, UTC, whole seconds. */
  created_at: string;
  /** ISO 8601, UTC, whole seconds. */
  expires_at: string;
  items: CheckoutItem[];
  /** The discounts that were applied, each with the amount that it took off. */
  discounts: AppliedDiscount[];
  /** One for each item, once the payment came through. Empty before. */
  orders: Order[];
}

/** A license that a new checkout is to buy. */
export interface NewCheckoutItem {
  /** The beat to buy a license of. Each beat may be there once. */
  beat_id: number;
  /** The license to buy. Default: basic. */
  license_type?: LicenseType;
  /**
   * The id of a license of the beat that the account has: the item upgrades or renews it, and costs the difference.
   * Discounts take nothing off it.
   */
  upgrades_license?: string;
}

/** A license of a quote, with its price. */
export interface QuoteItem {
  beat_id: number;
  license_type: LicenseType;
  title: string;
  producer_name: string;
  /** The license that the item upgrades or renews; null for none. */
  upgrades_license: string | null;
  /** What the license in `upgrades_license` takes off the current price. At most two decimals. */
  credit: number;
  /** Today's price, less the credit. At most two decimals. */
  price: number;
  /** The sum of discounts. At most two decimals. */
  discount: number;
  /** The amount to pay. At most two decimals. */
  amount: number;
  /** The discount that `discount` comes from. */
  discount_id: number | null;
}

/** What a discount would take off. */
export interface QuoteDiscount {
  id: number;
  name: string;
  /** Null for a discount that needs no code. */
  code: string | null;
  /** The amount that it takes off. At most two decimals. */
  amount: number;
}

/** A discount that was tried, and why it applies or not. */
export interface QuoteRule {
  /** Of the discount; null for an unknown code. */
  id: number | null;
  name: string | null;
  kind: DiscountKind | null;
  /** Null for a discount that needs no code. */
  code: string | null;
  /** Whether it takes something off. */
  applied: boolean;
  /** A sentence: what it takes off, or why nothing. */
  reason: string;
  /** The amount that it takes off. At most two decimals. */
  amount: number;
}

/** What a purchase would cost, with every discount that was tried. */
export interface Quote {
  /** What a checkout of the items charges. At most two decimals. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** In the order of the request. */
  items: QuoteItem[];
  /** The discounts that take something off. */
  discounts: QuoteDiscount[];
  /** Every discount that was tried. */
  rules: QuoteRule[];
}

/** A license to quote. */
export interface NewQuoteItem {
  /** The beat to buy a license of. Each beat may be there once. */
  beat_id: number;
  /** The license to buy. Default: basic. */
  license_type?: LicenseType;
  /**
   * The id of a license of the beat that the account has: the item upgrades or renews it, and costs the difference.
   * Discounts take nothing off it.
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
  /** With its title when it was bought. */
  beat: SaleBeat;
  license_type: LicenseType;
  /** At most two decimals. */
  amount: number;
  /** The part of the amount that was paid back; 0 without a refund. */
  refunded_amount: number;
  /** ISO 4217. */
  currency: string;
  /** The buyer's name, as on the license. */
  buyer: SaleBuyer;
  /** Identifier of the license; null until it is issued. */
  license_id: string | null;
  /** Number of files that the buyer has downloaded. */
  downloads: number;
  /** ISO 8601, UTC, whole seconds. */
  completed_at: string;
  /** Of the last refund; null without one. */
  refunded_at: string | null;
}

/** A file of an order. Its `url` needs no key until it expires. */
export interface OrderFile {
  /**
   * `mp3`: untagged, of 320 kbit/s; of a lossy recording at its own bit rate. `wav`: the recording, if it is lossless.
   * `stems`: the producer's ZIP. `license`: the certificate, a PDF.
   */
  kind: FileKind;
  /** The name under which a browser saves it. */
  filename: string;
  /** Size of the file. */
  bytes: number;
  /** Hash of the file's bytes. */
  sha256: string;
  /**
   * A signed link: any client that has it can download the file until it expires, without a key. It supports `Range`.
   */
  url: string;
  /** ISO 8601, UTC, whole seconds: 15 minutes from now. A download under way is not cut off. */
  expires_at: string;
}

/** The license of an order. */
export interface IssuedLicense {
  id: string;
  /** The public page that says whether the license is valid. */
  url: string;
  /** The certificate's facts, signed (JWS, EdDSA) with a key of `/.well-known/jwks.json`. */
  jws: string;
  type: LicenseType;
  /** The version of the terms of the sale. */
  terms_version: string;
  /**
   * `expired` once its last day is over, `refunded` once the order is refunded in full, `replaced` once an upgrade or
   * renewal replaced it.
   */
  status: LicenseStatus;
}

/** The files and the license of a completed order. */
export interface OrderFiles {
  /** The files of the license, in the order mp3, wav, stems, license. Empty once refunded in full. */
  files: OrderFile[];
  license: IssuedLicense;
}

/** An invoice or a credit note of an order. */
export interface Invoice {
  /** `INV-2026-000042`, or `CN-2026-000007` of a credit note. */
  number: string;
  /** `credit_note` takes back what was paid. */
  kind: InvoiceKind;
  /** UTC time. */
  issued_at: string;
  /** Tax included; positive in both kinds. At most two decimals. */
  amount: number;
  /** ISO 4217 code. */
  currency: string;
  /** A name for the file: its number. */
  filename: string;
  /** The PDF. The link needs no key. */
  url: string;
  /** When the link ends; UTC time. */
  expires_at: string;
}

/** The clause that an answer follows from. */
export interface LicenseReason {
  /** The clause that decides, or the one that comes nearest. */
  clause: LicenseClause;
  /** Its sentence, word for word as in the certificate. */
  text: string;
  /** Its number; null for any number, and for clauses without one. */
  limit: number | null;
  /** The usage that the holder has reported; null without a report. */
  used: number | null;
}

/** What to buy for a yes. */
export interface LicenseRemedy {
  /** The higher license to buy; null if `renew` is the remedy. */
  upgrade: LicenseType | null;
  /** The same license to buy again; null if `upgrade` is the remedy. */
  renew: LicenseType | null;
  /** Its price today, before discounts; with the holder's key, the difference of an upgrade. */
  price: number;
  currency: string;
  /** The last day of the license that is bought today; null without an end. */
  valid_until: string | null;
}

/** Whether a license allows a use, and why. */
export interface LicenseVerdict {
  license_id: string;
  /** Of the license, today. */
  status: LicenseState;
  /**
   * The license that replaced it by an upgrade or renewal: ask that one. Null without one, and until its certificate is
   * issued.
   */
  replaced_by: string | null;
  use: string;
  quantity: number;
  /** As in the request; null for no certain country. */
  territory: string | null;
  /** The day of the answer. */
  on: string;
  /** `unknown`: the terms do not speak of this use. */
  allowed: Allowance;
  /** Null only if no clause comes near. */
  because: LicenseReason | null;
  /** The purchase that would allow the use; null unless the answer is no, and if no purchase would. */
  remedy: LicenseRemedy | null;
}

/** What a source counted of a use in a month. */
export interface UsageReport {
  /** The use: the name of its clause. */
  use: CountedUse;
  /** The number in the period. */
  quantity: number;
  /** A month, such as `2027-01`. */
  period: string;
  /** The source of the number, such as the distributor. */
  source: string;
}

/** How much of a use is reported, and the limit. */
export interface UsageSum {
  /** The use: the name of its clause. */
  use: CountedUse;
  /** The sum over all periods and sources, including the usage before an upgrade. */
  used: number;
  /** The number of the clause; null for any number. */
  limit: number | null;
}

/** The usage that the holder of a license has reported. */
export interface LicenseUsage {
  license_id: string;
  /** By use, period and source. */
  reports: UsageReport[];
  /** One for each use. */
  sums: UsageSum[];
}

/** A beat among the favorites of an account. */
export interface Favorite {
  beat_id: number;
  /** ISO 8601, UTC, whole seconds. Null for a beat that is no favorite. */
  created_at: string | null;
}

/** A producer whom an account follows. */
export interface Follow {
  /** The producer. */
  user_id: number;
  /** ISO 8601, UTC, whole seconds. Null for a producer whom the account does not follow. */
  created_at: string | null;
}

/** A list of beats in the order that its owner chose. */
export interface Playlist {
  id: string;
  title: string;
  description: string;
  /** `private`: only for the account. `public`: for everyone who has its id. */
  visibility: PlaylistVisibility;
  /** The id of its owner. */
  user_id: number;
  owner_name: string;
  /** The address of its page. */
  url: string;
  /** Beats that are on sale. */
  beats_count: number;
  /** ISO 8601, UTC, whole seconds. */
  created_at: string;
  /** ISO 8601, UTC, whole seconds. */
  updated_at: string;
}

/** A file that was uploaded, or whose bytes are still arriving. */
export interface Upload {
  id: string;
  kind: UploadKind;
  /** As sent. A text, never a path. */
  filename: string;
  /** Of the whole file. */
  bytes: number;
  /** The number of bytes that have arrived. */
  received: number;
  /** Of the file as it was sent; null until it is stored. */
  sha256: string | null;
  /** receiving becomes analysing with the last byte, then ready or rejected. */
  status: UploadStatus;
  /** Why it was rejected, as a sentence; null unless it was. */
  rejection: string | null;
  /** Of audio that is ready; null otherwise. */
  analysis: Analysis | null;
  /** ISO 8601, UTC, whole seconds. */
  created_at: string;
  /** When it is deleted, unless a beat uses it by then; null when one does. */
  expires_at: string | null;
}

/** How much of the storage an account's files take, and may take. */
export interface StorageUse {
  /** Uploads that are incomplete or ready, and the files of beats in every state. */
  used_bytes: number;
  /** What the account's plan allows; null without a bound. */
  max_bytes: number | null;
}

/** A change of a listed beat. */
export interface Change {
  /** Increases from change to change; there may be gaps. */
  position: number;
  type: ChangeType;
  beat_id: number;
  /**
   * The beat as it is now, in the form of `GET /beats/{beat_id}`; null when it is withdrawn now, and in every change of
   * type `withdrawn`.
   */
  beat: BeatDetail | null;
}

/** A request of the account, as the request log keeps it. */
export interface LoggedRequest {
  /** The `X-Request-Id` of the response. */
  id: string;
  /** When it arrived, ISO 8601, UTC, milliseconds. */
  created_at: string;
  method: string;
  /** As called. */
  path: string;
  /** As called, without the question mark and without secrets. */
  query: string;
  /** The operation of the path; null where there is none. */
  operation: string | null;
  status: number;
  /** How long the response took, in milliseconds. */
  duration_ms: number;
  /** The key of the request. */
  key_id: number;
  /** Null once the key is deleted. */
  key_name: string | null;
  /** The `code` of its error; null without one. */
  error_code: string | null;
  /** The reason of the refusal, such as `limit:minute` or `parameter:genre`; null without one. */
  refused_by: string | null;
  /** The dated version of the API that answered, such as `2026-11-20`; null where none did. */
  version: string | null;
}

/** Requests, newest first, and the position after them. */
export interface RequestPage {
  requests: LoggedRequest[];
  /** The position to continue from, as `after` of the next call; null when the whole log was searched. */
  next: string | null;
  /** The time of the oldest request that was searched; null when the whole log was. */
  searched_to: string | null;
}

/** A request with everything that the request log keeps. */
export interface LoggedRequestDetail {
  /** The `X-Request-Id` of the response. */
  id: string;
  /** When it arrived, ISO 8601, UTC, milliseconds. */
  created_at: string;
  method: string;
  /** As called. */
  path: string;
  /** As called, without the question mark and without secrets. */
  query: string;
  /** The operation of the path; null where there is none. */
  operation: string | null;
  status: number;
  /** How long the response took, in milliseconds. */
  duration_ms: number;
  /** The key of the request. */
  key_id: number;
  /** Null once the key is deleted. */
  key_name: string | null;
  /** The `code` of its error; null without one. */
  error_code: string | null;
  /** The reason of the refusal, such as `limit:minute` or `parameter:genre`; null without one. */
  refused_by: string | null;
  /** The dated version of the API that answered, such as `2026-11-20`; null where none did. */
  version: string | null;
  /** The `message` of its error. */
  error_message: string | null;
  /** The `details` of its error, without secrets. */
  error_details: string | null;
  /** Why it was refused or failed, in words. */
  reason: string | null;
  /** The remedy. */
  advice: string | null;
  /** The headers of the request that are kept. Never its key, nor cookies. */
  headers: Record<string, string>;
  /** Empty without one. */
  user_agent: string;
  /** The body as sent, up to 4,000 bytes, without secrets and what may be the number of a card. Null without one. */
  body: string | null;
  /** The IP address of the client. */
  client_address: string;
  /** Whether it was sent from the explorer, which has its own limits. */
  from_explorer: boolean;
  /** The events that it caused, oldest first. */
  event_ids: string[];
}

/** A service of your own, with its own time. */
export interface Sandbox {
  /** 16 letters and digits. */
  id: string;
  /** What it grew from. */
  seed: string;
  /** `demo` or `empty`. */
  catalogue: string;
  /** The time of the sandbox. */
  now: string;
  /** Where it is reached without a key; the API is below `/v1`. */
  base_url: string;
  /** Real time. */
  created_at: string;
  /** Real time: when it is deleted, unless a request reaches it before. */
  expires_at: string;
}

/** What an advance did. */
export interface SandboxAdvance {
  sandbox: Sandbox;
  /** False where the time of a call did not suffice. */
  is_complete: boolean;
  /** What is left, as `by` of the next call. */
  remaining: string;
  /** Orders that simulated buyers placed. */
  orders: number;
  /** Refunds that they wanted. */
  refunds: number;
  /** Disputes that their banks opened. */
  disputes: number;
  /** Payouts to producers that were sent. */
  payouts: number;
}

/** What goes wrong while a sandbox advances. */
export interface SandboxFault {
  /** `down`: receivers of webhooks fail with 503. */
  receiver?: string;
  /** The beginning, after the present time of the sandbox. */
  from?: string;
  /** The end, after the present time of the sandbox. */
  to?: string;
  /** `bounce`: refunds of simulated buyers fail after they were accepted. */
  refunds?: string;
  /** `open`: banks of simulated buyers take payments back. */
  disputes?: string;
  /** `fail`: payouts come back from the banks of producers. */
  payouts?: string;
  /** The share of the orders or payouts that this happens to, from 0 to 1 in hundredths. */
  share?: number;
}

/** An event that was caused, with the ids of what it is about. All of it exists, and stays. */
export interface TestEvent {
  /** The type of the event. */
  type: string;
  /** The order that was placed. */
  order_id?: number;
  /** The license that was upgraded, or whose usage was reported. */
  license_id?: string;
  /** The beat that was made, changed or sold. */
  beat_id?: number;
  /** The upload whose analysis causes the event. */
  upload_id?: string;
  /** The payout to the account. */
  payout_id?: number;
  /** The account that was made or changed. */
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
  /** At most two decimals. */
  amount: number;
  /** ISO 4217. */
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
  /** At most two decimals. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  purchaser_id: number;
  /** The part of `amount` that was paid back so far by refunds and lost disputes. At most two decimals. */
  refunded_amount: number;
  /** When money was last paid back; null if all of it was returned. */
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
  /** At most two decimals. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  purchaser_id: number;
  /** A sentence. */
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
  /** At most two decimals. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  purchaser_id: number;
  /** The license that the new one replaces. */
  replaced_license_id: string;
}

/** The license to buy for more. */
export interface UsageRemedy {
  license_type: string;
  /** What the upgrade costs today. */
  price: number;
  /** ISO 4217. */
  currency: string;
}

/** The usage of a license reached a part of its limit. */
export interface LicenseUsageReached {
  license_id: string;
  order_id: number;
  beat_id: number;
  title: string;
  license_type: string;
  /** The use: the name of its clause. */
  use: CountedUse;
  /** 80 or 100: the percentage of the limit that the usage has reached. */
  percent: number;
  used: number;
  limit: number;
  /** The license with a higher limit; null if none is for sale. */
  remedy: UsageRemedy | null;
}

/** Why a beat could not be published. */
export interface PublishingFailure {
  beat_id: number;
  title: string;
  producer_id: number;
  /** Whether the beat is on sale as it was before; if not, it is a draft, or stays as it was sold. */
  is_on_sale: boolean;
  /** A sentence, as `rejection` of the beat. */
  reason: string;
}

/** A payment of the marketplace to a producer. */
export interface Payout {
  id: number;
  /** At most two decimals. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  status: PayoutStatus;
  /** What receives the money: a bank account, or one at Stripe. */
  destination: PayoutDestination;
  /** Null unless `status` is `failed`. */
  failure_reason: string | null;
  created_at: string;
  sent_at: string | null;
  /** When the payout arrived or failed; null before. */
  settled_at: string | null;
}

/** A beat with its description, tags and licenses; one of your own with its status too. */
export interface BeatDetail extends Beat {
  /** Tempo in beats per minute; 0 only for a draft of one's own whose tempo is not known yet. */
  bpm: number;
  description: string;
  tags: string[];
  licenses: License[];
  /** ISO 8601, UTC, whole seconds. */
  updated_at: string;
  /** The waveform of the whole beat, as JSON of audiowaveform's version 2; null without one. */
  waveform_url?: string | null;
  /** The results of the analysis; null for a recording that was not analysed. */
  analysis?: Analysis | null;
  /** Only for the beat's producer, like all fields below. */
  status?: BeatStatus;
  /** The source of `bpm`; null while it is unknown. */
  bpm_source?: FieldSource | null;
  /** The source of `key`; null while it is unknown. */
  key_source?: FieldSource | null;
  /** What is mixed into the preview: `default`, `none`, or the id of an upload. */
  preview_tag?: string;
  /** Which licenses are sold, and with which limits. */
  license_settings?: LicenseSettings;
  /** Whether the tagged MP3 is free for an address. */
  free_download?: boolean;
  /**
   * The moment of the planned publishing; null without one. It stays until the beat is on sale, or could not be
   * published.
   */
  publish_at?: string | null;
  /** Why the last publishing failed, as a sentence; null if it did not. */
  rejection?: string | null;
}

/** A beat and why it is similar. */
export interface SimilarBeat extends Beat {
  similarity: Similarity;
}

/** A public profile with figures about its beats. */
export interface Producer extends User {
  /** Plays of all beats on sale. */
  play_count: number;
  /** Most used first. */
  genres: GenreName[];
}

/** A playlist with its beats. */
export interface PlaylistDetail extends Playlist {
  beats: Beat[];
}

/** A new sandbox with the only copy of its key. */
export interface CreatedSandbox extends Sandbox {
  /** A key with all permissions. It is shown this once. */
  api_key: string;
  /** Verifies the deliveries to `webhook_url`; null without one, and in a fork, whose secret stays the same. */
  webhook_secret: string | null;
}

/** A beat with its details, and what changed in it. */
export interface BeatUpdated extends Beat {
  description: string;
  tags: string[];
  licenses: License[];
  /** The waveform of the whole beat, as JSON of audiowaveform's version 2; null without one. */
  waveform_url?: string | null;
  /** The results of the analysis; null for a recording that was not analysed. */
  analysis?: Analysis | null;
  /** Whether licenses of it are for sale. */
  available: boolean;
  /** Names of the fields that changed. */
  changed: string[];
}

/** A public profile and what changed in it. */
export interface UserUpdated extends User {
  /** Names of the fields that changed. */
  changed: string[];
}

export interface BeatFields {
  /** The title of the beat. */
  title: string;
  /** A genre of `GET /genres`, by its id or its name. */
  genre: string | number;
  /** The id of an upload of kind `audio`. */
  audio: string;
  /** The price of the basic license in the currency's main unit, at most two decimals. */
  price: number;
  /** Prices of the other licenses. Default: twice, five and twenty times `price`, rounded up to end in 99 cents. */
  license_prices?: LicensePrices | undefined;
  /** Which licenses are sold, and with which limits. Licenses that are not named stay as they are. */
  license_settings?: NewLicenseSettings | undefined;
  /** Whether the tagged MP3 is free for people who confirm an e-mail address, for non-commercial use. */
  free_download?: boolean | undefined;
  /** The tempo. Default: the result of the analysis. */
  bpm?: number | undefined;
  /** The musical key, such as `A minor`, `Am` or `8A`. Default: the result of the analysis. */
  key?: string | undefined;
  description?: string | undefined;
  /**
   * At most 20, each of at most 50 characters and without a comma. Of those that differ by case, accents, spaces or
   * punctuation the first is kept.
   */
  tags?: string | readonly string[] | undefined;
  /** The id of an upload of kind `cover`. */
  cover?: string | undefined;
  /** The id of an upload of kind `stems`. */
  stems?: string | undefined;
  /**
   * What is mixed into the preview every 15 seconds: `default`, the service's own tag; `none`; or the id of an upload
   * of kind `audio`.
   */
  preview_tag?: string | undefined;
  /** The moment to publish the beat at: in the future, within two years. Not together with `status` `published`. */
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
  /** The price of the basic license in the currency's main unit, at most two decimals. */
  price?: number | undefined;
  /** Changes the prices that are named. Null derives all three from `price` again. */
  license_prices?: LicensePrices | null | undefined;
  /** Which licenses are sold, and with which limits. Licenses that are not named stay as they are. */
  license_settings?: NewLicenseSettings | undefined;
  /** Whether the tagged MP3 is free for people who confirm an e-mail address, for non-commercial use. */
  free_download?: boolean | undefined;
  /** Null takes the result of the analysis. */
  bpm?: number | null | undefined;
  /** Null takes the result of the analysis. */
  key?: string | null | undefined;
  description?: string | null | undefined;
  tags?: string | readonly string[] | null | undefined;
  cover?: string | null | undefined;
  stems?: string | null | undefined;
  /**
   * What is mixed into the preview every 15 seconds: `default`, the service's own tag; `none`; or the id of an upload
   * of kind `audio`.
   */
  preview_tag?: string | undefined;
  /** As of a new beat, for a draft or a withdrawn one. Null cancels it. */
  publish_at?: string | Date | null | undefined;
  /**
   * `published` puts a draft or a withdrawn beat on sale; `draft` stops the publishing of a beat that was never on
   * sale.
   */
  status?: NewBeatStatus | undefined;
}

/** Fields to change: an absent field is unchanged, null clears it. */
export interface ProfileFields {
  /** The displayed name. */
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
   * The price that the buyer agreed to, in the currency's main unit. If the license costs another amount today, the
   * order is 409 and nothing is charged.
   */
  expected_amount?: number | undefined;
  /** The currency that the buyer agreed to, ISO 4217. If prices are in another one, the order is 409. */
  currency?: string | undefined;
}

export interface CheckoutRequest {
  /** The licenses to buy by one payment. */
  items: readonly NewCheckoutItem[];
  /** The address for the receipt. Default: the account's. */
  email?: string | undefined;
  /**
   * Where the page sends the buyer after the payment. `{CHECKOUT_ID}` in it becomes the checkout's id. Default: the
   * page itself, with the files.
   */
  success_url?: string | undefined;
  /** Where the page sends a buyer who does not pay. Default: the basket. */
  cancel_url?: string | undefined;
  /** A discount code; upper and lower case are the same. A code that cannot be used is refused with 409. */
  discount_code?: string | undefined;
}

export interface QuoteRequest {
  /** The licenses to buy by one payment. */
  items: readonly NewQuoteItem[];
  /** A discount code; upper and lower case are the same. `rules` says why it does not apply. */
  discount_code?: string | undefined;
  /** The buyer's address, for discounts that are limited for each buyer. Default: the account's. */
  email?: string | undefined;
}

export interface LicenseQuestion {
  /** The use, such as `streams` or `content_id`; the list of uses explains each. */
  use: string;
  /** The total number of streams, copies or videos. Default: 1. */
  quantity?: number | undefined;
  /** The country of the use, by ISO 3166-1, such as `DE`. */
  territory?: string | undefined;
  /** The day of the use, in UTC. Default: today. */
  on?: string | undefined;
}

export interface UsageReportRequest {
  /** The use: the name of its clause. */
  use: CountedUse;
  /** The number in the period. */
  quantity: number;
  /** A month, such as `2027-01`. */
  period: string;
  /** The source of the number, such as the distributor. */
  source: string;
}

export interface UpgradeRequest {
  /** A higher license than the present one; or the same, which renews it. */
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
   * The price that the buyer agreed to, in the currency's main unit. If the license costs another amount today, the
   * order is 409 and nothing is charged.
   */
  expected_amount?: number | undefined;
  /** The currency that the buyer agreed to, ISO 4217. If prices are in another one, the order is 409. */
  currency?: string | undefined;
}

export interface PlaylistFields {
  title: string;
  description?: string | undefined;
  /** `private`: only for the account. `public`: for everyone who has its id. */
  visibility?: PlaylistVisibility | undefined;
  /** Its beats, in order; each once, and on sale. */
  beat_ids?: number | readonly number[] | undefined;
}

/** Fields to change: an absent field is unchanged, null clears it. */
export interface PlaylistChanges {
  title?: string | undefined;
  description?: string | undefined;
  /** `private`: only for the account. `public`: for everyone who has its id. */
  visibility?: PlaylistVisibility | undefined;
  /** Its beats, in order; each once, and on sale. */
  beat_ids?: number | readonly number[] | undefined;
}

export interface SandboxRequest {
  /** What the sandbox grows from: the same seed makes the same ids, beats and buyers. A random one by default. */
  seed?: string | undefined;
  /** Where all events of the sandbox are delivered. */
  webhook_url?: string | undefined;
  /** `demo`: 500 invented beats. `empty`: none. Default: demo. */
  catalogue?: SandboxCatalogue | undefined;
}

export interface SandboxAdvanceRequest {
  /** How far, at most 3,650 days: `P90D`. */
  by: string;
  /** How many orders the simulated buyers place in a day, on average. Default: 0. */
  orders_per_day?: number | undefined;
  /** What goes wrong in that time. */
  faults?: readonly SandboxFault[] | undefined;
}

export interface TestEventRequest {
  /** The type of the event to cause. */
  type: EventType;
}

export interface ListBeatsQuery {
  /** Page number, from 1. Default 1. */
  page?: number | null | undefined;
  /** Results per page. 1 to 100, default 20. */
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
  /** Percent by which a beat may differ from `bpm`. Default: 0. 0 to 50. */
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
  /** Only beats of this `price` or more. */
  price_min?: number | null | undefined;
  /** Only beats of this `price` or less. */
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
  /** Only beats of which one of these licenses is available. */
  license?: LicenseType | readonly LicenseType[] | null | undefined;
  /** Order of the list. The id is the last key of every order, so pages never overlap. Default newest. */
  sort?: BeatSort | null | undefined;
  /** The properties to count beats by. Counts are exact and apply all filters except those on the same property. */
  facets?: FacetName | readonly FacetName[] | null | undefined;
  /**
   * Ids of beats: returns these beats in this order, with all details, sold ones too. It can be combined with `fields`
   * only.
   */
  ids?: number | readonly number[] | null | undefined;
  /**
   * The fields to return of each object, by their names in the requested form; those of a single beat included. The
   * schemas of responses describe whole objects.
   */
  fields?: string | readonly string[] | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListSimilarBeatsQuery {
  /** Number of similar beats. 1 to 20, default 5. */
  limit?: number | null | undefined;
}

export interface ListOwnBeatsQuery {
  /** Page number, from 1. Default 1. */
  page?: number | null | undefined;
  /** Results per page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Only beats with this status. */
  status?: BeatStatus | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListProducersQuery {
  /** Page number, from 1. Default 1. */
  page?: number | null | undefined;
  /** Results per page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Order of the list. The id is the last key of every order, so pages never overlap. Default popular. */
  sort?: ProducerSort | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface SearchQuery {
  /** The types to search. Default all. */
  type?: SearchType | null | undefined;
  /** Page number, from 1. Default 1. */
  page?: number | null | undefined;
  /** Results per page: up to as many beats, and up to as many producers. 1 to 50, default 20. */
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
  /** Percent by which a beat may differ from `bpm`. Default: 0. 0 to 50. */
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
  /** Only beats of this `price` or more. */
  price_min?: number | null | undefined;
  /** Only beats of this `price` or less. */
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
  /** Only beats of which one of these licenses is available. */
  license?: LicenseType | readonly LicenseType[] | null | undefined;
  /** Order of the beats. Default relevance. */
  sort?: SearchSort | null | undefined;
  /** The properties to count beats by. Counts are exact and apply all filters except those on the same property. */
  facets?: FacetName | readonly FacetName[] | null | undefined;
  /**
   * The fields to return of each object, by their names in the requested form; those of a single beat included. The
   * schemas of responses describe whole objects.
   */
  fields?: string | readonly string[] | null | undefined;
  /** Whether tempos, keys and prices in `q` become filters; with false, they are words like any other. Default true. */
  interpret?: boolean | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListOrdersQuery {
  /** Page number, from 1. Default 1. */
  page?: number | null | undefined;
  /** Results per page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Only orders in this state. */
  status?: OrderStatus | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListSalesQuery {
  /** Page number, from 1. Default 1. */
  page?: number | null | undefined;
  /** Results per page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Only sales completed at this time or later, ISO 8601. A date alone is its first moment, UTC. */
  from?: string | Date | null | undefined;
  /** Only sales completed before this time, ISO 8601. A date alone is its first moment, UTC. */
  to?: string | Date | null | undefined;
  /** Only sales of this beat. */
  beat?: number | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListFavoritesQuery {
  /** Page number, from 1. Default 1. */
  page?: number | null | undefined;
  /** Results per page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListFollowingQuery {
  /** Page number, from 1. Default 1. */
  page?: number | null | undefined;
  /** Results per page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListPlaylistsQuery {
  /** Page number, from 1. Default 1. */
  page?: number | null | undefined;
  /** Results per page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListUploadsQuery {
  /** Page number, from 1. Default 1. */
  page?: number | null | undefined;
  /** Results per page. 1 to 100, default 20. */
  limit?: number | null | undefined;
  /** Limits the items of all pages together. */
  maxItems?: number | undefined;
}

export interface ListChangesQuery {
  /**
   * Only changes after this position: the `next` of the last response, or the `X-Change-Position` of an export. Without
   * it, from the oldest change that is kept.
   */
  after?: number | null | undefined;
  /** Changes per response. 1 to 1000, default 100. */
  limit?: number | null | undefined;
  /**
   * Seconds to wait for the first change when there is none. The response comes as soon as there is one. 0 to 30,
   * default 0.
   */
  wait?: number | null | undefined;
}

export interface ListEventsQuery {
  /**
   * Only events after this position: the `next` of the last response. Without it, from the oldest event that is kept.
   */
  after?: number | null | undefined;
  /**
   * Only events of these types, separated by commas: beat.created, beat.updated, beat.withdrawn, beat.taken_down,
   * beat.sold_exclusively, beat.purchased, order.refunded, order.failed, license.upgraded, license.usage, upload.ready,
   * upload.rejected, beat.publishing_failed, payout.sent, payout.paid, payout.failed, user.registered, user.updated.
   * Default: all types, including later ones.
   */
  type?: string | null | undefined;
  /** Events per response. 1 to 1000, default 100. */
  limit?: number | null | undefined;
  /**
   * Seconds to wait for the first event when there is none. The response comes as soon as there is one. 0 to 30,
   * default 0.
   */
  wait?: number | null | undefined;
}

export interface ListRequestsQuery {
  /** Only requests from this time on, ISO 8601. A date alone is its first moment, UTC. */
  from?: string | Date | null | undefined;
  /** Only requests before this time, ISO 8601. A date alone is its first moment, UTC. */
  to?: string | Date | null | undefined;
  /** Only requests whose status begins with this digit. */
  status_class?: StatusClass | null | undefined;
  /** Only requests with this status. 100 to 599. */
  status?: number | null | undefined;
  /** Only requests with this method, such as `GET`. */
  method?: string | null | undefined;
  /** Only requests of this operation; `none` for paths outside of the API. */
  operation_id?: string | null | undefined;
  /** Only requests made with this key. */
  key?: number | null | undefined;
  /** Only the request with this id: the `X-Request-Id` of its response. */
  request_id?: string | null | undefined;
  /** Only requests with this text in path, query, error details, request id or user agent. */
  text?: string | null | undefined;
  /** Only requests after this position: the `next` of the last response. */
  after?: string | null | undefined;
  /** Requests per response. 1 to 100, default 50. */
  limit?: number | null | undefined;
}

interface EventOf<Type extends string, Data> {
  /** The same for every delivery of the event: what duplicates are recognised by. */
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
 * An event of a type that is newer than this version of the client: the `default` of a `switch` over `type`. Its `type` is
 * another text than this one, which lets the known types narrow.
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
