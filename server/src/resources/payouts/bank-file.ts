import { conflict, OperatorError } from "@beatmarket/foundation/errors.ts";
import { csvText } from "@beatmarket/foundation/text/csv.ts";
import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { formatCents } from "@beatmarket/foundation/text/money.ts";
import type { Queryable } from "../../database/connect.ts";
import { bankText, type Payout, type PayoutRun, selectPayouts, selectRuns } from "./payout.ts";

const payoutsPerPage = 1_000;

/** The paying account. */
export interface Debtor {
  name: string;
  iban: string;
  bic: string | null;
}

/**
 * The bank file of a run, in parts: the same text each time. Throws 409 for a run of Stripe, for one that is not sent,
 * and for one that the bank has processed, since the bank would pay again.
 */
export async function* bankFile(db: Queryable, run: PayoutRun, debtor: Debtor | null): AsyncGenerator<string> {
  if (run.method === "stripe") throw conflict(`Run ${run.id} is of Stripe and has no file.`);
  if (run.finished_at === null) throw conflict(`Run ${run.id} is not finished: beatmarket payouts resume.`);
  const settled = await selectPayouts(db)
    .where("run_id", "=", run.id)
    .where("status", "in", ["paid", "failed"])
    .limit(1)
    .executeTakeFirst();
  if (settled !== undefined)
    throw conflict(
      `The bank has dealt with run ${run.id}: payout ${settled.id} is ${settled.status}. Its file would pay again, so it is not written.`,
    );
  yield* run.method === "csv" ? csvOf(db, run) : painOf(db, run, requireDebtor(debtor, run.currency));
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
  if (run === undefined) throw conflict(`There is no payout run ${id}. beatmarket payouts list shows them.`);
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

/** ISO 20022 pain.001.001.09 by the rules of the European Payments Council: a SEPA credit transfer for each payout. */
async function* painOf(db: Queryable, run: PayoutRun, debtor: Debtor): AsyncGenerator<string> {
  const { count, cents } = await db
    .selectFrom("payouts")
    .select(({ fn }) => [fn.countAll<number>().as("count"), fn.sum<number>("amount_cents").as("cents")])
    .where("run_id", "=", run.id)
    .executeTakeFirstOrThrow();
  const at = run.created_at.toISOString().slice(0, 19);
  const message = `PAYOUTS-${run.id}-${at.replaceAll(/\D/g, "")}`;
  const sums = `<NbOfTxs>${count}</NbOfTxs><CtrlSum>${formatCents(Number(cents))}</CtrlSum>`;
  const name = xmlText(debtor.name);
  const agent = debtor.bic === null ? "<Othr><Id>NOTPROVIDED</Id></Othr>" : `<BICFI>${debtor.bic}</BICFI>`;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
<CstmrCdtTrfInitn>
<GrpHdr><MsgId>${message}</MsgId><CreDtTm>${at}</CreDtTm>${sums}<InitgPty><Nm>${name}</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>${message}</PmtInfId><PmtMtd>TRF</PmtMtd>${sums}<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
<ReqdExctnDt><Dt>${at.slice(0, 10)}</Dt></ReqdExctnDt><Dbtr><Nm>${name}</Nm></Dbtr><DbtrAcct><Id><IBAN>${debtor.iban}</IBAN></Id></DbtrAcct>
<DbtrAgt><FinInstnId>${agent}</FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>
`;
  for await (const page of pagesOf(db, run)) yield page.map(creditTransfer).join("");
  yield "</PmtInf>\n</CstmrCdtTrfInitn>\n</Document>\n";
}

function creditTransfer(payout: Payout): string {
  const amount = `<InstdAmt Ccy="${payout.currency}">${formatCents(payout.amount_cents)}</InstdAmt>`;
  return `<CdtTrfTxInf><PmtId><EndToEndId>${referenceOf(payout)}</EndToEndId></PmtId><Amt>${amount}</Amt><Cdtr><Nm>${xmlText(payout.holder ?? "")}</Nm></Cdtr><CdtrAcct><Id><IBAN>${payout.iban}</IBAN></Id></CdtrAcct><RmtInf><Ustrd>Payout ${payout.id}</Ustrd></RmtInf></CdtTrfTxInf>\n`;
}

const xmlText = (text: string): string => escapeHtml(bankText(text));
