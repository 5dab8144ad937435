import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Client } from "pg";
import type { ReportingBench } from "../../bench.ts";
import { holdDatabase, makeDatabase, withDatabase } from "../../processes/database.ts";
import { databaseCpuSeconds, endedChildrenCpuSeconds } from "../../processes/database-cpu.ts";
import { beatmarket, killWhen } from "../../processes/programs.ts";
import { secondsOf } from "../../report/seconds-of.ts";

const balances = 100_000;
const saleCents = 2_990;
/** The number of payouts after which the bench kills the first process. */
const killedAt = balances / 3;
const maxCpuSeconds = 60;

/**
 * Runs payouts into a file for the bank, with one sale as the balance of each producer. The bench kills the first
 * process after a third of the payouts, and a second process continues. Reports the CPU of both processes, and of
 * PostgreSQL.
 */
export async function payouts({ report, say }: ReportingBench): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-bench-payouts-"));
  // If the bench runs as root, PostgreSQL runs under another account, which needs access.
  await chmod(folder, 0o711);
  const env = { DATA_DIR: join(folder, "data"), DEMO: "off", PAYMENTS: "sandbox", LOG_LEVEL: "fatal" };
  const row = (name: string, value: number | null, unit: string) =>
    report({ case: `payouts: ${name}`, value, unit, target: null });
  try {
    await makeDatabase(env);
    const holding = await holdDatabase(env.DATA_DIR);
    try {
      say(`writing ${balances.toLocaleString("en")} balances …`);
      await withDatabase(holding.url, createProducers);
      const run = ["payouts", "run", "--method", "csv", "--output", join(folder, "payouts.csv"), "--json"];
      await withDatabase(holding.url, async (client) => {
        const payoutCount = async () => Number((await client.query("select count(*) from payouts")).rows[0].count);
        const databaseCpuBefore = await databaseCpuSeconds(client);
        const programsCpuBefore = await endedChildrenCpuSeconds();
        say("a run that is killed …");
        await killWhen(run, env, async () => (await payoutCount()) >= killedAt);
        const before = await payoutCount();
        say(`continuing after ${before.toLocaleString("en")} payouts …`);
        row("the second process", await secondsOf(() => beatmarket(run, env)), "s");
        await requirePaidOnce(client);
        const cpuOf = (cpuAfter: number | null, cpuBefore: number | null) =>
          cpuAfter === null || cpuBefore === null ? null : cpuAfter - cpuBefore;
        const programs = cpuOf(await endedChildrenCpuSeconds(), programsCpuBefore);
        const database = cpuOf(await databaseCpuSeconds(client), databaseCpuBefore);
        row("created before the kill", before, "payouts");
        row("both processes", programs, "s of CPU");
        row("PostgreSQL", database, "s of CPU");
        report({
          case: `payouts: a run of ${balances.toLocaleString("en")} balances, PostgreSQL included`,
          value: programs === null || database === null ? null : programs + database,
          unit: "s of CPU",
          target: { max: maxCpuSeconds },
        });
      });
    } finally {
      await holding.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates producers with bank details and one sale each, from long before the clearing time. */
async function createProducers(client: Client): Promise<void> {
  await client.query(`
    with genre as (insert into genres (name, slug) values ('Trap', 'trap') returning id),
      maker as (insert into users (username, display_name, is_producer) values ('maker', 'Maker', true) returning id)
    insert into beats (user_id, genre_id, title, tempo, price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents)
    select maker.id, genre.id, 'Midnight', 140, ${saleCents}, 5990, 9990, 29990 from genre, maker`);
  await client.query(`
    with made as (
      insert into users (username, display_name, email, is_producer)
      select 'p' || n, 'Producer ' || n, 'p' || n || '@example.com', true from generate_series(1, ${balances}) n returning id)
    insert into payout_accounts (user_id, holder, iban, updated_at)
    select id, 'Producer', 'NL91ABNA0417164300', now() from made`);
  await client.query(`
    with sold as (
      insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
        completed_at, payment_method, payment_provider, payment_key, created_at)
      select user_id, (select min(id) from beats), 'Midnight', user_id, 'Producer', 'basic', ${saleCents}, 'USD', 'completed',
        now() - interval '60 days', 'pm_card_visa', 'sandbox', 'key ' || user_id, now() - interval '60 days' from payout_accounts
      returning id, producer_id, completed_at),
    movements as (
      insert into ledger_transactions (kind, source, order_id, at) select 'sale', 'order ' || id, id, completed_at from sold
      returning id, order_id)
    insert into ledger_entries (transaction_id, account, amount_cents, currency)
    select movements.id, entry.account, entry.cents, 'USD' from movements join sold on sold.id = movements.order_id,
      lateral (values ('assets:sandbox', ${saleCents}), ('liabilities:producers:' || producer_id, -${saleCents})) as entry (account, cents)`);
  await client.query("analyze");
}

/** Throws unless each balance was paid once. */
async function requirePaidOnce(client: Client): Promise<void> {
  const { rows } = await client.query(`
    select count(*)::int as payouts, count(distinct user_id)::int as producers, sum(amount_cents)::bigint as cents,
      count(*) filter (where status = 'sent')::int as sent,
      (select coalesce(sum(amount_cents), 0)::bigint from ledger_entries where account like 'liabilities:producers:%') as owed from payouts`);
  const expected = { payouts: balances, producers: balances, cents: balances * saleCents, sent: balances, owed: 0 };
  const actual = Object.fromEntries(Object.keys(expected).map((name) => [name, Number(rows[0][name])]));
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`The run resulted in ${JSON.stringify(actual)}, not in ${JSON.stringify(expected)}.`);
}
