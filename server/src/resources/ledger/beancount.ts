import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import type { Queryable } from "../../database/connect.ts";
import {
  type Entry,
  firstMovement,
  type JournalPeriod,
  type LedgerTransaction,
  readAccounts,
  readBalances,
  readTransactions,
} from "./journal.ts";

/**
 * The ledger as text in the form of beancount 3 (docs/ledger.md, Export), a part at a time. `db` is one snapshot, in which
 * every account of a movement is one that was opened. With `from`, what came before is one transaction.
 */
export async function* beancountText(
  db: Queryable,
  { siteName, ...period }: JournalPeriod & { siteName: string },
  onProgress: (transactions: number) => void = () => {},
): AsyncGenerator<string> {
  const first = await firstMovement(db);
  yield `; The ledger of ${siteName}. Times are UTC.\noption "title" ${text(siteName)}\n\n`;
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
  let written = 0;
  for await (const transactions of readTransactions(db, period)) {
    yield transactions.map(transactionText).join("");
    written += transactions.length;
    onProgress(written);
  }
}

/** Balanced as it is, since every movement is. */
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
    `${dayOf(at)} * ${text(wordsOf(kind))} ${text(narration)} #${kind.replaceAll("_", "-")}${links}\n`,
    metadata("source", source),
    metadata("at", at.toISOString()),
    `  transaction: ${id}\n`,
    ...entries.map(posting),
    "\n",
  ].join("");
}

const posting = ({ account, amount_cents, currency }: Entry): string =>
  `  ${accountName(account)}  ${formatAmount(amount_cents, currency)}\n`;

const metadata = (key: string, value: string): string => `  ${key}: ${text(value)}\n`;

/** `liabilities:producers:7` → `Liabilities:Producers:7`. */
const accountName = (account: string): string =>
  account.replaceAll(/(^|:)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());

/** `dispute_reversal` → `Dispute reversal`. */
const wordsOf = (kind: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`.replaceAll("_", " ");

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** On one line, since a broken one would end at a limit of lines. */
const text = (value: string): string =>
  `"${value.replaceAll(/\p{Cc}/gu, " ").replaceAll(/["\\]/g, (character) => `\\${character}`)}"`;
