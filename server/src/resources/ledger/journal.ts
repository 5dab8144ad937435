import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { producerAccountPrefix } from "./order-money.ts";

const rowsPerPage = 1_000;

/** An entry of an account: a debit is positive, a credit negative. */
interface Entry {
  account: string;
  amount_cents: number;
  /** ISO 4217. */
  currency: string;
}

/** A movement of money, whose entries sum to zero. */
interface LedgerTransaction {
  id: number;
  kind: string;
  /** The recorded fact, such as `order 12`. */
  source: string;
  at: Date;
  order_id: number | null;
  /** The order's beat title and license; null without an order. */
  title: string | null;
  license_type: string | null;
  entries: Entry[];
}

export interface Account {
  account: string;
  /** The producer's name; null for an account that is not a producer's. */
  name: string | null;
}

/** A half-open period: `from` is included, `to` is not. Null: no limit. */
export interface JournalPeriod {
  from: Date | null;
  to: Date | null;
}

/** The transactions of a period by time, a page at a time. */
export async function* readTransactions(
  db: Queryable,
  { from, to }: JournalPeriod,
): AsyncGenerator<LedgerTransaction[]> {
  const since = from === null ? sql`` : sql`and at >= ${from}::timestamptz`;
  const before = to === null ? sql`` : sql`and at < ${to}::timestamptz`;
  const page = (afterLast: RawBuilder<unknown>) => sql<LedgerTransaction>`
    select page.id, page.kind, page.source, page.at, page.order_id, orders.title, orders.license_type,
      (select json_agg(json_build_object('account', account, 'amount_cents', amount_cents, 'currency', currency)
         order by amount_cents < 0, account) from ledger_entries where transaction_id = page.id) as entries
    from (select * from ledger_transactions where true ${since} ${before} ${afterLast} order by at, id limit ${rowsPerPage}) as page
      left join orders on orders.id = page.order_id
    order by page.at, page.id`;
  for (let last: LedgerTransaction | undefined; ; ) {
    const afterLast = last === undefined ? sql`` : sql`and (at, id) > (${last.at}::timestamptz, ${last.id}::bigint)`;
    const { rows } = await page(afterLast).execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsPerPage) return;
    last = rows.at(-1);
  }
}

/** The time of the first transaction; null for an empty ledger. */
async function timeOfFirstTransaction(db: Queryable): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select min(at) as at from ledger_transactions`.execute(db);
  return rows[0]?.at ?? null;
}

export async function countTransactions(db: Queryable, { from, to }: JournalPeriod): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from ledger_transactions
    where at >= coalesce(${from}::timestamptz, '-infinity') and at < coalesce(${to}::timestamptz, 'infinity')`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** All accounts, ordered by `account`, a page at a time. */
export async function* readAccounts(db: Queryable): AsyncGenerator<Account[]> {
  for (let last = ""; ; ) {
    const { rows } = await sql<Account>`
      select page.account, users.display_name as name
      from (select distinct account from ledger_entries where account > ${last} order by account limit ${rowsPerPage}) as page
        left join users on ${producerAccountPrefix} || users.id = page.account and starts_with(page.account, ${producerAccountPrefix})
      order by page.account`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsPerPage) return;
    last = rows.at(-1)?.account ?? "";
  }
}

/** The non-zero balances of all accounts before a time (null: now), by account and currency, a page at a time. */
export async function* readBalances(db: Queryable, before: Date | null): AsyncGenerator<Entry[]> {
  const dateJoin =
    before === null ? sql`` : sql`join ledger_transactions on id = transaction_id and at < ${before}::timestamptz`;
  for (let last = { account: "", currency: "" }; ; ) {
    const { rows } = await sql<Entry>`
      select account, currency, sum(amount_cents)::bigint as amount_cents
      from ledger_entries ${dateJoin}
      where (account, currency) > (${last.account}, ${last.currency})
      group by account, currency having sum(amount_cents) <> 0
      order by account, currency limit ${rowsPerPage}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsPerPage) return;
    last = rows.at(-1) ?? last;
  }
}

/** The movements of money of an order, oldest first. */
export async function listOrderTransactions(
  db: Queryable,
  orderId: number,
): Promise<{ id: number; kind: string; source: string; at: Date; entries: Entry[] }[]> {
  const { rows } = await sql<{ id: number; kind: string; source: string; at: Date; entries: Entry[] }>`
    select id, kind, source, at,
      (select json_agg(json_build_object('account', account, 'amount_cents', amount_cents, 'currency', currency)
         order by amount_cents < 0, account) from ledger_entries where transaction_id = ledger_transactions.id) as entries
    from ledger_transactions where order_id = ${orderId} order by at, id`.execute(db);
  return rows;
}

/**
 * The ledger as text in the format of beancount 3 (docs/ledger.md, Export), a part at a time. All queries must see one
 * snapshot of the database. Otherwise a transaction could use an account that has no `open` line. If `from` is set, the
 * first transaction states the opening balances.
 */
export async function* beancountText(
  db: Queryable,
  { siteName, ...period }: JournalPeriod & { siteName: string },
  onProgress: (transactions: number) => void = () => {},
): AsyncGenerator<string> {
  const first = await timeOfFirstTransaction(db);
  yield `; The ledger of ${siteName}. Times are UTC.\noption "title" ${quotedText(siteName)}\n\n`;
  if (first === null) return;
  const start = dayOf(first);
  for await (const accounts of readAccounts(db))
    yield accounts
      .map(
        ({ account, name }) => `${start} open ${accountName(account)}\n${name === null ? "" : metadata("name", name)}`,
      )
      .join("");
  yield "\n";
  if (period.from !== null) yield* openingBalances(db, period.from);
  let count = 0;
  for await (const transactions of readTransactions(db, period)) {
    yield transactions.map(transactionText).join("");
    count += transactions.length;
    onProgress(count);
  }
}

/** The transaction with the balances before a time. It is balanced, since every movement is balanced. */
async function* openingBalances(db: Queryable, from: Date): AsyncGenerator<string> {
  let isFirst = true;
  for await (const balances of readBalances(db, from)) {
    if (isFirst) yield `${dayOf(from)} * "Opening balances"\n`;
    isFirst = false;
    yield balances.map(posting).join("");
  }
  if (!isFirst) yield "\n";
}

function transactionText({ id, kind, source, at, order_id, title, license_type, entries }: LedgerTransaction): string {
  const narration = title === null ? source : `${title}, ${license_type}`;
  const links = order_id === null ? "" : ` ^order-${order_id}`;
  return [
    `${dayOf(at)} * ${quotedText(wordsOf(kind))} ${quotedText(narration)} #${kind.replaceAll("_", "-")}${links}\n`,
    metadata("source", source),
    metadata("at", at.toISOString()),
    `  transaction: ${id}\n`,
    ...entries.map(posting),
    "\n",
  ].join("");
}

const posting = ({ account, amount_cents, currency }: Entry): string =>
  `  ${accountName(account)}  ${formatAmount(amount_cents, currency)}\n`;

const metadata = (key: string, value: string): string => `  ${key}: ${quotedText(value)}\n`;

/** `liabilities:producers:7` → `Liabilities:Producers:7`. */
const accountName = (account: string): string =>
  account.replaceAll(/(^|:)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());

/** `dispute_reversal` → `Dispute reversal`. */
const wordsOf = (kind: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`.replaceAll("_", " ");

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** A text in quotes, on one line: beancount limits the lines of a text. */
const quotedText = (value: string): string =>
  `"${value.replaceAll(/\p{Cc}/gu, " ").replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
