import { join } from "node:path";
import type { PrintableTexts, PrintedDocument } from "@beatmarket/documents/document.ts";
import type { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { conflict } from "@beatmarket/foundation/errors.ts";
import { formatAmount, formatCents } from "@beatmarket/foundation/text/money.ts";
import { lineText, type Statement } from "../statement.ts";

export interface StatementSheet {
  statement: Statement;
  /** The owner of the statement. */
  holder: string;
}

const printable = { module: new URL("./statement-document.ts", import.meta.url), name: "statement" };

/** More lines would exceed the time limit for a document. */
const maxLines = 5_000;

/** Prints a statement as PDF/A-2a. Throws 409 for a statement with too many lines. CSV has no such limit. */
export async function printStatement(
  printer: Pick<DocumentPrinter, "print">,
  sheet: StatementSheet,
): Promise<Uint8Array> {
  const { lines, month } = sheet.statement;
  if (lines.length > maxLines)
    throw conflict(`The statement of ${month} has more than ${maxLines} lines. Take it as CSV.`);
  return printer.print(printable, sheet);
}

/** A producer's statement for the printing thread. */
export const document: PrintedDocument<StatementSheet> = {
  template: join(import.meta.dirname, "statement.typ"),
  standard: "a-2a",
  // The first moment after the month.
  dateOf: ({ statement: { month } }) => {
    const first = new Date(`${month}-01T00:00:00Z`);
    return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1));
  },
  layout: statementLayout,
};

/** The data that `statement.typ` prints. Pure. */
function statementLayout({ statement, holder }: StatementSheet, { clean, name }: PrintableTexts) {
  const { month, currency, openingCents, closingCents, lines } = statement;
  return {
    title: `Statement of ${month}`,
    holder: name(holder),
    currency,
    opening: formatAmount(openingCents, currency),
    closing: formatAmount(closingCents, currency),
    lines: lines.map(({ at, kind, orderId, title, cents }) => ({
      time: at.toISOString().slice(0, 16).replace("T", " "),
      what: lineText(kind),
      about: orderId === null ? "" : `${clean(title ?? "")} (order ${orderId})`,
      amount: formatCents(cents),
    })),
  };
}
