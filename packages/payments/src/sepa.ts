import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { formatCents } from "@beatmarket/foundation/text/money.ts";

/** The paying account. */
export interface Debtor {
  name: string;
  iban: string;
  bic: string | null;
}

export interface CreditTransfer {
  /** The end-to-end reference, which the bank repeats in its statement. */
  reference: string;
  creditor: { name: string; iban: string };
  amountCents: number;
  currency: string;
  /** The remittance information that the creditor reads. */
  remittance: string;
}

/** The header of a file of transfers. */
export interface TransferBatch {
  /** At most 35 characters. A bank refuses a second file with the same id. */
  messageId: string;
  at: Date;
  debtor: Debtor;
  count: number;
  totalCents: number;
}

/**
 * Yields the parts of a file of SEPA credit transfers, by the rules of the European Payments Council: ISO 20022
 * pain.001.001.09.
 */
export async function* creditTransferFile(
  { messageId, at: createdAt, debtor, count, totalCents }: TransferBatch,
  transfers: AsyncIterable<readonly CreditTransfer[]>,
): AsyncGenerator<string> {
  const time = createdAt.toISOString().slice(0, 19);
  const sums = `<NbOfTxs>${count}</NbOfTxs><CtrlSum>${formatCents(totalCents)}</CtrlSum>`;
  const name = xmlText(debtor.name);
  const agent = debtor.bic === null ? "<Othr><Id>NOTPROVIDED</Id></Othr>" : `<BICFI>${debtor.bic}</BICFI>`;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
<CstmrCdtTrfInitn>
<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>${time}</CreDtTm>${sums}<InitgPty><Nm>${name}</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>${messageId}</PmtInfId><PmtMtd>TRF</PmtMtd>${sums}<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
<ReqdExctnDt><Dt>${time.slice(0, 10)}</Dt></ReqdExctnDt><Dbtr><Nm>${name}</Nm></Dbtr><DbtrAcct><Id><IBAN>${debtor.iban}</IBAN></Id></DbtrAcct>
<DbtrAgt><FinInstnId>${agent}</FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>
`;
  for await (const page of transfers) yield page.map(transferInformation).join("");
  yield "</PmtInf>\n</CstmrCdtTrfInitn>\n</Document>\n";
}

function transferInformation({ reference, creditor, amountCents, currency, remittance }: CreditTransfer): string {
  const amount = `<InstdAmt Ccy="${currency}">${formatCents(amountCents)}</InstdAmt>`;
  return `<CdtTrfTxInf><PmtId><EndToEndId>${reference}</EndToEndId></PmtId><Amt>${amount}</Amt><Cdtr><Nm>${xmlText(creditor.name)}</Nm></Cdtr><CdtrAcct><Id><IBAN>${creditor.iban}</IBAN></Id></CdtrAcct><RmtInf><Ustrd>${xmlText(remittance)}</Ustrd></RmtInf></CdtTrfTxInf>\n`;
}

const xmlText = (text: string): string => escapeHtml(bankText(text));

/**
 * Converts a text to the characters that every bank of SEPA accepts (EPC217-08): Latin letters without accents, digits
 * and some signs. Replaces other characters with a dot. Cuts the text at 70 characters.
 */
export const bankText = (text: string): string =>
  text
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("Ø", "O")
    .replaceAll("ł", "l")
    .replaceAll("Ł", "L")
    .replaceAll("æ", "ae")
    .replaceAll("Æ", "Ae")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, ".")
    .slice(0, 70)
    .trim();
