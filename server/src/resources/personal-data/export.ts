import { timestamp } from "@beatmarket/http/formats.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

const batchSize = 500;

/** Runs a statement, under a permit if a route requires it. */
type Run = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Selects the next batch of an account's rows: those with ids above `after`, in the order of their ids. A part without
 * numeric ids, or with one row, has no batches: it selects all rows if `after` is 0, otherwise none.
 */
type Part = (userId: number, after: number) => RawBuilder<{ id: number }>;

// The export contains no credentials: no keys or hashes of keys, no secrets and no payment methods.
const parts: Record<string, Part> = {
  profile: (userId, after) => sql`
    select id, username, email, display_name, bio, location, website, avatar_url, is_producer, time_zone, language, sale_mails, embed_origins,
      links, created_at, updated_at
    from users where id = ${userId} and id > ${after}`,
  profile_pictures: (userId, after) => sql`
    select user_id as id, sha256, bytes, created_at from profile_pictures where user_id = ${userId} and user_id > ${after}`,
  api_keys: (userId, after) => sql`
    select id, name, ends_with, plan, permissions, created_at, expires_at, revoked_at, last_used_at, spending_cap_cents, allowed_networks, api_version
    from api_keys where user_id = ${userId} and id > ${after} order by id limit ${batchSize}`,
  account_versions: (userId, after) => sql`
    select user_id as id, version, pinned_at from account_versions where user_id = ${userId} and user_id > ${after}`,
  sandboxes: (userId, after) => sql`
    select row_number() over (order by created_at, id) as id, id as sandbox_id, kind, catalogue, created_at, used_at
    from sandboxes where user_id = ${userId} and ${after} = 0 and deleted_at is null order by created_at, id`,
  webhook_endpoints: (userId, after) => sql`
    select id, kind, url, access_key_id, description, event_types, ordered, state, api_version, created_at, last_success_at, last_failure_at
    from webhook_endpoints where user_id = ${userId} and id > ${after} order by id limit ${batchSize}`,
  beats: (userId, after) => sql`
    select to_jsonb(beats) - array['exclusive_order_id', 'popularity_key', 'search'] as beat, id
    from beats where user_id = ${userId} and id > ${after} order by id limit ${batchSize}`,
  uploads: (userId, after) => sql`
    select row_number() over (order by created_at, id) as id, id as upload_id, kind, filename, bytes, status, created_at, expires_at
    from uploads where user_id = ${userId} and ${after} = 0 order by created_at, id`,
  basket_items: (userId, after) => sql`
    select beat_id as id, license_type, seen_cents, upgrades_license, added_at from basket_items
    where user_id = ${userId} and beat_id > ${after} order by beat_id limit ${batchSize}`,
  checkouts: (userId, after) => sql`
    select id, email, buyer_name, status, amount_cents, currency, failure_reason, created_at, expires_at, finished_at
    from checkouts where user_id = ${userId} and id > ${after} order by id limit ${batchSize}`,
  library: (userId, after) => sql`
    select libraries.id, libraries.created_at, links_ended_at
    from libraries join users using (email) where users.id = ${userId} and ${after} = 0`,
  favorites: (userId, after) => sql`
    select beat_id as id, created_at from favorites where user_id = ${userId} and beat_id > ${after}
    order by beat_id limit ${batchSize}`,
  follows: (userId, after) => sql`
    select producer_id as id, created_at from follows where user_id = ${userId} and producer_id > ${after}
    order by producer_id limit ${batchSize}`,
  playlists: (userId, after) => sql`
    select row_number() over (order by playlists.id) as id, playlists.id as playlist_id, title, description, visibility, created_at,
      updated_at, array(select beat_id from playlist_beats where playlist_id = playlists.id order by position) as beat_ids
    from playlists where user_id = ${userId} and ${after} = 0 order by playlists.id`,
  free_downloads: (userId, after) => sql`
    select download.id, beat_id, download.email, consent, requested_at, confirmed_at, withdrawn_at
    from free_downloads download join users on users.id = ${userId}
    where (download.user_id = users.id or download.email = users.email) and download.id > ${after} order by download.id limit ${batchSize}`,
  discounts: (userId, after) => sql`
    select id, name, code, kind, percent, amount_cents, pack_size, pack_paid, valid_from, valid_until, max_uses,
      max_uses_per_buyer, beat_ids, license_types, uses_count, created_at, ended_at
    from discounts where user_id = ${userId} and id > ${after} order by id limit ${batchSize}`,
  license_defaults: (userId, after) => sql`
    select user_id as id, unsold_licenses, license_limits, has_free_download, price_cents, premium_price_cents,
      unlimited_price_cents, exclusive_price_cents, genre_id, tags, preview_tag, updated_at
    from license_defaults where user_id = ${userId} and ${after} = 0`,
  payout_accounts: (userId, after) => sql`
    select user_id as id, holder, iban, stripe_account, blocked_reason, updated_at
    from payout_accounts where user_id = ${userId} and ${after} = 0`,
  payouts: (userId, after) => sql`
    select id, amount_cents, currency, holder, iban, stripe_account, status, failure_reason, created_at, sent_at, settled_at
    from payouts where user_id = ${userId} and id > ${after} order by id limit ${batchSize}`,
  billing_details: (userId, after) => sql`
    select user_id as id, name, address, country, vat_id, updated_at
    from billing_details where user_id = ${userId} and ${after} = 0`,
  invoices: (userId, after) => sql`
    select invoices.id, kind, year, number, order_id, invoices.amount_cents, tax_cents, invoices.currency, facts, issued_at
    from invoices join orders on orders.id = order_id
    where orders.user_id = ${userId} and invoices.id > ${after} order by invoices.id limit ${batchSize}`,
  beat_shares: (userId, after) => sql`
    select share.id, beat_id, share.email, basis_points, invited_at, accepted_at, declined_at
    from beat_shares share join beats on beats.id = share.beat_id
    where (share.user_id = ${userId} or beats.user_id = ${userId}
        or (share.user_id is null and share.email = (select lower(email) from users where id = ${userId})))
      and share.id > ${after} order by share.id limit ${batchSize}`,
  outgoing_mails: (userId, after) => sql`
    select row_number() over (order by created_at, id) as id, recipient, template, facts, created_at, sent_at
    from outgoing_mails where (user_id = ${userId} or recipient = (select email from users where id = ${userId}))
      and ${after} = 0 order by created_at, id`,
  orders: (userId, after) => sql`
    select orders.id, beat_id, title, producer_name, buyer_name, license_type, licenses.id as license_id, amount_cents,
      refunded_cents, currency, status, failure_reason, orders.created_at, completed_at, refunded_at
    from orders left join licenses on licenses.order_id = orders.id
    where orders.user_id = ${userId} and orders.id > ${after} order by orders.id limit ${batchSize}`,
  license_usage: (userId, after) => sql`
    select row_number() over (order by orders.id, use, period, source) as id, license_id, use, period, source, quantity, reported_at
    from license_usage join licenses on licenses.id = license_id join orders on orders.id = licenses.order_id
    where orders.user_id = ${userId} and ${after} = 0 order by orders.id, use, period, source`,
  sales: (userId, after) => sql`
    select id, beat_id, title, license_type, amount_cents, refunded_cents, currency, completed_at
    from orders where producer_id = ${userId} and status = 'completed' and id > ${after} order by id limit ${batchSize}`,
  order_messages: (userId, after) => sql`
    select order_messages.id, order_id, author, text, order_messages.created_at
    from order_messages join orders on orders.id = order_id
    where ${userId} in (orders.user_id, orders.producer_id) and order_messages.id > ${after}
    order by order_messages.id limit ${batchSize}`,
  beat_reports: (userId, after) => sql`
    select report.id, beat_id, reason, state, report.created_at, counter_until, counter, decision, decided_at,
      case when report.email = users.email or noticed_at is not null then details end as details
    from beat_reports report join beats on beats.id = beat_id join users on users.id = ${userId}
    where (report.email = users.email or (beats.user_id = users.id and noticed_at is not null)) and report.id > ${after}
    order by report.id limit ${batchSize}`,
  takedowns: (userId, after) => sql`
    select takedowns.id, beat_id, reason, withdraws_files, taken_down_at, answer, answered_at, restored_at
    from takedowns join beats on beats.id = beat_id
    where beats.user_id = ${userId} and takedowns.id > ${after} order by takedowns.id limit ${batchSize}`,
  refund_requests: (userId, after) => sql`
    select refund_requests.id, order_id, reason, details, state, refund_requests.created_at, response, answered_at
    from refund_requests join orders on orders.id = order_id
    where orders.user_id = ${userId} and refund_requests.id > ${after} order by refund_requests.id limit ${batchSize}`,
  limit_requests: (userId, after) => sql`
    select id, api_key_id, plan, reason, state, created_at, response, answered_at from limit_requests
    where ${userId} in (user_id, person_id) and id > ${after} order by id limit ${batchSize}`,
  organisations: (userId, after) => sql`
    select organisation_id as id, username, display_name, role, member.created_at as joined_at
    from organisation_members member join users on users.id = organisation_id
    where user_id = ${userId} and organisation_id > ${after} order by organisation_id limit ${batchSize}`,
  invitations: (userId, after) => sql`
    select invitation.id, role, invitation.created_at, expires_at, accepted_at, revoked_at
    from organisation_invitations invitation join users on users.email = invitation.email
    where users.id = ${userId} and invitation.id > ${after} order by invitation.id limit ${batchSize}`,
  saved_views: (userId, after) => sql`
    select id, user_id, name, query, created_at from saved_views
    where coalesce(person_id, user_id) = ${userId} and id > ${after} order by id limit ${batchSize}`,
  producer_claims: (userId, after) => sql`
    select id, producer_id, email, created_at, proven_at
    from producer_claims where user_id = ${userId} and id > ${after} order by id limit ${batchSize}`,
  security_log: (userId, after) => sql`
    select id, time, action, subject, client_address, user_agent
    from audit_entries where user_id = ${userId} and id > ${after} order by id limit ${batchSize}`,
  acted_for_organisations: (userId, after) => sql`
    select id, user_id as organisation_id, time, action, subject, client_address, user_agent
    from audit_entries where person_id = ${userId} and id > ${after} order by id limit ${batchSize}`,
};

/**
 * Yields a user's data (docs/privacy.md, What is exported) as the text of a JSON object, in pieces. Reads each batch
 * when the caller requests it. `account` has the data that the portal adds.
 */
export async function* exportUser(
  db: Queryable,
  userId: number,
  { now, account, run = (work) => work() }: { now: Date; account: object; run?: Run },
): AsyncGenerator<string> {
  yield `{\n"exported_at": ${JSON.stringify(timestamp(now))},\n"account": ${JSON.stringify(account)}`;
  for (const [name, part] of Object.entries(parts)) {
    yield `,\n${JSON.stringify(name)}: [`;
    let separator = "\n";
    for (let after = 0; ; ) {
      const { rows } = await run(() => part(userId, after).execute(db));
      if (rows.length > 0) yield separator + rows.map((row) => JSON.stringify(row)).join(",\n");
      separator = ",\n";
      if (rows.length < batchSize) break;
      after = rows.at(-1)?.id ?? after;
    }
    yield "]";
  }
  yield "\n}\n";
}
