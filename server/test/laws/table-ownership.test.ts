import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sourceFiles } from "../harness/documents/source-files.ts";

const root = join(import.meta.dirname, "../../..");
const resources = "server/src/resources";

/** The only folder whose code writes each table: for a table that only triggers write, the folder of the migrations. */
const owners: Record<string, string> = {
  account_versions: `${resources}/api-keys/`,
  api_keys: `${resources}/api-keys/`,
  audit_entries: `${resources}/audit/`,
  backup_vaults: "packages/backup/",
  basket_items: `${resources}/checkouts/`,
  beat_files: `${resources}/beats/`,
  beat_plays: `${resources}/beats/`,
  beat_productions: `${resources}/beats/`,
  beat_reports: `${resources}/reports/`,
  beat_shares: `${resources}/splits/`,
  beats: `${resources}/beats/`,
  billing_details: `${resources}/invoices/`,
  catalogue_changes: `${resources}/changes/`,
  checkout_items: `${resources}/checkouts/`,
  checkouts: `${resources}/checkouts/`,
  device_logins: `${resources}/api-keys/`,
  discount_uses: `${resources}/discounts/`,
  discounts: `${resources}/discounts/`,
  disputes: `${resources}/orders/refunds/`,
  event_batches: "database/migrations/",
  event_feed_entries: "database/migrations/",
  event_feeds: "database/migrations/",
  events: "packages/webhooks/",
  export_takes: `${resources}/exports/`,
  favorites: `${resources}/favorites/`,
  follows: `${resources}/follows/`,
  free_downloads: `${resources}/free-downloads/`,
  genres: `${resources}/genres/`,
  idempotency_keys: "server/src/access/",
  import_runs: `${resources}/catalogue-import/`,
  invoice_numbers: `${resources}/invoices/`,
  invoices: `${resources}/invoices/`,
  ledger_comparisons: `${resources}/orders/`,
  ledger_entries: `${resources}/ledger/`,
  ledger_transactions: `${resources}/ledger/`,
  libraries: `${resources}/libraries/`,
  license_defaults: `${resources}/beats/`,
  license_log: `${resources}/licenses/`,
  license_log_batches: "database/migrations/",
  license_log_published: `${resources}/licenses/`,
  license_terms: `${resources}/licenses/`,
  license_usage: `${resources}/licenses/`,
  license_usage_levels: `${resources}/licenses/`,
  licenses: `${resources}/licenses/`,
  limit_requests: `${resources}/limit-requests/`,
  media_jobs: "packages/jobs/",
  object_deletions: "packages/storage/",
  order_counts: `${resources}/orders/`,
  order_downloads: `${resources}/orders/`,
  order_messages: `${resources}/contacts/`,
  order_shares: `${resources}/orders/`,
  orders: `${resources}/orders/`,
  orders_to_tally: `${resources}/orders/`,
  organisation_invitations: `${resources}/organisations/`,
  organisation_members: `${resources}/organisations/`,
  outgoing_mails: `${resources}/mails/`,
  payout_accounts: `${resources}/payouts/`,
  payout_runs: `${resources}/payouts/`,
  payouts: `${resources}/payouts/`,
  playlist_beats: `${resources}/playlists/`,
  playlists: `${resources}/playlists/`,
  portal_attempts: "packages/authentication/",
  portal_authenticators: "packages/authentication/",
  portal_credentials: "server/src/portal/",
  portal_mail_links: "server/src/portal/",
  portal_passkeys: "server/src/portal/",
  portal_recovery_codes: "packages/authentication/",
  portal_sessions: "packages/authentication/",
  portal_users: "server/src/portal/",
  producer_claims: `${resources}/claims/`,
  producer_counts: "database/migrations/",
  profile_pictures: `${resources}/users/`,
  refund_requests: `${resources}/contacts/`,
  refunds: `${resources}/orders/refunds/`,
  renditions: `${resources}/orders/`,
  request_log_blocks: "packages/request-log/",
  request_log_days: "packages/request-log/",
  request_rollups: "packages/request-log/",
  sales_counts: `${resources}/orders/`,
  sandbox_checkouts: `${resources}/orders/`,
  sandbox_payments: `${resources}/orders/`,
  sandbox_refunds: `${resources}/orders/`,
  sandboxes: `${resources}/sandboxes/`,
  saved_views: `${resources}/saved-views/`,
  schema_migrations: "packages/postgres/",
  sealing_key: "packages/secret-box/",
  signing_keys: "packages/signing-keys/",
  storage_identity: "packages/storage/",
  stored_objects: "packages/storage/",
  takedowns: `${resources}/takedowns/`,
  tax_rates: `${resources}/invoices/`,
  upload_files: `${resources}/uploads/`,
  upload_parts: `${resources}/uploads/`,
  uploads: `${resources}/uploads/`,
  users: `${resources}/users/`,
  webhook_attempts: "packages/webhooks/",
  webhook_deliveries: "packages/webhooks/",
  webhook_endpoints: "packages/webhooks/",
  webhook_receipts: "packages/webhooks/",
};

test("every table has an owner", async () => {
  const schema = await readFile(join(root, "database/schema.sql"), "utf8");
  const tables = [...schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)/gm)].map(([, table]) => table);
  expect([...tables, "schema_migrations"].sort()).toEqual(Object.keys(owners));
});

test.each(["authentication", "jobs", "request-log", "secret-box", "signing-keys", "webhooks"])(
  "the tables for the tests of packages/%s equal the schema's tables",
  async (name) => {
    const schema = await readFile(join(root, "database/schema.sql"), "utf8");
    const tables = await readFile(join(root, "packages", name, "testing/schema.sql"), "utf8");
    const statements = tables.split(/^(?=CREATE )/m).map((statement) => statement.trim());
    const ownTables = statements.filter((statement) => /^CREATE (?!TABLE (?:api_keys|users) )/.test(statement));
    expect(ownTables.length).toBeGreaterThan(0);
    expect(ownTables.filter((statement) => !schema.includes(statement))).toEqual([]);
  },
);

test("a table is written only by its owner", async () => {
  const sources = (await sourceFiles(root)).filter(
    ({ path }) => /^(server|packages\/[^/]+)\/src\//.test(path) && !path.endsWith(".test.ts"),
  );
  expect(sources.filter(({ text }) => writtenTables(text).length > 0).length).toBeGreaterThan(0);
  expect(sources.flatMap(({ path, text }) => foreignWrites(path, text))).toEqual([]);
});

test.each([
  'db.insertInto("beats").values(beat)',
  "db.updateTable('beats').set({ title })",
  'db.deleteFrom("beats")',
  'db.mergeInto("beats as b").using("wave", "w.id", "b.id")',
  "sql`insert into beats (title) values (1)`",
  "sql`INSERT  INTO\n  public.beats select 1`",
  "sql`update beats set title = 1`",
  "sql`update beats b\n set title = 1`",
  "sql`update only beats as b set title = 1`",
  "sql`with gone as (delete from beats where true returning id) select 1`",
  "sql`merge into beats using wave on true`",
  "sql`copy beats (title, tempo) from stdin`",
  "sql`copy beats from stdin`",
  "sql`truncate table beats`",
  "sql`truncate users, beats`",
])("a write by another folder is detected: %s", (statement) => {
  expect(foreignWrites(`${resources}/catalogue-import/load.ts`, statement)).toContain(
    `${resources}/catalogue-import/load.ts writes beats`,
  );
  expect(foreignWrites(`${resources}/beats/queries.ts`, statement)).not.toContain(
    `${resources}/beats/queries.ts writes beats`,
  );
});

test.each([
  'db.selectFrom("beats").innerJoin("users", "users.id", "beats.user_id")',
  "sql`select 1 from beats for no key update`",
  "sql`copy (select id from beats) to stdout`",
  "sql`insert into incoming_rows select id from beats`",
  "// nobody may insert into beats here",
])("a read does not count as a write: %s", (statement) => {
  expect(writtenTables(statement)).toEqual([]);
});

function foreignWrites(path: string, text: string): string[] {
  return writtenTables(text)
    .filter((table) => !path.startsWith(owners[table] ?? ""))
    .map((table) => `${path} writes ${table}`);
}

/** The tables of the marketplace that a source writes, with the query builder or in SQL. */
function writtenTables(text: string): string[] {
  const code = text.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/^\s*(\/\/|--).*$/gm, "");
  const name = "(?:public\\.)?[\"'`]?(\\w+)";
  const forms = [
    `\\b(?:insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\\(\\s*\\[?\\s*["'\`](\\w+)`,
    `\\b(?:insert|merge)\\s+into\\s+(?:only\\s+)?${name}`,
    `\\bdelete\\s+from\\s+(?:only\\s+)?${name}`,
    `\\bupdate\\s+(?:only\\s+)?${name}["'\`]?(?:\\s+(?:as\\s+)?\\w+)?\\s+set\\b`,
    `\\bcopy\\s+${name}["'\`]?\\s*(?:\\([^)]*\\))?\\s*from\\b`,
  ];
  const tables = forms.flatMap((form) => [...code.matchAll(new RegExp(form, "gi"))].map(([, table]) => table ?? ""));
  const truncated = [...code.matchAll(/\btruncate\s+(?:table\s+)?([\w\s,]+)/gi)].flatMap(([, list]) =>
    (list ?? "").split(/[\s,]+/),
  );
  return [...new Set([...tables, ...truncated])].filter((table) => table in owners);
}
