import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "pg";
import type { Bench } from "../../bench.ts";
import { withDatabase } from "../../processes/database.ts";
import { childCpuSeconds, databaseCpuSeconds } from "../../processes/database-cpu.ts";
import { beatmarket, startCommand } from "../../processes/programs.ts";

const balances = 100_000;
/** Of each producer. */
const sales = 3;
const cents = 1_000;
/** Payouts after which the run is killed. */
const killedAfter = 30_000;
const targetSeconds = 60;

/**
 * A run of payouts over 100,000 balances of three sales each: killed on its way, resumed, and written as a file for the bank. CPU of both
 * processes and of PostgreSQL. Each balance is paid exactly once.
 */
export async function payouts(bench: Bench): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-bench-payouts-"));
  const output = join(folder, "payouts.csv");
  try {
    await withDatabase(bench.databaseUrl, async (client) => {
      bench.say(`making ${balances.toLocaleString("en")} balances …`);
      await makeBalances(client);
      const used = async () => {
        const [ofDatabase, ofCommands] = [await databaseCpuSeconds(client), await childCpuSeconds()];
        return ofDatabase === null || ofCommands === null ? null : ofDatabase + ofCommands;
      };
      const before = await used();
      if (before === null)
        return bench.report({ case: "payouts: CPU", value: null, unit: "needs /proc, as on Linux", target: null });
      const first = startCommand(["payouts", "run", "--method", "csv", "--output", output], bench.env);
      while ((await paid(client)).count < killedAfter && first.isRunning())
        await new Promise((go) => setTimeout(go, 50));
      await first.kill();
      const killedAt = (await paid(client)).count;
      await beatmarket(["payouts", "resume", "--output", output, "--json"], bench.env);
      const seconds = ((await used()) ?? Number.NaN) - before;
      const { count, users, sum } = await paid(client);
      const lines = (await readFile(output, "utf8")).trimEnd().split("\n").length - 1;
      if (count !== balances || users !== balances || sum !== balances * sales * cents || lines !== balances)
        throw new Error(`${count} payouts to ${users} producers of ${sum} cents, and ${lines} lines for the bank.`);
      bench.report({ case: "payouts: made before the run was killed", value: killedAt, unit: "payouts", target: null });
      bench.report({
        case: `payouts: ${balances} balances`,
        value: seconds,
        unit: "s of CPU",
        target: { max: targetSeconds },
      });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Producers with a bank account, whose sales are in the ledger. */
async function makeBalances(client: Client): Promise<void> {
  await client.query(`
    with producer as (
      insert into users (username, display_name) select 'payee-' || n, 'Payee ' || n from generate_series(1, ${balances}) n returning id
    ), account as (
      insert into payout_accounts (user_id, holder, iban, updated_at)
      select id, 'Payee', 'NL91ABNA0417164300', now() from producer
    ), sold as (
      insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
        completed_at, payment_method, payment_provider, payment_key, created_at)
      select (select min(id) from users), (select min(id) from beats), 'Midnight', id, 'Payee', 'basic', ${cents}, 'USD', 'completed',
        now() - interval '60 days', 'pm_card_visa', 'stripe', gen_random_uuid()::text, now() - interval '60 days'
      from producer, generate_series(1, ${sales}) returning id, producer_id, completed_at
    ), movement as (
      insert into ledger_transactions (order_id, kind, source, at)
      select id, 'sale', 'order ' || id, completed_at from sold returning id, order_id
    )
    insert into ledger_entries (transaction_id, account, amount_cents, currency)
    select movement.id, entry.account, entry.sign * ${cents}, 'USD' from movement join sold on sold.id = order_id,
      lateral (values ('assets:stripe', 1), ('liabilities:producers:' || producer_id, -1)) as entry (account, sign)`);
  await client.query("analyze users, orders, payout_accounts, ledger_transactions, ledger_entries");
}

async function paid(client: Client): Promise<{ count: number; users: number; sum: number }> {
  const { rows } = await client.query(`
    select count(*)::int as count, count(distinct user_id)::int as users, coalesce(sum(amount_cents), 0)::float8 as sum
    from payouts`);
  return rows[0];
}
