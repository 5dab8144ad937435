import { conflict, OperatorError } from "@beatmarket/foundation/errors.ts";
import { csvText } from "@beatmarket/foundation/text/csv.ts";
import { formatCents } from "@beatmarket/foundation/text/money.ts";
import { type CreditTransfer, creditTransferFile, type Debtor } from "@beatmarket/payments/sepa.ts";
import type { Queryable } from "../../database/connect.ts";
import { type Payout, type PayoutRun, selectPayouts, selectRuns } from "./payout.ts";

const payoutsPerPage = 1_000;

/**
 * Yields the bank file of a run, in parts. The text is always the same. Throws 409 for a run of Stripe, and for a run
 * that is not finished. Throws 409 for a run that the bank has processed, because the bank would pay it again. For a
 * SEPA file, throws like `requireDebtor`.
 */
export async function* bankFile(db: Queryable, run: PayoutRun, debtor: Debtor | null): AsyncGenerator<string> {
  if (run.method === "stripe") throw conflict(`Run ${run.id} pays by Stripe and has no file.`);
  if (run.finished_at === null)
    throw conflict(`Run ${run.id} is not finished. Finish it with \`beatmarket payouts resume\`.`);
  const settled = await selectPayouts(db)
    .where("run_id", "=", run.id)
    .where("status", "in", ["paid", "failed"])
    .limit(1)
    .executeTakeFirst();
  if (settled !== undefined)
    throw conflict(
      `The bank has processed run ${run.id}: payout ${settled.id} is ${settled.status}. The file is not written, because the bank would pay it again.`,
    );
  yield* run.method === "csv" ? csvOf(db, run) : sepaOf(db, run, requireDebtor(debtor, run.currency));
}

/** Throws an OperatorError if a SEPA file cannot be written. */
export function requireDebtor(debtor: Debtor | null, currency: string): Debtor {
  if (currency !== "EUR")
    throw new OperatorError(`SEPA pays in EUR, and the currency is ${currency}. Use --method csv, or stripe.`);
  if (debtor === null)
    throw new OperatorError(
      "A SEPA file names the account that pays: set PAYOUT_DEBTOR_NAME and PAYOUT_DEBTOR_IBAN, or use --method csv.",
    );
  return debtor;
}

export async function findRun(db: Queryable, id: number): Promise<PayoutRun> {
  const run = await selectRuns(db).where("id", "=", id).executeTakeFirst();
  if (run === undefined) throw conflict(`There is no payout run ${id}. \`beatmarket payouts list\` shows all runs.`);
  return run;
}

async function* pagesOf(db: Queryable, run: PayoutRun): AsyncGenerator<Payout[]> {
  for (let last = 0; ; ) {
    const page = await selectPayouts(db)
      .where("run_id", "=", run.id)
      .where("id", ">", last)
      .orderBy("id")
      .limit(payoutsPerPage)
      .execute();
    if (page.length > 0) yield page;
    if (page.length < payoutsPerPage) return;
    last = page.at(-1)?.id ?? last;
  }
}

const referenceOf = ({ id }: Payout): string => `PAYOUT-${id}`;

async function* csvOf(db: Queryable, run: PayoutRun): AsyncGenerator<string> {
  yield "reference,user_id,holder,iban,amount,currency\r\n";
  for await (const page of pagesOf(db, run))
    yield page
      .map((payout) =>
        [
          referenceOf(payout),
          payout.user_id,
          csvText(payout.holder ?? ""),
          payout.iban,
          formatCents(payout.amount_cents),
          `${payout.currency}\r\n`,
        ].join(","),
      )
      .join("");
}

async function* sepaOf(db: Queryable, run: PayoutRun, debtor: Debtor): AsyncGenerator<string> {
  const { count, cents } = await db
    .selectFrom("payouts")
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.sum<number>("amount_cents").as("cents")])
    .where("run_id", "=", run.id)
    .executeTakeFirstOrThrow();
  const time = run.created_at;
  const messageId = `PAYOUTS-${run.id}-${time.toISOString().slice(0, 19).replaceAll(/\D/g, "")}`;
  yield* creditTransferFile(
    { messageId, at: time, debtor, count, totalCents: Number(cents) },
    transfersOf(pagesOf(db, run)),
  );
}

async function* transfersOf(pages: AsyncIterable<Payout[]>): AsyncGenerator<CreditTransfer[]> {
  for await (const page of pages)
    yield page.map((payout) => ({
      reference: referenceOf(payout),
      creditor: { name: payout.holder ?? "", iban: payout.iban ?? "" },
      amountCents: payout.amount_cents,
      currency: payout.currency,
      remittance: `Payout ${payout.id}`,
    }));
}
