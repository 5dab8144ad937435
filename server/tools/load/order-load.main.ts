import { sql } from "kysely";
import { readConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/database/open.ts";
import { tallyOrders } from "../../src/resources/orders/tally.ts";
import { findOrCreateAccount } from "../../src/resources/users/accounts.ts";

// Inserts past orders of an account, for the bench, into the database of the environment, while a server runs.
// Arguments: the account's e-mail address, and the number of orders that it has afterwards. Prints one line of JSON.
const [email = "", count = "0"] = process.argv.slice(2);
const database = await openDatabase(readConfig(process.env), { log: () => {} });
const { query: db } = database;
const { id } = await findOrCreateAccount(db, { email });
const { rows } = await sql<{ count: number }>`select count(*) as count from orders where user_id = ${id}`.execute(db);
const missing = Math.max(0, Number(count) - (rows[0]?.count ?? 0));
await sql`
  insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
    completed_at, payment_method, payment_provider, payment_key, created_at)
  select ${id}, b.id, b.title, b.user_id, 'bench', 'basic', b.price_cents, 'USD', 'completed', now(), 'pm_card_visa',
    'sandbox', gen_random_uuid()::text, timestamptz '2026-01-01' + n * interval '1 second'
  from generate_series(1, ${missing}::bigint) n
  join lateral (select * from beats where beats.id = 1 + n % 1000) b on true`.execute(db);
while ((await tallyOrders(db)) > 0);
await sql`vacuum analyze orders`.execute(db);
await database.close();
process.stdout.write(`${JSON.stringify({ inserted: missing })}\n`);
