import { conflict } from "@beatmarket/foundation/errors.ts";
import type { DocumentPrinter } from "../../printing/printer.ts";
import type { StatementSheet } from "./statement-document.ts";

const printable = { module: new URL("./statement-document.ts", import.meta.url), name: "statement" };

/** Printing more lines would exceed the time limit of a document. */
const maxLines = 5_000;

/** Prints a statement as PDF/A-2a. Throws 409 for one with too many lines; CSV has no such limit of lines. */
export async function printStatement(
  printer: Pick<DocumentPrinter, "print">,
  sheet: StatementSheet,
): Promise<Uint8Array> {
  const { lines, month } = sheet.statement;
  if (lines.length > maxLines)
    throw conflict(`The statement of ${month} has more than ${maxLines} lines. Take it as CSV.`);
  return printer.print(printable, sheet);
}
