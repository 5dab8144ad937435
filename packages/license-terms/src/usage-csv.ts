import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { CsvError, parse } from "csv-parse/sync";
import { highestLimit } from "./limits.ts";
import { countedUses, isCountedUse, maxReports, maxSourceLength, periodPattern, type UsageReport } from "./usage.ts";

const usageColumns = ["use", "quantity", "period", "source"] as const;

/**
 * Reads the reports of a CSV file (docs/clauses.md, A file of a distributor). Adds up the rows of the same use, period
 * and source. Throws 400, which names the row, if a row has a mistake; then no row of the file counts.
 */
export function readUsageCsv(text: string): UsageReport[] {
  const [header = [], ...rows] = parseRows(text);
  const columns = header.map((name) => name.toLowerCase());
  for (const [index, name] of columns.entries()) {
    if (!usageColumns.some((each) => each === name))
      throw wrongRow(
        1,
        `has the unknown column ${JSON.stringify(header[index])}; the columns are ${usageColumns.join(", ")}`,
      );
    if (columns.indexOf(name) !== index) throw wrongRow(1, `names the column ${name} twice`);
  }
  const missing = usageColumns.find((name) => !columns.includes(name));
  if (missing !== undefined)
    throw wrongRow(1, `lacks the column ${missing}; the columns are ${usageColumns.join(", ")}`);
  if (rows.length === 0) throw wrongRow(2, "is missing: the file reports nothing");
  if (rows.length > maxReports)
    throw wrongRow(maxReports + 2, `is one too many; send at most ${maxReports} rows a file`);
  const reports = new Map<string, UsageReport>();
  rows.forEach((cells, index) => {
    const report = readRow(Object.fromEntries(columns.map((name, place) => [name, cells[place] ?? ""])), index + 2);
    const name = JSON.stringify([report.use, report.period, report.source]);
    const quantity = (reports.get(name)?.quantity ?? 0) + report.quantity;
    if (quantity > highestLimit)
      throw wrongRow(index + 2, `makes more than ${highestLimit} ${report.use} of the month`);
    reports.set(name, { ...report, quantity });
  });
  return [...reports.values()];
}

function parseRows(text: string): string[][] {
  try {
    return parse(text, { bom: true, trim: true, skip_empty_lines: true, max_record_size: 10_000 }) as string[][];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw wrongRow(Number(error.lines ?? 1), "is not valid CSV: its quotes or its number of columns are wrong");
  }
}

function readRow(cells: Record<string, string>, row: number): UsageReport {
  const { use = "", quantity = "", period = "", source = "" } = cells;
  if (!isCountedUse(use)) throw wrongRow(row, `has the use ${JSON.stringify(use)}; write ${countedUses.join(", ")}`);
  if (!/^\d{1,10}$/.test(quantity) || Number(quantity) > highestLimit)
    throw wrongRow(row, `has the quantity ${JSON.stringify(quantity)}; write only digits, such as 1200`);
  if (!periodPattern.test(period))
    throw wrongRow(row, `has the period ${JSON.stringify(period)}; write a month such as 2027-01`);
  if (source === "" || source.length > maxSourceLength)
    throw wrongRow(
      row,
      `has ${source === "" ? "no source" : "a long source"}; write a name of 1 to ${maxSourceLength} characters`,
    );
  return { use, quantity: Number(quantity), period, source };
}

const wrongRow = (row: number, problem: string) =>
  invalidRequest(`Row ${row} of the file ${problem}. Nothing was stored.`, `row ${row}`);
