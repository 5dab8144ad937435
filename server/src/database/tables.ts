// The tables as Kysely sees them. Generated from the migrations by `npm run schema`; do not edit.
import type { ColumnType, GeneratedAlways } from "kysely";

export interface AccountVersionsTable {
  user_id: number;
  version: string;
  pinned_at: ColumnType<Date, Date | string, Date | string>;
}

export interface ApiKeysTable {
  id: GeneratedAlways<number>;
  user_id: number;
  name: string;
  sha256: Buffer;
  ends_with: string;
  plan: string;
  permissions: string[];
  created_at: ColumnType<Date, Date | string | undefined, Date | string>;
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  revoked_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  last_used_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  created_by: number | null;
  replaced_by: number | null;
  spending_cap_cents: number | null;
  allowed_networks: ColumnType<string[], string[] | undefined, string[]>;
  api_version: string | null;
}

export interface AuditEntriesTable {
  id: GeneratedAlways<number>;
  user_id: number;
  time: ColumnType<Date, Date | string, Date | string>;
  action: string;
  subject: ColumnType<string, string | undefined, string>;
  client_address: string | null;
  user_agent: string | null;
  operator_id: number | null;
  person_id: number | null;
}

export interface BackupVaultsTable {
  place: string;
  id: string;
  claimed_at: ColumnType<Date, Date | string | undefined, Date | string>;
}

export interface BasketItemsTable {
  user_id: number;
  beat_id: number;
  license_type: string;
  seen_cents: number;
  added_at: ColumnType<Date, Date | string, Date | string>;
  upgrades_license: string | null;
}

export interface BeatFilesTable {
  beat_id: number;
  name: string;
  sha256: string;
  bytes: number;
  content_type: string;
}

export interface BeatPlaysTable {
  beat_id: number;
  day: ColumnType<Date, Date | string, Date | string>;
  plays: number;
}

export interface BeatProductionsTable {
  beat_id: number;
  stage: ColumnType<string, string | undefined, string>;
  version: ColumnType<number, number | undefined, number>;
  audio_upload_id: string | null;
  cover_upload_id: string | null;
  stems_upload_id: string | null;
  preview_tag: ColumnType<string, string | undefined, string>;
  bpm_source: string | null;
  key_source: string | null;
  analysis: unknown | null;
  rejection: string | null;
  published_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  idempotency_run: string | null;
  publish_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  changed_by_run: string | null;
}

export interface BeatReportsTable {
  id: GeneratedAlways<number>;
  beat_id: number;
  reason: string;
  details: string | null;
  email: string | null;
  state: ColumnType<string, string | undefined, string>;
  created_at: ColumnType<Date, Date | string, Date | string>;
  noticed_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  counter_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
  counter: string | null;
  countered_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  decide_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
  decision: string | null;
  decided_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  language: string | null;
}

export interface BeatSharesTable {
  id: GeneratedAlways<number>;
  beat_id: number;
  user_id: number | null;
  email: string | null;
  basis_points: number;
  invited_at: ColumnType<Date, Date | string, Date | string>;
  accepted_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  declined_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface BeatsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  genre_id: number;
  title: string;
  description: ColumnType<string, string | undefined, string>;
  tags: ColumnType<string[], string[] | undefined, string[]>;
  tempo: number;
  key: ColumnType<string, string | undefined, string>;
  key_code: ColumnType<number, number | undefined, number>;
  duration_seconds: ColumnType<number, number | undefined, number>;
  price_cents: number;
  premium_price_cents: number;
  unlimited_price_cents: number;
  exclusive_price_cents: number;
  is_listed: ColumnType<boolean, boolean | undefined, boolean>;
  audio_url: string | null;
  cover_image: string | null;
  play_count: ColumnType<number, number | undefined, number>;
  download_count: ColumnType<number, number | undefined, number>;
  popularity: ColumnType<number, number | undefined, number>;
  popularity_key: GeneratedAlways<number>;
  source: string | null;
  external_id: string | null;
  created_at: ColumnType<Date, Date | string | undefined, Date | string>;
  updated_at: ColumnType<Date, Date | string | undefined, Date | string>;
  exclusive_state: ColumnType<string, string | undefined, string>;
  exclusive_order_id: number | null;
  exclusive_held_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
  is_suspended: ColumnType<boolean, boolean | undefined, boolean>;
  unsold_licenses: ColumnType<string[], string[] | undefined, string[]>;
  license_limits: ColumnType<unknown, unknown | undefined, unknown>;
  has_free_download: ColumnType<boolean, boolean | undefined, boolean>;
  is_taken_down: ColumnType<boolean, boolean | undefined, boolean>;
}

export interface BillingDetailsTable {
  user_id: number;
  name: string;
  address: string[];
  country: string | null;
  vat_id: string | null;
  updated_at: ColumnType<Date, Date | string, Date | string>;
}

export interface CatalogueChangesTable {
  id: GeneratedAlways<number>;
  position: number | null;
  subject: string;
  type: string;
  ids: number[];
  count: GeneratedAlways<number>;
  changed_at: ColumnType<Date, Date | string | undefined, Date | string>;
}

export interface CheckoutItemsTable {
  checkout_id: number;
  position: number;
  beat_id: number;
  license_type: string;
  amount_cents: number;
  title: string;
  producer_name: string;
  order_id: number;
  license_limits: unknown | null;
  discount_cents: ColumnType<number, number | undefined, number>;
  upgrades_license: string | null;
  credit_cents: ColumnType<number, number | undefined, number>;
}

export interface CheckoutsTable {
  id: GeneratedAlways<number>;
  user_id: number | null;
  email: string | null;
  buyer_name: string | null;
  payment_key: string;
  status: ColumnType<string, string | undefined, string>;
  amount_cents: number;
  currency: string;
  payment_provider: string;
  page_reference: string | null;
  url: string | null;
  success_url: string | null;
  cancel_url: string | null;
  terms_version: string;
  failure_reason: string | null;
  idempotency_run: string | null;
  request_id: string | null;
  trace_context: string | null;
  created_at: ColumnType<Date, Date | string, Date | string>;
  expires_at: ColumnType<Date, Date | string, Date | string>;
  asked_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  finished_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  time_zone: string | null;
  billing: unknown | null;
  language: string | null;
}

export interface DeviceLoginsTable {
  code_sha256: Buffer;
  user_code: string;
  name: string;
  permissions: string[];
  client_address: string;
  expires_at: ColumnType<Date, Date | string, Date | string>;
  polled_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  is_denied: ColumnType<boolean, boolean | undefined, boolean>;
  api_key_id: number | null;
}

export interface DiscountUsesTable {
  checkout_id: number;
  discount_id: number;
  amount_cents: number;
  used_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface DiscountsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  name: string;
  code: string | null;
  kind: string;
  percent: number | null;
  amount_cents: number | null;
  pack_size: number | null;
  pack_paid: number | null;
  valid_from: ColumnType<Date | null, Date | string | null, Date | string | null>;
  valid_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
  max_uses: number | null;
  max_uses_per_buyer: number | null;
  beat_ids: number[] | null;
  license_types: string[] | null;
  uses_count: ColumnType<number, number | undefined, number>;
  created_at: ColumnType<Date, Date | string, Date | string>;
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface DisputesTable {
  reference: string;
  order_id: number;
  amount_cents: number;
  reason: string;
  status: string;
  is_withdrawn: ColumnType<boolean, boolean | undefined, boolean>;
  opened_at: ColumnType<Date, Date | string, Date | string>;
  closed_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface EventBatchesTable {
  id: GeneratedAlways<number>;
  event_ids: string[];
}

export interface EventFeedEntriesTable {
  feed: number;
  type: string;
  position: number;
  event_id: string;
}

export interface EventFeedsTable {
  feed: number;
  type: string;
  horizon: ColumnType<number, number | undefined, number>;
}

export interface EventsTable {
  id: string;
  type: string;
  created_at: ColumnType<Date, Date | string, Date | string>;
  payload: string;
  audience: number[] | null;
  request_id: string | null;
  trace_context: string | null;
}

export interface ExportTakesTable {
  api_key_id: number;
  taken_at: ColumnType<Date, Date | string, Date | string>;
  tag: string | null;
}

export interface FavoritesTable {
  user_id: number;
  beat_id: number;
  created_at: ColumnType<Date, Date | string, Date | string>;
}

export interface FollowsTable {
  user_id: number;
  producer_id: number;
  created_at: ColumnType<Date, Date | string, Date | string>;
}

export interface FreeDownloadsTable {
  id: GeneratedAlways<number>;
  token: string;
  beat_id: number;
  producer_id: number;
  email: string;
  user_id: number | null;
  consent: string;
  requested_at: ColumnType<Date, Date | string, Date | string>;
  confirmed_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  withdrawn_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface GenresTable {
  id: GeneratedAlways<number>;
  name: string;
  slug: string;
  beats_count: ColumnType<number, number | undefined, number>;
}

export interface IdempotencyKeysTable {
  user_id: number;
  key: string;
  run: string;
  fingerprint: Buffer;
  leased_until: ColumnType<Date, Date | string, Date | string>;
  answer: string | null;
  created_at: ColumnType<Date, Date | string, Date | string>;
}

export interface ImportRunsTable {
  id: GeneratedAlways<number>;
  state: string;
  file: string;
  mapping: string;
  started_at: ColumnType<Date, Date | string, Date | string>;
  progressed_at: ColumnType<Date, Date | string, Date | string>;
  ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  read_rows: ColumnType<number, number | undefined, number>;
  created: ColumnType<number, number | undefined, number>;
  updated: ColumnType<number, number | undefined, number>;
  unchanged: ColumnType<number, number | undefined, number>;
  rejected: ColumnType<number, number | undefined, number>;
  read_bytes: ColumnType<number, number | undefined, number>;
  size_bytes: number | null;
  reasons: ColumnType<unknown, unknown | undefined, unknown>;
  rejects: ColumnType<string, string | undefined, string>;
  error: string | null;
}

export interface InvoiceNumbersTable {
  kind: string;
  year: number;
  last: number;
}

export interface InvoicesTable {
  id: GeneratedAlways<number>;
  kind: string;
  year: number;
  number: number;
  order_id: number;
  amount_cents: number;
  tax_cents: number;
  currency: string;
  corrects_id: number | null;
  facts: unknown;
  issued_at: ColumnType<Date, Date | string, Date | string>;
}

export interface LedgerComparisonsTable {
  provider: string;
  day: ColumnType<Date, Date | string, Date | string>;
  differences: number;
  compared_at: ColumnType<Date, Date | string, Date | string>;
}

export interface LedgerEntriesTable {
  transaction_id: number;
  account: string;
  amount_cents: number;
  currency: string;
}

export interface LedgerTransactionsTable {
  id: GeneratedAlways<number>;
  kind: string;
  source: string;
  order_id: number | null;
  at: ColumnType<Date, Date | string, Date | string>;
}

export interface LibrariesTable {
  id: GeneratedAlways<number>;
  email: string;
  created_at: ColumnType<Date, Date | string, Date | string>;
  links_ended_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface LicenseDefaultsTable {
  user_id: number;
  unsold_licenses: string[];
  license_limits: unknown;
  has_free_download: boolean;
  updated_at: ColumnType<Date, Date | string, Date | string>;
  price_cents: number | null;
  premium_price_cents: number | null;
  unlimited_price_cents: number | null;
  exclusive_price_cents: number | null;
  genre_id: number | null;
  tags: ColumnType<string[], string[] | undefined, string[]>;
  preview_tag: ColumnType<string, string | undefined, string>;
}

export interface LicenseLogTable {
  index: number;
  kind: string;
  beat_id: number | null;
  order_id: number | null;
  at: ColumnType<Date, Date | string, Date | string>;
  salt: Buffer;
  entry: Buffer | null;
}

export interface LicenseLogBatchesTable {
  id: GeneratedAlways<number>;
  order_ids: number[];
}

export interface LicenseLogPublishedTable {
  origin: string;
  size: number;
}

export interface LicenseTermsTable {
  version: string;
  license_type: string;
  title: string;
  text: string;
  recorded_at: ColumnType<Date, Date | string, Date | string>;
  template: string | null;
  limits: unknown | null;
  clauses: unknown | null;
}

export interface LicenseUsageTable {
  license_id: string;
  use: string;
  period: string;
  source: string;
  quantity: number;
  reported_at: ColumnType<Date, Date | string, Date | string>;
}

export interface LicenseUsageLevelsTable {
  license_id: string;
  use: string;
  percent: number;
  reached_at: ColumnType<Date, Date | string, Date | string>;
  stands: boolean;
}

export interface LicensesTable {
  id: ColumnType<string, string | undefined, string>;
  order_id: number;
  jws: string;
  pdf_sha256: string;
  pdf_bytes: number;
  issued_at: ColumnType<Date, Date | string, Date | string>;
  status_index: ColumnType<number, number | undefined, number>;
}

export interface LimitRequestsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  person_id: number;
  api_key_id: number;
  plan: string;
  reason: string | null;
  state: ColumnType<string, string | undefined, string>;
  created_at: ColumnType<Date, Date | string, Date | string>;
  response: string | null;
  answered_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface MediaJobsTable {
  id: GeneratedAlways<number>;
  kind: string;
  subject: string;
  user_id: number | null;
  priority: ColumnType<number, number | undefined, number>;
  turn: ColumnType<number, number | undefined, number>;
  revision: ColumnType<number, number | undefined, number>;
  attempts: ColumnType<number, number | undefined, number>;
  run_at: ColumnType<Date, Date | string, Date | string>;
  lease: string | null;
  leased_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
  last_error: string | null;
}

export interface ObjectDeletionsTable {
  sha256: string;
  leased_until: ColumnType<Date, Date | string, Date | string>;
}

export interface OrderCountsTable {
  user_id: number;
  status: string;
  count: number;
}

export interface OrderDownloadsTable {
  order_id: number;
  kind: string;
  downloaded_at: ColumnType<Date, Date | string, Date | string>;
}

export interface OrderMessagesTable {
  id: GeneratedAlways<number>;
  order_id: number;
  author: string;
  text: string | null;
  created_at: ColumnType<Date, Date | string, Date | string>;
}

export interface OrderSharesTable {
  order_id: number;
  user_id: number;
  basis_points: number;
}

export interface OrdersTable {
  id: GeneratedAlways<number>;
  user_id: number;
  beat_id: number;
  title: string;
  producer_id: number;
  producer_name: string;
  license_type: string;
  amount_cents: number;
  currency: string;
  status: ColumnType<string, string | undefined, string>;
  failure_reason: string | null;
  payment_method: string;
  payment_provider: string;
  payment_key: string;
  payment_reference: string | null;
  refund: string | null;
  idempotency_run: string | null;
  tallied: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: ColumnType<Date, Date | string, Date | string>;
  completed_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  request_id: string | null;
  buyer_name: string | null;
  master_sha256: string | null;
  stems_sha256: string | null;
  terms_version: string | null;
  client_secret: string | null;
  awaits_buyer: ColumnType<boolean, boolean | undefined, boolean>;
  refunded_cents: ColumnType<number, number | undefined, number>;
  refunded_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  trace_context: string | null;
  is_master_lossy: ColumnType<boolean, boolean | undefined, boolean>;
  failed_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  checkout_key: string | null;
  license_limits: unknown | null;
  api_key_id: number | null;
  commission_basis_points: ColumnType<number, number | undefined, number>;
  upgrades_license: string | null;
  list_prices: number[] | null;
}

export interface OrdersToTallyTable {
  order_id: number;
  user_id: number;
  producer_id: number;
  beat_id: number;
  status: string;
  completed_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface OrganisationInvitationsTable {
  id: GeneratedAlways<number>;
  organisation_id: number;
  email: string;
  role: string;
  token_sha256: Buffer;
  created_at: ColumnType<Date, Date | string, Date | string>;
  expires_at: ColumnType<Date, Date | string, Date | string>;
  accepted_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  revoked_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  invited_by: number | null;
}

export interface OrganisationMembersTable {
  organisation_id: number;
  user_id: number;
  role: string;
  created_at: ColumnType<Date, Date | string, Date | string>;
}

export interface OutgoingMailsTable {
  id: string;
  user_id: number | null;
  recipient: string;
  template: string;
  facts: unknown;
  created_at: ColumnType<Date, Date | string, Date | string>;
  due_at: ColumnType<Date, Date | string, Date | string>;
  attempts: ColumnType<number, number | undefined, number>;
  leased_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
  sent_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  failed_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  last_error: string | null;
  language: string | null;
  first_attempt_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface PayoutAccountsTable {
  user_id: number;
  holder: string | null;
  iban: string | null;
  stripe_account: string | null;
  blocked_reason: string | null;
  updated_at: ColumnType<Date, Date | string, Date | string>;
}

export interface PayoutRunsTable {
  id: GeneratedAlways<number>;
  method: string;
  currency: string;
  cleared_before: ColumnType<Date, Date | string, Date | string>;
  only_user_id: number | null;
  collected_to: ColumnType<number, number | undefined, number>;
  created_at: ColumnType<Date, Date | string, Date | string>;
  collected_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  finished_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface PayoutsTable {
  id: GeneratedAlways<number>;
  run_id: number;
  user_id: number;
  amount_cents: number;
  currency: string;
  holder: string | null;
  iban: string | null;
  stripe_account: string | null;
  status: ColumnType<string, string | undefined, string>;
  refusals: ColumnType<number, number | undefined, number>;
  reference: string | null;
  failure_reason: string | null;
  created_at: ColumnType<Date, Date | string, Date | string>;
  sent_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  settled_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface PlaylistBeatsTable {
  playlist_id: string;
  beat_id: number;
  position: number;
}

export interface PlaylistsTable {
  id: string;
  user_id: number;
  title: string;
  description: string;
  visibility: string;
  idempotency_run: string | null;
  created_at: ColumnType<Date, Date | string, Date | string>;
  updated_at: ColumnType<Date, Date | string, Date | string>;
}

export interface PortalAttemptsTable {
  subject: string;
  count: number;
  window_ends_at: ColumnType<Date, Date | string, Date | string>;
}

export interface PortalAuthenticatorsTable {
  account_id: string;
  secret: string;
  last_step: number;
  created_at: ColumnType<Date, Date | string, Date | string>;
}

export interface PortalCredentialsTable {
  id: string;
  user_id: string;
  account_id: string;
  provider_id: string;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  refresh_token_expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  scope: string | null;
  password: string | null;
  created_at: ColumnType<Date, Date | string, Date | string>;
  updated_at: ColumnType<Date, Date | string, Date | string>;
}

export interface PortalMailLinksTable {
  token_sha256: Buffer;
  purpose: string;
  email: string;
  name: string | null;
  password_hash: string | null;
  created_at: ColumnType<Date, Date | string, Date | string>;
  expires_at: ColumnType<Date, Date | string, Date | string>;
  account_id: string | null;
  basket: string | null;
}

export interface PortalPasskeysTable {
  id: GeneratedAlways<number>;
  account_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  is_synced: boolean;
  created_at: ColumnType<Date, Date | string, Date | string>;
  last_used_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface PortalRecoveryCodesTable {
  account_id: string;
  sha256: Buffer;
}

export interface PortalSessionsTable {
  id: string;
  user_id: string;
  token: string;
  expires_at: ColumnType<Date, Date | string, Date | string>;
  ip_address: string | null;
  user_agent: string | null;
  created_at: ColumnType<Date, Date | string, Date | string>;
  updated_at: ColumnType<Date, Date | string, Date | string>;
  new_device: ColumnType<boolean, boolean | undefined, boolean>;
  acting_as: number | null;
  second_factor: ColumnType<boolean, boolean | undefined, boolean>;
}

export interface PortalUsersTable {
  id: string;
  user_id: number;
  name: string;
  email: string;
  email_verified: boolean;
  image: string | null;
  created_at: ColumnType<Date, Date | string, Date | string>;
  updated_at: ColumnType<Date, Date | string, Date | string>;
}

export interface ProducerClaimsTable {
  id: GeneratedAlways<number>;
  producer_id: number;
  email: string;
  token_sha256: Buffer;
  created_at: ColumnType<Date, Date | string, Date | string>;
  expires_at: ColumnType<Date, Date | string, Date | string>;
  proven_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  user_id: number | null;
}

export interface ProducerCountsTable {
  user_id: number;
  beats_count: ColumnType<number, number | undefined, number>;
  play_count: ColumnType<number, number | undefined, number>;
  popularity_key: ColumnType<number, number | undefined, number>;
}

export interface ProfilePicturesTable {
  user_id: number;
  sha256: string;
  bytes: number;
  created_at: ColumnType<Date, Date | string, Date | string>;
}

export interface RefundRequestsTable {
  id: GeneratedAlways<number>;
  order_id: number;
  reason: string;
  details: string | null;
  state: ColumnType<string, string | undefined, string>;
  created_at: ColumnType<Date, Date | string, Date | string>;
  response: string | null;
  answered_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface RefundsTable {
  id: GeneratedAlways<number>;
  order_id: number;
  amount_cents: number;
  status: ColumnType<string, string | undefined, string>;
  origin: string;
  reference: string | null;
  attempts: ColumnType<number, number | undefined, number>;
  asked_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  failure_reason: string | null;
  created_at: ColumnType<Date, Date | string, Date | string>;
  settled_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  idempotency_run: string | null;
}

export interface RenditionsTable {
  master_sha256: string;
  kind: string;
  sha256: string;
  bytes: number;
  content_type: string;
}

export interface RequestLogBlocksTable {
  id: GeneratedAlways<number>;
  api_key_id: number | null;
  user_id: number | null;
  from_explorer: boolean;
  first_at: ColumnType<Date, Date | string, Date | string>;
  last_at: ColumnType<Date, Date | string, Date | string>;
  calls: number;
  refused: number;
  content: Buffer;
  admitted_times: Buffer | null;
}

export interface RequestLogDaysTable {
  day: ColumnType<Date, Date | string, Date | string>;
  anonymous: boolean;
  bytes: number;
}

export interface RequestRollupsTable {
  user_id: number;
  seconds: number;
  start: ColumnType<Date, Date | string, Date | string>;
  api_key_id: number;
  operation: string;
  status: number;
  refused_by: string;
  duration_span: number;
  calls: number;
  from_explorer: ColumnType<boolean, boolean | undefined, boolean>;
}

export interface SalesCountsTable {
  producer_id: number;
  day: ColumnType<Date, Date | string, Date | string>;
  sales: number;
}

export interface SandboxCheckoutsTable {
  checkout_key: string;
  amount_cents: number;
  currency: string;
  status: string;
  payment_method: string | null;
  failure_reason: string | null;
  paid_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  created_at: ColumnType<Date, Date | string, Date | string>;
}

export interface SandboxPaymentsTable {
  order_id: number;
  amount_cents: number;
  currency: string;
  payment_method: string;
  status: string;
  failure_reason: string | null;
  refunded: ColumnType<boolean, boolean | undefined, boolean>;
}

export interface SandboxRefundsTable {
  id: GeneratedAlways<number>;
  order_id: number;
  key: string;
  amount_cents: number;
  status: string;
  created_at: ColumnType<Date, Date | string | undefined, Date | string>;
}

export interface SandboxesTable {
  id: string;
  user_id: number;
  kind: string;
  seed: string;
  catalogue: string;
  created_at: ColumnType<Date, Date | string, Date | string>;
  used_at: ColumnType<Date, Date | string, Date | string>;
  deleted_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface SavedViewsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  name: string;
  query: string;
  created_at: ColumnType<Date, Date | string, Date | string>;
  person_id: number | null;
}

export interface SealingKeyTable {
  only_row: ColumnType<boolean, boolean | undefined, boolean>;
  id: string | null;
  format: number;
}

export interface SigningKeysTable {
  kid: string;
  public_jwk: unknown;
  private_key: string;
  created_at: ColumnType<Date, Date | string, Date | string>;
  purpose: ColumnType<string, string | undefined, string>;
}

export interface StorageIdentityTable {
  only_row: ColumnType<boolean, boolean | undefined, boolean>;
  id: string;
  place: string;
  is_written: ColumnType<boolean, boolean | undefined, boolean>;
}

export interface StoredObjectsTable {
  sha256: string;
  bytes: number;
  state: ColumnType<string, string | undefined, string>;
  touched_at: ColumnType<Date, Date | string, Date | string>;
  crc32: number | null;
}

export interface TakedownsTable {
  id: GeneratedAlways<number>;
  beat_id: number;
  reason: string;
  withdraws_files: boolean;
  taken_down_at: ColumnType<Date, Date | string, Date | string>;
  answer: string | null;
  answered_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  restored_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface TaxRatesTable {
  country: string;
  name: string;
  basis_points: number;
  valid_from: ColumnType<Date, Date | string, Date | string>;
  valid_to: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface UploadFilesTable {
  upload_id: string;
  name: string;
  sha256: string;
  bytes: number;
  content_type: string;
}

export interface UploadPartsTable {
  upload_id: string;
  first_byte: number;
  sha256: string;
  bytes: number;
}

export interface UploadsTable {
  id: string;
  user_id: number;
  kind: string;
  filename: string;
  bytes: number;
  received: ColumnType<number, number | undefined, number>;
  status: ColumnType<string, string | undefined, string>;
  rejection: string | null;
  is_retriable: ColumnType<boolean, boolean | undefined, boolean>;
  analysis: unknown | null;
  used_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  created_at: ColumnType<Date, Date | string, Date | string>;
  expires_at: ColumnType<Date, Date | string, Date | string>;
}

export interface UsersTable {
  id: GeneratedAlways<number>;
  username: string;
  email: string | null;
  display_name: string;
  bio: string | null;
  location: string | null;
  website: string | null;
  avatar_url: string | null;
  is_producer: ColumnType<boolean, boolean | undefined, boolean>;
  import_name: string | null;
  created_at: ColumnType<Date, Date | string | undefined, Date | string>;
  updated_at: ColumnType<Date, Date | string | undefined, Date | string>;
  marketplace: ColumnType<boolean, boolean | undefined, boolean>;
  joined_user_id: number | null;
  operator: ColumnType<boolean, boolean | undefined, boolean>;
  suspended_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  suspension_reason: string | null;
  organisation: ColumnType<boolean, boolean | undefined, boolean>;
  sale_mails: ColumnType<boolean, boolean | undefined, boolean>;
  time_zone: string | null;
  beats_stay_listed: ColumnType<boolean, boolean | undefined, boolean>;
  commission_basis_points: number | null;
  embed_origins: ColumnType<string[], string[] | undefined, string[]>;
  links: ColumnType<string[], string[] | undefined, string[]>;
  language: string | null;
}

export interface WebhookAttemptsTable {
  id: GeneratedAlways<number>;
  delivery_id: number;
  attempted_at: ColumnType<Date, Date | string, Date | string>;
  status: number | null;
  duration_ms: number;
  error: string | null;
  answer: string;
}

export interface WebhookDeliveriesTable {
  id: GeneratedAlways<number>;
  endpoint_id: number;
  event_id: string;
  state: string;
  attempts: ColumnType<number, number | undefined, number>;
  next_attempt_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  lease: string | null;
  leased_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
  ordered: boolean;
  created_at: ColumnType<Date, Date | string, Date | string>;
  type: ColumnType<string, string | undefined, string>;
}

export interface WebhookEndpointsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  url: string;
  event_types: string[] | null;
  description: ColumnType<string, string | undefined, string>;
  kind: ColumnType<string, string | undefined, string>;
  listener_seen_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  secret: string;
  previous_secret: string | null;
  previous_secret_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
  ordered: ColumnType<boolean, boolean | undefined, boolean>;
  state: ColumnType<string, string | undefined, string>;
  disabled_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  disabled_reason: string | null;
  failing_since: ColumnType<Date | null, Date | string | null, Date | string | null>;
  consecutive_failures: ColumnType<number, number | undefined, number>;
  last_error: string | null;
  last_success_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  concurrency: ColumnType<number, number | undefined, number>;
  resume_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  mail_due: string | null;
  failing_mail_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  created_at: ColumnType<Date, Date | string, Date | string>;
  last_failure_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  mail_leased_until: ColumnType<Date | null, Date | string | null, Date | string | null>;
  replayed: ColumnType<number, number | undefined, number>;
  replay_window_ends_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  created_by: number | null;
  url_set_by: number | null;
  url_set_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  api_version: ColumnType<string, string | undefined, string>;
  access_key_id: string | null;
  secret_access_key: string | null;
}

export interface WebhookReceiptsTable {
  id: GeneratedAlways<number>;
  endpoint_id: number;
  delivery_id: number;
  received_at: ColumnType<Date, Date | string, Date | string>;
  headers: unknown;
  body: string;
  computed_signature: string;
  secret_end: string;
  verified: boolean;
}

export interface Tables {
  account_versions: AccountVersionsTable;
  api_keys: ApiKeysTable;
  audit_entries: AuditEntriesTable;
  backup_vaults: BackupVaultsTable;
  basket_items: BasketItemsTable;
  beat_files: BeatFilesTable;
  beat_plays: BeatPlaysTable;
  beat_productions: BeatProductionsTable;
  beat_reports: BeatReportsTable;
  beat_shares: BeatSharesTable;
  beats: BeatsTable;
  billing_details: BillingDetailsTable;
  catalogue_changes: CatalogueChangesTable;
  checkout_items: CheckoutItemsTable;
  checkouts: CheckoutsTable;
  device_logins: DeviceLoginsTable;
  discount_uses: DiscountUsesTable;
  discounts: DiscountsTable;
  disputes: DisputesTable;
  event_batches: EventBatchesTable;
  event_feed_entries: EventFeedEntriesTable;
  event_feeds: EventFeedsTable;
  events: EventsTable;
  export_takes: ExportTakesTable;
  favorites: FavoritesTable;
  follows: FollowsTable;
  free_downloads: FreeDownloadsTable;
  genres: GenresTable;
  idempotency_keys: IdempotencyKeysTable;
  import_runs: ImportRunsTable;
  invoice_numbers: InvoiceNumbersTable;
  invoices: InvoicesTable;
  ledger_comparisons: LedgerComparisonsTable;
  ledger_entries: LedgerEntriesTable;
  ledger_transactions: LedgerTransactionsTable;
  libraries: LibrariesTable;
  license_defaults: LicenseDefaultsTable;
  license_log: LicenseLogTable;
  license_log_batches: LicenseLogBatchesTable;
  license_log_published: LicenseLogPublishedTable;
  license_terms: LicenseTermsTable;
  license_usage: LicenseUsageTable;
  license_usage_levels: LicenseUsageLevelsTable;
  licenses: LicensesTable;
  limit_requests: LimitRequestsTable;
  media_jobs: MediaJobsTable;
  object_deletions: ObjectDeletionsTable;
  order_counts: OrderCountsTable;
  order_downloads: OrderDownloadsTable;
  order_messages: OrderMessagesTable;
  order_shares: OrderSharesTable;
  orders: OrdersTable;
  orders_to_tally: OrdersToTallyTable;
  organisation_invitations: OrganisationInvitationsTable;
  organisation_members: OrganisationMembersTable;
  outgoing_mails: OutgoingMailsTable;
  payout_accounts: PayoutAccountsTable;
  payout_runs: PayoutRunsTable;
  payouts: PayoutsTable;
  playlist_beats: PlaylistBeatsTable;
  playlists: PlaylistsTable;
  portal_attempts: PortalAttemptsTable;
  portal_authenticators: PortalAuthenticatorsTable;
  portal_credentials: PortalCredentialsTable;
  portal_mail_links: PortalMailLinksTable;
  portal_passkeys: PortalPasskeysTable;
  portal_recovery_codes: PortalRecoveryCodesTable;
  portal_sessions: PortalSessionsTable;
  portal_users: PortalUsersTable;
  producer_claims: ProducerClaimsTable;
  producer_counts: ProducerCountsTable;
  profile_pictures: ProfilePicturesTable;
  refund_requests: RefundRequestsTable;
  refunds: RefundsTable;
  renditions: RenditionsTable;
  request_log_blocks: RequestLogBlocksTable;
  request_log_days: RequestLogDaysTable;
  request_rollups: RequestRollupsTable;
  sales_counts: SalesCountsTable;
  sandbox_checkouts: SandboxCheckoutsTable;
  sandbox_payments: SandboxPaymentsTable;
  sandbox_refunds: SandboxRefundsTable;
  sandboxes: SandboxesTable;
  saved_views: SavedViewsTable;
  sealing_key: SealingKeyTable;
  signing_keys: SigningKeysTable;
  storage_identity: StorageIdentityTable;
  stored_objects: StoredObjectsTable;
  takedowns: TakedownsTable;
  tax_rates: TaxRatesTable;
  upload_files: UploadFilesTable;
  upload_parts: UploadPartsTable;
  uploads: UploadsTable;
  users: UsersTable;
  webhook_attempts: WebhookAttemptsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_receipts: WebhookReceiptsTable;
}
